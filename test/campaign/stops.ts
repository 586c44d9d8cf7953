/** The reference's rule of stops: after which commands only a person may continue a batch. */
import type { Place } from './commands.ts';
import type { Real } from './desk.ts';
import type { Step } from './judge.ts';
import { type Batch, isHeld, isInHead, type World } from './model-world.ts';
import type { SeenBatch } from './seen.ts';

/** An alarm stops most commands, and refuses few. */
export const alarms: readonly string[] = ['PAID_TWICE', 'COPIES_PAID'];

const unsent: readonly string[] = ['planned', 'ready', 'sending', 'in_doubt', 'absent'];

export const hasUnsent = (batch: Batch): boolean =>
  Object.values(batch.rows).some(
    ({ key, state, closed }) => unsent.includes(state) && closed === null && isInHead(batch, key),
  );

/** After these reasons a run continues by itself, at its time. After any other reason, a person continues the batch. */
const waits: readonly string[] = [
  'CREDENTIALS_REFUSED',
  'PAID_ELSEWHERE',
  'PASS_INCOMPLETE',
  'SENT_ELSEWHERE',
  'SERVICE_ANSWER',
  'SERVICE_BUSY',
  'SERVICE_UNREACHABLE',
  'TAG_LOST',
];

const senders: readonly string[] = ['run', 'run plan', 'resume', 'retry', 'continue'];

interface Ground {
  readonly real: Real;
  readonly step: Step;
  /** The world after the command. */
  readonly world: World;
}

/**
 * Returns null if the reference cannot know: a death, a signal, a Stop of a batch without unsent rows, a plan that was
 * proposed while another process resumed the batch, and a refusal after the version was opened or while an alarm stands.
 */
function isStoppedAfter({ real, step, world }: Ground, place: Place, seen: SeenBatch): boolean | null {
  const { command, before, ending } = step;
  const order = 'plan' in command ? before.plans[command.plan]!.order : command;
  const was = before.ledgers[place.ledger]!.batches[place.batch];
  const now = world.ledgers[place.ledger]!.batches[place.batch]!;
  const isOwn = 'batch' in order && order.ledger === place.ledger && order.batch === place.batch;
  if (!isOwn) return now.isStopped;
  if (real.halt !== null) return true;
  // Another process, which resumed the batch, may have met the hold.
  if (ending.kind === 'died' || 'amid' in command) return null;
  const isOpened = now.versions.length > (was?.versions.length ?? 0);
  const isInterrupted =
    ending.kind === 'ended' && 'interrupted' in ending.outcome && ending.outcome.interrupted === true;
  // The signal may have come, or not.
  if ('stops' in command && !isInterrupted) return null;
  if (ending.kind === 'refused')
    return isOpened || alarms.includes(ending.code) || alarms.includes(seen.stop ?? '') ? null : now.isStopped;
  if (command.do === 'stop') return hasUnsent(now) ? true : null;
  const stop = 'stopped' in ending.outcome ? ending.outcome.stopped : undefined;
  const isWaiting = stop === undefined || waits.includes(stop.code);
  if (!senders.includes(command.do)) return now.isStopped || !isWaiting;
  if (isInterrupted || !isWaiting) return true;
  // A hold lets a run continue nothing, and only a person ends a stop.
  const isKept = command.do === 'continue' || isHeld(world.ledgers[place.ledger]!, place.batch);
  return isKept && !isOpened && now.isStopped;
}

export function compareStops(ground: Ground, seen: readonly (readonly SeenBatch[])[], differences: string[]): void {
  for (const [ledger, batches] of seen.entries())
    for (const batch of batches) {
      const { before, ending } = ground.step;
      const isOpened = batch.versions.length > (before.ledgers[ledger]!.batches[batch.name]?.versions.length ?? 0);
      const isUnsent = batch.rows.some(
        ({ state, closed, isInHead: isListed }) => closed === null && isListed && state === 'planned',
      );
      if (ending.kind === 'died' && isOpened && isUnsent && batch.stands === 'idle')
        differences.push(`${batch.name} has a new version, and nobody comes back for it`);
      const expected = isStoppedAfter(ground, { ledger, batch: batch.name }, batch);
      if (expected !== null && expected !== (batch.stands === 'stopped'))
        differences.push(`${batch.name} is ${batch.stands}, and in the reference ${expected ? '' : 'not '}stopped`);
    }
}
