/** Deaths after which the disk does not hold what it held: a ledger lost, an old copy restored, the log cut short. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Finding, judgeEnd, judgePayments } from './judge.ts';
import { givenDeadline, noYoungerMs } from './scenes.ts';
import type { Struck, Trial } from './strike.ts';
import { mend, tell } from './strike.ts';
import { newWorld, run, type World } from './world.ts';

type Tale = Omit<Struck, 'trial'>;

const stateOf = ({ ledger }: World): string => dirname(ledger);
const copyOf = (world: World): string => join(world.folder, 'copy-of-state');

/** The folder of the ledger as a backup would have it, its log included. */
const keepState = (world: World): void => cpSync(stateOf(world), copyOf(world), { recursive: true });

function restoreState(world: World): void {
  rmSync(stateOf(world), { recursive: true });
  cpSync(copyOf(world), stateOf(world), { recursive: true });
}

async function within(order: Trial, play: (world: World, story: string[]) => Promise<Tale>): Promise<Struck> {
  const world = await newWorld({ ...order, shape: { pageSize: 4 }, env: givenDeadline });
  try {
    return { trial: order, ...(await play(world, [])) };
  } finally {
    await world.close();
  }
}

const order = (deaths: Trial['deaths'], rows = 12): Trial => {
  return { scene: 'plain', deaths, rows, concurrency: 3, documents: 2 };
};

/**
 * The run right after the loss may wait, since payments that its ledger does not know may still be made; it says what
 * it knows, and that is not judged. When that time is over, everything must be found.
 */
async function mendAfterLoss(world: World, story: string[]): Promise<Finding[]> {
  const early = await run(world);
  story.push(tell(world, 'at once', early));
  const findings = [...judgeEnd(early), ...(await judgePayments(world))];
  world.clock.moved += noYoungerMs;
  ageWitness(world);
  return [...findings, ...(await mend(world, story))];
}

/** An hour passes for what stands outside the ledger's folder: the waiting itself is the product's own test. */
function ageWitness({ folder }: World): void {
  const place = join(folder, '.local', 'share', 'payrun', 'witness');
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const path = join(place, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(/("lastIntent":)(\d+)/g, (_, key, at) => `${key}${Number(at) - 3_600_000}`),
    );
  }
}

async function die(world: World, story: string[], at: string, k: number): Promise<number> {
  const ran = await run(world, { POINT: `${at}:${k}` });
  story.push(tell(world, `${at}:${k}`, ran));
  return ran.signal === 'SIGKILL' ? 1 : 0;
}

/** C25: everything that this machine knew of the batch is gone; only the sheet is left. */
export function lostLedger(at: string, k: number): Promise<Struck> {
  return within(order([{ at, k }]), async (world, story) => {
    const kills = await die(world, story, at, k);
    for (const name of readdirSync(stateOf(world))) rmSync(join(stateOf(world), name), { recursive: true });
    return { kills, findings: await mendAfterLoss(world, story), story };
  });
}

/** C25: the ledger of an early moment comes back, after later ones were paid from. */
export function restoredLedger(early: number, at: string, k: number): Promise<Struck> {
  return within(order([{ at, k }]), async (world, story) => {
    let kills = await die(world, story, 'after commit of intent', early);
    keepState(world);
    kills += await die(world, story, at, k);
    restoreState(world);
    return { kills, findings: await mendAfterLoss(world, story), story };
  });
}

/**
 * C26: the power went, and the disk had told of commits that it did not hold. The log ends `back` blocks of 512 bytes
 * before its end; each ending is tried against the service as it was at the death.
 */
export function truncatedLog(k: number, backs: readonly number[]): Promise<Struck> {
  return within(order([{ at: 'answer to POST /payments', k }]), async (world, story) => {
    const kills = await die(world, story, 'answer to POST /payments', k);
    keepState(world);
    const made = [...world.service.payments];
    const findings: Finding[] = [];
    for (const back of backs) {
      restoreState(world);
      world.service.payments.splice(0, Number.POSITIVE_INFINITY, ...made);
      const log = `${world.ledger}-wal`;
      const blocks = Math.floor(statSync(log).size / 512);
      truncateSync(log, Math.max(0, blocks - back) * 512);
      story.push(tell(world, `${back} blocks of the log are gone`));
      findings.push(...(await mendAfterLoss(world, story)));
    }
    return { kills, findings, story };
  });
}
