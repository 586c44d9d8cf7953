/** The plan as a file: canonical JSON text, with one row on each line, so that a million rows need little memory. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { FaultError, fileFault, PayrunError } from '../../base/errors.ts';
import type { ApprovalFault, FileFault } from '../../base/faults/fault.ts';
import { shapeFault } from '../../base/json.ts';
import { eachOf, wordsIn } from '../../base/words.ts';
import { destinationKey } from '../../domain/accounts/merchant.ts';
import { windowDays } from '../../domain/calendar/pay-window.ts';
import type { SheetProblems } from '../../domain/problems/sheet-problems.ts';
import { rowDigest, rowOfContent } from '../../domain/rows/digest.ts';
import type { Row } from '../../domain/rows/row.ts';
import { type PlannedRow, rowWords, wordOf } from '../../ledger/ledger.ts';

const text = z.string();
const optional = z.string().nullable();
/** An amount as text, since a JSON reader may round large numbers. */
const money = z.string().regex(/^(0|[1-9]\d*)$/);
const count = z.int().nonnegative();
const moment = z.iso.datetime({ precision: 3 });
const sha256Text = z.string().regex(/^[0-9a-f]{64}$/);

const destination = z.discriminatedUnion('country', [
  z.strictObject({ country: z.literal('SouthAfrica'), bank: text, bankName: text, accountNumber: text }),
  z.strictObject({
    country: z.literal('Nigeria'),
    bank: text,
    bankName: optional,
    bankCode: optional,
    accountNumber: text,
  }),
  z.strictObject({ country: z.literal('Kenya'), networkProvider: text, contactNumber: text }),
  z.strictObject({ country: z.literal('BTC'), lnurl: text }),
]);

const unit = z.enum(['whole', 'hundredths', 'sat']);

const rowShape = z.strictObject({
  row: z.int().positive(),
  key: text,
  row_id: optional,
  payee_id: text.exactOptional(),
  name: text,
  destination,
  amount: money,
  unit,
  currency: text,
  from_country: optional,
  reference: text,
  collection_method: optional,
  type: optional,
  slow: z.boolean(),
  tag: optional,
  merchant_id: optional,
  documents: z.array(z.strictObject({ name: text, sha256: sha256Text, bytes: count })),
  digest: sha256Text,
  /** The row's status when the plan was made. A run under the plan sends rows that were `not sent`. */
  standing: z.enum(rowWords),
});

const merchantShape = z.strictObject({
  destination: text,
  row: z.int().positive(),
  name: text,
  rows: count,
  /** `unclear`: the service has several merchants and none is certain, so the payee's rows would not be paid. */
  action: z.enum(['create', 'reuse', 'rename', 'unclear']),
  id: optional,
  service_name: optional,
});

/** The code of corrected cells, which stand among the warnings so that an approver sees them. */
export const correctedCode: keyof SheetProblems = 'CELL_CORRECTED';

const warningShape = z.strictObject({ row: z.int().nullable(), code: text, facts: z.looseObject({}) });

const most = money.exactOptional();
const cap = z.strictObject({ row: most, payee: most, batch: most, day: most }).exactOptional();
const caps = z.strictObject({ ZAR: cap, NGN: cap, KES: cap, 'BTC:sat': cap, 'USDT:hundredths': cap });
const dates = z.array(text).readonly();
const payWindows = z
  .array(z.strictObject({ from: count, until: count, days: z.enum(windowDays), closed: dates }))
  .readonly();

const countWords =
  'rows rows_to_send merchants_to_create merchants_to_reuse merchants_to_rename merchants_unclear documents warnings';

export const headShape = z.strictObject({
  version: z.literal(1),
  batch: text,
  /** True if `--batch` named the batch; else the name comes from the sheet. */
  batch_named: z.boolean(),
  /** The path of the sheet from the plan's folder. */
  sheet: text,
  sheet_sha256: sha256Text,
  /** The other options of the run. */
  options: z.record(text, z.union([text, z.boolean(), z.array(text).readonly()])),
  service: text,
  identity: text,
  maker: text,
  made_at: moment,
  expires_at: moment,
  /** The id of the ledger's newest sheet when the plan was made; 0 for none. A batch with a newer sheet needs a new plan. */
  base: count,
  terms: z.strictObject({
    add: z.boolean(),
    drop: z.boolean(),
    /** True for a plan that sends its rows again, and changes no other row. */
    retry: z.boolean(),
    skip_invalid: z.boolean(),
    update_names: z.boolean(),
    repeat: optional,
    series: optional,
    confirm_variance: optional,
    choices: z.array(z.strictObject({ column: text, only: z.array(text).nullable() })).exactOptional(),
    left_out: count.exactOptional(),
  }),
  limits: z.strictObject({
    documents: z.enum(['require', 'warn', 'off']),
    /** The sum to one account, in whole ZAR, above which rows need a document. */
    documents_above: money,
    collection_prompts: z.int().nullable(),
    account_checks: text,
    caps: caps.exactOptional(),
    pay_window: payWindows.exactOptional(),
    rails: z.enum(['hold', 'warn', 'off']),
    breaker: z.strictObject({ refusals: count, doubts: z.strictObject({ rows: count, percent: z.number() }) }),
    canary: count.exactOptional(),
  }),
  /** The digest of the rows' contents, which does not depend on the order of the rows. */
  rows_digest: sha256Text,
  skipped: count,
  counts: z.record(z.enum(wordsIn(countWords)), count),
  totals: z.array(
    z.strictObject({
      currency: text,
      unit,
      from_country: optional,
      rows: count,
      amount: money,
      rows_to_send: count,
      amount_to_send: money,
    }),
  ),
});

export type PlanRow = z.infer<typeof rowShape>;
export type PlanMerchant = z.infer<typeof merchantShape>;
export type PlanWarning = z.infer<typeof warningShape>;
export type PlanHead = z.infer<typeof headShape>;
export type PlanTotal = PlanHead['totals'][number];

export interface PlanSource extends Pick<PlanFile, 'lines'> {
  readonly head: Omit<PlanHead, 'counts' | 'totals'>;
}

export interface PlanFile {
  readonly path: string;
  readonly digest: string;
  readonly head: PlanHead;
  /** Yields the merchants, warnings and rows. Throws if the file has changed since it was opened. */
  lines(): AsyncIterable<PlanLine>;
}

export type PlanLine =
  | { readonly kind: 'merchants'; readonly line: PlanMerchant }
  | { readonly kind: 'warnings'; readonly line: PlanWarning }
  | { readonly kind: 'rows'; readonly line: PlanRow };

export const longestPlanMs = 720 * 60 * 60 * 1000;

export const sections = ['merchants', 'warnings', 'rows'] as const;
export type Section = (typeof sections)[number];
export const shapes = { merchants: merchantShape, warnings: warningShape, rows: rowShape } as const;

export function planRow({ number, key, digest, content, state, documents }: PlannedRow): PlanRow {
  const row = rowOfContent(content, number);
  return {
    row: number,
    key,
    row_id: row.rowId,
    ...(row.payeeId === null ? {} : { payee_id: row.payeeId }),
    name: row.name,
    destination: row.destination,
    amount: String(row.amount),
    unit: row.unit,
    currency: row.currency,
    from_country: row.fromCountry,
    reference: row.reference,
    collection_method: row.collectionMethod,
    type: row.type,
    slow: row.slow,
    tag: row.ownTag,
    merchant_id: row.merchantId,
    documents: documents.map(({ name, sha256, sizeBytes }) => ({ name, sha256, bytes: sizeBytes })),
    digest,
    standing: wordOf[state],
  };
}

export function tally() {
  const counts = eachOf(0, countWords);
  const none = { rows: 0, amount: 0n, rows_to_send: 0, amount_to_send: 0n };
  const sums = new Map<string, Pick<PlanTotal, 'currency' | 'unit' | 'from_country'> & typeof none>();
  return {
    add({ kind, line }: PlanLine): void {
      if (kind === 'merchants') {
        counts[line.action === 'unclear' ? 'merchants_unclear' : (`merchants_to_${line.action}` as const)] += 1;
      } else if (kind === 'warnings') counts.warnings += 1;
      else {
        const of = { currency: line.currency, unit: line.unit, from_country: line.from_country };
        const key = JSON.stringify(Object.values(of));
        const sum = sums.get(key) ?? { ...of, ...none };
        sums.set(key, sum);
        counts.rows += 1;
        counts.documents += line.documents.length;
        sum.rows += 1;
        sum.amount += BigInt(line.amount);
        if (line.standing !== 'not sent') return;
        counts.rows_to_send += 1;
        sum.rows_to_send += 1;
        sum.amount_to_send += BigInt(line.amount);
      }
    },
    end: (): Pick<PlanHead, 'counts' | 'totals'> => ({
      counts,
      totals: [...sums]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, sum]) => ({ ...sum, amount: String(sum.amount), amount_to_send: String(sum.amount_to_send) })),
    }),
  };
}

const start = '{"plan":';

/** True if the file begins as a plan begins. */
export async function isPlan(path: string): Promise<boolean> {
  // A read of a pipe would never end.
  if (!(await stat(path).catch(() => null))?.isFile()) return false;
  const first = createReadStream(path, { end: start.length - 1, encoding: 'utf8' }).toArray();
  return (await first.catch(() => [])).join('') === start;
}

export async function openPlan(path: string): Promise<PlanFile> {
  const counted = tally();
  const order = inOrder(path);
  const reading = readPlan(path);
  let step = await reading.next();
  for (; !step.done; step = await reading.next()) {
    order.see(step.value);
    counted.add(step.value);
  }
  order.end();
  const { head, digest } = step.value;
  const [made, end] = [Date.parse(head.made_at), Date.parse(head.expires_at)];
  if (end <= made || end > made + longestPlanMs) throw changed(path, { fault: 'plan-is-damaged' });
  const { counts, totals } = counted.end();
  if (JSON.stringify([counts, totals]) !== JSON.stringify([head.counts, head.totals]))
    throw changed(path, { fault: 'plan-is-damaged' });
  return { path, digest, head, lines: () => readPlan(path, digest) };
}

/** Checks that each row and payee comes once and in order, and that digests and payees fit their rows. */
function inOrder(path: string) {
  const last = { merchants: 0, warnings: 0, rows: 0 };
  const payees = new Map<number, PlanMerchant>();
  return {
    see({ kind, line }: PlanLine): void {
      if (kind === 'warnings') return;
      if (line.row <= last[kind]) throw changed(path, { fault: 'plan-row-differs', row: line.row });
      last[kind] = line.row;
      if (kind === 'merchants') payees.set(line.row, line);
      else {
        const row = rowOfPlan(line);
        if (rowDigest(row) !== line.digest) throw changed(path, { fault: 'plan-row-differs', row: line.row });
        const payee = payees.get(line.row);
        if (payee !== undefined && (payee.name !== row.name || payee.destination !== destinationKey(row.destination)))
          throw changed(path, { fault: 'plan-row-differs', row: line.row });
        payees.delete(line.row);
      }
    },
    end(): void {
      for (const row of payees.keys()) throw changed(path, { fault: 'plan-row-differs', row });
    },
  };
}

export function rowOfPlan(line: PlanRow): Row {
  return {
    number: line.row,
    rowId: line.row_id,
    payeeId: line.payee_id ?? null,
    name: line.name,
    destination: line.destination,
    amount: Number(line.amount),
    unit: line.unit,
    currency: line.currency as Row['currency'],
    reference: line.reference,
    fromCountry: line.from_country as Row['fromCountry'],
    collectionMethod: line.collection_method as Row['collectionMethod'],
    type: line.type,
    slow: line.slow,
    ownTag: line.tag,
    merchantId: line.merchant_id,
    documents: line.documents.map(({ name }) => name),
  };
}

/** Yields the lines, and returns the head and the digest of all bytes. Throws for another digest than `expected`, and for a line that is not in its only valid form. */
async function* readPlan(
  path: string,
  expected: string | null = null,
): AsyncGenerator<PlanLine, { head: PlanHead; digest: string }> {
  const hash = createHash('sha256');
  let number = 0;
  let head: PlanHead | null = null;
  let open = -1;
  let next: 'list' | 'line' | 'end' | 'line or end' = 'list';
  try {
    for await (const line of textLines(path, hash)) {
      number += 1;
      const section = sections[open];
      if (head === null) {
        if (!line.startsWith(start) || !line.endsWith(',')) throw new FaultError({ fault: 'plan-is-no-plan' });
        head = parsed(headShape, line.slice(start.length, -1));
      } else if (next === 'list' && open + 1 < sections.length && line === `"${sections[open + 1]}":[`) {
        open += 1;
        next = 'line or end';
      } else if (next.endsWith('end') && line === (open + 1 < sections.length ? '],' : ']}')) next = 'list';
      else if (next.startsWith('line') && section !== undefined) {
        const more = line.endsWith(',');
        next = more ? 'line' : 'end';
        const found = parsed<PlanLine['line']>(shapes[section], more ? line.slice(0, -1) : line);
        yield { kind: section, line: found } as PlanLine;
      } else throw new FaultError({ fault: 'plan-is-damaged' });
    }
    const isCut = next !== 'list' || open + 1 < sections.length;
    if (head === null || isCut) throw new FaultError({ fault: 'plan-is-damaged' });
  } catch (error) {
    if (error instanceof PayrunError) throw error;
    if (error instanceof FaultError || error instanceof SyntaxError || error instanceof TypeError)
      throw changed(path, fileFault(error), number);
    throw new PayrunError('PLAN_UNREADABLE', { path, why: fileFault(error) });
  }
  const digest = hash.digest('hex');
  if (expected !== null && digest !== expected) throw changed(path, { fault: 'file-changed' });
  return { head, digest };
}

/** The longest line to read, in characters; no line of a plan is that long. */
const maxLine = 1024 * 1024;

async function* textLines(path: string, hash: Hash): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  for await (const bytes of createReadStream(path)) {
    hash.update(bytes as Uint8Array);
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLine) throw new FaultError({ fault: 'plan-is-damaged' });
    yield* lines;
  }
  if (rest + decoder.decode() !== '') throw new FaultError({ fault: 'plan-is-damaged' });
}

/** Parses a line. Throws for repeated keys, another order or spaces, since each line has only one valid text. */
function parsed<T>(shape: z.ZodType<T>, line: string): T {
  const read = shape.safeParse(JSON.parse(line));
  if (!read.success) throw new FaultError(shapeFault(read.error));
  if (JSON.stringify(read.data) !== line) throw new FaultError({ fault: 'plan-is-damaged' });
  return read.data;
}

const changed = (path: string, why: ApprovalFault | FileFault, line: number | null = null) =>
  new PayrunError('PLAN_CHANGED', { path, line, why });

export const digestWords = (digest: string): string => `sha256:${digest}`;
