/** Scans the list before the first and after the last payment of a run, and holds rows that look paid already. */
import { PayrunError } from '../../base/errors.ts';
import { someOf } from '../../base/refusal.ts';
import { wordsIn } from '../../base/words.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import type { Note } from '../../domain/note.ts';
import { matchedMs } from '../../domain/sending/match.ts';
import { because, type ReasonOf } from '../../domain/sending/reason.ts';
import { type BatchFacts, type RowState, type SeenMatch, suspect } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { decided, differenceOf, firstOf, hold, holdDuplicates, leadOf, windowOf } from '../duplicates/duplicates.ts';
import { standing } from '../figures.ts';
import { endedRefusal } from '../plans/plan.ts';
import { anyToSend } from './absence.ts';
import { alarmIn, reconcile, refuseAlarm } from './reconcile.ts';

/**
 * Repeats the scan until it releases no row, and scans twice before a row is sent again: its refusal may be untrue, and one
 * list may lack its payment. Throws if sending is unsafe, for example after an incomplete scan.
 */
export async function scanBeforeSending(deps: Deps, batch: BatchFacts): Promise<Note[]> {
  const { ledger, limits } = deps;
  if (!(await anyNews(deps, batch))) return [];
  const isSuspect = await maySeeTooLittle(deps, batch);
  const wasTried = await awaitRefusals(deps, batch);
  if (limits.doubt.presend === 'suspect' && !isSuspect) return [{ note: 'not-scanned' }];
  let adopted = 0;
  let began = 0;
  for (let scans = 1; ; scans += 1) {
    const facts = await reconcile(deps, batch);
    began = facts.began.wall;
    adopted += facts.adopted;
    await refuseAlarm(deps, facts);
    if (facts.incomplete !== null && (await anyToSend(deps, batch)))
      throw new PayrunError('PASS_INCOMPLETE', { why: facts.incomplete });
    // A released row needs a scan that began after its release. Each row is released once, so the loop ends.
    if (facts.released === 0 && (scans > 1 || !wasTried)) break;
  }
  if (await anyToSend(deps, batch)) {
    await refuseUnwitnessed(deps, batch, began);
    await refuseQuiet(deps, batch, began);
  }
  await ledger.settleIn();
  return [...foundNotes(adopted), ...(await holdAlike(deps, batch))];
}

/** In these states a row may have been paid, although the ledger does not show the payment. */
const unsettled = wordsIn('withheld in_doubt absent held expired refused duplicate duplicate_paid');

async function anyNews(deps: Deps, batch: BatchFacts): Promise<boolean> {
  if (await anyRows(deps, batch, ['planned', 'ready', ...unsettled])) return true;
  // The run must scan, because the service can still pay an expired payment of an earlier revision.
  if (await deps.ledger.rows.hasEarlierPayments(batch.name)) return true;
  // The run must scan, because a payee is paid twice if the service pays both a row and its copy.
  return (await deps.ledger.duplicates.copiesIn(batch.name)).length > 0 || (await owesLook(deps, batch));
}

/** True if the last scan was incomplete, or if the last payment's horizon ended after that scan began. */
async function owesLook({ ledger, clock, limits }: Deps, { name }: BatchFacts): Promise<boolean> {
  const known = Number(await ledger.rows.lastSent(name)) + limits.doubt.deadlineMs + limits.doubt.horizonMs;
  const pass = await ledger.trail.newestEntry(name, 'pass');
  if (pass?.data.incomplete != null) return true;
  return known <= clock.now() && Date.parse(String(pass?.data.began)) < known;
}

async function maySeeTooLittle(deps: Deps, batch: BatchFacts): Promise<boolean> {
  const { ledger, witness } = deps;
  if (ledger.moved || (witness !== undefined && suspect(witness.read(), ledger.id, ledger.trail.hashAt) !== null)) {
    // Makes the next probe wait for the list again, because a moved or restored ledger may lack payments.
    await ledger.batches.doubtLists();
    return true;
  }
  if (!(await ledger.rows.everAccepted(batch.name))) return true;
  const sent = await ledger.rows.lastSent(batch.name);
  if (sent !== null && ((await ledger.trail.newestEntry(batch.name, 'run'))?.at ?? 0) < sent) return true;
  if ((await anyRows(deps, batch, unsettled)) || (await ledger.rows.hasEarlierPayments(batch.name))) return true;
  return (await ledger.rows.lastTried(batch.name)) !== null;
}

/** After a refused call, waits until the list must show its payment, because the service may pay nevertheless. False if no call was refused. */
async function awaitRefusals({ ledger, clock, limits, stop }: Deps, batch: BatchFacts): Promise<boolean> {
  const last = await ledger.rows.lastTried(batch.name);
  if (last === null) return false;
  const left = last + limits.doubt.visibleMs - clock.now();
  // Limits the wait, because a clock that was set back would make the wait hours long.
  await clock.sleep(Math.min(Math.max(0, left), limits.doubt.visibleMs), stop);
  return true;
}

/** Throws if the witness shows requests that the ledger lacks. Until their horizon ends, they can create payments. */
async function refuseUnwitnessed(deps: Deps, { name }: BatchFacts, began: number): Promise<void> {
  const { witness, ledger, service, limits } = deps;
  if (witness === undefined) return;
  const suspicion = suspect(witness.read(), ledger.id, ledger.trail.hashAt);
  if (suspicion === null) return;
  const { lastIntent: lastSentAt, why } = suspicion;
  const ended = lastSentAt + limits.doubt.deadlineMs + limits.doubt.horizonMs;
  if (ended <= began) return;
  // Reports the later of `ended` and the batch's `quietUntil`, so that the person waits only once.
  const until = Math.max(ended, (await ledger.batches.batch(name))?.quietUntil ?? 0);
  if (why === 'behind') throw new PayrunError('LEDGER_RESTORED', { ledger: ledger.path, until });
  throw new PayrunError('SENT_ELSEWHERE', { ledger: ledger.path, service: service.label, lastSentAt, until });
}

/** Throws if another sender may still have been paying this batch when the scan began. */
export async function refuseQuiet({ ledger, clock }: Deps, { name }: BatchFacts, began = clock.now()): Promise<void> {
  const until = (await ledger.batches.batch(name))?.quietUntil ?? null;
  if (until === null || until <= began) return;
  throw new PayrunError('PAID_ELSEWHERE', { rows: null, until });
}

/** Throws if the ledger lacks payments that a result file names. Called after the scan, which finds payments of other ledgers. */
export async function refuseUnknownClaims({ ledger, service }: Deps, { name }: BatchFacts): Promise<void> {
  const rows = await ledger.versions.claims(name);
  if (rows > 0) throw new PayrunError('CLAIMS_UNKNOWN', { rows, ledger: ledger.path, service: service.label });
}

/** Payments of another ledger that are older belong to an earlier batch of the same name. */
const ofThisBatchMs = 20 * dayMs;

/** Throws if another ledger paid part of the batch long ago. With `--add`, the person says that the rest belongs to the batch. */
export async function refusePaidInPart({ ledger }: Deps, batch: BatchFacts): Promise<void> {
  const last = await ledger.rows.lastSent(batch.name);
  if (last === null || last >= batch.createdAt - ofThisBatchMs || batch.sheet.options.add === true) return;
  const kinds = await ledger.rows.readyKinds(batch.name, batch.listedSince);
  const unpaid = kinds.reduce((sum, { rows }) => sum + rows, 0);
  if (unpaid > 0) throw new PayrunError('BATCH_PAID_IN_PART', { batch: batch.name, lastPaidAt: last, unpaid });
}

/** Returns the refusal if another ledger paid the whole batch more than a day ago; null if not. */
export async function paidLongAgo({ ledger, clock }: Deps, batch: BatchFacts): Promise<PayrunError | null> {
  const { rows } = await standing(ledger, batch);
  const allPaid = rows.paid > 0 && rows.paid === rows.total;
  return allPaid ? endedRefusal(await ledger.rows.lastSent(batch.name), batch.name, clock.now()) : null;
}

/** Scans after sending, so that a second payment by another run is reported now and not next month. */
export async function scanAfterSending(deps: Deps, batch: BatchFacts, paidAt: number) {
  const { clock, limits, stop } = deps;
  await clock.sleep(Math.max(0, paidAt + limits.doubt.visibleMs - clock.monotonic()), stop);
  if (stop.aborted) return { notes: [], stopped: null, released: 0 };
  const facts = await reconcile(deps, batch);
  const { adopted, incomplete, released } = facts;
  const notes = foundNotes(adopted);
  if (incomplete !== null) notes.push({ note: 'scan-unfinished', batch: batch.name, incomplete });
  return { notes, stopped: await alarmIn(deps, facts), released };
}

/** Compares unsent and held rows with what a scan showed, in this ledger and beside it. Holds close matches, and only warns of others. */
export async function holdAlike(deps: Deps, batch: BatchFacts): Promise<Note[]> {
  const { ledger } = deps;
  await holdDuplicates(deps, batch);
  const window = windowOf(deps);
  const seen = { lead: leadOf(deps), since: window.now - matchedMs };
  const found = ledger.passes.matches(batch.name, batch.listedSince, seen);
  const judged = decided(found, window);
  const holding = judged.filter(({ decision }) => decision === 'hold');
  for (const [row, likes] of Map.groupBy(holding, (one) => one.row)) await hold(ledger, row, likes.map(seenPaid));
  const warned = firstOf(judged, ({ row }) => row).filter(({ decision }) => decision === 'warning');
  for (const one of warned) {
    const row = await ledger.rows.row(one.row);
    if (row !== null) await ledger.rows.note(row, { evidence: because({ ...seenPaid(one), kind: 'like-payment' }) });
  }
  const rows = someOf(warned, (one) => {
    const { number: row, amount, currency } = one;
    return { row, amount, currency, like: seenPaid(one) };
  });
  return warned.length === 0 ? [] : [{ note: 'near-payments-seen', rows }];
}

const seenPaid = ({ paymentId, at, paidAmount: amount, ...one }: SeenMatch): ReasonOf<'looks-paid'> => ({
  kind: 'looks-paid',
  to: { paymentId, at },
  name: `payment ${paymentId}`,
  differs: differenceOf({ ...one, amount }),
});

/** Warns of a clock that is a day off or more, because the duplicate checks use the age of payments. */
export function clockNotes(deps: Deps): Note[] {
  const lead = leadOf(deps);
  if (Math.abs(lead) < dayMs) return [];
  return [{ note: 'clock-is-off', days: Math.round(Math.abs(lead) / dayMs), is: lead > 0 ? 'behind' : 'ahead' }];
}

const anyRows = async ({ ledger }: Deps, batch: BatchFacts, states: readonly RowState[]): Promise<boolean> =>
  (await ledger.rows.list({ batch: batch.name, states, limit: 1 })).length > 0;

const foundNotes = (payments: number): Note[] => (payments === 0 ? [] : [{ note: 'payments-found', payments }]);
