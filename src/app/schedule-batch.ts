/** `schedule`: records the hours at which workers continue a batch. */
import type { PgBoss as Engine } from 'pg-boss';
import { PayrunError } from '../base/errors.ts';
import type { OptionFault } from '../base/faults/fault.ts';
import type { Actor } from '../domain/sending/actor.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { Done } from '../pipeline/outcome.ts';
import { batchNamed, requireFleet } from './batch/find-batch.ts';

export interface Hours {
  readonly cron: string;
  readonly zone: string;
}

export type Preview = Pick<Engine, 'previewSchedule'>;

/** Makes a pg-boss that only computes hours. It is never started, so it needs no database. */
export async function openPreview(): Promise<Preview> {
  const { PgBoss } = await import('pg-boss');
  return new PgBoss('postgres://localhost/none');
}

/** Records the schedule, or its end if `when` is null. */
export async function scheduleBatch(
  { ledger }: Pick<Deps, 'ledger'>,
  { batch, when }: { readonly batch: string; readonly when: Hours | null },
  { name: by }: Actor,
): Promise<Done<{ readonly wasScheduled: boolean }>> {
  const fleet = requireFleet(ledger);
  await ledger.requireHome();
  await batchNamed(ledger, batch);
  if (when !== null) requireHours(await openPreview(), when);
  const entries = await ledger.trail.entries(batch, 'scheduled', 'schedule ended');
  const wasScheduled = entries.at(-1)?.what === 'scheduled';
  if (when !== null) {
    const since = await fleet.now();
    await ledger.trail.record({ batch, row: null, what: 'scheduled', data: { ...when, since, by } });
  } else if (wasScheduled) await ledger.trail.record({ batch, row: null, what: 'schedule ended', data: { by } });
  return { kind: 'finished', wasScheduled };
}

const cronFields = ['minute', 'hour', 'day', 'month', 'weekday'] as const;

/** Refuses cron texts that pg-boss accepts although a field is missing or has another form. */
function requireHours(boss: Preview, { cron, zone }: Hours): void {
  const unfit = (why: OptionFault) => new PayrunError('SCHEDULE_UNUSABLE', { cron, zone, why });
  const comes = (hours: string, tz: string) => {
    try {
      return boss.previewSchedule(hours, { tz, count: 1 }).length > 0;
    } catch {
      return false;
    }
  };
  const fields = cron.trim().split(/\s+/);
  // H means a random hour, and pg-boss would choose another one each time.
  if (fields.length !== 5 || /\bh(?![a-z])/i.test(cron)) throw unfit({ fault: 'cron-has-other-fields' });
  cronFields.forEach((field, index) => {
    const alone = cronFields.map((_, other) => (other === index ? fields[index] : '*')).join(' ');
    if (!comes(alone, 'UTC')) throw unfit({ fault: 'cron-field-is-invalid', field, value: fields[index] ?? '' });
  });
  if (!comes(cron, 'UTC')) throw unfit({ fault: 'cron-never-comes' });
  if (zone === '' || !comes(cron, zone)) throw unfit({ fault: 'zone-is-unknown', zone });
}
