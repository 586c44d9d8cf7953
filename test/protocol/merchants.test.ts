/** The service's list of merchants lags behind, or has a payee twice: no payee is paid twice, and no row is stuck. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { noteWords } from '../../src/messages/notes.ts';
import type { Call, Fault } from '../independent/service.ts';
import { type Desk, kenyanRows, type SheetRow } from '../support.ts';
import { expectNoDouble, machine, posts, reconcile, resolve, resume, run, type Watched, watched } from './desk.ts';

const rows = kenyanRows(3, 1);
const made = ({ service }: Watched): number => service.calls.get('POST /merchants') ?? 0;

const nothingListed = ({ route }: Call): Fault | undefined =>
  route === 'GET /merchants' ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } } : undefined;

/** A merchant of the row's destination, made by somebody else. */
function alsoMade({ service }: Watched, id: string, row: SheetRow = rows[0]!, name = row.name): string {
  const { contact_number: contactNumber } = row;
  service.merchants.set(id, { id, name, country: 'Kenya', networkProvider: 'MOMO', contactNumber });
  return id;
}

/** The first row is paid, and the others wait: the credentials were refused. */
async function paidFirst(): Promise<{ seen: Watched; desk: Desk; merchant: string }> {
  const seen = await watched();
  const desk = machine(seen.service, rows);
  seen.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  const first = await run(desk, '--concurrency', '1');
  expect([first.exit, first.document.rows]).toMatchObject([25, { pending: 1, not_sent: 2 }]);
  return { seen, desk, merchant: String([...seen.service.merchants.keys()][0]) };
}

describe.concurrent('a payee that this ledger made and the list lacks', () => {
  it('is asked for by its id, and kept', async () => {
    const { seen, desk } = await paidFirst();
    seen.fault = nothingListed;
    const { exit, document } = await resume(desk);
    expect([exit, document.rows.pending, made(seen)]).toEqual([23, 3, 1]);
    expectNoDouble(seen.service);
  });

  it('is kept beside another of the same name that is listed', async () => {
    const { seen, desk, merchant } = await paidFirst();
    const other = alsoMade(seen, 'another');
    seen.fault = (call) =>
      call.route === 'GET /merchants'
        ? { kind: 'answer', status: 200, body: { items: [seen.service.merchants.get(other)], offsetMarker: null } }
        : undefined;
    await resume(desk);
    expect(seen.service.payments.map(({ merchantId }) => merchantId)).toEqual([merchant, merchant, merchant]);
  });

  it('is made anew where its id leads nowhere', async () => {
    const { seen, desk, merchant } = await paidFirst();
    seen.service.merchants.delete(merchant);
    seen.fault = () => undefined;
    const { document } = await resume(desk);
    expect([document.rows.pending, made(seen)]).toEqual([3, 2]);
    expectNoDouble(seen.service);
  });

  it('is made anew where its id leads elsewhere by now', async () => {
    const { seen, desk, merchant } = await paidFirst();
    Object.assign(seen.service.merchants.get(merchant) ?? {}, { contactNumber: '+254700000000' });
    seen.fault = () => undefined;
    const { document } = await resume(desk);
    expect([document.rows.pending, made(seen)]).toEqual([3, 2]);
    const paid = seen.service.payments.map(({ merchantId }) => String(merchantId));
    expect(paid.slice(1)).not.toContain(merchant);
  });
});

describe.concurrent('a listed merchant whose id cannot be read', () => {
  /** One item of the list has no id, beside whatever else is there. */
  const unread =
    (contactNumber: string) =>
    (service: Watched['service']) =>
    (call: Call): Fault | undefined => {
      const item = { name: 'Somebody', country: 'Kenya', networkProvider: 'MOMO', contactNumber };
      const items = [item, 'no merchant at all', null, ...service.merchants.values()];
      return call.route === 'GET /merchants'
        ? { kind: 'answer', status: 200, body: { items, offsetMarker: null } }
        : undefined;
    };

  it('holds the rows that it could be for, and no twin of it is made', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = unread(rows[0]!.contact_number!)(seen.service);
    const { exit, document, err } = await run(desk);
    expect([exit, made(seen), seen.service.payments]).toEqual([20, 0, []]);
    expect(document.problems[0]).toMatchObject({
      code: 'MERCHANT_AMBIGUOUS',
      facts: { reason: expect.stringContaining('merchant-unreadable') },
    });
    expect(err).toContain(noteWords({ note: 'merchants-unreadable', merchants: 3 }));
  });

  it('is reported and changes nothing for others, nor for a payee whose merchant is known by its id', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = unread('+254700000000')(seen.service);
    const { document, err } = await run(desk);
    expect([document.rows.pending, made(seen)]).toEqual([3, 1]);
    expect(err).toContain(noteWords({ note: 'merchants-unreadable', merchants: 3 }));
    const known = await paidFirst();
    known.seen.fault = unread(rows[0]!.contact_number!)(known.seen.service);
    expect([(await resume(known.desk)).document.rows.pending, made(known.seen)]).toEqual([3, 1]);
  });
});

describe.concurrent('a payee whose creation got no answer', () => {
  const visible = { PAYRUN_DOUBT_VISIBLE: '1s' };

  /** The list holds what was made so long ago. */
  const listedAfter = ({ clock }: Watched, ms: number) => {
    let since = Number.POSITIVE_INFINITY;
    return (call: Call): Fault | undefined => {
      if (call.route === 'POST /merchants') since = clock.now();
      return clock.now() - since < ms ? nothingListed(call) : undefined;
    };
  };

  it('is looked for when the list would hold it, and not made twice', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows, visible);
    const list = listedAfter(seen, 600);
    seen.fault = (call) =>
      list(call) ?? (call.route === 'POST /merchants' && call.nth === 1 ? { kind: 'drop', after: true } : undefined);
    const { exit, document } = await run(desk);
    expect([exit, document.rows.pending, made(seen)]).toEqual([23, 3, 1]);
  });

  it('is made after all where it did not arrive', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows, visible);
    seen.fault = ({ route, nth }) => (route === 'POST /merchants' && nth === 1 ? { kind: 'drop' } : undefined);
    const { exit, document } = await run(desk);
    expect([exit, document.rows.pending, made(seen)]).toEqual([23, 3, 2]);
  });

  it('because the run died, the same', async () => {
    const { seen, desk } = await paidFirst();
    const db = new DatabaseSync(desk.ledger);
    db.exec("UPDATE merchant SET state = 'creating', merchant_id = NULL");
    db.close();
    const began = seen.clock.now();
    seen.fault = (call) => (seen.clock.now() - began < 600 ? nothingListed(call) : undefined);
    const { document } = await resume({ ...desk, env: { ...desk.env, ...visible } });
    expect([document.rows.pending, made(seen)]).toEqual([3, 1]);
  });
});

describe.concurrent('a payee that the service has twice, under one name', () => {
  it('is one payee: everybody chooses the same', async () => {
    const seen = await watched();
    alsoMade(seen, 'm-b');
    alsoMade(seen, 'm-a');
    const desk = machine(seen.service, rows);
    const { exit, document } = await run(desk);
    expect([exit, document.rows.pending, made(seen)]).toEqual([23, 3, 0]);
    expect(new Set(seen.service.payments.map(({ merchantId }) => merchantId))).toEqual(new Set(['m-a']));
  });

  it('under two names, none of them the row’s, is for a person to tell', async () => {
    const seen = await watched();
    alsoMade(seen, 'm-b', rows[0], 'Somebody');
    alsoMade(seen, 'm-a', rows[0], 'Anybody');
    const { document } = await run(machine(seen.service, rows), '--skip-invalid');
    expect([document.rows.pending, document.problems[0]?.code]).toEqual([0, 'MERCHANT_AMBIGUOUS']);
  });

  it('a payment to the other one, found by another ledger, is the row’s', async () => {
    const { seen, desk } = await paidFirst();
    seen.fault = () => undefined;
    await resume(desk);
    alsoMade(seen, '0');
    seen.fault = () => undefined;
    const other = machine(seen.service, rows);
    const { document } = await run(other);
    expect([document.rows.held, document.rows.pending, posts(seen.service)]).toEqual([
      0,
      3,
      seen.service.calls.get('POST /payments'),
    ]);
    expectNoDouble(seen.service);
  });

  it('a late payment to the other one ends a doubt, by a pass or by a person’s word', async () => {
    const { seen, desk } = await paidFirst();
    const { payments } = seen.service;
    seen.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'drop' } : undefined);
    expect((await resume(desk)).document.rows).toMatchObject({ pending: 1, in_doubt: 2 });
    alsoMade(seen, 'again');
    seen.fault = () => undefined;
    const late = (key: string, merchantId: string) => {
      const { tag, amount, reference } = askedFor(desk, key);
      const id = `late-${key}`;
      payments.push({ id, tag, amount, reference, merchantId, createdAtMs: seen.clock.now(), madeBy: 'tenant' });
      return id;
    };
    late('k2', 'again');
    expect((await reconcile(desk)).document.rows).toMatchObject({ pending: 2, in_doubt: 1, held: 0 });
    const named = late('k3', 'again');
    expect((await resolve(desk, '--row', 'k3', '--paid', named)).exit).toBe(23);
  });
});

/** What the ledger asks for under a row's tag. */
function askedFor(desk: Desk, key: string): { tag: string; amount: number; reference: string } {
  const db = new DatabaseSync(desk.ledger);
  const row = db
    .prepare(
      `SELECT tag, amount, json_extract(content, '$.reference') AS reference
       FROM payout JOIN payout_content ON payout = id WHERE key = ?`,
    )
    .get(key);
  db.close();
  return row as { tag: string; amount: number; reference: string };
}
