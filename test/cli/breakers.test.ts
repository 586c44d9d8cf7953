/** Sending that stops by itself: after refusals one after another, and as the settings say. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, kenyanRows, pay } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const refused = { kind: 'answer', status: 422, body: { message: 'not today' } } as const;

/** A service that refuses what it is asked for, but for these. */
async function refusing(rows: number, ...taken: number[]) {
  const service = await newService();
  service.fault = ({ route, nth }) => (route === 'POST /payments' && !taken.includes(nth) ? refused : undefined);
  const desk = deskFor(service, kenyanRows(rows));
  const configured = (breaker: object) =>
    writeFileSync(join(desk.folder, 'payrun.config.json'), JSON.stringify({ breaker }));
  return { service, desk, configured };
}

describe.concurrent('refusals one after another', () => {
  it('stop the sending at the tenth: the others stay not sent', async () => {
    const { service, desk } = await refusing(15);
    const { exit, document } = await pay(desk);
    const facts = { count: 10, reason: expect.stringContaining('not today') };
    expect([exit, document.stopped]).toMatchObject([25, { code: 'REFUSED_IN_A_ROW', facts }]);
    expect(document.rows).toMatchObject({ unpaid: 10, not_sent: 5 });
    service.fault = () => undefined;
    const name = document.batch!;
    expect((await command(desk, ['resume', name, '--wait', '20s'])).exit).toBe(21);
    expect((await command(desk, ['retry', name, '--wait', '20s'])).exit).toBe(0);
    expect(service.payments).toHaveLength(15);
  });

  it('are counted from zero after a payment that was accepted', async () => {
    const { desk, configured } = await refusing(8, 3, 6);
    configured({ refusals: 3 });
    const { exit, document } = await pay(desk, '--concurrency', '1');
    expect([exit, document.rows]).toEqual([23, expect.objectContaining({ unpaid: 6, pending: 2, not_sent: 0 })]);
  });
});

it.each([
  ['{"refusals": 0}', 'breaker.refusals'],
  ['{"refusals": "3"}', 'breaker.refusals'],
  ['{"doubts": {"percent": 100}}', 'breaker.doubts.percent'],
  ['{"refusal": 3}', 'Unrecognized key: "refusal"'],
])('the setting %s is refused', async (text, words) => {
  const desk = deskFor(null, kenyanRows(1));
  writeFileSync(join(desk.folder, 'payrun.config.json'), `{"breaker": ${text}}`);
  expect(await command(desk, ['check', desk.sheet])).toMatchObject({ exit: 2, err: expect.stringContaining(words) });
});

it.each([
  ['at the first one, where none is let be', { rows: 0, percent: 0 }, ['pay 3', 'list', 'pay 4']],
  ['not for one, as it is by default', {}, ['pay 3', 'pay 4', 'pay 5']],
])('doubts stop the sending %s', async (_, doubts, expected) => {
  const { service, desk, configured } = await refusing(6);
  configured({ doubts });
  const calls: string[] = [];
  service.fault = ({ route, nth }) => {
    if (route === 'POST /payments') calls.push(`pay ${nth}`);
    if (route === 'GET /payments') calls.push('list');
    return route === 'POST /payments' && nth === 3 ? { kind: 'answer', status: 502 } : undefined;
  };
  expect((await pay(desk, '--concurrency', '1')).exit).toBe(22);
  expect(calls.slice(calls.indexOf('pay 3')).slice(0, 3)).toEqual(expected);
});
