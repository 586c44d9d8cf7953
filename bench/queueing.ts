/**
 * What a fleet takes, by exact mean value analysis of a closed network: as many rows are under way as there is room, each waits for the
 * service, which serves them side by side, and queues for its member's processor and for the ledger's one writer.
 */

/** Measured by `npm run bench:fleet -- --write` (docs/explanation/scale.md). */
export interface Costs {
  /** The ledger's one writer is held so long for a row. */
  readonly writerMs: number;
  /** Processor time of a member for a row. */
  readonly memberMs: number;
  /** What its leader does before the first payment and after the last one, for a row. */
  readonly leaderMs: number;
  readonly commits: number;
  readonly logBytes: number;
  readonly ledgerBytes: number;
}

export interface Fleet {
  /** The most rows under way at once: `--concurrency` of the run, 64 at most. */
  readonly room: number;
  /** Members, each with a processor of its own. */
  readonly members: number;
  /** Of one call for a payment. */
  readonly latencyMs: number;
  /** Payments a second that the service takes; null: as many as are asked for. */
  readonly limit: number | null;
}

export const limiters = ['the room', 'the writer', 'the members', "the service's limit"] as const;
export type Limiter = (typeof limiters)[number];

export interface Taken {
  readonly rowsPerSecond: number;
  /** What there would have to be more of first. */
  readonly first: Limiter;
  /** How much of its time each is busy, from 0 to 1; of the room: how much of a row's way is the service's own. */
  readonly busy: Readonly<Record<'writer' | 'member' | 'room', number>>;
}

/** Of a closed network with one queue for the writer, one for each member, and a service where nobody queues. */
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
    ['the room', busy.room],
    ['the writer', busy.writer],
    ['the members', busy.member],
    ["the service's limit", limit !== null && limit <= free ? Number.POSITIVE_INFINITY : 0],
  ];
  const [first] = ways.toSorted((a, b) => b[1] - a[1])[0]!;
  return { rowsPerSecond, first, busy };
}

/** Hours from the sheet to its result. */
export function hoursFor(costs: Costs, fleet: Fleet, rows: number): number {
  return (rows * (1000 / taken(costs, fleet).rowsPerSecond + costs.leaderMs)) / 3_600_000;
}
