/** Writes the plan as a page to read and print: one file, without scripts. */
import { basename } from 'node:path';
import type { ShownMoney } from '../../base/words.ts';
import type { Note } from '../../domain/note.ts';
import { isAddition } from '../../domain/rows/version-table.ts';
import { planPageWords } from '../../messages/files/plan-page.ts';
import { identityWords } from '../../messages/format/identity.ts';
import { breakerWords, capsWords, windowsWords } from '../../messages/format/limits.ts';
import { grouped, moneyOf } from '../../messages/format/numbers.ts';
import { forOthers } from '../../messages/format/program.ts';
import { inZone, timeWords } from '../../messages/format/times.ts';
import { noteWords } from '../../messages/notes.ts';
import { problemWords } from '../../messages/problems.ts';
import { choiceNotes, type Output, placeFile, writeText } from '../../sheet/sheet.ts';
import { factsTable, list, pageStart, safe, table, tableEnd, tableRow, tableStart } from './page.ts';
import { payerOf } from './plan.ts';
import {
  correctedCode,
  digestWords,
  type PlanFile,
  type PlanHead,
  type PlanMerchant,
  type PlanRow,
  type PlanTotal,
  type PlanWarning,
} from './plan-file.ts';

interface Glance {
  readonly created: readonly PayeeRow[];
  readonly renamed: readonly PayeeRow[];
  readonly unclear: readonly PayeeRow[];
  readonly largest: readonly PlanRow[];
  readonly warnings: readonly PlanWarning[];
  /** The rows that a run holds. A release after the run sends them without another approval. */
  readonly held: { readonly rows: number; readonly sums: readonly ShownMoney[] };
}

interface PayeeRow {
  readonly merchant: PlanMerchant;
  readonly row: PlanRow;
}

const shownPayees = 1000;
const shownWarnings = 200;
const shownLargest = 10;
const shownRows = 20_000;

/** Reads the plan once. `goes` selects the rows from which the page lists the largest. */
export async function glanceAt(plan: PlanFile, goes = (row: PlanRow) => row.standing === 'not sent'): Promise<Glance> {
  const wanted = new Map<number, PlanMerchant>();
  const shown = { create: 0, rename: 0, unclear: 0, reuse: Number.POSITIVE_INFINITY };
  const payees: PayeeRow[] = [];
  const warnings: PlanWarning[] = [];
  const largest = new Map<string, PlanRow[]>();
  const held = new Map<string, ShownMoney & { readonly amount: bigint }>();
  let heldRows = 0;
  for await (const { kind, line } of plan.lines()) {
    if (kind === 'merchants' && shown[line.action]++ < shownPayees) wanted.set(line.row, line);
    if (kind === 'warnings' && warnings.length < shownWarnings) warnings.push(line);
    if (kind !== 'rows') continue;
    const merchant = wanted.get(line.row);
    if (merchant !== undefined) payees.push({ merchant, row: line });
    if (goes(line)) keepLargest(largest, line);
    if (line.standing !== 'held') continue;
    heldRows += 1;
    const { currency, unit } = line;
    const amount = (held.get(currency)?.amount ?? 0n) + BigInt(line.amount);
    held.set(currency, { currency, unit, amount });
  }
  const of = (action: PlanMerchant['action']) => payees.filter(({ merchant }) => merchant.action === action);
  return {
    created: of('create'),
    renamed: of('rename'),
    unclear: of('unclear'),
    largest: [...largest.keys()].sort().flatMap((key) => largest.get(key) ?? []),
    warnings,
    held: { rows: heldRows, sums: [...held.values()] },
  };
}

function keepLargest(largest: Map<string, PlanRow[]>, row: PlanRow): void {
  const key = JSON.stringify([row.currency, row.unit]);
  const list = largest.get(key) ?? [];
  largest.set(key, list);
  const before = list.findIndex(({ amount }) => BigInt(amount) < BigInt(row.amount));
  list.splice(before < 0 ? list.length : before, 0, row);
  list.length = Math.min(list.length, shownLargest);
}

export function payeeDestination({ destination }: Pick<PlanRow, 'destination'>): string {
  switch (destination.country) {
    case 'SouthAfrica':
      return `${destination.bankName} ${destination.accountNumber}, South Africa`;
    case 'Nigeria':
      return `${[destination.bankName, destination.bankCode].filter((part) => part !== null).join(' ')} ${destination.accountNumber}, Nigeria`;
    case 'Kenya':
      return `${destination.networkProvider} ${destination.contactNumber}, Kenya`;
    case 'BTC':
      return `${destination.lnurl}, Lightning`;
  }
}

export function termNotes({ terms, skipped }: PlanHead): Note[] {
  const notes: (Note | null)[] = [
    terms.repeat === null ? null : { note: 'pays-again', reason: terms.repeat },
    terms.series === null ? null : { note: 'of-series', series: terms.series },
    terms.confirm_variance === null ? null : { note: 'variance-confirmed', reason: terms.confirm_variance },
    ...choiceNotes(terms.choices, terms.left_out ?? 0),
    isAddition(terms) || terms.retry ? { note: 'others-stay' } : null,
    terms.update_names ? { note: 'renames-payees' } : null,
    skipped === 0 ? null : { note: 'mistakes-skipped', rows: skipped },
  ];
  return notes.filter((note) => note !== null);
}

/** The page has times in UTC and one program name, because approvers read it on other machines. */
const asWritten = <T>(act: () => T): T => inZone('UTC', () => forOthers(act));

export const writePlanPage = async (output: Output, plan: PlanFile): Promise<string> =>
  await asWritten(async () => await writeText(output, pageText(plan, await glanceAt(plan))));

/** Replaces any page at this path, so that an approver never reads a page that differs from the plan. */
export const replacePlanPage = async (path: string, plan: PlanFile): Promise<string> =>
  await placeFile(path, async (handle) => {
    await asWritten(async () => {
      for await (const part of pageText(plan, await glanceAt(plan))) await handle.appendFile(part);
    });
  });

async function* pageText(plan: PlanFile, glance: Glance): AsyncIterable<string> {
  const { head, digest } = plan;
  const { counts } = head;
  yield pageStart(`Plan of batch ${head.batch}`);
  yield `<h1>Plan of batch ${safe(head.batch)}</h1>\n${digestLine(digest)}`;
  yield facts(head);
  yield list(termNotes(head).map((note) => noteWords(note)));
  yield `<h2>Totals</h2>\n${table(planPageWords.totalsHeader, head.totals.map(totalCells), [2, 3, 4, 5])}`;
  if (glance.held.rows > 0) yield `<p>${safe(planPageWords.held(glance.held))}</p>\n`;
  const isCorrected = ({ code }: PlanWarning) => code === correctedCode;
  yield warningsTable(planPageWords.corrected, glance.warnings.filter(isCorrected));
  yield warningsTable(
    planPageWords.warnings,
    glance.warnings.filter((one) => !isCorrected(one)),
  );
  yield more(counts.warnings - glance.warnings.length);
  const payees = [
    ['created', glance.created, counts.merchants_to_create],
    ['renamed', glance.renamed, counts.merchants_to_rename],
    ['unclear', glance.unclear, counts.merchants_unclear],
  ] as const;
  for (const [kind, some, all] of payees) {
    if (all === 0) continue;
    yield `<h2>${planPageWords[kind]} (${grouped(all)})</h2>\n`;
    yield table(planPageWords.payeeHeader, some.map(payeeCells), [0, 4]);
    yield more(all - some.length);
  }
  if (counts.merchants_to_create === 0 && counts.rows_to_send > 0) yield `<p>${planPageWords.noNewPayee}</p>\n`;
  if (glance.largest.length > 0)
    yield `<h2>The largest rows</h2>\n${table(planPageWords.rowHeader, glance.largest.map(rowCells), rowNumbers)}`;
  yield `<h2>All rows (${grouped(counts.rows)})</h2>\n`;
  yield tableStart(planPageWords.rowHeader, rowNumbers);
  let shown = 0;
  for await (const { kind, line } of plan.lines())
    if (kind === 'rows' && ++shown <= shownRows) yield tableRow(rowCells(line), rowNumbers);
  yield tableEnd;
  yield more(counts.rows - Math.min(shown, shownRows));
  yield `${digestLine(digest)}</body>\n</html>\n`;
}

function warningsTable(title: string, warnings: readonly PlanWarning[]): string {
  if (warnings.length === 0) return '';
  const cells = warnings.map((one) => [one.row === null ? '' : String(one.row), problemWords(one)]);
  return `<h2>${title}</h2>\n${table(['Row', 'What'], cells, [0])}`;
}

function facts(head: PlanHead): string {
  const { documents, documents_above, collection_prompts, caps, pay_window, rails, breaker, canary } = head.limits;
  const lines: [string, string][] = [
    ['Sheet', basename(head.sheet)],
    ['Service', identityWords(payerOf(head))],
    ['Made by', head.maker],
    ['Made', timeWords(Date.parse(head.made_at))],
    ['Good until', timeWords(Date.parse(head.expires_at))],
    [
      'Documents',
      `${grouped(head.counts.documents)}; above ${grouped(documents_above)} ZAR: ${planPageWords.documents[documents]}`,
    ],
    [planPageWords.prompts, collection_prompts === null ? 'any number' : `at most ${collection_prompts}`],
    ...(caps === undefined ? [] : [['Caps', capsWords(caps)] satisfies [string, string]]),
    ...(pay_window === undefined ? [] : [['Pay window', windowsWords(pay_window)] satisfies [string, string]]),
    [planPageWords.rails, planPageWords.railRule[rails]],
    [planPageWords.breaker, breakerWords(breaker)],
    ...(canary === undefined ? [] : [['Canaries', String(canary)] satisfies [string, string]]),
  ];
  return factsTable(lines);
}

function totalCells(total: PlanTotal): string[] {
  const { currency, unit, from_country, rows, amount, rows_to_send, amount_to_send } = total;
  const name = unit === 'whole' ? currency : `${currency} (${unit})`;
  return [name, from_country ?? '', grouped(rows), grouped(amount), grouped(rows_to_send), grouped(amount_to_send)];
}

function payeeCells({ merchant, row }: PayeeRow): string[] {
  const { name, service_name, rows } = merchant;
  return [String(merchant.row), name, service_name ?? '', payeeDestination(row), grouped(rows)];
}

const rowNumbers = [0, 3];

function rowCells(row: PlanRow): string[] {
  const documents = row.documents.map(({ name, sha256 }) => `${name} (${sha256.slice(0, 16)}…)`).join('; ');
  const standing = row.standing === 'not sent' ? 'to be sent' : row.standing;
  return [
    String(row.row),
    row.name,
    payeeDestination(row),
    moneyOf(row),
    row.from_country ?? '',
    row.reference,
    documents,
    standing,
  ];
}

const digestLine = (digest: string): string => `<p class="digest">Plan <code>${digestWords(digest)}</code></p>\n`;

const more = (count: number): string => (count > 0 ? `<p>${planPageWords.more(count)}</p>\n` : '');
