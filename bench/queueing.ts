/**
 * Computes the speed of a fleet by exact mean value analysis of a closed network. As many rows are under way as there
 * is room. Each row waits for the service, which serves all rows side by side, and queues for its member's processor
 * and for the ledger's one writer.
 */

/** The costs of a row, measured by `npm run bench:fleet -- --write` (docs/explanation/scale.md). */
export interface Costs {
  /** How long a row holds the ledger's one writer. */
  readonly writerMs: number;
  /** The processor time that a row takes from a member. */
  readonly memberMs: number;
  /** The leader's time for a row, before the first payment and after the last one. */
  readonly leaderMs: number;
  readonly commits: number;
  readonly logBytes: number;
  readonly ledgerBytes: number;
}

export interface Fleet {
  /** The most rows under way at once: `--concurrency` of the run, 64 at most. */
  readonly room: number;
  /** The number of members. Each has a processor of its own. */
  readonly members: number;
  /** The time of one call for a payment. */
  readonly latencyMs: number;
  /** The most payments per second that the service accepts; null for any number. */
  readonly limit: number | null;
}

export const limiters = ['the rows under way', 'the writer', 'the workers', 'the service'] as const;
export type Limiter = (typeof limiters)[number];

export interface Taken {
  readonly rowsPerSecond: number;
  /** The limit that has to be raised first. */
  readonly first: Limiter;
  /** How busy each part is, from 0 to 1. For `room`: the share of a row's time that the service takes. */
  readonly busy: Readonly<Record<'writer' | 'member' | 'room', number>>;
}

/** Computes a closed network with one queue for the writer, one queue for each member, and a service without a queue. */
export function taken({ writerMs, memberMs }: Pick<Costs, 'writerMs' | 'memberMs'>, fleet: Fleet): Taken {
  const { room, members, latencyMs, limit } = fleet;
  const demands = [writerMs, ...Array.from({ length: members }, () => memberMs / members)];
  let queues = demands.map(() => 0);
  let perMs = 0;
  for (let rows = 1; rows <= room; rows += 1) {
    const stays = demands.map((demand, at) => demand * (1 + queues[at]!));
    perMs = rows / (latencyMs + stays.reduce((sum, stay) => sum + stay, 0));
    queues = stays.map((stay) => perMs * stay);
  }
  const free = perMs * 1000;
  const rowsPerSecond = limit === null ? free : Math.min(free, limit);
  const busy = {
    writer: (rowsPerSecond * writerMs) / 1000,
    member: (rowsPerSecond * memberMs) / members / 1000,
    room: (rowsPerSecond * latencyMs) / room / 1000,
  };
  const ways: readonly [Limiter, number][] = [
    ['the rows under way', busy.room],
    ['the writer', busy.writer],
    ['the workers', busy.member],
    ['the service', limit !== null && limit <= free ? Number.POSITIVE_INFINITY : 0],
  ];
  const [first] = ways.toSorted((a, b) => b[1] - a[1])[0]!;
  return { rowsPerSecond, first, busy };
}

/** Returns the hours from the sheet to its result. */
export function hoursFor(costs: Costs, fleet: Fleet, rows: number): number {
  return (rows * (1000 / taken(costs, fleet).rowsPerSecond + costs.leaderMs)) / 3_600_000;
}
