/** The same sheet at services of every shape that the interface leaves open: each row ends with exactly one payment, and is found paid. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deskFor, newService } from '../held-clock.ts';
import type { Shape } from '../independent/service.ts';
import {
  type Desk,
  deskFor as deskNow,
  documentOf,
  expectNoTwins,
  expectOnePaymentEach,
  kenyanRows,
  oneOfEach,
  pay,
  resultOf,
  type SheetRow,
  newService as serviceNow,
  start,
} from '../support.ts';

const rows: readonly SheetRow[] = [
  ...oneOfEach.map((row) =>
    row.country === 'SouthAfrica' ? { ...row, amount: '60000', documents: 'invoice.pdf' } : row,
  ),
  ...kenyanRows(6).slice(1),
];
const planned = { ZAR: 60_000, NGN: 250_000, KES: 100 + 101 + 102 + 103 + 104 + 105, BTC: 21_000 };

const odd = [
  { id: 'odd-1', tag: null, status: null, amount: null, merchantId: null, reference: null, date: null },
  { id: 9_007_199, amount: '12.50', status: 4, tag: 17, meta: { a: 1 } },
  { id: 'odd-3', tag: '', reference: '', depositBankDetails: 'none', fromCountry: {} },
  { id: 'odd-4', tag: 'someone-elses', status: 'success', amount: 1e21, merchantId: 'x', meta: '{not json' },
  { paymentId: 'odd-5' },
  'a text',
  null,
];

const shapes: readonly (readonly [string, Shape])[] = [
  ['the plainest of all', {}],
  ['token in data.accessToken', { tokenAnswer: (token, expiry) => ({ data: { accessToken: token, expiry } }) }],
  ['token in jwt', { tokenAnswer: (jwt, expiry) => ({ jwt, expiry, type: 'Bearer' }) }],
  [
    'token beside a refresh token',
    { tokenAnswer: (token, expiry) => ({ access_token: token, refresh_token: 'r.r.r', expiry }) },
  ],
  ['token under a name nobody thought of', { tokenAnswer: (token, expiry) => ({ result: { sesame: token, expiry } }) }],
  ['payment id in paymentId, status 200', { created: { status: 200, answer: ({ id }) => ({ paymentId: id }) } }],
  [
    'payment id in payment.id, status 202',
    { created: { status: 202, answer: ({ id }) => ({ payment: { id, status: 'queued' } }) } },
  ],
  ['payment id in data.id', { created: { status: 201, answer: ({ id }) => ({ success: true, data: { id } }) } }],
  ['payment id in data.paymentId', { created: { status: 202, answer: ({ id }) => ({ data: { paymentId: id } }) } }],
  ['the whole payment in the answer', { created: { status: 201, answer: (payment) => payment } }],
  ['payment ids that are numbers', { paymentIds: 'number' }],
  [
    'merchants wrapped in merchant, status 200',
    { merchantCreated: { status: 200, answer: (merchant) => ({ merchant }) } },
  ],
  ['merchants wrapped in data', { merchantCreated: { status: 202, answer: (data) => ({ data }) } }],
  ['a merchant answer with an id and nothing else', { merchantCreated: { status: 201, answer: ({ id }) => ({ id }) } }],
  ['pages of one', { pageSize: 1 }],
  ['pages of three, oldest first', { pageSize: 3, listOrder: 'oldest' }],
  ['a list in no order', { pageSize: 3, listOrder: 'scattered' }],
  ['a base URL with a path', { basePath: '/remit/api/v2' }],
  ['payments that can be read only 400 ms after they were made', { readableAfterMs: 400 }],
  ['payments that are listed only 800 ms after they were made', { readableAfterMs: 150, listedAfterMs: 800 }],
  [
    'statuses in capitals',
    { words: { open: 'PROCESSING', success: 'SUCCESS', expired: 'EXPIRED' }, settleAfterMs: 600 },
  ],
  ['statuses with outer spaces', { words: { open: '', success: ' Success ', expired: 'Expired' }, settleAfterMs: 600 }],
  ['documents listed at /document', { documentsPath: '/document' }],
  ['documents listed nowhere', { documentsPath: null }],
  ['tags folded to capitals', { foldTag: (tag) => tag.toUpperCase() }],
  [
    'fields that nobody has heard of',
    { extra: { $schema: 'v9', nested: { id: 'x', tag: 'y' }, items2: [], success: false } },
  ],
  ['foreign payments of odd shapes in the list', { foreign: odd, pageSize: 3 }],
  [
    'a list without amounts, merchants and references',
    { listLacks: ['amount', 'merchantId', 'reference', 'statusLog'] },
  ],
  ['a bank list that calls the name something else', { bankNameField: 'bank' }],
  ['tokens that live for a second and a half', { tokenLifeMs: 1500, settleAfterMs: 1500 }],
  [
    'a user token whose answer says no expiry',
    { tokenAnswer: (token, expiry) => (token.startsWith('head1.') ? { token, expiry } : { token }) },
  ],
];

function withInvoice(desk: Desk): Desk {
  writeFileSync(join(desk.folder, 'invoice.pdf'), '%PDF-1.7\n');
  return desk;
}

describe.concurrent('paid to the end at a service with', () => {
  it.each(shapes)('%s', async (title, shape) => {
    const service = await newService(shape);
    const asUser = title.includes('user token');
    const desk = withInvoice(deskFor(service, rows, asUser ? { PAYRUN_USER_ID: service.userId } : {}));
    const { exit, document, err } = await pay(desk, '--wait', '20s', '--batch', 'nov');
    expect([exit, document.stopped, err.includes('Error')]).toEqual([0, null, false]);
    expect(document).toMatchObject({
      batch: 'nov',
      sent: rows.length,
      rows: { total: rows.length, paid: rows.length },
    });
    expect(Object.fromEntries(document.totals.map(({ currency, paid }) => [currency, paid]))).toEqual(planned);
    expectOnePaymentEach(service, rows);
    expect(document.documents).toEqual({ attached: 1, open: 0 });
    expect(service.uploads).toHaveLength(1);
    const result = resultOf(document.result);
    expect(result.map(({ row_id, payrun_status }) => [row_id, payrun_status])).toEqual(
      rows.map(({ row_id }) => [row_id, 'paid']),
    );
    const idOf = new Map(service.payments.map(({ reference, id }) => [reference, String(id)]));
    expect(result.map(({ payment_id }) => payment_id)).toEqual(rows.map(({ reference = '' }) => idOf.get(reference)));
    // Once more, and nothing is sent.
    const again = await pay(desk, '--batch', 'nov');
    expect([again.exit, again.document.sent]).toEqual([0, 0]);
    expectOnePaymentEach(service, rows);
  });

  it('a long list, read from pages of 50 rather than one by one', async () => {
    const service = await newService({ settleAfterMs: 500 });
    const many = kenyanRows(120);
    const { exit, document } = await pay(deskFor(service, many), '--wait', '20s', '--concurrency', '32');
    expect([exit, document.rows.paid]).toEqual([0, 120]);
    expectOnePaymentEach(service, many);
    expect(service.calls.get('GET /payments/:id') ?? 0, 'only canary and statusLog').toBeLessThan(30);
  });
});

describe.concurrent('error bodies of any shape end in the result, word for word', () => {
  it.each<readonly [string, unknown]>([
    ['{error}', { error: 'limit reached today' }],
    ['{detail}', { detail: 'limit reached today' }],
    ['{errors:[…]}', { errors: [{ field: 'amount', message: 'limit reached today' }] }],
    ['{errors:[text]}', { errors: ['limit reached today'] }],
    ['{error:{message}}', { error: { code: 7, message: 'limit reached today' } }],
    ['{message:[…]}', { message: ['limit reached today'], statusCode: 422 }],
  ])('%s', async (_title, body) => {
    const service = await newService();
    service.fault = (call) =>
      call.route === 'POST /payments' && call.body.reference === 'Ref 2'
        ? { kind: 'answer', status: 422, body }
        : undefined;
    const { exit, document } = await pay(deskFor(service, kenyanRows(3)), '--wait', '20s');
    expect([exit, document.rows]).toMatchObject([21, { paid: 2, unpaid: 1 }]);
    expect(resultOf(document.result)[1]).toMatchObject({
      payrun_status: 'unpaid',
      payrun_reason: expect.stringContaining('limit reached today'),
    });
  });
});

describe.concurrent('the status decides, whatever it is called', () => {
  it.each(['failed', 'REJECTED', 'cancelled', 'completed', 'Paid'])(
    "'%s' sounds final and is not: the row stays pending",
    async (word) => {
      const service = await newService({ words: { open: word, success: word, expired: word } });
      const { exit, document } = await pay(deskFor(service, kenyanRows(2)), '--wait', '3s');
      expect([exit, document.rows]).toMatchObject([23, { pending: 2 }]);
      expect(resultOf(document.result)[0]).toMatchObject({ payrun_status: 'pending', payrun_payment_status: word });
    },
  );

  it('expired rows are unpaid, exit 21, and the same sheet again does not pay them', async () => {
    const service = await newService({ expires: new Set(['Ref 2']) });
    const desk = deskFor(service, kenyanRows(3));
    const { exit, document } = await pay(desk, '--wait', '20s');
    expect([exit, document.rows]).toMatchObject([21, { paid: 2, unpaid: 1 }]);
    const again = await pay(desk);
    expect([again.exit, again.document.sent, service.payments.length]).toEqual([21, 0, 3]);
  });

  it('a payment that is still open when --wait ends is pending, exit 23, and a later run finds it paid', async () => {
    const shape = { settleAfterMs: 1e9 };
    const desk = deskFor(await newService(shape), kenyanRows(2));
    const first = await pay(desk, '--wait', '100ms');
    expect([first.exit, first.document.rows, first.document.next.length]).toMatchObject([23, { pending: 2 }, 1]);
    shape.settleAfterMs = 0;
    const later = await pay(desk, '--wait', '20s');
    expect([later.exit, later.document.sent, later.document.rows.paid]).toEqual([0, 0, 2]);
  });
});

describe('a real process', () => {
  it('pays at a service where everything is otherwise', async () => {
    // The process has the machine's time, and so has its service.
    const service = await serviceNow({
      basePath: '/v3/payouts',
      tokenAnswer: (token, expiry) => ({ data: { accessToken: token, expiry } }),
      created: { status: 202, answer: ({ id }) => ({ data: { paymentId: id } }) },
      merchantCreated: { status: 200, answer: (data) => ({ data }) },
      errorBody: (message) => ({ errors: [{ detail: message }] }),
      pageSize: 3,
      listOrder: 'scattered',
      readableAfterMs: 300,
      words: { open: 'Queued', success: 'SUCCESS', expired: 'EXPIRED' },
      documentsPath: null,
      foldTag: (tag) => tag.toUpperCase(),
      extra: { trace: 'x' },
      foreign: odd,
    });
    const desk = withInvoice(deskNow(service, rows));
    mkdirSync(join(desk.folder, 'out'));
    const ran = await start(desk, ['run', desk.sheet, '--json', '--out', 'out', '--wait', '20s']).ended;
    const document = documentOf(ran);
    expect([ran.exit, ran.err, document.rows.paid]).toEqual([0, '', rows.length]);
    expect(document.result).toBe(join(desk.folder, 'out', 'november.result.csv'));
    expectOnePaymentEach(service, rows);
    expectNoTwins(service);
  });
});
