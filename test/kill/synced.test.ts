/**
 * What the kernel sees of a run: no request for a payment leaves while the ledger's log holds a byte that is not on the
 * disk. Where nobody can look (no strace, or not allowed to), the log that is cut in truncations.test.ts has to do.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newWorld, runArguments } from './world.ts';

const canLook = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const main = join(import.meta.dirname, '../../src/cli/main.ts');
const preload = join(import.meta.dirname, 'preload.ts');
const calls = 'trace=fdatasync,fsync,write,writev,sendto,sendmsg,pwrite64';

interface Seen {
  readonly payments: number;
  /** Requests that left while the log was not whole on the disk. */
  readonly early: number;
  readonly syncs: number;
}

async function watchedRun(how: Readonly<Record<string, string>>): Promise<Seen> {
  const world = await newWorld({ rows: 12, concurrency: 3, documents: 0 });
  try {
    const trace = join(world.folder, 'trace.txt');
    const watch = ['-f', '-y', '-s', '40', '-e', calls, '-o', trace];
    const words = [process.execPath, '--import', preload, main, ...runArguments(world)];
    const child = spawn('strace', [...watch, ...words], {
      cwd: world.folder,
      env: { PATH: process.env.PATH, ...world.env, ...how },
      stdio: 'ignore',
    });
    await new Promise((done, failed) => child.once('error', failed).once('close', done));
    return told(readFileSync(trace, 'utf8'));
  } finally {
    await world.close();
  }
}

function told(trace: string): Seen {
  let whole = true;
  let [payments, early, syncs] = [0, 0, 0];
  for (const line of trace.split('\n')) {
    if (/pwrite64\(\d+<[^>]*ledger\.db-wal>/.test(line)) whole = false;
    if (/f(data)?sync\(\d+<[^>]*ledger\.db-wal>/.test(line)) {
      whole = true;
      syncs += 1;
    }
    if (!/"POST \/payments HTTP/.test(line)) continue;
    payments += 1;
    if (!whole) early += 1;
  }
  return { payments, early, syncs };
}

describe.skipIf(!canLook)('what the kernel sees of a run', () => {
  it('every intent is on the disk before its payment leaves', async () => {
    const seen = await watchedRun({});
    expect(seen).toMatchObject({ payments: 12, early: 0 });
    expect(seen.syncs).toBeGreaterThan(4);
  });

  it('and with synchronous=NORMAL none is: the control', async () => {
    expect(await watchedRun({ UNSAFE: 'normal' })).toMatchObject({ payments: 12, early: 12 });
  });
});
