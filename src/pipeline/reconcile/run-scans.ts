/** The scans of a run, before the first payment and after the last one, and the checks for rows that look paid already. */
import { PayrunError } from '../../base/errors.ts';
import type { ServiceFault } from '../../base/faults/fault.ts';
import { someOf } from '../../base/refusal.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import type { Note } from '../../domain/note.ts';
import { judgeMatch } from '../../domain/sending/match.ts';
import { because, type ReasonOf } from '../../domain/sending/reason.ts';
import { type BatchFacts, type RowState, type SeenMatch, suspect } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { hold, holdDuplicates, leadOf, windowOf } from '../duplicates/duplicates.ts';
import { alarmIn, reconcile } from './reconcile.ts';

/** Repeats the scan until a scan releases no row. Throws for an alarm. If rows are due, also throws for an incomplete scan or another sender. */
export async function scanBeforeSending(deps: Deps, batch: BatchFacts): Promise<Note[]> {
  const { ledger, limits } = deps;
  if (!(await anyNews(deps, batch))) return [];
  const isSuspect = await maySeeTooLittle(deps, batch);
  await awaitRefusals(deps, batch);
  if (limits.doubt.presend === 'suspect' && !isSuspect) return [{ note: 'not-scanned' }];
  let adopted = 0;
  let began = 0;
  for (;;) {
    const facts = await reconcile(deps, batch);
    began = facts.began.wall;
    adopted += facts.adopted;
    const alarm = alarmIn(facts);
    if (alarm !== null) throw alarm;
    if (facts.incomplete !== null && (await anyToSend(deps, batch)))
      throw new PayrunError('PASS_INCOMPLETE', { why: facts.incomplete });
    // A released row needs a scan that began after its release. Each row is released once, so the loop ends.
    if (facts.released === 0) break;
  }
  if (await anyToSend(deps, batch)) {
    await refuseUnwitnessed(deps, batch, began);
    await refuseQuiet(deps, batch, began);
  }
  await ledger.settleIn();
  // Checks for duplicates again, because the scan may have shown that rows of another batch were paid.
  await holdDuplicates(deps, batch);
  return [...foundNotes(adopted), ...(await holdSeen(deps, batch))];
}

/** States of rows that may have been paid although the ledger does not show it. */
const unsettled = ['in_doubt', 'absent', 'held', 'expired', 'refused', 'duplicate', 'duplicate_paid'] as const;

async function anyNews(deps: Deps, batch: BatchFacts): Promise<boolean> {
  if (await anyRows(deps, batch, ['planned', 'ready', ...unsettled])) return true;
  // A scan is needed, because the service can still pay a row's earlier, expired payment besides its newest payment.
  if (await deps.ledger.hasEarlierPayments(batch.name)) return true;
  // A scan is needed for a copy: if the service still pays the row that the copy replaced, the payee is paid twice.
  return (await deps.ledger.copiesIn(batch.name)).length > 0 || (await owesLook(deps, batch));
}

/** True if the last scan was incomplete. Also true if the last payment's horizon is over, and the last scan began before its end. */
async function owesLook({ ledger, clock, limits }: Deps, { name }: BatchFacts): Promise<boolean> {
  const known = Number(await ledger.lastSent(name)) + limits.doubt.deadlineMs + limits.doubt.horizonMs;
  const pass = await ledger.newestEntry(name, 'pass');
  if (pass?.data.incomplete != null) return true;
  return known <= clock.now() && Date.parse(String(pass?.data.began)) < known;
}

async function maySeeTooLittle(deps: Deps, batch: BatchFacts): Promise<boolean> {
  const { ledger, witness } = deps;
  if (ledger.moved || (witness !== undefined && suspect(witness.read(), ledger.id, ledger.hashAt) !== null)) {
    // Clears the mark that the list showed payments of each batch, because a moved or restored ledger may lack payments. The next probe then waits for the list again.
    await ledger.doubtLists();
    return true;
  }
  if (!(await ledger.everAccepted(batch.name))) return true;
  const sent = await ledger.lastSent(batch.name);
  if (sent !== null && ((await ledger.newestEntry(batch.name, 'run'))?.at ?? 0) < sent) return true;
  if ((await anyRows(deps, batch, unsettled)) || (await ledger.hasEarlierPayments(batch.name))) return true;
  return (await ledger.lastTried(batch.name)) !== null;
}

/** Waits until the service's list would show a payment that the service created although it refused the call. */
async function awaitRefusals({ ledger, clock, limits, stop }: Deps, batch: BatchFacts): Promise<void> {
  const last = await ledger.lastTried(batch.name);
  if (last === null) return;
  const left = last + limits.doubt.visibleMs - clock.now();
  // Limits the wait, because a clock that was set back would make the wait hours long.
  await clock.sleep(Math.min(Math.max(0, left), limits.doubt.visibleMs), stop);
}

/** Throws if requests that the ledger does not know could still create payments when the scan began. */
async function refuseUnwitnessed(deps: Deps, { name }: BatchFacts, began: number): Promise<void> {
  const { witness, ledger, service, limits } = deps;
  if (witness === undefined) return;
  const suspicion = suspect(witness.read(), ledger.id, ledger.hashAt);
  if (suspicion === null) return;
  const { lastIntent: lastSentAt, why } = suspicion;
  const ended = lastSentAt + limits.doubt.deadlineMs + limits.doubt.horizonMs;
  if (ended <= began) return;
  // Reports the later of `ended` and the batch's `quietUntil`, so that the person waits only once.
  const until = Math.max(ended, (await ledger.batch(name))?.quietUntil ?? 0);
  if (why === 'behind') throw new PayrunError('LEDGER_RESTORED', { ledger: ledger.path, until });
  throw new PayrunError('SENT_ELSEWHERE', { ledger: ledger.path, service: service.label, lastSentAt, until });
}

/** Throws if the scan began while another sender may still have been paying this batch. */
export async function refuseQuiet({ ledger, clock }: Deps, { name }: BatchFacts, began = clock.now()): Promise<void> {
  const until = (await ledger.batch(name))?.quietUntil ?? null;
  if (until === null || until <= began) return;
  throw new PayrunError('PAID_ELSEWHERE', { rows: null, until });
}

/** Scans after sending, so that a second payment by another run is reported now and not next month. */
export async function scanAfterSending(
  deps: Deps,
  batch: BatchFacts,
  paidAt: number,
): Promise<{ notes: readonly Note[]; stopped: PayrunError | null; released: number }> {
  const { clock, limits, stop } = deps;
  await clock.sleep(Math.max(0, paidAt + limits.doubt.visibleMs - clock.monotonic()), stop);
  if (stop.aborted) return { notes: [], stopped: null, released: 0 };
  const facts = await reconcile(deps, batch);
  return {
    notes: [...foundNotes(facts.adopted), ...unseenNotes(batch, facts.incomplete)],
    stopped: alarmIn(facts),
    released: facts.released,
  };
}

const unseenNotes = ({ name: batch }: BatchFacts, incomplete: ServiceFault | null): Note[] =>
  incomplete === null ? [] : [{ note: 'scan-unfinished', batch, incomplete }];

/** Compares the rows to send with payments that this ledger does not know. Holds a row that looks paid. For a weaker match, only stores a warning with the row. */
async function holdSeen(deps: Deps, batch: BatchFacts): Promise<Note[]> {
  const { ledger } = deps;
  const warned = new Map<number, SeenMatch>();
  for (const one of ledger.passes.matches(batch.name, batch.listedSince, leadOf(deps))) {
    const standing = one.isOpen ? 'open' : 'ended';
    const judged = judgeMatch({ ...one, standing, isHere: false, isListed: false }, windowOf(deps));
    if (judged?.decision === 'hold') await hold(ledger, one.row, seenPaid(one));
    else if (judged !== null) warned.set(one.row, one);
  }
  for (const one of warned.values()) {
    const row = await ledger.row(one.row);
    if (row !== null) await ledger.note(row, { evidence: because({ ...seenPaid(one), kind: 'like-payment' }) });
  }
  return seenNotes([...warned.values()]);
}

const seenPaid = ({ paymentId, at, differs, paidAmount, currency }: SeenMatch): ReasonOf<'looks-paid'> => ({
  kind: 'looks-paid',
  to: { paymentId, at },
  differs: differs === 'nothing' ? null : { what: 'amount', amount: paidAmount, currency },
});

const seenNotes = (near: readonly SeenMatch[]): Note[] =>
  near.length === 0
    ? []
    : [
        {
          note: 'near-payments-seen',
          rows: someOf(near, ({ number: row, amount, currency, paymentId: payment, at, paidAmount: paid }) => ({
            row,
            amount,
            currency,
            payment,
            at,
            paid,
          })),
        },
      ];

/** Warns of a clock that is at least a day off, because the age of earlier payments decides about duplicates. */
export function clockNotes(deps: Deps): Note[] {
  const lead = leadOf(deps);
  if (Math.abs(lead) < dayMs) return [];
  return [{ note: 'clock-is-off', days: Math.round(Math.abs(lead) / dayMs), is: lead > 0 ? 'behind' : 'ahead' }];
}

async function anyRows({ ledger }: Deps, batch: BatchFacts, states: readonly RowState[]): Promise<boolean> {
  return (await ledger.rows({ batch: batch.name, states, limit: 1 })).length > 0;
}

async function anyToSend({ ledger }: Deps, { name, listedSince: since }: BatchFacts): Promise<boolean> {
  return (await ledger.rows({ batch: name, since, states: ['ready'], limit: 1 })).length > 0;
}

const foundNotes = (payments: number): Note[] => (payments === 0 ? [] : [{ note: 'payments-found', payments }]);
