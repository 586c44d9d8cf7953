/** A command in a thread: the same outcome as at a terminal, under the person's name, told how far it is, stopped without a loss. */

import { expect, it } from 'vitest';
import type { Command } from '../../src/app/batch/command.ts';
import { systemClock } from '../../src/base/clock.ts';
import { placeFlags } from '../../src/cli/compose/command-context.ts';
import { performIn } from '../../src/cli/perform/thread.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Progress } from '../../src/pipeline/deps.ts';
import { endOf, reachedIn } from '../../src/pipeline/outcome.ts';
import { command, deskFor, expectOnePaymentEach, expectSound, kenyanRows, newService, until } from '../support.ts';

const at = (desk: ReturnType<typeof deskFor>) =>
  performIn({ env: desk.env, cwd: desk.folder }, { ledger: desk.ledger });

it('pays as at a terminal, and the trail names the person who is logged in', async () => {
  const service = await newService();
  const rows = kenyanRows(8);
  const desk = deskFor(service, rows);
  const steps: Progress[] = [];
  const said: string[] = [];
  const end = await at(desk)(
    { do: 'run', file: desk.sheet, batch: 'nov', waitMs: 120_000 },
    {
      say: (sentence) => void said.push(sentence),
      actor: { driver: 'console', name: 'Thandi Mokoena' },
      onProgress: (step) => steps.push(step),
    },
  );
  expect([endOf(end), said]).toEqual(['done', []]);
  expectSound(reachedIn(end)!);
  expectOnePaymentEach(service, rows);
  expect(new Set(steps.map(({ stage }) => stage))).toContain('paying');
  const ledger = openLedger(desk.ledger, systemClock, { readOnly: true });
  expect(ledger.uploads.makersOf('nov', null)).toEqual([{ account: null, name: 'Thandi Mokoena' }]);
  await ledger.close();
  expect((await command(desk, ['audit', 'verify', '--ledger', desk.ledger])).exit).toBe(0);
});

it('ends what is in flight when it is stopped, and gives the ledger back', async () => {
  const service = await newService();
  const rows = kenyanRows(12);
  const desk = deskFor(service, rows);
  const { promise: stopped, resolve: letGo } = Promise.withResolvers<void>();
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 3 ? { kind: 'hold', until: stopped } : undefined;
  const stop = new AbortController();
  const running = at(desk)(
    { do: 'run', file: desk.sheet, batch: 'nov', concurrency: 1, canary: '0' },
    {
      actor: { driver: 'console', name: 'Ann' },
      stop: stop.signal,
    },
  );
  await until('a payment is under way', () => service.calls.get('POST /payments') === 4);
  stop.abort();
  letGo();
  const end = await running;
  expect(endOf(end)).toBe('signal');
  const { rows: counts } = reachedIn(end)!;
  expect([counts.in_doubt, counts.total]).toEqual([0, 12]);
  expect(counts.not_sent).toBeGreaterThan(0);
  const again = await at(desk)(
    { do: 'resume', batch: 'nov', waitMs: 120_000 },
    { actor: { driver: 'console', name: 'Ben' } },
  );
  expect(endOf(again)).toBe('done');
  expectOnePaymentEach(service, rows);
});

it('says why a command failed', async () => {
  const desk = deskFor(null, kenyanRows(1));
  const end = await performIn({ env: desk.env, cwd: desk.folder }, { sandbox: true })(
    { do: 'resume', batch: 'nowhere' },
    { actor: { driver: 'console', name: 'Ann' } },
  );
  expect(end).toMatchObject({
    kind: 'refused',
    failure: { code: 'BATCH_UNKNOWN', facts: { batch: 'nowhere' } },
  });
});

it('names the user of the service in the commands that it prints', () => {
  expect(placeFlags({ asUser: 'u 1', ledger: '/pay/a.db' }, { cwd: '/' })).toEqual({
    user: " --as-user 'u 1'",
    ledger: ' --ledger /pay/a.db',
  });
});

it('tells of a fault of the program as an end of it', async () => {
  const desk = deskFor(null, kenyanRows(1));
  const end = await performIn({ env: desk.env, cwd: desk.folder }, { sandbox: true })(
    { do: 'nothing' } as unknown as Command,
    {
      actor: { driver: 'console', name: 'Ann' },
    },
  );
  expect(end).toMatchObject({
    kind: 'refused',
    failure: { code: null, why: { detail: expect.stringMatching(/./) } },
  });
});
