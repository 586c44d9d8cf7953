/** Bundles the parts that every write needs: statements, commits, the trail and the clock. */
import type { Clock } from '../../base/clock.ts';
import { type Committer, committer } from './commit.ts';
import type { Sql } from './sql.ts';
import { openTrail, type Trail } from './trail.ts';

export interface Writing {
  readonly sql: Sql;
  readonly commits: Committer;
  readonly trail: Trail;
  readonly clock: Clock;
}

export function openWriting(sql: Sql, clock: Clock): Writing {
  return { sql, commits: committer(sql, clock), trail: openTrail(sql, clock), clock };
}
