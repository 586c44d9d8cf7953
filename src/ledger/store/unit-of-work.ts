/** Bundles the parts that every write needs: statements, commits, the trail and the clock. */
import type { Clock } from '../../base/clock.ts';
import { committer } from './commit.ts';
import type { Sql } from './sql.ts';
import { openTrail } from './trail.ts';

export type Writing = ReturnType<typeof openWriting>;

export const openWriting = (sql: Sql, clock: Clock) => ({
  sql,
  commits: committer(sql, clock),
  trail: openTrail(sql, clock),
  clock,
});
