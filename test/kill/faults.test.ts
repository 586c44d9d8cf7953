/**
 * The n-th call fails, for every n until a whole run passes without the failure: every exit is a documented one,
 * nothing ends with a stack trace, and the same command afterwards mends what was left.
 */
import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { type Failed, failNth } from './fail.ts';
import { type FaultName, faultNames, faults } from './faults.ts';
import { judgeEnd } from './judge.ts';
import { mend, tell } from './strike.ts';
import { newWorld, run } from './world.ts';

/** Of a failing network most is waiting; the rest is work for one core. */
const limit = pLimit(4);
const timeoutMs = 400_000;

/**
 * The kinds of failure of one call share its occasions: each rename fails in one of three ways. Of these calls there are
 * many, and a part of them fails. The long campaign takes any call of larger batches.
 */
const strides: Readonly<Record<string, number>> = {
  'call copy': 1,
  'call sql': 288,
  'after commit': 9,
  'call commit': 24,
  'call open': 36,
  'call other': 24,
  'call read': 36,
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

async function everyNth(fault: FaultName, first: number, step: number): Promise<number> {
  for (let n = first; ; n += step) {
    const failed = await limit(() => failNth(fault, n));
    expectWhole(failed);
    if (!failed.fired) return n;
  }
}

describe.concurrent('the n-th call fails', () => {
  it.each(faultNames)('%s', { timeout: timeoutMs }, async (fault) => {
    const { first, step } = turnOf(fault);
    const n = await everyNth(fault, first, step);
    expect(n, 'there is such a call').toBeGreaterThan(first);
  });
});

/** Each fault has its own test above, in this process; some strike a real one too. */
const realCalls: readonly (readonly [at: string, fault: FaultName, ...tags: 'long'[]])[] = [
  ['before commit of intent:2', 'commit full'],
  ['after commit of accepted:1', 'commit made, and told as failed'],
  ['before commit of accepted:2', 'commit I/O error', 'long'],
  ['before rename of result:2', 'rename EIO', 'long'],
  ['before POST /payments:2', 'reset before the request', 'long'],
  ['after POST /payments:2', 'reset after the request'],
  ['answer to POST /payments:3', 'answer cut', 'long'],
  ['before POST /payments/:id/document:1', 'reset before the request', 'long'],
  ['after POST /payments/:id/document:1', 'reset after the request'],
];

describe.concurrent('a call of a real process fails', () => {
  for (const [at, fault, ...tags] of realCalls)
    it(`${at}, ${fault}`, { timeout: timeoutMs, tags }, async () => {
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
