/** The story of a batch: `run` opens it and `resume` continues it. `advance` then pays it, stage after stage. */
import { handledLater } from '../base/errors.ts';
import type { Note } from '../domain/note.ts';
import { rightsOf } from '../domain/sending/actor.ts';
import type { BatchFacts, LedgerRow, SheetFacts } from '../ledger/ledger.ts';
import { withRemembered } from '../pipeline/controls/batch-limits.ts';
import { refuseOverCaps } from '../pipeline/controls/caps.ts';
import { awaitWindow } from '../pipeline/controls/pay-window.ts';
import { holdChangedPayees } from '../pipeline/controls/payee-control.ts';
import type { Deps } from '../pipeline/deps.ts';
import { holdDuplicates } from '../pipeline/duplicates/duplicates.ts';
import { keepCopy, requireSheetFile, requireWritable, standingCopy } from '../pipeline/intake/intake.ts';
import type { AdvanceOrder, BatchOrder, RunOrder } from '../pipeline/order.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { refuseMerchants, registerPayees } from '../pipeline/payees/register-payees.ts';
import { requireApproved, requireAsPlanned, requireOtherPayer } from '../pipeline/plans/approved.ts';
import { requireSameIdentity } from '../pipeline/plans/plan.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import { alarmOf } from '../pipeline/reconcile/reconcile.ts';
import {
  clockNotes,
  paidLongAgo,
  refusePaidInPart,
  refuseUnknownClaims,
  scanBeforeSending,
} from '../pipeline/reconcile/run-scans.ts';
import { type ResultPlace, requireRoom, resultPlace } from '../pipeline/results/report.ts';
import { requireSeen } from '../pipeline/seen.ts';
import { type Course, sendBatch } from '../pipeline/send-batch.ts';
import { stopOf } from '../pipeline/sending/backoff.ts';
import { recordStopOnSignal, stopInForce } from '../pipeline/sending/signals.ts';
import { settle } from '../pipeline/settle/settle.ts';
import { type OpenedVersion, openVersion } from '../pipeline/versions/open-version.ts';
import { concluded, concludeRun, firstResult, placed } from './batch/conclude-batch.ts';
import { batchNamed } from './batch/find-batch.ts';
import { requireTurn } from './pause-batch.ts';

/** Runs `payrun run FILE`. After a crash, the same command continues the batch. */
export async function run(deps: Deps, order: RunOrder): Promise<Outcome> {
  const { ledger, clock } = deps;
  const { file, outDir, batch: name, updateNames, skipInvalid } = order;
  await requireSheetFile(file, file);
  await requireWritable(outDir, file);
  const turnOf = turnsSeen(deps);
  const over = new AbortController();
  const stopOnSignal = (batch: string) => recordStopOnSignal(deps, batch, over.signal);
  if (name !== null) stopOnSignal(name);
  await requirePolicy(deps, name);
  await awaitWindow(deps);
  await ledger.hold();
  // Another process may have put a policy in force before this run had the lock.
  await requirePolicy(deps, name);
  await ledger.rows.recover();
  const base = order.base ?? ledger.batches.newestSheet();
  const copy = await keepCopy(ledger, file, clock, order.sha256);
  const token = handledLater(deps.client.ready());
  const opened = await openVersion(deps, order, { base, copy, stopOnSignal, turnOf });
  if ('kind' in opened) return opened;
  const place = resultPlace(opened.batch, order);
  const turn = turnOf(opened.batch.name);
  const choices = { place, updateNames, skipInvalid, isAddition: order.add, turn };
  return await advance(deps, opened.batch, { ...opened, ...choices, token, over });
}

type ChooseRows = (batch: BatchFacts) => Promise<readonly LedgerRow[]>;

/** Continues a batch. Most of its checks refuse what changed since the batch was opened. A retry chooses unpaid rows to send again. */
export async function resume(given: Deps, order: BatchOrder, retry: ChooseRows | null = null): Promise<Outcome> {
  const { ledger, service } = given;
  const { batch: name, seen, updateNames, skipInvalid } = order;
  const turn = turnsSeen(given)(name);
  const over = new AbortController();
  recordStopOnSignal(given, name, over.signal);
  await requirePolicy(given, name);
  await awaitWindow(withRemembered(given, await ledger.batches.batch(name)));
  await ledger.hold();
  // Another process may have put a policy in force before this command had the lock.
  await requirePolicy(given, name);
  await ledger.rows.recover();
  const known = await batchNamed(ledger, name);
  await requireSeen(ledger, known, seen);
  if (seen?.turn !== undefined) await requireTurn(ledger, name, seen.turn);
  const stopped = stopInForce(given, name);
  if (stopped !== null) return await concluded(given, order, known, async () => ({ notes: [], alarm: stopped }));
  const deps = withRemembered(given, known);
  await requireSameIdentity(deps, known);
  if (deps.policy !== undefined) await requireApproved(deps, known);
  await requireOtherPayer(deps, known);
  await requireAsPlanned(deps, known, order);
  ledger.draft.clear();
  const place = await placed(deps, order, known);
  const again = retry === null ? [] : await retry(known);
  await refuseOverCaps(
    deps,
    known,
    again.map(({ id }) => id),
  );
  const unsent = { batch: name, since: known.listedSince, states: ['planned', 'ready'], limit: 1 } as const;
  const also = retry !== null && (await ledger.rows.list(unsent)).length > 0;
  const mayBind = rightsOf(deps.actor).rebindsUnsent;
  const bound = mayBind ? await ledger.batches.bind(name, service.identity, service.label) : known;
  const batch =
    again.length === 0 ? bound : await ledger.versions.retryRows(bound, again, { by: deps.actor.name, turn });
  const notes: Note[] = retry === null ? [] : [{ note: 'retried', rows: again.length, also }];
  const opened = { problems: [], notes, read: false };
  const choices = { place, updateNames, skipInvalid, isAddition: false, turn };
  const token = handledLater(deps.client.ready());
  return await advance(deps, batch, { ...opened, ...choices, token, over });
}

/** Reads the turns at the start of a command. A stop that another process writes later stays, and ends the command. */
function turnsSeen({ ledger, actor }: Deps): (batch: string) => number | null {
  const turns = ledger.leads.turns();
  return (batch) => (rightsOf(actor).continuesStopped ? (turns.get(batch) ?? 0) : null);
}

interface HotOrder extends RunOrder {
  /** When the sheet arrived, in milliseconds. */
  readonly takenAt: number;
  /** The batch that the watcher recorded for the file. */
  readonly recorded: string | null;
}

/** Runs a file of the hot folder, or resumes the batch that the file became before a crash. */
export async function runOrResume(deps: Deps, order: HotOrder, onBegan: () => void): Promise<Outcome> {
  const { file, sha256 = null, takenAt, recorded } = order;
  // A watcher that crashed did not record the batch. Other sheets may have had the path, so hash and time count too.
  const became = ({ origin, options, receivedAt }: SheetFacts) =>
    origin === file && options.sha256 === sha256 && receivedAt >= takenAt;
  const batches = await deps.ledger.batches.list();
  const own =
    batches.find(({ name }) => name === recorded) ??
    batches.find(({ name }) => deps.ledger.batches.sheetsOf(name).some(became));
  if (own === undefined) return await run(deps, order);
  onBegan();
  return await resume(deps, { ...order, batch: own.name });
}

interface Intake extends Omit<OpenedVersion, 'batch'>, Pick<AdvanceOrder, 'updateNames' | 'skipInvalid'> {
  readonly place: ResultPlace;
  /** True if a person said that these rows belong to the batch, although another ledger paid part of it long ago. */
  readonly isAddition: boolean;
  readonly token: Promise<void>;
  /** The turn of the stop that the command may end; null if it may end none. */
  readonly turn: number | null;
  /** Aborted when only the result is left to write, so that a later signal does not stop the batch. */
  readonly over: AbortController;
}

/** Each stage moves rows in the ledger, so a resumed batch needs no other code. */
async function advance(deps: Deps, batch: BatchFacts, intake: Intake): Promise<Outcome> {
  const { ledger, clock } = deps;
  const { place, updateNames, skipInvalid, read, over } = intake;
  // While a hold stands, nothing is sent. Payments already sent are still followed.
  const later = ledger.holds.whyHeld(batch.name);
  await requireRoom(ledger, batch, place);
  const [problems, notes] = [[...intake.problems], [...intake.notes]];
  const beganAt = clock.monotonic();
  const course: Course = { beganAt, problems, notes, sent: 0, stopped: null, later, ends: later !== null };
  const first = firstResult(deps, batch, place);
  if (later === null && !deps.stop.aborted) await ledger.leads.goOn(batch.name, intake.turn);
  try {
    // Fails before anything is sent if the sheet's copy is gone, because a result needs the copy.
    if (rightsOf(deps.actor).needsResult) await standingCopy(ledger, batch);
    await intake.token;
    await holdDuplicates(deps, batch);
    await holdChangedPayees(deps, batch);
    const unregistered = await registerPayees(deps, batch, { updateNames, read });
    await Promise.race([first.written, Promise.resolve()]);
    await refuseMerchants(deps, batch, { refused: unregistered, skipInvalid, problems });
    // The scan compares payments with the merchants of their rows, so payees are registered first.
    const adopted = deps.stop.aborted ? [] : await scanBeforeSending(deps, batch);
    notes.push(...adopted, ...clockNotes(deps));
    await refuseUnknownClaims(deps, batch);
    if (!intake.isAddition) await refusePaidInPart(deps, batch);
    await sendBatch(deps, batch, course);
    course.stopped ??= await settle(deps, batch);
    course.stopped ??= await alarmOf(deps, batch);
    if (adopted.length > 0 && course.sent === 0) course.stopped ??= await paidLongAgo(deps, batch);
    if (ledger.leads.hasUnsent(batch.name)) course.stopped ??= course.later;
  } catch (error) {
    course.stopped = stopOf(deps, error);
  }
  return await concludeRun(deps, batch, { place, course, over, ...first });
}
