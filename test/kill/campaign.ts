/** The long campaigns: as many kills and failures as time allows, each made from its seed alone. */
import { failNth } from './fail.ts';
import { faultNames, faults } from './faults.ts';
import { type Finding, findingKinds } from './judge.ts';
import { lostLedger, restoredLedger, truncatedLog } from './lost.ts';
import { points } from './points.ts';
import { type SceneName, sceneOf, scenes } from './scenes.ts';
import { type Death, type Struck, strike, type Trial } from './strike.ts';
import { everyCut, judgeCuts, killedBatch, unknownPayments, withOpener } from './truncations.ts';
import { newWorld, passings } from './world.ts';

export interface CampaignOrder {
  /** The first seed; each trial takes the next. */
  readonly seed: number;
  readonly minutes: number;
  /** Of each trial, where it may be chosen. */
  readonly rows?: number;
}

export interface Campaign {
  /** The last seed that was taken. */
  readonly lastSeed: number;
  /** Independent trials, for the rule of three. */
  readonly trials: number;
  /** What was done, in the campaign's own words. */
  readonly what: string;
  readonly found: Readonly<Record<string, number>>;
}

/** Two at a time: each is a process of its own, or waits for one. */
const atOnce = 2;

/** A small generator whose numbers are the same everywhere (Marsaglia's xorshift of 32 bits). */
export function chance(seed: number): (below: number) => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bf03635) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const choose = <T>(draw: (below: number) => number, from: readonly T[]): T => from[draw(from.length)]!;

/** Trials from their seeds until the time is over; a finding is told at once, with its seed and its story. */
async function untilTimeIsOver(
  { seed, minutes }: CampaignOrder,
  trial: (seed: number) => Promise<{ findings: readonly Finding[]; story: readonly string[] }>,
): Promise<{ lastSeed: number; trials: number; found: Record<string, number> }> {
  const end = performance.now() + minutes * 60_000;
  const found: Record<string, number> = Object.fromEntries(findingKinds.map((kind) => [kind, 0]));
  let next = seed;
  const work = async () => {
    while (performance.now() < end) {
      const mine = next++;
      const { findings, story } = await trial(mine);
      for (const { kind } of findings) found[kind] = (found[kind] ?? 0) + 1;
      if (findings.length > 0)
        process.stdout.write(
          `seed ${mine}: ${findings.map(({ words }) => words).join('; ')}\n  ${story.join('\n  ')}\n`,
        );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { lastSeed: next - 1, trials: next - seed, found };
}

/** Real processes die at the crash points, and again in the runs that mend; now and then the ledger is lost as well. */
export async function killCampaign(order: CampaignOrder): Promise<Campaign> {
  const counts = await passingsOfScenes();
  let kills = 0;
  let killed = 0;
  const { lastSeed, trials, found } = await untilTimeIsOver(order, async (seed) => {
    const struck = await drawn(seed, counts);
    kills += struck.kills;
    if (struck.kills > 0) killed += 1;
    return struck;
  });
  return { lastSeed, trials: killed, what: `${kills} process kills, in ${killed} of ${trials} batches`, found };
}

type Counts = ReadonlyMap<SceneName, ReadonlyMap<string, number>>;
const usual = { rows: 12, concurrency: 3, documents: 2 } as const;

async function passingsOfScenes(): Promise<Counts> {
  const counts = new Map<SceneName, ReadonlyMap<string, number>>();
  for (const name of Object.keys(scenes) as SceneName[]) {
    const { shape } = sceneOf(name);
    const world = await newWorld({ ...usual, ...(shape === undefined ? {} : { shape }) });
    counts.set(name, await passings(world));
    await world.close();
  }
  return counts;
}

async function drawn(seed: number, counts: Counts): Promise<Struck> {
  const draw = chance(seed);
  for (let warm = 0; warm < 8; warm += 1) draw(2);
  const at = choose(draw, ['after commit of accepted', 'answer to POST /payments', 'half POST /payments']);
  if (draw(20) === 0) return await lostLedger(at, 1 + draw(7));
  if (draw(20) === 0) return await restoredLedger(1 + draw(3), at, 1 + draw(7));
  if (draw(20) === 0) return await truncatedLog(1 + draw(12), [draw(40), draw(200)]);
  return await strike(drawTrial(draw, counts));
}

function drawTrial(draw: (below: number) => number, counts: Counts): Trial {
  const kill = choose(
    draw,
    choose(
      draw,
      points.filter(({ kills }) => kills.length > 0),
    ).kills,
  );
  const scene = kill.scene ?? 'plain';
  const death = (at: string): Death => ({
    at,
    k: choose(draw, [1, 2, 3, 7, Math.max(1, counts.get(scene)?.get(at) ?? 1)]),
  });
  const deaths = [death(kill.at)];
  // A run that mends dies wherever a run can die.
  while (deaths.length < 4 && draw(3) === 0) deaths.push(death(choose(draw, choose(draw, mendable).kills).at));
  const rows = draw(2) === 0 ? usual.rows : 1 + draw(20);
  return { scene, deaths, rows, concurrency: 1 + draw(6), documents: draw(3) };
}

const mendable = points.filter(({ kills }) => kills.length > 0);

/** The n-th call of some kind fails, in batches of any size. */
export async function faultCampaign(order: CampaignOrder): Promise<Campaign> {
  const counts = (await passingsOfScenes()).get('plain');
  let fired = 0;
  const { lastSeed, trials, found } = await untilTimeIsOver(order, async (seed) => {
    const draw = chance(seed);
    for (let warm = 0; warm < 8; warm += 1) draw(2);
    const fault = choose(draw, faultNames);
    const failed = await failNth(fault, 1 + draw(counts?.get(faults[fault].at) ?? 1), 1 + draw(20));
    if (failed.fired) fired += 1;
    return failed;
  });
  return { lastSeed, trials: fired, what: `${fired} failed calls in ${trials} batches`, found };
}

const cutPoints = [
  'half POST /payments',
  'after POST /payments',
  'answer to POST /payments',
  'after commit of intent',
  'before commit of accepted',
  'after commit of accepted',
];

/** The power goes in the middle of a hundred rows, and every length of the log is tried: one batch is one trial. */
export async function truncationCampaign({ seed, minutes }: CampaignOrder): Promise<Campaign> {
  const end = performance.now() + minutes * 60_000;
  const found = { 'wrong state': 0, 'payment without intent': 0 };
  let next = seed;
  let killed = 0;
  let cuts = 0;
  do {
    const draw = chance(next);
    for (let warm = 0; warm < 8; warm += 1) draw(2);
    const at = choose(draw, cutPoints);
    const k = 1 + draw(at.includes('commit') ? 40 : 100);
    const earlier = draw(3) === 0 ? 1 + draw(60) : null;
    const order = { at, k, earlier, concurrency: 1 + draw(8), documents: draw(4) };
    const batch = await killedBatch(order);
    const { db, log } = batch.files;
    if (batch.signal === 'SIGKILL') killed += 1;
    const unknown = await withOpener(async (open) =>
      unknownPayments(batch, await open({ db, log: log.subarray(0, batch.certain) })),
    );
    const tried = await judgeCuts(batch.files, (frames) => everyCut(log, frames));
    cuts += tried.cuts;
    found['wrong state'] += tried.faults.length;
    found['payment without intent'] += unknown.length;
    const faults = [...unknown, ...tried.faults];
    const told = faults.length === 0 ? '' : `:\n  ${faults.slice(0, 20).join('\n  ')}`;
    process.stdout.write(
      `seed ${next}, ${JSON.stringify(order)}: ${tried.cuts} openings, ${faults.length} faults${told}\n`,
    );
    next += 1;
  } while (performance.now() < end);
  const what = `${cuts} lengths of the log of ${killed} killed batches of 100 rows`;
  return { lastSeed: next - 1, trials: killed, what, found };
}
