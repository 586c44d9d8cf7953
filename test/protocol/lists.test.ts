/** Lists of payments that say little, payees that are saved twice, and doubles that go on: no row is paid twice, and each is told. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { StoredPayment } from '../independent/service.ts';
import { command, kenyanRows } from '../support.ts';
import {
  expectNoDouble,
  machine,
  pastTwiceMs,
  posts,
  reasonOf,
  reasonsOf,
  reconcile,
  resolve,
  resume,
  run,
  told,
  twiceIn,
  watched,
} from './desk.ts';

const rows = kenyanRows(4, 2);

describe.concurrent('a row whose answer was lost, at a service that made the payment', () => {
  it.each([
    ['neither tag, merchant nor amount', ['tag', 'merchantId', 'amount', 'reference']],
    ['no tag and no amount', ['tag', 'amount']],
    ['no tag and no merchant', ['tag', 'merchantId']],
    ['no tag', ['tag']],
  ])('is found in a list whose items say %s', async (_title, listLacks) => {
    const seen = await watched({ listLacks });
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 3' ? { kind: 'drop', after: true } : undefined;
    await run(desk);
    seen.fault = () => undefined;
    seen.clock.moved += pastTwiceMs;
    await reconcile(desk);
    await resolve(desk, '--release-absent', '--reason', 'the service has nothing');
    const { document } = await resume(desk);
    expect([document.rows.pending, posts(seen.service)]).toEqual([4, 4]);
    expectNoDouble(seen.service);
  });
});

it('a payee that is saved twice is not paid again by the other of its merchants', async () => {
  const seen = await watched();
  const first = machine(seen.service, rows.slice(0, 1));
  await run(first);
  const [payment] = seen.service.payments;
  const [merchant] = [...seen.service.merchants.values()];
  seen.service.merchants.set('other', { ...merchant, id: 'other', name: 'A Trading' });
  const second = machine(seen.service, [{ ...rows[0]!, name: 'A Trading' }]);
  const { exit } = await command(second, ['run', second.sheet, '--batch', 'dec', '--wait', '0']);
  expect([exit, posts(seen.service), payment?.merchantId]).toEqual([22, 1, merchant?.id]);
});

describe.concurrent('doubles that go on', () => {
  async function double() {
    const seen = await watched({ settleAfterMs: 1e9 });
    const desk = machine(seen.service, rows.slice(0, 2));
    await run(desk);
    const add = (id: string) => seen.service.payments.push({ ...seen.service.payments[0], id } as StoredPayment);
    add('twin-1');
    expect((await reconcile(desk)).exit).toBe(27);
    return { seen, desk, add };
  }

  it('a third payment is told, though the double is known', async () => {
    const { desk, add } = await double();
    await resolve(desk, '--row', 'k1', '--known', '--reason', 'one is returned');
    expect((await reconcile(desk)).exit).toBe(22);
    add('twin-2');
    const { exit, document } = await reconcile(desk);
    expect([exit, twiceIn(document)]).toEqual([27, 1]);
    const [reason] = await reasonsOf(desk, 'k1');
    expect(reason?.kind === 'two-payments' && reason.payments).toHaveLength(3);
  });

  it('a payment that a person named, and that expired, is seen when it is paid after its row was sent again', async () => {
    const seen = await watched({ settleAfterMs: 1e9 });
    const desk = machine(seen.service, rows.slice(0, 2));
    seen.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 2' ? { kind: 'drop' } : undefined;
    await run(desk);
    seen.fault = () => undefined;
    const db = new DatabaseSync(desk.ledger, { readOnly: true });
    const asked = db.prepare("SELECT merchant_id AS merchantId, amount FROM payout WHERE key = 'k2'").get();
    db.close();
    const hand = {
      ...asked,
      reference: 'Ref 2',
      tag: 'by hand',
      id: 'hand',
      createdAtMs: seen.clock.now(),
      madeBy: 'tenant',
    };
    seen.service.payments.push(hand as unknown as StoredPayment);
    seen.clock.moved += pastTwiceMs;
    await resolve(desk, '--row', 'k2', '--paid', 'hand');
    const paid = seen.service.payments.at(-1) as { ends?: string; createdAtMs: number };
    paid.ends = 'expired';
    paid.createdAtMs = 0;
    await told(desk, 'resume', 'nov', '--wait', '5s');
    await told(desk, 'retry', 'nov', '--wait', '0');
    expect(posts(seen.service)).toBe(3);
    paid.ends = 'success';
    const { exit, document } = await reconcile(desk);
    expect([exit, twiceIn(document), reasonOf({ document }, 'k2')]).toEqual([27, 1, expect.stringContaining('hand')]);
  });
});
