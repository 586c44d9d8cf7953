/** A row that is sent again while its payee was paid otherwise: by hand, or by the payment that was refused. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Independent, StoredPayment } from '../independent/service.ts';
import { command, csvOf, kenyanRows, refusalOf } from '../support.ts';
import {
  machine,
  pastTwiceMs,
  posts,
  reasonOf,
  reconcile,
  resolve,
  resume,
  run,
  told,
  type Watched,
  watched,
} from './desk.ts';

const rows = kenyanRows(4, 2);

/** In the service's dashboard, to the payee of row `like`, and without a tag. */
function byHand({ service, clock }: Watched, like: string, said: { reference: string; amount: number }): void {
  const { tag: _tag, ends: _ends, ...payment } = service.payments.find(({ reference }) => reference === like)!;
  const more = { id: 'hand', createdAtMs: clock.now(), ends: 'success' };
  service.payments.push({ ...payment, ...said, ...more } as unknown as StoredPayment);
}

const paymentsFor = ({ payments }: Independent, wanted: string) =>
  payments.filter(({ reference, ends }) => reference === wanted && ends !== 'expired').length;

it('a row with an untrue refusal is not paid again, though one list lacks its payment', async () => {
  const seen = await watched();
  const { service } = seen;
  const desk = machine(service, rows);
  seen.fault = ({ route, body }) => {
    if (route === 'GET /payments' && posts(service) > 2) return { kind: 'answer', status: 503 };
    const isRefused = route === 'POST /payments' && body.reference === 'Ref 2';
    return isRefused ? { kind: 'answer', status: 400, body: { message: 'no' }, after: true } : undefined;
  };
  await run(desk);
  const at = service.payments.findIndex(({ reference }) => reference === 'Ref 2');
  const [hidden] = service.payments.splice(at, 1);
  let lists = 0;
  seen.fault = ({ route }) => {
    if (route === 'GET /payments') lists += 1;
    if (lists === 2 && !service.payments.includes(hidden!)) service.payments.push(hidden!);
    return undefined;
  };
  await told(desk, 'retry', 'nov', '--wait', '0');
  expect(paymentsFor(service, 'Ref 2')).toBe(1);
});

describe.concurrent('a row that somebody paid by hand', () => {
  async function expiredOne() {
    const seen = await watched({ expires: new Set(['Ref 2']) });
    const desk = machine(seen.service, rows);
    await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '5s');
    (seen.service.payments.find(({ reference }) => reference === 'Ref 2') as { ends?: string }).ends = 'expired';
    return { seen, desk };
  }

  it('since its payment expired is held by a retry', async () => {
    const { seen, desk } = await expiredOne();
    byHand(seen, 'Ref 2', { reference: 'Ref 2', amount: 101 });
    const { exit, document } = await told(desk, 'retry', 'nov', '--wait', '0');
    expect([exit, document.rows.held, posts(seen.service), paymentsFor(seen.service, 'Ref 2')]).toEqual([22, 1, 4, 1]);
  });

  it('since its payment expired, with the amount that it is corrected to, is held', async () => {
    const { seen, desk } = await expiredOne();
    byHand(seen, 'Ref 2', { reference: 'Ref 2', amount: 777 });
    writeFileSync(desk.sheet, csvOf(rows.map((row) => (row.reference === 'Ref 2' ? { ...row, amount: '777' } : row))));
    const { exit, document } = await run(desk);
    expect([exit, document.rows.held, posts(seen.service)]).toEqual([22, 1, 4]);
  });

  async function doubtfulOne() {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 3' ? { kind: 'drop' } : undefined;
    await run(desk);
    seen.fault = () => undefined;
    byHand(seen, 'Ref 1', { reference: 'Ref 3', amount: 102 });
    seen.clock.moved += pastTwiceMs;
    return { seen, desk, reconciled: await reconcile(desk) };
  }

  it('while it was in doubt names that payment where it is proven absent', async () => {
    const { desk, reconciled } = await doubtfulOne();
    expect(reasonOf(reconciled, 'k3')).toContain('hand');
    expect(reconciled.document.next[0]).toMatchObject({
      action: 'release-absent',
      batch: 'nov',
      rows: { total: 1 },
    });
    const { out } = await command(desk, ['explain', 'nov', 'k3', '--json']);
    expect(JSON.parse(out).next).toMatchObject({ action: 'release-absent', batch: 'nov' });
  });

  it('while it was in doubt is not released if the newest sheet lacks its row', async () => {
    const { desk } = await doubtfulOne();
    writeFileSync(desk.sheet, csvOf(rows.filter(({ row_id: id }) => id !== 'k3')));
    const ran = await run(desk, '--drop');
    expect(
      ran.document.next.map(({ action }) => action),
      ran.err,
    ).toContain('drop-rows');
    const one = await resolve(desk, '--row', 'k3', '--release-absent', '--reason', 'not in the list', '--json');
    expect([one.exit, refusalOf(one).code]).toEqual([2, 'ROW_NOT_LISTED']);
    expect((await told(desk, 'drop', 'nov', '--row', 'k3', '--reason', 'not owed')).document.rows.closed).toBe(1);
  });

  it('while it was in doubt is held when it is let go, and can be settled by that payment or let go all the same', async () => {
    const { seen, desk } = await doubtfulOne();
    await resolve(desk, '--release-absent', '--reason', 'twice not in the list');
    const { exit, document } = await resume(desk);
    expect([exit, document.rows.held, posts(seen.service), paymentsFor(seen.service, 'Ref 3')]).toEqual([22, 1, 4, 1]);
    expect(reasonOf({ document }, 'k3')).toContain('hand');
    const let_ = await resolve(desk, '--row', 'k3', '--not-a-repeat', '--reason', 'it is owed twice');
    expect(let_.exit, let_.err).toBe(23);
    await resume(desk);
    expect(paymentsFor(seen.service, 'Ref 3')).toBe(2);
  });
});

it('a payment by hand of another reference holds nothing', async () => {
  const seen = await watched({ expires: new Set(['Ref 2']) });
  const desk = machine(seen.service, rows);
  await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '5s');
  byHand(seen, 'Ref 1', { reference: 'Ref 9', amount: 101 });
  (seen.service.payments.find(({ reference }) => reference === 'Ref 2') as { ends?: string }).ends = 'expired';
  await told(desk, 'retry', 'nov', '--wait', '0');
  expect(posts(seen.service)).toBe(5);
});
