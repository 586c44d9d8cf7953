/** Unsafe ways to pay, made from outside: each must be seen to pay twice, or the oracle proves nothing. */
import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Finding, judgePayments } from './judge.ts';
import { well } from './scenes.ts';
import { tell } from './strike.ts';
import { newWorld, run, type World } from './world.ts';

export interface Control {
  /** No intent is on the disk before its payment was answered. */
  readonly intentAfterTheSend?: true;
  /** A row that was being sent at a death is simply sent again. */
  readonly deathIsNoDoubt?: true;
}

/**
 * The power goes right after the first payment left: what of the log is not on the disk for certain is gone, and so is
 * the witness; and the list that the next run reads first does not show that payment.
 */
export async function powerCut({ synchronous }: { readonly synchronous: 'full' | 'normal' }): Promise<Told> {
  const world = await newWorld({ rows: 3, concurrency: 3, documents: 0 });
  try {
    const certain = join(world.folder, 'certain.txt');
    const how = { CERTAIN: certain, ...(synchronous === 'normal' ? { UNSAFE: 'normal' } : {}) };
    const killed = await run(world, { ...how, POINT: 'after POST /payments:1' });
    const story = [tell(world, 'killed', killed)];
    truncateSync(`${world.ledger}-wal`, Number(readFileSync(certain, 'utf8')));
    rmSync(join(world.folder, '.local'), { recursive: true, force: true });
    story.push(tell(world, 'the power is back'));
    return await againBlindly(world, story);
  } finally {
    await world.close();
  }
}

interface Told {
  readonly findings: Finding[];
  readonly story: string[];
}

async function againBlindly(world: World, story: string[]): Promise<Told> {
  blindTwice(world);
  const again = await run(world);
  world.service.fault = well;
  story.push(tell(world, 'again', again));
  return { findings: await judgePayments(world), story };
}

/** The first payment is made, its sender dies, and the list that the next run reads first does not show it. */
export async function control(unsafe: Control): Promise<Told> {
  const world = await newWorld({ rows: 3, concurrency: 3, documents: 0 });
  try {
    const how: Record<string, string> = unsafe.intentAfterTheSend ? { UNSAFE: 'intent' } : {};
    const killed = await run(world, { ...how, POINT: 'after POST /payments:1' });
    const story = [tell(world, 'killed', killed)];
    if (unsafe.deathIsNoDoubt) forgetIntents(world);
    return await againBlindly(world, story);
  } finally {
    await world.close();
  }
}

function forgetIntents({ ledger }: World): void {
  const db = new DatabaseSync(ledger);
  db.exec("UPDATE payout SET state = 'ready' WHERE state = 'sending'");
  db.close();
}

/** Two lists are empty, and whole by their own word; the next ones are as they should be. */
function blindTwice({ service }: World): void {
  const before = service.calls.get('GET /payments') ?? 0;
  service.fault = ({ route, nth }) =>
    route === 'GET /payments' && nth <= before + 2
      ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } }
      : undefined;
}
