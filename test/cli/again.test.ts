/** The same ledger a second time: a finished batch, its payees, collections and users. test/tables has the versions. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  command,
  csvOf,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  noted,
  pay,
  refusalOf,
  resultOf,
  southAfrican,
  until,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

describe.concurrent('a finished batch', () => {
  it('is found by its sheet under another file name, and a note names the batch', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    const first = await pay(desk, '--wait', '20s');
    const copy = join(desk.folder, 'november copy.csv');
    // Its rows come in another order, with amounts in another form.
    const sorted = kenyanRows(2).toReversed();
    writeFileSync(copy, csvOf(sorted.map((row) => ({ ...row, amount: `${row.amount}.00` }))));
    const batch = first.document.batch!;
    const known = noted('already-paid', { batch });
    for (const _again of [1, 2]) {
      const { exit, out } = await command(desk, ['run', copy, '--quiet', '--wait', '0']);
      expect([exit, out]).toEqual([0, '']);
      const { document } = await pay({ ...desk, sheet: copy });
      expect(document).toMatchObject({ exit: 0, batch, sent: 0, rows: { total: 2, paid: 2 } });
      expect(document.notes).toContainEqual(known);
    }
    expect(documentOf(await command(desk, ['plan', copy, '--json'])).notes).toContainEqual(known);
    expect(service.payments).toHaveLength(2);
  });

  it('has a result from the start, which says when it was written', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    const result = join(desk.folder, 'november.result.csv');
    const written = until('the early result is written', () => existsSync(result));
    service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'hold', until: written } : undefined);
    const paid = pay(desk, '--batch', 'nov', '--wait', '20s');
    await written;
    const reasons = () => resultOf(result).map(({ payrun_reason }) => payrun_reason);
    const dated = expect.stringMatching(/ 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(reasons()).toEqual([dated, dated]);
    expect((await paid).exit).toBe(0);
    expect(reasons()).toEqual(['', '']);
  });

  it('with a row in doubt is not paid under a new name, even with a reason', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && JSON.stringify(body).includes('Ref 2') ? { kind: 'drop' } : undefined;
    expect((await pay(desk, '--batch', 'nov', '--wait', '0')).document.rows).toMatchObject({ in_doubt: 1 });
    service.fault = () => undefined;
    const before = service.payments.length;
    for (const reason of [[], ['--confirm-repeat', 'The payee says that nothing came']]) {
      const refused = await command(desk, ['run', desk.sheet, '--json', '--batch', 'dec', ...reason]);
      const doubt = { code: 'REPEATS_A_DOUBT', facts: { row: 3, other: '3', batch: 'nov' } };
      expect([refused.exit, refusalOf(refused)]).toMatchObject([26, doubt]);
    }
    expect(service.payments).toHaveLength(before);
  });

  it('is shown by status, list and report, none of which asks the service', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    const { document } = await pay(desk, '--batch', 'nov');
    const before = service.total();
    const status = await command(desk, ['status', 'nov', '--json', '--exit-code']);
    expect([status.exit, JSON.parse(status.out)]).toMatchObject([23, { rows: { pending: 2 }, exit: 23 }]);
    expect((await command(desk, ['status'])).exit).toBe(0);
    const list = await command(desk, ['list', 'nov', '--json']);
    expect(JSON.parse(list.out).rows).toMatchObject([
      { row: 2, key: 'k1', status: 'pending' },
      { row: 3, key: 'k2', status: 'pending' },
    ]);
    const report = await command(desk, ['report', 'nov', '--json']);
    expect(JSON.parse(report.out).result).toBe(document.result);
    expect(service.total()).toBe(before);
  });
});

describe.concurrent('a sheet that changed since', () => {
  it('rows that were deleted stay in the result and are said', async () => {
    const service = await newService();
    const rows = kenyanRows(3);
    const desk = deskFor(service, rows);
    await pay(desk, '--batch', 'nov');
    writeFileSync(desk.sheet, csvOf(rows.slice(0, 2)));
    const { document } = await pay(desk, '--batch', 'nov');
    expect(document).toMatchObject({ sent: 0, rows: { total: 3, pending: 3 } });
    expect(document.notes).toContainEqual(noted('rows-missing', { batch: 'nov', rows: 1 }));
    expect(resultOf(document.result).map(({ reference }) => reference)).toEqual(['Ref 1', 'Ref 2', 'Ref 3']);
  });
});

describe.concurrent('payees', () => {
  it('of one destination are made once, whatever they are called', async () => {
    const service = await newService();
    const rows = kenyanRows(6, 1).map((row, index) => ({ ...row, name: `Name ${index}` }));
    await pay(deskFor(service, rows));
    expect([service.merchants.size, service.payments.length]).toEqual([1, 6]);
  });

  it('known to the service are used, and keep their name without --update-names', async () => {
    const service = await newService();
    await pay(deskFor(service, kenyanRows(1)), '--batch', 'a');
    const renamed = kenyanRows(1).map((row) => ({ ...row, row_id: 'z', name: 'New Name', reference: 'Other' }));
    await pay(deskFor(service, renamed), '--batch', 'b');
    expect([...service.merchants.values()]).toMatchObject([{ name: 'Payee 1' }]);
    const later = renamed.map((row) => ({ ...row, reference: 'Later' }));
    await pay(deskFor(service, later), '--batch', 'c', '--update-names');
    expect([...service.merchants.values()]).toMatchObject([{ name: 'New Name', contactNumber: '+254712345610' }]);
    expect(service.calls.get('PATCH /merchants/:id')).toBe(1);
  });

  it('that the service refuses stop the run before any payment, with its words', async () => {
    const service = await newService({ refuses: { status: 422, which: ({ country }) => country === 'SouthAfrica' } });
    const rows = [...kenyanRows(2), southAfrican];
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk);
    expect([exit, service.payments.length]).toEqual([20, 0]);
    expect(document.problems).toMatchObject([
      { row: 4, code: 'MERCHANT_REFUSED', message: expect.stringContaining('account check') },
    ]);
    const skipping = await pay(desk, '--skip-invalid', '--wait', '20s');
    expect([skipping.exit, skipping.document.rows]).toMatchObject([21, { paid: 2, unpaid: 1 }]);
    expect(resultOf(skipping.document.result)[2]).toMatchObject({
      payrun_status: 'unpaid',
      payrun_reason: expect.stringContaining('account check'),
    });
  });
});

describe.concurrent('collections from phones in Kenya', () => {
  const collected = (count: number, method = 'MOMO') =>
    kenyanRows(count).map((row) => ({ ...row, from_country: 'Kenya', collection_method: method }));

  it("need a user's token, and the plan says which variable", async () => {
    const service = await newService();
    const { exit, document } = await pay(deskFor(service, collected(1)));
    expect([exit, service.payments.length]).toEqual([20, 0]);
    expect(document.problems).toMatchObject([
      { code: 'COLLECTION_NEEDS_USER', message: expect.stringContaining('PAYRUN_USER_ID') },
    ]);
  });

  /** Of the event loop: enough for a call that is sent at the same time to come. */
  const turns = async () => {
    for (let turn = 0; turn < 100; turn += 1) await new Promise((done) => setImmediate(done));
  };

  it('of five phones go out, one after the other', async () => {
    const service = await newService();
    let open = 0;
    let most = 0;
    service.fault = ({ route }) => {
      if (route !== 'POST /payments') return undefined;
      open += 1;
      most = Math.max(most, open);
      return { kind: 'hold', until: turns().then(() => (open -= 1)) };
    };
    const { exit, document } = await pay(deskFor(service, collected(5), { PAYRUN_USER_ID: service.userId }));
    expect([exit, document.sent, most]).toEqual([23, 5, 1]);
    expect(service.payments.map(({ meta }) => JSON.parse(String(meta)).collectionMethod)).toEqual(
      Array(5).fill('MOMO'),
    );
  });

  it('of six need --allow-momo-push', async () => {
    const service = await newService();
    const desk = deskFor(service, collected(6), { PAYRUN_USER_ID: service.userId });
    const refused = await pay(desk);
    expect([refused.exit, service.payments.length]).toEqual([20, 0]);
    expect(refused.document.problems).toMatchObject([
      { code: 'COLLECTION_PROMPTS', message: expect.stringContaining('--allow-momo-push') },
    ]);
    expect((await pay(desk, '--allow-momo-push', '5')).exit).toBe(20);
    const configured = (prompts: number) =>
      writeFileSync(join(desk.folder, 'payrun.config.json'), JSON.stringify({ kenya: { prompts } }));
    configured(5);
    expect((await pay(desk, '--allow-momo-push')).exit).toBe(20);
    expect(await command(desk, ['run', desk.sheet, '--allow-momo-push', '6'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('at most 5 phones'),
    });
    expect((await command(desk, ['run', desk.sheet, '--allow-momo-push', 'six'])).exit).toBe(2);
    configured(6);
    expect((await pay(desk, '--allow-momo-push')).document.sent).toBe(6);
  });

  it('by bank transfer ask no phone, and the result says where to deposit', async () => {
    const service = await newService();
    const { exit, document } = await pay(deskFor(service, collected(6, 'BANK_TRANSFER')));
    expect([exit, document.sent]).toEqual([23, 6]);
    expect(service.payments[0]).toMatchObject({ fromCountry: 'Kenya' });
  });
});

describe.concurrent("with a user's token (PAYRUN_USER_ID)", () => {
  it('payments are made by that user', async () => {
    const service = await newService();
    const { exit } = await pay(deskFor(service, kenyanRows(3), { PAYRUN_USER_ID: service.userId }), '--wait', '20s');
    expect([exit, service.calls.get('POST /tokens/user')]).toEqual([0, 1]);
    expect(service.payments.map(({ madeBy }) => madeBy)).toEqual(Array(3).fill(service.userId));
  });

  it('a user that was disabled ends the run before any row, with 25', async () => {
    const service = await newService();
    service.disableUser();
    const { exit, document } = await pay(deskFor(service, kenyanRows(3), { PAYRUN_USER_ID: service.userId }));
    expect([exit, document.stopped?.message, service.payments.length]).toEqual([
      25,
      expect.stringContaining('PAYRUN_USER_ID'),
      0,
    ]);
  });

  it('both kinds of token are made anew after a deployment in the middle of the batch', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) => {
      if (route === 'POST /payments' && nth === 4) service.rotate();
      return undefined;
    };
    const rows = kenyanRows(12);
    const { document } = await pay(deskFor(service, rows, { PAYRUN_USER_ID: service.userId }));
    expect(document.sent).toBe(12);
    expectOnePaymentEach(service, rows);
    expect(service.payments.every(({ madeBy }) => madeBy === service.userId)).toBe(true);
  });
});
