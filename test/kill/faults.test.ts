/**
 * The n-th call fails, for as many n as an undisturbed run has calls: every exit is a documented one, nothing ends with
 * a stack trace, and the same command afterwards corrects the state.
 */
import pLimit from 'p-limit';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Failed, failNth } from './fail.ts';
import { type FaultName, faultNames, faults } from './faults.ts';
import { judgeEnd } from './judge.ts';
import { newWatcher } from './seams.ts';
import { mend, tell } from './strike.ts';
import { newWorld, run, runHere } from './world.ts';

/** Of a failing network most is waiting; the rest is work for one core. */
const limit = pLimit(4);
const timeoutMs = 400_000;

/**
 * The kinds of failure of one call share its occasions: each rename fails in one of three ways. Of these calls there are
 * many, and a part of them fails. The long campaign takes any call of larger batches.
 */
const strides: Readonly<Record<string, number>> = {
  'call copy': 1,
  'call sql': 400,
  'after commit': 12,
  'call commit': 24,
  'call open': 36,
  'call other': 48,
  'call read': 36,
  'call write': 12,
  'call fsync': 6,
  'call connect': 3,
  'call request': 6,
  'after request': 6,
  answer: 6,
};

function turnOf(fault: FaultName): { first: number; step: number } {
  const { at } = faults[fault];
  const sharing = faultNames.filter((name) => faults[name].at === at);
  const step = strides[at] ?? sharing.length;
  return { first: 1 + Math.floor((sharing.indexOf(fault) * step) / sharing.length), step };
}

function expectWhole({ findings, story }: Pick<Failed, 'findings' | 'story'>): void {
  expect(findings, story.join('\n')).toEqual([]);
}

/** How many calls of each kind the run has. */
let calls: ReadonlyMap<string, number>;
beforeAll(async () => {
  const world = await newWorld({ rows: 3, concurrency: 3, documents: 1 });
  const watcher = newWatcher(world.folder, []);
  await runHere(world, watcher);
  calls = watcher.counts;
  await world.close();
});

describe.concurrent('the n-th call fails', () => {
  it.each(faultNames)('%s', { timeout: timeoutMs }, async (fault) => {
    const { first, step } = turnOf(fault);
    let failures = 0;
    for (let n = first; n <= calls.get(faults[fault].at)!; n += step) {
      const failed = await limit(() => failNth(fault, n));
      expectWhole(failed);
      if (failed.fired) failures += 1;
    }
    expect(failures, 'there is such a call').toBeGreaterThan(0);
  });
});

/** Each fault has its own test above, in this process; two strike a real one too. */
const realCalls: readonly (readonly [at: string, fault: FaultName])[] = [
  ['after commit of accepted:1', 'commit made, and told as failed'],
  ['after POST /payments/:id/document:1', 'reset after the request'],
];

describe.concurrent('a call of a real process fails', () => {
  for (const [at, fault] of realCalls)
    it(`${at}, ${fault}`, { timeout: timeoutMs }, async () => {
      const world = await newWorld({ rows: 3, concurrency: 3, documents: 1 });
      try {
        const ran = await limit(() => run(world, { FAIL: `${at}=${fault}` }));
        const story = [tell(world, `${at} ${fault}`, ran)];
        const findings = [...judgeEnd(ran), ...(await limit(() => mend(world, story)))];
        expectWhole({ findings, story });
      } finally {
        await world.close();
      }
    });
});
