/** Sends a batch with several processes: the leader opens and closes the batch, and members claim and send rows. */
import { assert, errorOf, type PayrunError } from '../../base/errors.ts';
import { railSpansAt } from '../../domain/calendar/rail-limit.ts';
import { momentText } from '../../domain/sending/doubt.ts';
import {
  type BatchFacts,
  eachRow,
  type Fleet,
  type LedgerRow,
  type SendingSession,
  type SessionEnd,
  stoppedBefore,
  type Terms,
} from '../../ledger/ledger.ts';
import { outsideWindow, windowLeftMs } from '../controls/pay-window.ts';
import { railsNow } from '../controls/rail-limits.ts';
import type { Deps } from '../deps.ts';
import { momentNow } from '../reconcile/list-scan.ts';
import {
  extendWitness,
  halted,
  type Member,
  maxDoubtsInARow,
  mostDoubts,
  newRun,
  openGate,
  type PayRun,
  payClaimed,
  paymentBody,
  requireContent,
  sendWindowMs,
  witnessAheadMs,
} from './send-row.ts';
import { isStoppedHere, stopBySignal } from './signals.ts';

export { requirePolicy } from '../plans/policy-in-force.ts';

const lookMs = 250;
const idleMs = 100;
const beatMs = 2000;
/** A lease includes this time to write an answer that has arrived. */
const writingMs = 5000;

const memberOf = (deps: Deps, fleet: Fleet): Member => ({ name: deps.clock.randomHex(6), fleet });

/** Opens the batch, and sends its rows with the other members. Closes the batch when no row is left or under way. */
export async function sendTogether(run: PayRun, batch: BatchFacts, fleet: Fleet, concurrency: number): Promise<void> {
  // Checks before the batch opens, because the other members would claim rows at once.
  if (halted(run)) return;
  const { deps } = run;
  const { clock } = deps;
  const member = memberOf(deps, fleet);
  const spans = () => railsNow(deps);
  const before = new Set(await doubtsOf(deps, batch));
  const sentBefore = run.sent;
  const doneBefore = run.done;
  await fleet.beat(member.name);
  const opened: SendingSession = { batch: batch.name, since: batch.listedSince, epoch: 0, terms: termsOf(run) };
  const epoch = await fleet.open({ ...opened, leader: member.name, room: concurrency, mostMs: windowLeftMs(deps) });
  let open = true;
  let isShut = false;
  let looking = new AbortController();
  run.member = member;
  const sending = sendClaims(deps, member, concurrency, {
    more: () => open && !halted(run),
    idle: () => looking.abort(),
    runFor: async () => run,
    witness: run,
  }).catch((error: unknown) => {
    run.broken = true;
    throw error;
  });
  // Prevents an unhandled rejection. The `await sending` below reports the failure.
  sending.catch(() => undefined);
  try {
    let beaten = clock.monotonic();
    for (;;) {
      if (clock.monotonic() - beaten > beatMs) {
        beaten = clock.monotonic();
        await fleet.beat(member.name);
      }
      if (clock.now() >= run.witnessedUntil) await extendWitness(run, clock.now() + witnessAheadMs);
      await fleet.endLeases();
      run.later ??= outsideWindow(deps);
      if (halted(run) && !isShut) {
        // Records the stop once. A second record would override a schedule that a person sets in the meantime.
        isShut = true;
        if (isStoppedHere(deps)) await deps.ledger.leads.stop(batch.name, stopBySignal(deps));
        await fleet.close(batch.name, { why: 'sent' });
      }
      const stands = await fleet.lead({ ...opened, epoch }, spans(), windowLeftMs(deps));
      assert(stands !== null, 'the holder of the ledger leads');
      run.sent = sentBefore + stands.sent;
      run.done = doneBefore + stands.ended;
      deps.progress({ stage: 'paying', done: run.done, total: run.total });
      if (stands.closed !== null) takeClosing(run, stands.closed);
      else run.later ??= whyForbidden(deps, batch);
      open = stands.closed === null && (stands.ready || stands.underWay > 0);
      if (!open && stands.underWay === 0) break;
      looking = new AbortController();
      await clock.sleep(lookMs, looking.signal);
    }
    await fleet.close(batch.name, { why: 'sent' });
    open = false;
    await sending;
  } finally {
    open = false;
    await sending.catch(() => undefined);
    run.member = null;
    await fleet.leave(member.name).catch(() => undefined);
  }
  for (const id of await doubtsOf(deps, batch)) if (!before.has(id)) run.unsettled.add(id);
}

function termsOf(run: PayRun): Terms {
  const { limits, policy } = run.deps;
  return {
    sourceWords: [...run.options.sourceWords],
    holdsRails: limits.rails === 'hold',
    isUnderPolicy: policy !== undefined,
    refusals: limits.breaker.refusals,
    doubtsInARow: maxDoubtsInARow,
    doubts: mostDoubts(run),
  };
}

function takeClosing(run: PayRun, closing: SessionEnd): void {
  if (closing.why === 'doubts') {
    run.tripped = true;
    run.lastDoubt = { at: run.deps.clock.monotonic(), reason: closing.reason };
  } else if (closing.why === 'stop') run.stopped ??= errorOf(closing);
}

/** Returns why no row of the batch may be claimed: a hold, or the stop of another process. The run itself reports its own signal. */
function whyForbidden(deps: Deps, { name }: BatchFacts): PayrunError | null {
  const { holds, leads } = deps.ledger;
  const lead = leads.of(name);
  return holds.whyHeld(name) ?? (lead.stands === 'stopped' && !isStoppedHere(deps) ? stoppedBefore(name, lead) : null);
}

const doubtsOf = async ({ ledger }: Deps, { name: batch }: BatchFacts): Promise<number[]> =>
  await Array.fromAsync(eachRow(ledger, { batch, states: ['in_doubt'] }), ({ id }) => id);

/** Sends rows of all open batches of `service.identity` until a signal. Returns the number of payments. */
export async function sendWhatIsOpen(deps: Deps, fleet: Fleet, onClaim: () => void): Promise<number> {
  const { clock, stop } = deps;
  const member = memberOf(deps, fleet);
  const runs = new Map<string, PayRun>();
  let sent = 0;
  const forget = (name: string) => {
    sent += runs.get(name)?.sent ?? 0;
    runs.delete(name);
  };
  const runFor = async ({ batch, epoch, terms }: SendingSession) => {
    onClaim();
    const name = `${epoch} ${batch}`;
    const known = runs.get(name);
    if (known !== undefined) return known;
    for (const other of runs.keys()) if (other.endsWith(` ${batch}`)) forget(other);
    const sourceWords = new Map(terms.sourceWords);
    const options = { sourceWords, collecting: false, beganAt: clock.monotonic(), most: null };
    const run = await newRun(deps, options, 0);
    run.member = member;
    runs.set(name, run);
    return run;
  };
  await fleet.beat(member.name);
  const resting = new AbortController();
  const beating = (async () => {
    while (!resting.signal.aborted) {
      await clock.sleep(beatMs, resting.signal);
      if (!resting.signal.aborted) await fleet.beat(member.name);
    }
  })();
  beating.catch(() => undefined);
  try {
    const more = () => !stop.aborted;
    const witness = { deps, witnessedUntil: 0 };
    await sendClaims(deps, member, deps.limits.concurrency, { more, idle: () => {}, runFor, witness });
  } finally {
    resting.abort();
    await beating.catch(() => undefined);
    await fleet.leave(member.name).catch(() => undefined);
  }
  for (const name of runs.keys()) forget(name);
  return sent;
}

interface Claiming {
  readonly more: () => boolean;
  /** Called when the member can claim no row and has no row under way. */
  readonly idle: () => void;
  readonly runFor: (opened: SendingSession) => Promise<PayRun>;
  readonly witness: Pick<PayRun, 'deps' | 'witnessedUntil'>;
}

/** Claims rows and sends each row once, while `more()` is true. Returns after all answers are written. */
async function sendClaims(deps: Deps, member: Member, most: number, claiming: Claiming): Promise<void> {
  const { more, idle, runFor, witness } = claiming;
  const { clock, client, service, limits, webhook } = deps;
  const { fleet, name } = member;
  const leaseMs = sendWindowMs + limits.callMs + writingMs;
  const turnedAway = new Set<number>();
  const failures: unknown[] = [];
  const runs = new Set<PayRun>();
  let underWay = 0;
  /** The number of answers that wait for their commit. New rows may start meanwhile and share that commit. */
  let writing = 0;
  let wasIdle = true;
  /** Aborted when an answer arrives, so that the next rest ends at once. */
  let stirred = new AbortController();
  const rest = async (ms: number) => {
    await clock.sleep(ms, stirred.signal);
    stirred = new AbortController();
  };
  const failed = (run: PayRun, error: unknown) => {
    run.broken = true;
    failures.push(error);
  };
  const send = async (run: PayRun, row: LedgerRow, wall: number, steady: number) => {
    let written: Promise<boolean> | undefined;
    try {
      written = (await payClaimed(run, row, { wall, steady, turnedAway }))?.written;
    } catch (error) {
      failed(run, error);
    }
    underWay -= 1;
    writing += 1;
    stirred.abort();
    await written?.catch((error: unknown) => failed(run, error));
    writing -= 1;
    stirred.abort();
  };
  const tell = async (run: PayRun, batch: string) => {
    if (run.stopped !== null) await fleet.close(batch, { why: 'stop', ...run.stopped.refusal });
  };
  const claim = async (): Promise<boolean> => {
    for (const run of runs) await openGate(run);
    await client.ready();
    // A claim takes a lock and extends the witness, so an idle process checks first whether a batch is open.
    if (wasIdle && !(await fleet.isOpen(service.identity))) return false;
    if (clock.now() >= witness.witnessedUntil) await extendWitness(witness, clock.now() + witnessAheadMs);
    const free = most - underWay;
    if (free <= 0 || !more()) return false;
    const [wall, steady] = [clock.now(), clock.monotonic()];
    const claimed = await fleet.claim({
      member: name,
      identity: service.identity,
      most: free,
      leaseMs,
      spans: (terms) => (terms.holdsRails ? railSpansAt(wall) : []),
      isUnderPolicy: deps.policy !== undefined,
      submittedAt: wall,
      sentMoment: momentText(momentNow(deps)),
      intentOf(row, terms) {
        requireContent(row);
        const { tag, merchantId, amount } = paymentBody(row, new Map(terms.sourceWords), webhook);
        return { tag, merchantId, amount };
      },
    });
    wasIdle = claimed === null;
    if (claimed === null) {
      if (underWay === 0) idle();
      return false;
    }
    const { opened, rows } = claimed;
    const run = await runFor(opened);
    if (!runs.has(run)) {
      run.slower = (waitMs) => void fleet.slow(opened.batch, waitMs).catch(() => undefined);
      runs.add(run);
    }
    for (const row of rows) {
      underWay += 1;
      void send(run, row, wall, steady)
        .then(() => tell(run, opened.batch))
        .catch((error: unknown) => failed(run, error));
    }
    return rows.length === free;
  };
  while (more() && failures.length === 0)
    try {
      if (!(await claim())) await rest(idleMs);
    } catch (error) {
      failures.push(error);
    }
  while (underWay + writing > 0) await rest(idleMs);
  if (failures.length > 0) throw failures[0];
}
