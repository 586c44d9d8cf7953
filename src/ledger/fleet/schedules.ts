/** The schedules of batches. Each scheduled hour is used up once, in the transaction that changes how its batch stands. */
import { isoTime } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { resumeOf } from '../../domain/next-action.ts';
import type { HourEnd } from '../../domain/note.ts';
import { isOnHold } from '../batches/holds.ts';
import { goOn, hasUnsent, leadIs, stopLead } from '../batches/lead.ts';
import type { Writing } from '../store/commit.ts';

export interface Hours {
  readonly cron: string;
  readonly zone: string;
}

/** `next` is the next scheduled hour. A worker that comes more than `expires` milliseconds later does not use it. */
export interface Schedule extends Hours {
  readonly next: number;
  readonly expires: number;
}

export type Scheduled = Schedule & { readonly batch: string };

export function openSchedules({ sql, commits, trail }: Writing) {
  const scheduled = (where: string, ...values: readonly (string | number)[]) =>
    sql.all<Scheduled>(
      `SELECT lead.batch, cron, zone, next_at AS next, expires FROM lead JOIN batch b ON b.name = lead.batch
       WHERE next_at IS NOT NULL AND ${where} ORDER BY lead.batch`,
      ...values,
    );
  return {
    /** Null for `schedule` ends the schedule. Returns false if there was none before. */
    schedule: async (batch: string, schedule: Schedule | null, by: string | null) =>
      commits.alone(() => {
        const was = leadIs(sql, batch, 'next_at IS NOT NULL');
        const { cron = null, zone = null, next = null, expires = null } = schedule ?? {};
        sql.run(
          'UPDATE lead SET cron = ?, zone = ?, next_at = ?, expires = ? WHERE batch = ?',
          cron,
          zone,
          next,
          expires,
          batch,
        );
        if (schedule !== null) trail.append({ batch, what: 'scheduled', data: { cron, zone, expires, by } });
        else if (was) trail.append({ batch, what: 'schedule ended', data: { by } });
        return was;
      }),
    schedules: () => scheduled('TRUE'),
    /** Returns the hours that have come. Any worker may report an hour that expired. */
    hoursDue: (identity: string, now: number) =>
      scheduled('next_at <= ? AND (b.identity = ? OR next_at + expires < ?)', now, identity, now),
    /** Uses up the hour `next`. Returns null if another worker did, or if no row is unsent. */
    takeHour: async ({ batch, next, expires }: Scheduled, then: number, now: number): Promise<HourEnd | null> =>
      commits.alone(() => {
        if (!leadIs(sql, batch, `next_at = ${next}`)) return null;
        sql.run('UPDATE lead SET next_at = ? WHERE batch = ?', then, batch);
        if (!leadIs(sql, batch, hasUnsent)) return null;
        const hour = isoTime(next);
        const isStopped = leadIs(sql, batch, `(stands = 'stopped' OR ${isOnHold('lead.batch')})`);
        const end = isStopped ? 'stopped' : now - next > expires ? 'expired' : 'begun';
        if (end === 'begun') goOn(sql, batch, null);
        if (end === 'expired') {
          const { refusal: why } = new PayrunError('HOUR_MISSED', { batch, at: next, command: resumeOf(batch) });
          stopLead(sql, batch, { by: null, why });
        }
        const data = end === 'begun' ? { hour } : { hour, why: end };
        trail.append({ batch, what: end === 'begun' ? 'hour' : 'hour missed', data });
        return end;
      }),
  };
}
