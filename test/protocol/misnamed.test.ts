/** The service answers with the id of another payment: no row is shown as paid by a payment of another row. */
import { describe, expect, it } from 'vitest';
import { command, type Desk, kenyanRows } from '../support.ts';
import { machine, paymentsOf, reasonsOf, statusOf, told, watched } from './desk.ts';

const rows = kenyanRows(3, 3);
const once = { 'Ref 1': 1, 'Ref 2': 1, 'Ref 3': 1 };

/** The answer for Ref 2 is lost; that for Ref 3 names the payment of Ref 2. Ref 3's own payment expires. */
async function confused() {
  const one = await watched({ expires: new Set(['Ref 3']) });
  one.fault = ({ route, body }) => {
    if (route !== 'POST /payments' || body.reference === 'Ref 1') return undefined;
    if (body.reference === 'Ref 2') return { kind: 'answer', status: 500, after: true };
    const { id } = one.service.payments.find(({ reference }) => reference === 'Ref 2')!;
    return { kind: 'answer', status: 201, body: { id }, after: true };
  };
  return { ...one, confuse: one, desk: machine(one.service, rows) };
}

const paid = async (desk: Desk) =>
  await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s', '--concurrency', '1');

describe('a payment that was named for another row', () => {
  it('goes to the row whose tag it bears, and the other one to its own', async () => {
    const { desk, service } = await confused();
    const ran = await paid(desk);
    expect(statusOf(ran)).toEqual({ k1: 'paid', k2: 'paid', k3: 'unpaid' });
    expect(ran.exit).toBe(21);
    expect(paymentsOf(service)).toEqual(once);
    expect((await command(desk, ['audit', 'verify', '--result', ran.document.result!])).exit).toBe(0);
  });

  it('holds the row that it was named for while the list cannot be read', async () => {
    const { desk, service, confuse } = await confused();
    const confuses = confuse.fault;
    confuse.fault = (call) =>
      call.route === 'GET /payments' && service.payments.length === 3
        ? { kind: 'answer', status: 404 }
        : confuses(call);
    const ran = await paid(desk);
    expect(statusOf(ran)).toEqual({ k1: 'paid', k2: 'in doubt', k3: 'held' });
    expect(await reasonsOf(desk, 'k3')).toMatchObject([{ kind: 'wrong-payment' }]);
    confuse.fault = () => undefined;
    const after = await told(desk, 'resume', 'nov', '--wait', '20s');
    expect(statusOf(after)).toEqual({ k1: 'paid', k2: 'paid', k3: 'unpaid' });
    expect(paymentsOf(service)).toEqual(once);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });

  it('is found in a ledger that had already taken it for paid', async () => {
    const { desk, service, confuse } = await confused();
    const tags = new Map<string, string>();
    const confuses = confuse.fault;
    // The service shows no tags until later.
    confuse.fault = (call) => {
      for (const payment of service.payments)
        if (payment.tag !== undefined) {
          tags.set(String(payment.id), payment.tag);
          if (payment.reference !== 'Ref 1') delete (payment as { tag?: string }).tag;
        }
      return confuses(call);
    };
    const ran = await paid(desk);
    expect(statusOf(ran).k3).toBe('paid');
    confuse.fault = () => undefined;
    for (const payment of service.payments)
      Object.assign(payment, { tag: tags.get(String(payment.id)) ?? payment.tag });
    const after = await told(desk, 'resume', 'nov', '--wait', '20s');
    expect(after.exit).toBe(27);
    expect(statusOf(after)).toMatchObject({ k2: 'paid' });
    expect(statusOf(after).k3).not.toBe('paid');
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });
});
