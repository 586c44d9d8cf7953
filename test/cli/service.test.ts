/** `payrun service`: the payout service by itself, a process of its own. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder, start } from '../support.ts';

/** Its stdin is at its end from the start, as in cron and under systemd. */
function service(data: string, ...more: string[]) {
  return start({ env: {}, folder: data }, ['service', '--json', '--port', '0', '--data', data, ...more]);
}

it('--until-eof ends where stdin is at its end from the start', { timeout: 10_000 }, async () => {
  const { exit, out, err } = await service(newFolder(), '--until-eof').ended;
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  expect(out).toContain('"url":"http://127.0.0.1:');
});

it('a second one on the same data is refused and told who holds it, until that one is dead', {
  timeout: 20_000,
}, async () => {
  const data = newFolder();
  const first = service(data);
  await once(first.child.stdout!, 'data');
  const second = await service(data, '--until-eof').ended;
  expect(second.exit).toBe(2);
  expect(second.err).toContain(data);
  expect(second.err).toContain(`process ${first.child.pid}, since `);
  expect(second.err).toContain('--data');
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await service(data, '--until-eof').ended).toMatchObject({ exit: 0, err: '' });
});

it('a fault for a route that does not exist is refused with those that do: it would never strike', async () => {
  const data = newFolder();
  const faults = join(data, 'faults.json');
  writeFileSync(faults, '[{"route":"POST /payment","action":{"kind":"drop","at":"after"}}]');
  const { exit, err } = await service(data, '--until-eof', '--faults', faults).ended;
  expect(exit).toBe(2);
  expect(err).toMatch(/'POST \/payment', which is no route.*POST \/payments, /);
});
