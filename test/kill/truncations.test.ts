/** T7: a batch of a hundred rows, killed; of its log every length that the disk can have kept opens to what was committed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../support.ts';
import {
  type Cut,
  differences,
  everyCut,
  type Files,
  type Frame,
  filesOf,
  framesOf,
  judgeCuts,
  type Killed,
  killedBatch,
  unknownPayments,
  withOpener,
} from './truncations.ts';

const timeoutMs = 400_000;
let killed: Killed;
/** Without `synchronous=FULL`, for the controls. */
let unsafe: Killed;

beforeAll(async () => {
  killed = await killedBatch({ at: 'answer to POST /payments', k: 97 });
  unsafe = await killedBatch({ at: 'answer to POST /payments', k: 5, rows: 8, unsafe: true });
}, timeoutMs);

/** One of `each`, begun somewhere else for each kind: the long run takes all of them. */
function* some(log: Uint8Array, frames: readonly Frame[], each: number): Generator<Cut> {
  let at = 0;
  for (const cut of everyCut(log, frames)) if (at++ % each === 0) yield cut;
}

it('is a log worth cutting: most of the batch stands in it', () => {
  expect(killed.signal).toBe('SIGKILL');
  const commits = framesOf(killed.files.log).filter((frame) => frame.commits);
  expect(commits.length).toBeGreaterThan(30);
  expect(killed.payments.length).toBeGreaterThanOrEqual(97);
});

it('opens to what was committed, whatever length of its log is left', { timeout: timeoutMs }, async () => {
  const { cuts, faults } = await judgeCuts(killed.files, (frames) => some(killed.files.log, frames, 151));
  expect(faults).toEqual([]);
  expect(cuts).toBeGreaterThan(80);
});

/** Cut to what a power cut would have left, which of the payments made does the ledger not know? */
async function forgotten({ files, certain, ...rest }: Killed): Promise<string[]> {
  const log = files.log.subarray(0, certain);
  return await withOpener(async (open) => unknownPayments(rest, await open({ ...files, log })));
}

it('knows of every payment that was made, when the power goes', async () => {
  expect(await forgotten(killed)).toEqual([]);
});

describe('the oracle sees what is wrong', () => {
  it('a commit that is not on the disk before it counts', async () => {
    expect(unsafe.payments.length).toBeGreaterThan(4);
    expect((await forgotten(unsafe)).length).toBe(unsafe.payments.length);
  });

  it('a log that is torn in its middle', async () => {
    const log = killed.files.log.slice();
    const frames = framesOf(log);
    log.fill(0, (frames[Math.floor(frames.length / 2)] as Frame).end - 100);
    expect(await forgotten({ ...killed, files: { ...killed.files, log } })).not.toEqual([]);
  });

  it('one commit more, or one less', async () => {
    const { db, log } = killed.files;
    const ends = framesOf(log).flatMap(({ end, commits }) => (commits ? [end] : []));
    await withOpener(async (open) => {
      const [one, two] = [await open({ db, log: log.subarray(0, ends.at(-2)) }), await open({ db, log })];
      expect([differences(one, one), differences(two, two)]).toEqual([[], []]);
      expect([differences(one, two).length, differences(two, one).length]).not.toContain(0);
    });
  });

  it.each([
    ['a row that was moved without a word', "UPDATE payout SET state = 'ready' WHERE key = 'k2'"],
    ['an entry of the trail that is gone', 'DELETE FROM trail WHERE seq = (SELECT max(seq) FROM trail)'],
    ['a payment that became another', "UPDATE payout SET payment_id = 'other' WHERE key = 'k3'"],
    ['a row that is lost', "DELETE FROM payout WHERE key = 'k4'"],
  ])('%s', { timeout: timeoutMs }, async (_what, sql) => {
    const { faults } = await judgeCuts(tampered(unsafe.files, sql), () => []);
    expect(faults).not.toEqual([]);
  });
});

/** The same files after one more transaction. */
function tampered({ db, log }: Files, sql: string): Files {
  const ledger = join(newFolder(), 'state', 'ledger.db');
  mkdirSync(dirname(ledger));
  writeFileSync(ledger, db);
  writeFileSync(`${ledger}-wal`, log);
  const open = new DatabaseSync(ledger);
  open.exec(sql);
  const files = filesOf({ ledger });
  open.close();
  return files;
}
