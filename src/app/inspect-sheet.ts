/** Inspects a sheet for the console: checks it as `payrun check` does, and compares it with the payments in the ledger. */
import type { Problem } from '../base/problem.ts';
import type { NoteOf } from '../domain/note.ts';
import { batchProblem } from '../domain/problems/batch-problems.ts';
import type { DocumentLimits } from '../domain/rows/document.ts';
import type { RowRules } from '../domain/rows/line.ts';
import { matchedMs, recentMs } from '../domain/sending/match.ts';
import type { DraftBatch, Ledger, SentBefore } from '../ledger/ledger.ts';
import { historyOf } from '../pipeline/controls/history.ts';
import { addPayeeProblems, type PayeeControl } from '../pipeline/controls/payee-control.ts';
import { addRailProblems, type RailPolicy } from '../pipeline/controls/rail-limits.ts';
import type { Progress } from '../pipeline/deps.ts';
import {
  addressOf,
  type Duplicate,
  differenceOf,
  duplicateProblem,
  duplicatesOfDraft,
  effectOf,
} from '../pipeline/duplicates/duplicates.ts';
import { checkSheet, type SheetCheck } from '../pipeline/intake/check-rows.ts';
import { changesOf, nameBatch } from '../pipeline/plans/plan.ts';
import type { SheetOptions } from '../sheet/sheet.ts';

export interface LookOrder {
  readonly duplicatesWindow: number;
  readonly path: string;
  readonly options: SheetOptions;
  readonly rules: RowRules;
  readonly documentsFolder: string;
  readonly documentLimits: DocumentLimits;
  readonly rails: RailPolicy;
  readonly payees: PayeeControl;
  readonly now: number;
  /** The service at which the sheet would be paid: `sandbox`, or the base URL. */
  readonly address: string;
}

export interface SentAs {
  readonly batch: string;
  readonly rows: number;
  readonly held?: number;
  /** True if the batch has the same rows by key. False if its rows only look the same and were sent recently. */
  readonly own: boolean;
  /** How many of the batch's rows the sheet lacks. Set only if the batch sent some of the sheet's rows and others are unsent, and for at most five batches. */
  readonly lacks?: number;
  /** How many sent rows differ, and the first numbers of those that look corrected. */
  readonly changed?: RowSample;
  /** When the newest row that is or may be paid was sent; null if there is none. */
  readonly at: number | null;
}

export interface RowSample {
  readonly rows: number;
  readonly numbers: readonly number[];
}

export interface Looked {
  readonly checked: SheetCheck;
  readonly seen: readonly SeenNote[];
  readonly sent: { readonly batch: string; readonly rows: number; readonly paid: number } | null;
  readonly elsewhere: boolean;
  /** Batches that sent or hold rows of the sheet, or sent similar rows. The batch with the most rows comes first. */
  readonly repeats: readonly SentAs[];
  /** How many of the sheet's rows were sent in any batch. Rows that only look alike are not counted. */
  readonly sentRows: number;
  /** Numbers of rows whose payee was never paid from this ledger. */
  readonly newPayees: ReadonlySet<number>;
}

export async function inspectSheet(
  ledger: Ledger,
  order: LookOrder,
  progress: (step: Progress) => void,
): Promise<Looked> {
  const { address, now, payees } = order;
  const { path, options, rules, documentsFolder, documentLimits } = order;
  const checked = await checkSheet(
    ledger.draft,
    { path, options, rules, documentsFolder, documentLimits, now },
    progress,
  );
  const batch = checked.ownBatch ?? '';
  addRailProblems(ledger.draft, order.rails, now, checked.ownBatch);
  addPayeeProblems(ledger, address, batch, payees === 'off' ? 'warn' : payees);
  const { batch: named } = await nameBatch(ledger, { batch: null }, checked.ownBatch);
  const known = await ledger.batch(named);
  const sentRowsOf = await ledger.sentOfDraft(address, now - matchedMs);
  const sent = new Map(sentRowsOf.flatMap((one) => (one.was === null ? [[one.number, one] as const] : [])));
  const window = { now, windowDays: order.duplicatesWindow };
  const duplicates = await duplicatesOfDraft(ledger, { batch: named, identity: address }, window);
  ledger.draft.addProblems(duplicates.map((one) => duplicateProblem(one, effectOf(one), sent)));
  ledger.draft.addProblems(sentBefore(ledger, sentRowsOf, duplicates));
  const here = (await ledger.batchesOfDraft()).filter((one) => one.address === address);
  const { repeats, sentRows } = await repeatsOf(ledger, here, { address, now });
  const own = known === null ? undefined : here.find((one) => one.batch === named);
  const history = await historyOf(ledger, { batch, address, now });
  const every = (await ledger.batches()).length === 0;
  const fresh = every ? ledger.plannedRows(batch) : ledger.oddPayees('new', maxRows);
  return {
    checked,
    sent: own !== undefined && wasSentOf(own) ? { batch: named, rows: own.sent, paid: own.paid } : null,
    elsewhere: known !== null && addressOf(known.identity) !== address,
    repeats,
    sentRows,
    seen: [
      ...(known === null ? sentAsOthers(here) : []),
      ...heldIn(here),
      ...(history.alike === null ? [] : [{ note: 'like-earlier-batch', ...history.alike } as const]),
    ],
    newPayees: new Set(Array.from<{ readonly number: number }, number>(fresh, ({ number }) => number)),
  };
}

/** Returns warnings about rows that were sent before. Skips rows that already have the warning LOOKS_PAID. */
function sentBefore(ledger: Ledger, sent: readonly SentBefore[], duplicates: readonly Duplicate[]): Problem[] {
  // Many sheets use the same row numbers for new payments, so a batch counts only if it has at least one equal row.
  const batches = new Set(sent.flatMap(({ batch, was }) => (was === null ? [batch] : [])));
  if (batches.size === 0) return [];
  const told = new Set(Array.from(ledger.draft.eachProblem(), ({ code, row }) => (code === 'LOOKS_PAID' ? row : null)));
  const near = duplicates.flatMap(({ number, batch, otherNumber: twin, sentAt, ...one }) => {
    const differs = differenceOf(one);
    return differs === null || sentAt === null ? [] : [{ number, batch, twin, sentAt, differs }];
  });
  const rows = [
    ...sent.map(({ was, now: is, ...one }) => ({
      ...one,
      differs: was === null || is === null ? null : changesOf(was, is),
    })),
    ...near,
  ];
  const said = rows.filter(({ number, batch }) => {
    const isNew = !told.has(number) && batches.has(batch);
    if (isNew) told.add(number);
    return isNew;
  });
  const { rows: every, errors } = ledger.draft.counts();
  // An unchanged repetition of an earlier sheet gets one warning, because nobody would read one for every row.
  if (errors === 0 && said.length === every && said.every(({ differs }) => differs === null)) {
    return said.slice(0, 1).map(({ twin: row, batch, sentAt }) => {
      const facts = { row, batch, sentAt, others: batches.size - 1 };
      return batchProblem('SENT_ALREADY', 'warning', facts);
    });
  }
  return said.map(({ number, differs, twin: row, batch, sentAt }) =>
    differs === null
      ? batchProblem('SENT_ALREADY', 'warning', { row, batch, sentAt, others: null }, { row: number })
      : batchProblem('SENT_OTHERWISE', 'warning', { row, batch, sentAt, differs }, { row: number }),
  );
}

/** Returns batches with rows of the sheet, however old, and batches that recently sent rows that look the same. */
async function repeatsOf(
  ledger: Ledger,
  here: readonly DraftBatch[],
  { address, now }: Pick<LookOrder, 'address' | 'now'>,
) {
  const asked = new Set(await ledger.askedOfDraft(address));
  const { rows: every } = ledger.draft.counts();
  const own: SentAs[] = [];
  for (const one of here.filter(({ sent, held, changed }) => sent + held + changed > 0)) {
    const { batch, sent: rows, held, changed, corrected, sentAt: at } = one;
    const mayContinue = rows > 0 && rows + held < every && own.length < mostOthers;
    const lacks = mayContinue ? await lackedBy(ledger, batch) : null;
    own.push({
      batch,
      rows,
      held,
      own: true,
      at,
      ...(changed === 0 ? {} : { changed: { rows: changed, numbers: corrected.slice(0, mostNumbers) } }),
      ...(lacks === null ? {} : { lacks }),
    });
  }
  const since = now - recentMs;
  const twins = (await ledger.matchesOfDraft('', { address, since, now })).filter(
    ({ number, sentAt, differs }) => differs === 'nothing' && !asked.has(number) && sentAt !== null && sentAt >= since,
  );
  const alike = [...Map.groupBy(twins, ({ batch }) => batch)].map(
    ([batch, same]): SentAs => ({
      batch,
      rows: new Set(same.map(({ number }) => number)).size,
      own: false,
      at: same.reduce((newest, { sentAt }) => Math.max(newest, Number(sentAt)), 0),
    }),
  );
  const repeats = [...own, ...alike].toSorted((a, b) => b.rows - a.rows || Number(b.at) - Number(a.at));
  return { repeats, sentRows: asked.size };
}

/** Rows that a person closed do not count. */
async function lackedBy(ledger: Ledger, batch: string): Promise<number> {
  const { closed: _closed, ...open } = (await ledger.compare(batch)).rows;
  return Object.values(open).reduce((sum, { missing }) => sum + missing, 0);
}

const maxRows = 10_000_000;

const mostOthers = 5;
const mostNumbers = 100;

const wasSentOf = ({ sent, changed }: DraftBatch) => sent > 0 && changed === 0;

type SeenNote = NoteOf<'sent-as-batch' | 'held-in-batch' | 'like-earlier-batch'>;

const sentAsOthers = (here: readonly DraftBatch[]): SeenNote[] =>
  here
    .filter(wasSentOf)
    .slice(0, mostOthers)
    .map(({ batch, sent: rows, paid }) => ({ note: 'sent-as-batch', batch, rows, paid }));

const heldIn = (here: readonly DraftBatch[]): SeenNote[] =>
  here
    .filter(({ held }) => held > 0)
    .slice(0, mostOthers)
    .map(({ batch, held: rows }) => ({ note: 'held-in-batch', batch, rows }));
