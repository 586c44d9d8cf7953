/** `payrun service`: the payout service by itself, a process of its own. */
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
