/** `schedule`: records the hours at which workers continue a batch, and uses up the hours that have come. */
import type { PgBoss as Engine } from 'pg-boss';
import { isoTime } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import type { OptionFault } from '../base/faults/fault.ts';
import type { HourEnd } from '../domain/note.ts';
import type { Actor } from '../domain/sending/actor.ts';
import type { Hours } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { Done } from '../pipeline/outcome.ts';
import { batchNamed, requireFleet } from './batch/find-batch.ts';

type Preview = Pick<Engine, 'previewSchedule'>;

const hourMs = 3_600_000;
/** pg-boss fails near some clock changes, such as one by half an hour. So the search starts again up to 48 times, an hour later. */
const stepsOver = 48;

/** Makes a pg-boss that only computes hours. It is never started, so it needs no database. */
export async function openPreview(): Promise<Preview> {
  const { PgBoss } = await import('pg-boss');
  return new PgBoss('postgres://localhost/none');
}

/** Returns null if pg-boss finds no hour on this machine. */
export function nextHour(boss: Preview, { cron, zone }: Hours, after: number): number | null {
  for (let step = 0; step < stepsOver; step += 1)
    try {
      const [next] = boss.previewSchedule(cron, { tz: zone, from: new Date(after + step * hourMs), count: 1 });
      if (next !== undefined) return next.getTime();
    } catch {
      // The next try starts an hour later.
    }
  return null;
}

/** Records the schedule, or its end if `when` is null. */
export async function scheduleBatch(
  { ledger, clock }: Pick<Deps, 'ledger' | 'clock'>,
  { batch, when }: { readonly batch: string; readonly when: (Hours & { readonly expires: number }) | null },
  { name: by }: Actor,
): Promise<Done<{ readonly wasScheduled: boolean }>> {
  requireFleet(ledger);
  await ledger.requireHome();
  await batchNamed(ledger, batch);
  const schedule = when && { ...when, next: requireHours(await openPreview(), when, clock.now()) };
  return { kind: 'finished', wasScheduled: await ledger.leads.schedule(batch, schedule, by) };
}

/** Uses up the hours that have come, and returns them. A late hour still continues its batch, unless it has expired. */
export async function takeHours(
  { ledger, service, clock }: Pick<Deps, 'ledger' | 'clock'> & { readonly service: Pick<Deps['service'], 'identity'> },
  boss: Preview,
): Promise<readonly { readonly batch: string; readonly hour: string; readonly end: HourEnd }[]> {
  const now = clock.now();
  const taken = [];
  for (const one of ledger.leads.hoursDue(service.identity, now)) {
    const then = nextHour(boss, one, now);
    // Another machine may know the time zone.
    const end = then === null ? null : await ledger.leads.takeHour(one, then, now);
    if (end !== null) taken.push({ batch: one.batch, hour: isoTime(one.next), end });
  }
  return taken;
}

const cronFields = ['minute', 'hour', 'day', 'month', 'weekday'] as const;

/** Returns the next hour. Refuses cron texts that pg-boss accepts although a field is missing or has another form. */
function requireHours(boss: Preview, { cron, zone }: Hours, after: number): number {
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
  const next = zone === '' || !comes(cron, zone) ? null : nextHour(boss, { cron, zone }, after);
  if (next === null) throw unfit({ fault: 'zone-is-unknown', zone });
  return next;
}
