/**
 * Real processes die by SIGKILL at every crash point of the plan, the same command is run again, and the service is
 * asked: no row paid twice, none lost, no doubt hidden, and the result as the ledger. What is left, the long campaign
 * takes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { control, powerCut } from './controls.ts';
import { judgeRows } from './judge.ts';
import { lostLedger, restoredLedger, truncatedLog } from './lost.ts';
import { points } from './points.ts';
import { type Death, type Struck, strike } from './strike.ts';
import { newWorld, run, type World } from './world.ts';

/** Each process is a few tenths of a second of a whole core. */
const limit = pLimit(2);
const timeoutMs = 400_000;

const order = { rows: 12, concurrency: 3, documents: 2 } as const;

function expectWhole({ findings, story }: Pick<Struck, 'findings' | 'story'>): void {
  expect(findings, story.join('\n')).toEqual([]);
}

const kills = points.flatMap(({ id, what, kills: all }) =>
  all.flatMap(({ at, gate, scene = 'plain' }) => gate.map((k) => ({ id, what, at, k, scene }))),
);

describe.concurrent('killed once, and run again', () => {
  it.each(kills)('$id $what: $at, $k', { timeout: timeoutMs }, async ({ at, k, scene }) => {
    const struck = await limit(() => strike({ ...order, scene, deaths: [{ at, k }] }));
    expectWhole(struck);
    expect(struck.kills, `the run came to ${at}`).toBe(1);
  });
});

it('killed again and again while it is looked for, and once more when it is found', {
  timeout: timeoutMs,
}, async () => {
  const deaths: Death[] = [
    { at: 'answer to POST /payments', k: 5 },
    { at: 'answer to GET /payments', k: 1 },
    { at: 'before commit of found', k: 1 },
  ];
  const struck = await strike({ ...order, scene: 'plain', deaths });
  expectWhole(struck);
  expect(struck.kills, 'every death came about').toBe(deaths.length);
});

describe.concurrent('the disk does not hold what it held', () => {
  it('C25 the ledger is gone', { timeout: timeoutMs }, async () => {
    expectWhole(await limit(() => lostLedger('after commit of accepted', 3)));
  });
  it('C25 an old copy of the ledger is restored', { timeout: timeoutMs }, async () => {
    expectWhole(await limit(() => restoredLedger(1, 'after commit of accepted', 3)));
  });
  it('C26 the end of the log is gone', { timeout: timeoutMs }, async () => {
    expectWhole(await limit(() => truncatedLog(7, [40])));
  });
});

describe.concurrent('the oracle sees what is wrong', () => {
  it.each([
    ['an intent that is written after the send', { intentAfterTheSend: true }],
    ['a death that is no doubt', { deathIsNoDoubt: true }],
  ] as const)('%s pays twice', { timeout: timeoutMs }, async (_title, unsafe) => {
    const { findings, story } = await limit(() => control(unsafe));
    expect(
      findings.map(({ kind }) => kind),
      story.join('\n'),
    ).toContain('double');
  });

  it('a commit that is not on the disk before it counts pays twice when the power goes', {
    timeout: timeoutMs,
  }, async () => {
    const { findings, story } = await limit(() => powerCut({ synchronous: 'normal' }));
    expect(
      findings.map(({ kind }) => kind),
      story.join('\n'),
    ).toContain('double');
  });

  it('and the same power cut does not, where it is', { timeout: timeoutMs }, async () => {
    expectWhole(await limit(() => powerCut({ synchronous: 'full' })));
  });

  const inLedger = (sql: string) => (world: World) => {
    const db = new DatabaseSync(world.ledger);
    db.exec(sql);
    db.close();
  };
  const inResult = (from: RegExp, to: string) => (world: World) =>
    writeFileSync(world.result, readFileSync(world.result, 'utf8').replace(from, to));

  const changes = [
    ['a row that the ledger lost', 'lost', inLedger("DELETE FROM payout WHERE key = 'k2'")],
    [
      'a payment behind a row that is not sent',
      'hidden',
      inLedger("UPDATE payout SET state = 'ready' WHERE key = 'k2'"),
    ],
    ['a doubt without a reason', 'hidden', inLedger("UPDATE payout SET state = 'in_doubt' WHERE key = 'k2'")],
    ['a row that the result lacks', 'wrong file', inResult(/^k2,.*\n/m, '')],
    ['another word in the result', 'wrong file', inResult(/,pending,/, ',not sent,')],
  ] as const;

  it('what somebody changed in the ledger or in the result', { timeout: timeoutMs }, async () => {
    const world = await newWorld({ rows: 3, concurrency: 3, documents: 0 });
    try {
      const ran = await limit(() => run(world));
      const files = [world.ledger, world.result].map((path) => ({ path, bytes: readFileSync(path) }));
      for (const [what, kind, change] of changes) {
        expect([what, await judgeRows(world, ran)]).toEqual([what, []]);
        change(world);
        expect([what, (await judgeRows(world, ran)).map((finding) => finding.kind)]).toEqual([
          what,
          expect.arrayContaining([kind]),
        ]);
        for (const { path, bytes } of files) writeFileSync(path, bytes);
      }
    } finally {
      await world.close();
    }
  });
});

it('every crash point of the plan has its place', () => {
  const numbered = points.map(({ id }) => id).filter((id) => id.startsWith('C'));
  expect(numbered).toEqual(Array.from({ length: 26 }, (_, index) => `C${index + 1}`));
  for (const { id, kills: all, own, awaits } of points)
    expect(
      all.some(({ gate }) => gate.length > 0) || own === true || awaits !== undefined,
      `${id} is killed in every test run, has a test of its own, or says what it waits for`,
    ).toBe(true);
});
