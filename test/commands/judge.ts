/** What holds after every command, and at the end: no row with two living payments, none lost, and result = ledger = model. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { collectFindings, type FindingPlace } from '../../src/audit/findings.ts';
import { auditLedger } from '../../src/audit/verify.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger, type RowState, type RowWord, wordOf, wordOfRow } from '../../src/ledger/ledger.ts';
import { findingLine } from '../../src/messages/findings.ts';
import type { Command, Desk, Ending, ResultLine } from '../simulation/desk.ts';
import { endOf } from '../simulation/oracle.ts';
import type { Stored, World } from '../simulation/world.ts';
import { keeps } from './gaps.ts';
import { indexOf, keyOf, type Model, type Real } from './model.ts';

export interface StoredRow {
  readonly key: string;
  readonly state: RowState;
  readonly closed: string | null;
  readonly paymentId: string | null;
  readonly attempts: number;
  readonly reason: string | null;
  readonly amount: number;
  /** As the ledger has the row's content. */
  readonly reference: string;
}

/** The ledger as its file has it, read past the product. */
export function storedRows({ ledger }: Pick<Desk, 'ledger'>): StoredRow[] {
  if (!existsSync(ledger)) return [];
  const db = new DatabaseSync(ledger, { readOnly: true });
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'payout_content'").get() === undefined) return [];
    const rows = db
      .prepare(
        'SELECT key, state, closed, payment_id AS paymentId, attempts, reason, amount, content FROM payout JOIN payout_content ON payout = id ORDER BY id',
      )
      .all() as unknown as (Omit<StoredRow, 'reference'> & { content: string })[];
    return rows.map(({ content, ...row }) => ({ ...row, reference: /"(R\d\d(?: c\d+)?)"/.exec(content)?.[1] ?? '' }));
  } finally {
    db.close();
  }
}

export const livingOf = ({ payments }: World, index: number): Stored[] =>
  payments.filter(({ row, status }) => row === index && status !== 'expired');

const heldUnasked = /"kind":"(looks-paid|account-changed|merchant-ambiguous|merchant-unreadable)"/;

/** True for a row that may have a payment. A row that is held before its first attempt was never sent. */
const isSent = ({ state, attempts, paymentId, reason }: StoredRow): boolean =>
  state === 'held'
    ? attempts > 0 || paymentId !== null || !heldUnasked.test(reason ?? '')
    : !['not sent', 'unpaid'].includes(wordOf[state]);

export interface Given {
  readonly name: string;
  readonly command: Command;
  readonly ending: Ending;
  readonly before: { readonly rows: readonly StoredRow[] };
}

export function judge(model: Model, real: Real, given: Given): void {
  const { desk } = real;
  const rows = storedRows(desk);
  judgeRows(model, real, given, rows);
  judgePayments(real);
  judgeKnowledge(real, rows);
  judgeTrail(real, rows);
  if (given.ending.kind === 'told') judgeTold(model, real, given, given.ending, rows);
  throwIfBlamed(real);
}

/** The model's rows against the ledger's: none is lost, and none came in that was not let in. */
function judgeRows(
  model: Model,
  { story }: Real,
  { name, command, ending, before }: Given,
  rows: readonly StoredRow[],
): void {
  const keys = new Set(rows.map(({ key }) => key));
  if (keys.size !== rows.length) story.blame('every row once', `${name}: a row stands in the ledger more than once`);
  for (const index of model.taken)
    if (!keys.has(keyOf(index))) story.blame('every row once', `${name}: row ${keyOf(index)} is lost`);
  for (const key of keys)
    if (model.rows[indexOf(key)] === undefined) story.blame('every row once', `${name}: nobody wanted row ${key}`);
  if (command.kind !== 'run' || command.add === true || !before.rows.some(isSent)) return;
  const known = new Set(before.rows.map(({ key }) => key));
  const brought = model.rows.flatMap(({ inSheet }, index) =>
    inSheet && !known.has(keyOf(index)) ? [keyOf(index)] : [],
  );
  if (brought.length > 0 && ending.kind === 'told')
    story.blame('right end', `${name}: the new rows ${brought.join(', ')} were taken without --add`);
  for (const key of brought)
    if (keys.has(key)) story.blame('every row once', `${name}: row ${key} came in without --add`);
}

/** What is at the service: at most one living payment for each row, and each as its sender was told. */
function judgePayments({ world, story, orders, rows, allowed }: Real): void {
  const doubles = rows.filter(({ index }) => livingOf(world, index).length > 1);
  if (doubles.length > allowed)
    for (const { index } of doubles) {
      const made = livingOf(world, index).map(({ id, reference, madeBy }) => `${id} (${reference}, by ${madeBy})`);
      story.blame('one payment each', `row ${keyOf(index)} has ${made.join(' and ')}`);
    }
  for (const { id, row, reference, amount, madeBy } of world.payments) {
    const order = orders.get(madeBy);
    if (row === null || order === undefined) continue;
    if (order.rows?.has(row) === false)
      story.blame('one payment each', `${madeBy} made ${id} for row ${keyOf(row)}, which it had no word to pay`);
    const wanted = order.references?.get(row);
    if (wanted !== undefined && wanted !== reference)
      story.blame('one payment each', `${madeBy} made ${id} as ${reference}; its sheet had ${wanted}`);
    if (amount !== rows[row]?.amount) story.blame('one payment each', `${id} pays ${amount}, not ${rows[row]?.amount}`);
  }
}

/** What the ledger says of each row, against what is at the service. */
function judgeKnowledge({ world, story, desk, rows: wanted }: Real, rows: readonly StoredRow[]): void {
  const known = new Map(rows.map((row) => [row.key, row]));
  for (const { index } of wanted) {
    const row = known.get(keyOf(index));
    const word: RowWord = row === undefined ? 'not sent' : wordOf[row.state];
    const alive = livingOf(world, index);
    const coming = world.underWay.get(index) ?? 0;
    const where = `the ledger has row ${keyOf(index)} as ${row?.state ?? 'unknown'}`;
    // A ledger that was lost or restored cannot know; what it says at the end is judged there.
    if (['not sent', 'unpaid'].includes(word) && !desk.forgetful && alive.length + coming > 0)
      story.blame('none is hidden', `${where}; ${alive.map(({ id }) => id).join(', ')} lives, ${coming} under way`);
    if (word !== 'paid' && word !== 'pending') continue;
    const own = world.payments.find(({ id }) => id === row?.paymentId);
    if (own?.row !== index) story.blame('paid means success', `${where} by ${row?.paymentId}, which pays another`);
    if (word === 'paid' && own?.status !== 'success')
      story.blame('paid means success', `${where} by ${row?.paymentId}, which is ${own?.status}`);
  }
}

/** `audit verify`: the moves of the trail, played again, lead to the rows as they are. */
function judgeTrail({ story, desk }: Real, rows: readonly StoredRow[]): void {
  if (rows.length === 0) return;
  const ledger = openLedger(desk.ledger, systemClock, { readOnly: true });
  const findings = collectFindings();
  auditLedger(ledger.trail.evidence(), findings);
  void ledger.close();
  const planned = new Set(rows.flatMap(({ key, state }) => (state === 'planned' ? [key] : [])));
  const sound = ({ column, row = '' }: FindingPlace) =>
    !keeps.merchantsPlanned && column === 'merchant_id' && planned.has(row);
  for (const finding of findings.list.filter((one) => !sound(one.where))) story.blame('trail', findingLine(finding));
}

/** What a command told, against the ledger: the same rows, words, payments and sums. */
function judgeTold(
  model: Model,
  { story }: Real,
  { name, command }: Given,
  { outcome, lines }: Extract<Ending, { kind: 'told' }>,
  rows: readonly StoredRow[],
): void {
  if (outcome.batch === null || outcome.run?.result == null) {
    story.blame('right end', `${name}: ${outcome.end}, and no result: ${JSON.stringify(outcome.findings)}`);
    return;
  }
  const shown = (line: ResultLine) => JSON.stringify([line.key, line.status, line.paymentId, line.amount]);
  const stored = (row: StoredRow) => JSON.stringify([row.key, wordOfRow(row), row.paymentId ?? '', row.amount]);
  const [told, known] = [lines.map(shown).sort(), rows.map(stored).sort()];
  if (told.join() !== known.join())
    story.blame('every row once', `${name}: the result says ${told.join()}, the ledger ${known.join()}`);
  const { total, ...counts } = outcome.rows;
  if (total !== rows.length) story.blame('sums', `${name}: ${total} rows of ${rows.length}`);
  for (const [count, n] of Object.entries(counts)) {
    const found = rows.filter((row) => wordOfRow(row) === count.replace('_', ' ')).length;
    if (found !== n) story.blame('sums', `${name}: ${n} rows ${count}, and ${found} in the ledger`);
  }
  const planned = outcome.totals.reduce((sum, line) => sum + line.planned, 0);
  const open = rows.filter((row) => wordOfRow(row) !== 'closed');
  if (planned !== open.reduce((sum, { amount }) => sum + amount, 0)) story.blame('sums', `${name}: ${planned} planned`);
  const why = endOf(outcome);
  if (outcome.end !== why) story.blame('right end', `${name} ended with ${outcome.end}, not ${why}`);
  if (command.kind !== 'run') return;
  for (const [index, { inSheet }] of model.rows.entries())
    if (inSheet && !rows.some(({ key }) => key === keyOf(index)))
      story.blame('every row once', `${name}: row ${keyOf(index)} stands in the sheet, and not in the ledger`);
}

/** When everything had time to end: each row of the sheet is paid once, or has ended unpaid, or waits for a person's word. */
export function judgeEnd(model: Model, real: Real): void {
  const { story, world, desk } = real;
  const stored = storedRows(desk);
  // Two payments of a row stop the batch until somebody knows of them.
  const stopped = stored.some(({ state }) => state.startsWith('duplicate'));
  for (const row of stored) {
    const index = indexOf(row.key);
    const word = wordOf[row.state];
    const alive = livingOf(world, index);
    const where = `in the end row ${row.key} is ${word} (${row.state})`;
    const living = alive.map(({ id, status }) => `${id} (${status})`).join(', ');
    if (word === 'paid' && (alive.length !== 1 || alive[0]?.id !== row.paymentId) && alive.length < 2)
      story.blame('paid means success', `${where} by ${row.paymentId}; there are ${living}`);
    if (word === 'paid twice' && alive.length < 2) story.blame('doubles are told', `${where}; there are ${living}`);
    const untold = real.allowed > 0 && !keeps.lateDoublesTold;
    if (alive.length > 1 && word !== 'paid twice' && !untold)
      story.blame('doubles are told', `${where}; there are ${living}`);
    const other = !keeps.refusedOtherContent && alive.every(({ reference }) => reference !== row.reference);
    const unlooked = row.state === 'refused' && desk.forgetful && (!keeps.refusalsRestored || other);
    if ((word === 'unpaid' || word === 'not sent') && alive.length > 0 && !unlooked)
      story.blame('none is hidden', `${where}; there are ${living}`);
    const left = word === 'not sent' && model.rows[index]?.inSheet === false;
    // Corrected while a payment of its old content lived: only a person can say what is meant.
    const waits = word === 'held' && model.rows[index]?.touched === true;
    if (!['paid', 'unpaid', 'paid twice'].includes(word) && !left && !waits && !stopped) story.blame('ends', where);
  }
  throwIfBlamed(real);
}

export class Broken extends Error {}

export function throwIfBlamed({ story }: Pick<Real, 'story'>): void {
  const { violations, trace } = story;
  if (violations.length === 0) return;
  const words = violations.map(({ property, what }) => `(${property}) ${what}`).join('\n');
  throw new Broken(`${words}\n${trace.join('\n')}`);
}
