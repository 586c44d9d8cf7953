/** Payments that webhooks name are read at once, and nothing is asked by the clock in between. */
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { assemble } from '../../src/cli/assemble.ts';
import { loadSettings } from '../../src/cli/config.ts';
import { openHints } from '../../src/pipeline/receiver.ts';
import { resume } from '../../src/pipeline/run.ts';
import { deskFor, kenyanRows, newService, pay } from '../support.ts';

const advance = { updateNames: false, skipInvalid: false, outDir: null, format: null } as const;

it.each([
  ['three rows by id', 3],
  ['thirty from the list', 30],
])('%s, to their end, whatever the hints say and however often they come', async (_title, count) => {
  const service = await newService({ settleAfterMs: 0 });
  const desk = deskFor(service, kenyanRows(count));
  await pay(desk, '--batch', 'nov', '--concurrency', '16');
  const asked: string[] = [];
  service.fault = ({ route }) => {
    asked.push(route);
    return undefined;
  };
  const hints = openHints();
  // The clock alone would never look: a long pause ends with a hint, or not at all.
  const clock: Clock = {
    ...systemClock,
    sleep: (delayMs, signal) => systemClock.sleep(delayMs > 1000 ? 3_600_000 : 1, signal),
  };
  const { deps, close } = await assemble({
    settings: loadSettings({ env: desk.env, cwd: desk.folder }, {}),
    env: desk.env,
    sandbox: false,
    fresh: false,
    concurrency: 8,
    waitMs: 3_600_000,
    stop: AbortSignal.timeout(20_000),
    again: '',
    hints,
    progress: () => {},
    say: () => {},
    clock,
  });
  try {
    const ended = resume({ ...deps, limits: { ...deps.limits, firstPollMs: 10_000 } }, advance, 'nov');
    const ids = service.payments.map(({ id }) => String(id));
    for (const id of [...ids, ...ids, 'somebody', ids[0]!]) hints.put({ ids: [id, 'e-1'], signed: true });
    expect(await ended).toMatchObject({ exit: 0, rows: { paid: count } });
  } finally {
    await close();
  }
  const reads = asked.filter((route) => route.startsWith('GET /payments'));
  expect(reads.length, reads.join()).toBeLessThanOrEqual(count + 1);
});
