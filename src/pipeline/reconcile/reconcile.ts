/** Compares a list scan with the ledger's rows: settles doubts, and finds payments that exist already. */
import { isoTime } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { someOf } from '../../base/refusal.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import { tagOf } from '../../domain/rows/tag.ts';
import { elapsedMs } from '../../domain/sending/doubt.ts';
import { because, heldFor } from '../../domain/sending/reason.ts';
import {
  type BatchFacts,
  eachRow,
  isListed,
  type Ledger,
  type LedgerRow,
  type LivingCopy,
  type Move,
  mayMoveRow,
  type SeenPayment,
  type Sighting,
  sentStates,
} from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { addressOf, paidCopy } from '../duplicates/duplicates.ts';
import { payeeReader } from '../payees/register-payees.ts';
import { rowAsSeen } from '../seen.ts';
import { depositAlarm } from '../settle/deposits.ts';
import { type AbsenceResult, sentMomentOf, settleMissing } from './absence.ts';
import { type ListScan, scanList, scanNamed } from './list-scan.ts';
import { agrees, movesFor, twiceBecause } from './match-payments.ts';

interface RowName {
  readonly batch: string;
  readonly key: string;
}

export interface ScanFacts extends ListScan, AbsenceResult {
  /** The number of rows whose payment a crashed run or another ledger had already created. */
  readonly adopted: number;
  /** The time until which another ledger may be sending, in milliseconds since 1970; null if no other ledger sends. */
  readonly othersUntil: number | null;
  readonly conflicts: number;
  /** Rows of any batch for which this scan found two payments. */
  readonly doubles: readonly LedgerRow[];
  /** Paid rows of any batch whose payment the service no longer reports as paid. */
  readonly undone: readonly RowName[];
  /** Rows that seemed unpaid but have a payment. A copy of each row was sent, so the payee may be paid twice. */
  readonly copied: readonly LivingCopy[];
  /** Maps a row's id to the id of an unexpired payment of the row in this scan. */
  readonly living: ReadonlyMap<number, string>;
}

/** A scan searches for payments up to this many revisions above the row's highest known revision. */
const revisionsAbove = 3;

/** Scans the list, moves the rows that the scan settles, and records the scan. An incomplete scan proves no absence. */
export async function reconcile(deps: Deps, batch: BatchFacts, during: 'rest' | 'paying' = 'rest'): Promise<ScanFacts> {
  const { ledger } = deps;
  const pass = await scanList(deps);
  const { waiting, ...found } = await settleSightings(deps, batch, pass);
  const missed = await settleMissing(deps, batch, pass, { during, waiting });
  const facts = { ...pass, ...found, ...missed };
  const { living: _living, ...outcome } = facts;
  const counts = { doubles: facts.doubles.length, undone: facts.undone.length, copied: facts.copied.length };
  // The trail needs the statuses from the settings, because these statuses decide which payments have ended.
  const { said } = deps.statuses;
  const statuses = Object.keys(said).length === 0 ? {} : { statuses: said };
  const data = { ...outcome, ...counts, began: isoTime(pass.began.wall), ...statuses };
  await ledger.trail.record({ batch: batch.name, row: null, what: 'pass', data });
  return facts;
}

async function paidTwice(ledger: Ledger, rows: readonly LedgerRow[]): Promise<PayrunError | null> {
  const [first] = rows;
  if (first === undefined) return null;
  return new PayrunError('PAID_TWICE', { rows: namesOf(rows), command: await knowing(ledger, first) });
}

async function paidCopies(ledger: Ledger, copies: readonly LivingCopy[]): Promise<PayrunError | null> {
  const [first] = copies;
  if (first === undefined) return null;
  const command = await knowing(ledger, first.row);
  return new PayrunError('COPIES_PAID', { copies: someOf(copies, paidCopy), command });
}

const knowing = async (ledger: Ledger, row: LedgerRow): Promise<ActionNamed> => ({
  action: 'resolve-known',
  ...(await rowAsSeen(ledger, row)),
  named: null,
});

const namesOf = (rows: readonly RowName[]) => someOf(rows, ({ batch, key }) => ({ row: key, batch }));

/** Returns an alarm for a row with two payments, a row paid as well as its copy, or a row that is no longer paid. */
export async function alarmIn(
  { ledger }: Pick<Deps, 'ledger'>,
  { doubles, undone, copied }: Pick<ScanFacts, 'doubles' | 'undone' | 'copied'>,
): Promise<PayrunError | null> {
  const twice = (await paidTwice(ledger, doubles)) ?? (await paidCopies(ledger, copied));
  if (twice !== null || undone.length === 0) return twice;
  return new PayrunError('PAYMENT_UNDONE', { rows: namesOf(undone) });
}

export async function refuseAlarm(deps: Pick<Deps, 'ledger'>, facts: ScanFacts): Promise<void> {
  const alarm = await alarmIn(deps, facts);
  if (alarm !== null) throw alarm;
}

/** Null for `within` also returns the alarm of another batch about a row that may be paid twice. */
export async function alarmOf({ ledger }: Pick<Deps, 'ledger'>, batch: BatchFacts, within: string | null = batch.name) {
  const doubles = await ledger.rows.unknownDoubles(within);
  const copied = await ledger.duplicates.livingCopies(within);
  return (await alarmIn({ ledger }, { doubles, copied, undone: [] })) ?? (await depositAlarm({ ledger }, batch));
}

/** Throws if another ledger created a payment recently, because that ledger may still be paying the same sheet. */
export function refuseOthers({ adopted, conflicts, othersUntil }: ScanFacts): void {
  if (othersUntil === null) return;
  throw new PayrunError('PAID_ELSEWHERE', { rows: adopted + conflicts, until: othersUntil });
}

async function settleSightings(
  deps: Deps,
  batch: BatchFacts,
  pass: ListScan,
): Promise<Omit<ScanFacts, keyof ListScan | keyof AbsenceResult> & { waiting: ReadonlySet<number> }> {
  const { ledger, clock, service, limits } = deps;
  const now = clock.now();
  let adopted = 0;
  let conflicts = 0;
  const doubles: LedgerRow[] = [];
  const undone: RowName[] = [];
  const late = new Set<number>();
  let othersUntil: number | null = null;
  const quiet = new Map<string, number>();
  const waiting = new Set<number>();
  const living = new Map<number, string>();
  const ofPayee = payeeReader(deps);
  // First detaches payments that the service reported for the wrong row, so that the right row can take them.
  for (const { row, payment } of ledger.passes.misnamed(service.identity)) {
    const hold = await holdForWrongPayment(deps, row, payment);
    if (hold === null) continue;
    const evidence = because({ kind: 'found-in-scan', scan: scanNamed(pass), tag: 'other' });
    await ledger.rows.move({ ...hold, evidence });
    if (row.state === 'succeeded') undone.push(row);
    else conflicts += 1;
  }
  const sightings = merged(ledger.passes.sightings(addressOf(service.identity)), await unknownRevisions(deps, batch));
  const seemUnpaid = sightings.flatMap(({ row }) => (seemsUnpaid(row) ? [row.id] : []));
  const copies = seemUnpaid.length === 0 ? [] : await ledger.duplicates.copiesOf(seemUnpaid);
  for (const one of sightings) {
    const sighting = await ofPayee(one);
    const { row, seen } = sighting;
    for (const { payment } of seen) if (payment.ending !== 'expired') living.set(row.id, payment.id);
    if (await waitsForItsOwn(deps, sighting, pass)) {
      waiting.add(row.id);
      continue;
    }
    const moves = await ownedBy(deps, sighting, movesFor(sighting, now));
    const last = moves.at(-1);
    if (last === undefined && (await isNewDouble(deps, sighting))) doubles.push(row);
    if (last === undefined) continue;
    const evidence = because({ kind: 'found-in-scan', scan: scanNamed(pass), tag: 'own' });
    if (last.to !== 'expired' && (seemsUnpaid(row) || row.closed !== null)) {
      late.add(row.id);
      const gone = (await isGone(deps, row)) ? [{ row: row.id, copy: row.id, batch: row.batch }] : [];
      await ledger.duplicates.keepCopies(row, [...copies.filter((copy) => copy.row === row.id), ...gone]);
    }
    await ledger.rows.moveAll(moves.map((move) => ({ ...move, evidence })));
    if (last.to === 'duplicate' || last.to === 'duplicate_paid') doubles.push(row);
    else if (last.from === 'succeeded') undone.push(row);
    else if (last.to === 'held') conflicts += 1;
    else if (moves.some(({ to }) => to === 'accepted')) adopted += 1;
    else continue;
    const madeAt = Math.min(seen.at(-1)?.payment.latest ?? now, now);
    // Another sender may send more rows for two horizons after this payment. Until then, waits at least one horizon.
    const horizonMs = limits.doubt.deadlineMs + limits.doubt.horizonMs;
    const until = madeAt + 2 * horizonMs > now ? Math.max(madeAt + 2 * horizonMs, now + horizonMs) : now;
    // Skips old payments, and payments that this ledger may have made. Other payments show another sender.
    if ((row.attempts > 0 && row.state !== 'ready') || until <= now) continue;
    othersUntil = Math.max(othersUntil ?? 0, until);
    for (const name of [row.batch, batch.name]) quiet.set(name, Math.max(quiet.get(name) ?? 0, until));
  }
  // Stores `until` in the ledger, because the next run must still wait but finds no new payment.
  for (const [name, until] of quiet)
    if (until > ((await ledger.batches.batch(name))?.quietUntil ?? 0)) await ledger.batches.keepQuiet(name, until);
  const copied = (await ledger.duplicates.livingCopies(null)).filter(
    ({ row, copy }) => late.has(row.id) || late.has(copy.id),
  );
  return { adopted, othersUntil, conflicts, doubles, undone, copied, living, waiting };
}

async function isGone({ ledger }: Deps, row: LedgerRow): Promise<boolean> {
  const batch = await ledger.batches.batch(row.batch);
  return row.closed !== null || batch === null || !isListed(row, batch);
}

/** True if a row was sent but counts as unpaid. A person may then have sent a corrected copy of the row. */
const seemsUnpaid = ({ state, submittedAt }: LedgerRow) => submittedAt !== null && !sentStates.includes(state);

/** Corrects the reason of a row with two payments if the reason lists outdated payments. True after a correction. */
async function isNewDouble({ ledger }: Deps, { row, seen }: Sighting): Promise<boolean> {
  if (row.state !== 'duplicate' && row.state !== 'duplicate_paid') return false;
  const living = new Set(seen.filter(({ payment }) => payment.ending !== 'expired').map(({ payment }) => payment.id));
  const reason = twiceBecause([...living]);
  if (living.size < 2 || row.reason === reason) return false;
  await ledger.rows.note(row, { reason });
  return true;
}

/** A payment's date can be this far behind the service's clock (the Date header). */
const clocksApartMs = 60_000;

/** True if all payments of a row in doubt precede its last attempt, and that attempt may still create a payment. */
async function waitsForItsOwn({ ledger, limits }: Deps, { row, seen }: Sighting, pass: ListScan): Promise<boolean> {
  if (row.state !== 'in_doubt') return false;
  const sent = sentMomentOf(row);
  const horizonMs = limits.doubt.deadlineMs + limits.doubt.horizonMs;
  const living = seen.filter(({ payment }) => payment.ending !== 'expired');
  const older = ({ latest }: SeenPayment) =>
    sent.service !== null && latest !== null && latest < sent.service - clocksApartMs;
  const waits = living.length > 0 && living.every(({ payment }) => older(payment));
  if (!waits || elapsedMs(sent, pass.began) >= horizonMs) return false;
  const reason = because({
    kind: 'older-payment',
    payments: living.map(({ payment }) => payment.id),
    sentAt: sent.wall,
    settledAfter: sent.wall + horizonMs,
  });
  if (row.reason !== reason) await ledger.rows.note(row, { reason });
  return true;
}

/** Returns `moves`, or a hold if another row already has the payment. Returns no move if the row cannot be held. */
async function ownedBy({ ledger }: Deps, { row }: Sighting, moves: readonly Move[]): Promise<readonly Move[]> {
  for (const { paymentId } of moves) {
    if (paymentId == null || paymentId === row.paymentId) continue;
    const owner = await ledger.rows.rowByPayment(paymentId);
    if (owner !== null && owner.id !== row.id)
      return mayMoveRow(row.state, 'held') ? [heldForOther(row, owner, paymentId)] : [];
  }
  return moves;
}

function heldForOther(row: LedgerRow, owner: LedgerRow, paymentId: string): Move {
  const held = heldFor({ kind: 'payment-of-other-row', paymentId, row: owner.key, batch: owner.batch });
  return { row, from: row.state, ...held, data: { payments: [paymentId] } };
}

/** Finds payments of the batch's rows under tags unknown to this ledger. A lost ledger may have used these tags. */
async function unknownRevisions({ ledger }: Deps, batch: BatchFacts): Promise<Sighting[]> {
  const strangers = Map.groupBy(ledger.passes.strangers(), ({ tag }) => tag);
  if (strangers.size === 0) return [];
  const found: Sighting[] = [];
  for await (const row of eachRow(ledger, { batch: batch.name })) {
    const seen: { revision: number; payment: SeenPayment }[] = [];
    let highest = row.revision;
    for (let revision = 0; revision <= highest + revisionsAbove; revision += 1)
      for (const payment of strangers.get(tagOf(batch.name, row.key, revision)) ?? []) {
        seen.push({ revision, payment });
        highest = Math.max(highest, revision);
      }
    if (seen.length > 0) found.push({ row, seen });
  }
  return found;
}

function merged(known: readonly Sighting[], unknown: readonly Sighting[]): Sighting[] {
  const byRow = new Map(known.map((sighting) => [sighting.row.id, sighting]));
  for (const { row, seen } of unknown) byRow.set(row.id, { row, seen: [...(byRow.get(row.id)?.seen ?? []), ...seen] });
  return [...byRow.values()].map(({ row, seen }) => ({
    row,
    seen: seen.toSorted((a, b) => a.revision - b.revision),
  }));
}

/** Returns a hold if the row's payment has another row's tag, or an unknown tag and different content. */
export async function holdForWrongPayment({ ledger }: Pick<Deps, 'ledger'>, row: LedgerRow, payment: SeenPayment) {
  const { id, tag } = payment;
  // No scan undoes a person's word about this payment.
  if (id !== row.paymentId || tag === null || tag === row.tag || (await ledger.rows.isGone(id))) return null;
  const owner = await ledger.rows.rowByTag(tag);
  if (owner === null ? agrees(row, payment) : owner.id === row.id) return null;
  const held = heldFor({ kind: 'wrong-payment', paymentId: id, tag });
  return { row, from: row.state, ...held, paymentId: null, paymentStatus: null, data: { payments: [id] } };
}
