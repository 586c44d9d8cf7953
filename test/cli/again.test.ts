/** The same ledger a second time: finished, added to, changed, corrected, renamed; nothing is ever paid twice. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  command,
  csvOf,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  noted,
  oneOfEach,
  pay,
  refusalOf,
  resultOf,
  type SheetRow,
  southAfrican,
  until,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const with_ = (rows: readonly SheetRow[], index: number, changes: SheetRow): SheetRow[] =>
  rows.map((row, at) => (at === index ? { ...row, ...changes } : row));

describe.concurrent('a finished batch', () => {
  it('run again sends nothing and ends with 0', async () => {
    const service = await newService();
    const desk = deskFor(service, oneOfEach);
    const first = await pay(desk, '--wait', '20s');
    expect([first.exit, first.document.sent, first.document.rows.paid]).toEqual([0, 4, 4]);
    const posts = service.calls.get('POST /payments');
    const merchants = service.calls.get('POST /merchants');
    const again = await pay(desk, '--wait', '20s');
    expect([again.exit, again.document.sent, again.document.rows.paid]).toEqual([0, 0, 4]);
    expect(again.document.batch).toBe(first.document.batch);
    expect([service.calls.get('POST /payments'), service.calls.get('POST /merchants')]).toEqual([posts, merchants]);
    expectOnePaymentEach(service, oneOfEach);
  });

  it('is found by its sheet under another file name, and a note names the batch and its file', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    const first = await pay(desk, '--wait', '20s');
    const copy = join(desk.folder, 'november copy.csv');
    cpSync(desk.sheet, copy);
    const batch = first.document.batch!;
    const known = noted('already-paid', { batch, file: 'november.csv', isPaid: true });
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

  it('whose result is handed in leaves that file as it is, and writes the new result beside it, again and again', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    const { result } = (await pay(desk, '--wait', '20s')).document;
    const handedIn = readFileSync(result!);
    for (const _again of [1, 2]) {
      const { document } = await pay({ ...desk, sheet: result! }, '--wait', '20s');
      expect([document.sent, document.result]).toEqual([0, result!.replace('.csv', '-2.csv')]);
      expect(readFileSync(result!).equals(handedIn)).toBe(true);
    }
  });

  it('is found again by its result file, which someone saved over the sheet', async () => {
    const service = await newService();
    const rows = kenyanRows(3);
    const desk = deskFor(service, rows);
    const first = await pay(desk, '--batch', 'november');
    const ran = await command(desk, ['run', first.document.result ?? '', '--json', '--wait', '0']);
    expect(JSON.parse(ran.out)).toMatchObject({ batch: 'november', sent: 0 });
    expectOnePaymentEach(service, rows);
  });

  it('is found again when its rows come sorted otherwise, with amounts written otherwise', async () => {
    const service = await newService();
    const rows = kenyanRows(3);
    const desk = deskFor(service, rows);
    const first = await pay(desk);
    writeFileSync(desk.sheet, csvOf(rows.toReversed().map((row) => ({ ...row, amount: `${row.amount}.00` }))));
    const again = await pay(desk);
    expect([again.document.batch, again.document.sent]).toEqual([first.document.batch, 0]);
    expectOnePaymentEach(service, rows);
  });

  it('resume ends with 0 and sends nothing', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    await pay(desk, '--batch', 'nov');
    const ran = await command(desk, ['resume', 'nov', '--json', '--wait', '20s']);
    expect([ran.exit, JSON.parse(ran.out)]).toMatchObject([0, { sent: 0, rows: { paid: 2 } }]);
    expect((await command(desk, ['resume', 'nov', '--json', '--wait', '20s'])).exit).toBe(0);
    expect(service.payments).toHaveLength(2);
  });

  it('is not paid again under a new name without a reason, and then once', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    await pay(desk, '--batch', 'nov');
    const refused = await command(desk, ['run', desk.sheet, '--json', '--batch', 'dec']);
    expect([refused.exit, refusalOf(refused)]).toMatchObject([
      26,
      {
        code: 'SHEET_LOOKS_PAID',
        facts: { batch: 'nov', held: 2, of: 2, command: { action: 'repeat-sheet', signs: 'no' } },
      },
    ]);
    expect(service.payments).toHaveLength(2);
    const repeat = ['--batch', 'dec', '--confirm-repeat', 'a second salary for December'];
    expect((await pay(desk, ...repeat)).document).toMatchObject({ sent: 2, batch: 'dec' });
    expect((await pay(desk, ...repeat)).document, 'the same command again continues it').toMatchObject({ sent: 0 });
    expect(new Set(service.payments.map(({ tag }) => tag)).size).toBe(4);
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

  it('that was paid again for a reason is not paid a third time under another row_id: the reason is of what was sent before it', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    await pay(desk, '--batch', 'nov');
    const repeat = ['--batch', 'dec', '--confirm-repeat', 'a second salary for December'];
    expect((await pay(desk, ...repeat)).document).toMatchObject({ sent: 2 });
    writeFileSync(desk.sheet, csvOf(with_(kenyanRows(2), 0, { row_id: 'other' })));
    const renamed = (await pay(desk, ...repeat, '--add')).document;
    expect(renamed).toMatchObject({ sent: 0, rows: { held: 1 } });
    expect(service.payments).toHaveLength(4);
  });

  it('does not stop another month, whose rows have other references', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    await pay(desk, '--batch', 'nov');
    writeFileSync(desk.sheet, csvOf(kenyanRows(2).map((row) => ({ ...row, reference: `Dec ${row.reference}` }))));
    expect((await pay(desk, '--batch', 'dec')).document).toMatchObject({ sent: 2, batch: 'dec' });
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
  it.each(['name', 'note'])('a changed %s is no other payment', async (column) => {
    const service = await newService();
    const rows = kenyanRows(2).map((row) => ({ ...row, note: 'x' }));
    const desk = deskFor(service, rows);
    await pay(desk, '--batch', 'nov');
    writeFileSync(desk.sheet, csvOf(with_(rows, 0, { [column]: 'Someone Else' })));
    expect((await pay(desk, '--batch', 'nov')).document.sent).toBe(0);
    expectOnePaymentEach(service, rows);
  });

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

  it('a row that the service refused is corrected and runs under the same tag', async () => {
    const service = await newService();
    const tags: unknown[] = [];
    const detail = 'amount is under today’s limit';
    service.fault = ({ route, body }) => {
      if (route === 'POST /payments' && body.reference === 'Ref 2') tags.push(body.tag);
      return route === 'POST /payments' && body.amount === 101
        ? { kind: 'answer', status: 422, body: { detail } }
        : undefined;
    };
    const rows = kenyanRows(3);
    const desk = deskFor(service, rows);
    const first = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([first.exit, first.document.rows]).toMatchObject([21, { paid: 2, unpaid: 1 }]);
    expect(resultOf(first.document.result)[1]).toMatchObject({
      payrun_status: 'unpaid',
      payrun_reason: expect.stringContaining(detail),
    });
    const mended = with_(rows, 1, { amount: '500' });
    writeFileSync(desk.sheet, csvOf(mended));
    const second = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([second.exit, second.document.sent, second.document.rows.paid]).toEqual([0, 1, 3]);
    expect(new Set(tags).size).toBe(1);
    expectOnePaymentEach(service, mended);
  });

  it('an expired row whose content was corrected runs as a new revision with a new tag', async () => {
    const service = await newService({ expires: new Set(['Ref 1']) });
    const rows = kenyanRows(2);
    const desk = deskFor(service, rows);
    const first = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([first.exit, first.document.rows]).toMatchObject([21, { paid: 1, unpaid: 1 }]);
    // The same sheet again pays nothing: an expired payment is never repeated by itself.
    expect((await pay(desk, '--batch', 'nov')).document.sent).toBe(0);
    writeFileSync(desk.sheet, csvOf(with_(rows, 0, { reference: 'Ref 1 again' })));
    const second = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([second.exit, second.document.sent, second.document.rows.paid]).toEqual([0, 1, 2]);
    expect(new Set(service.payments.map(({ tag }) => tag)).size).toBe(3);
  });

  it('the same rows under another key of the service are not continued', async () => {
    const [service, other] = [await newService(), await newService()];
    const desk = deskFor(service, kenyanRows(2));
    await pay(desk, '--batch', 'nov');
    const elsewhere = {
      ...desk,
      env: {
        ...desk.env,
        PAYRUN_BASE_URL: other.url,
        PAYRUN_API_KEY: other.apiKey,
        PAYRUN_API_SECRET: other.apiSecret,
      },
    };
    const run = await command(elsewhere, ['run', desk.sheet, '--batch', 'nov']);
    const resume = await command(elsewhere, ['resume', 'nov']);
    expect([run.exit, resume.exit, other.payments.length]).toEqual([26, 26, 0]);
    expect(run.err).toContain(service.url);
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
