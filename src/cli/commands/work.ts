/** Runs `payrun worker`, a member of a fleet, until a signal stops it. Also runs `pause`, `schedule`, `decline` and `withdraw`. */
import type { Command } from '../../app/batch/command.ts';
import { batchNamed, requireFleet } from '../../app/batch/find-batch.ts';
import { endProposal } from '../../app/end-proposal.ts';
import { endPause, pauseBatch } from '../../app/pause-batch.ts';
import type { PlanEnding } from '../../approval/approval.ts';
import { isoTime, systemClock } from '../../base/clock.ts';
import { resumeOf } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import { type DueBatch, driverAddress, isPostgres, type Ledger, readPostgres } from '../../ledger/ledger.ts';
import { counted, rowCountWords } from '../../messages/format/numbers.ts';
import { typed } from '../../messages/format/program.ts';
import { timeWords } from '../../messages/format/times.ts';
import { noteWords } from '../../messages/notes.ts';
import { wordingText } from '../../messages/passage.ts';
import { failureWords } from '../../messages/refusals.ts';
import { standing } from '../../pipeline/figures.ts';
import { pausesOf, stopNotes } from '../../pipeline/holds.ts';
import { whyStopped } from '../../pipeline/outcome.ts';
import type { WakingOrder } from '../../workers/waking.ts';
import { actorOf, policyOfRun, readPerson, refuseUnbound } from '../args/build-orders.ts';
import type { Run } from '../args/command-table.ts';
import { readDuration, readWhole } from '../args/durations-and-numbers.ts';
import { assemble, ledgerPlace } from '../compose/assemble.ts';
import { flag, placeFlags, reasonFor, reply, stopOn, text, usage } from '../compose/command-context.ts';
import { loadSettings, type Settings } from '../compose/config.ts';
import { ledgerOnly } from '../compose/ledger-only.ts';
import { guardsOf } from '../compose/limits.ts';
import { endedBy, notify, notifyingOnce } from '../observe/notify.ts';
import { seeing } from '../observe/observe.ts';
import { performIn } from '../perform/thread.ts';
import { exitOf } from '../render/exit-code.ts';
import { type Streams, table } from '../render/screen.ts';

const sweepMs = 5000;

/** The job queue has a schema of its own, so that a lost queue loses no batch of the ledger. */
function engineOf({ ledgerPath, ledgerPassword }: Settings): { readonly address: string; readonly schema: string } {
  const address = driverAddress(ledgerPath, ledgerPassword?.reveal() ?? null);
  return { address, schema: `${readPostgres(ledgerPath).schema}_boss` };
}

export const pauseBatches: Run = async (args, world) => {
  const { out } = world.streams;
  await using ledger = await ledgerOnly(args, world);
  const batch = text(args, 'batch');
  const actor = actorOf(world);
  const what = batch === null ? 'All batches of this ledger' : `Batch ${batch}`;
  const tellPauses = async () => {
    const pauses = await pausesOf(ledger, batch);
    for (const pause of pauses) out.write(`${noteWords({ note: 'paused', ...pause }, placeFlags(args, world))}\n`);
    return pauses.length;
  };
  if (flag(args, 'list')) {
    if (batch !== null) await batchNamed(ledger, batch);
    if (flag(args, 'json')) out.write(`${JSON.stringify({ paused: await pausesOf(ledger, batch) })}\n`);
    else if ((await tellPauses()) === 0) out.write(`${batch === null ? 'Nothing is' : `${what}: not`} paused.\n`);
    return 'done';
  }
  await ledger.requireHome();
  if (flag(args, 'json')) throw usage('of pause, --json goes with --list');
  if (flag(args, 'end')) {
    const seenText = text(args, 'seen');
    const seen = seenText === null ? null : readWhole(seenText, '--seen', 1, Number.MAX_SAFE_INTEGER);
    const { wasPaused } = await endPause({ ledger }, { batch, ...(seen === null ? {} : { only: seen }) }, actor);
    out.write(`${what}: ${wasPaused ? 'the pause has ended' : 'there was no such pause'}.\n`);
    if ((await tellPauses()) === 0 && wasPaused)
      out.write(`To continue: ${wordingText(resumeOf(batch ?? 'BATCH'), placeFlags(args, world))}\n`);
    return 'done';
  }
  const { isNew } = await pauseBatch({ ledger }, { batch, reason: reasonFor('pause', args) }, actor);
  out.write(
    `${what}: ${isNew ? 'paused. Payrun sends no more rows, and follows the payments under way to their end' : 'paused already'}.\n`,
  );
  return 'done';
};

export const endPlan =
  (ending: PlanEnding): Run =>
  async (args, world) => {
    const batch = text(args, 'batch') ?? '';
    const name = text(args, 'by') ?? actorOf(world).name;
    if (name === null) throw usage('nobody is logged in by a name here; say who you are with --by');
    const reason = reasonFor('a plan', args);
    await using ledger = await ledgerOnly(args, world);
    const person = { name: readPerson(name, '--by') };
    const { wasWaiting, hasBatch } = await endProposal({ ledger }, { batch, ending, reason }, person);
    const ended = ending === 'plan-declined' ? 'its plan is declined' : 'its plan is withdrawn';
    const next = `To continue the batch: ${wordingText(resumeOf(batch), placeFlags(args, world))}\n`;
    world.streams.out.write(
      `Batch ${batch}: ${wasWaiting ? ended : 'no plan waits'}.\n${wasWaiting && hasBatch ? next : ''}`,
    );
    return 'done';
  };

export const scheduleBatch: Run = async (args, world, all) => {
  const { streams } = world;
  const [batch, cron] = [text(args, 'batch'), text(args, 'cron')];
  if (flag(args, 'list')) return await listSchedules(args, world, all);
  if (flag(args, 'json')) throw usage('of schedule, --json goes with --list');
  if (batch === null || (cron === null && !flag(args, 'end')))
    throw usage('schedule takes a batch, and --cron or --end; or --list');
  const { scheduleBatch: record } = await import('../../app/schedule-batch.ts');
  const zone = text(args, 'zone') ?? 'Africa/Johannesburg';
  await using ledger = await ledgerOnly(args, world);
  const expires = readDuration(text(args, 'expires') ?? '4h', '--expires');
  const when = cron === null ? null : { cron, zone, expires };
  const { wasScheduled } = await record({ ledger, clock: systemClock }, { batch, when }, actorOf(world));
  streams.out.write(
    cron === null
      ? `Batch ${batch}: ${wasScheduled ? 'no longer scheduled' : 'was not scheduled'}.\n`
      : `Batch ${batch}: the fleet continues it at '${cron}' (${zone}).\n`,
  );
  if (cron === null) return 'done';
  for (const note of await stopNotes(ledger, batch)) streams.err.write(`${noteWords(note, placeFlags(args, world))}\n`);
  await tellNobody(ledger, streams);
  return 'done';
};

async function tellNobody(ledger: Ledger, { err }: Streams) {
  if ((await requireFleet(ledger).members()).length === 0)
    err.write('No worker is running. Start one before the scheduled hour.\n');
}

const listSchedules: Run = async (args, world) => {
  const named = text(args, 'batch');
  await using ledger = await ledgerOnly(args, world);
  const shown = ledger.leads.schedules().filter(({ batch }) => named === null || batch === named);
  if (shown.length > 0) await tellNobody(ledger, world.streams);
  const schedules = shown.map(({ batch, cron, zone, next }) => ({ batch, cron, zone, next: isoTime(next) }));
  const lines = shown.map(({ batch, cron, zone, next }) => [batch, cron, zone, timeWords(next)]);
  const words =
    shown.length === 0 ? ['Nothing is scheduled.'] : table([['batch', 'cron', 'zone', 'next'], ...lines], 9);
  return reply(args, world, { schedules }, `${words.join('\n')}\n`);
};

/** A worker follows payments for a short time only, because other batches may wait for it. */
const followMs = 5000;

const commandOf = ({ batch, turn, task }: DueBatch, concurrency: number): Command =>
  task === 'resume'
    ? { do: 'resume', batch, concurrency, waitMs: followMs, seen: { turn } }
    : { do: 'reconcile', batch };

export const joinFleet: Run = async (args, world) => {
  const { work } = await import('../../workers/worker.ts');
  const { cwd, streams, signals } = world;
  if (flag(args, 'sandbox'))
    throw usage(
      `the sandbox is one process, and workers are several: run ${typed('service')}, and name it with PAYRUN_BASE_URL`,
    );
  const settings = loadSettings(world, args);
  refuseUnbound({}, world, settings, [cwd]);
  const concurrency = readWhole(text(args, 'concurrency') ?? '8', '--concurrency', 1, 64);
  using drain = stopOn(signals);
  seeing()?.ledger(ledgerPlace(settings));
  const write = (line: string) => streams.err.write(`${isoTime(systemClock.now())}  ${line}\n`);
  const say = (note: Note) => write(noteWords(note, placeFlags(args, world)));
  const placed = { ...world, place: placeFlags(args, world) };
  const tell = notifyingOnce(placed);
  const actor: Actor = { driver: 'worker', name: null };
  let sentAsLeader = 0;
  const place = { ledger: text(args, 'ledger') ?? undefined, asUser: text(args, 'as-user') ?? undefined };
  const perform = performIn(world, place, (route, status) => {
    if (route === 'POST /payments' && status !== null && status < 300) sentAsLeader += 1;
  });
  const lead: WakingOrder['lead'] = async (due, stop) => {
    const { batch, task } = due;
    write(`It leads batch ${batch} (${task}).`);
    const sentences: string[] = [];
    const collect = (sentence: string) => void sentences.push(sentence);
    const ended = await perform(commandOf(due, concurrency), { actor, stop, say: collect });
    const { end, code, outcome } = endedBy(ended);
    const refusal = whyStopped(ended);
    const rows = [`exit ${exitOf(end)}`, ...(outcome === null ? [] : [rowCountWords(outcome.rows)])].join('; ');
    const why = [...sentences, refusal === null ? '' : failureWords(refusal, placed.place)]
      .flatMap((words) => (words.trim() === '' ? [] : `. ${words.trim()}`))
      .join('');
    const isDrained = stop.aborted && end === 'signal';
    const isBusy = end === 'busy';
    const how = isDrained
      ? 'drained; another worker continues it, or the next worker that joins.'
      : isBusy
        ? 'somebody else leads it.'
        : `${rows}${why}`;
    write(`Batch ${batch}, ${task}: ${how}`);
    if (!isBusy && !isDrained) await tell({ end, code, outcome, batch, sheet: null });
    return end;
  };
  const missed: WakingOrder['missed'] = async ({ ledger }, name) => {
    seeing()?.hourMissed();
    const batch = await batchNamed(ledger, name);
    const outcome = { batch: name, service: batch.service, rows: (await standing(ledger, batch)).rows };
    await notify({ end: 'later', code: null, outcome, batch: name, sheet: null, missed: true }, placed);
  };
  const joined = await work({
    assemble: async () =>
      await assemble({
        settings,
        concurrency,
        guards: guardsOf(args, settings),
        policy: policyOfRun({}, world, settings),
        stop: drain.signal,
        actor,
        say,
      }),
    clock: systemClock,
    stop: drain.signal,
    say,
    waking:
      !flag(args, 'lead') || !isPostgres(settings.ledgerPath) ? null : { ...engineOf(settings), lead, missed, sweepMs },
  });
  const sent = joined + sentAsLeader;
  return reply(args, world, { sent }, `Drained: ${counted(sent, 'payment')} sent.\n`);
};
