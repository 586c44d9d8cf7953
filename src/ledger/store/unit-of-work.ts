/** Bundles the parts that every write needs: statements, commits, the trail and the clock. */
import type { Clock } from '../../base/clock.ts';
import { committer } from './commit.ts';
import type { Sql } from './sql.ts';
import { openTrail } from './trail.ts';

export type Writing = ReturnType<typeof openWriting>;

export function openWriting(sql: Sql, clock: Clock) {
  return { sql, commits: committer(sql, clock), trail: openTrail(sql, clock), clock };
}
