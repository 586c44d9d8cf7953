/** A payment that another ledger made holds its row, also where the service's lists say less of it, or say it otherwise. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/domain/calendar/johannesburg.ts';
import { noteWords } from '../../src/messages/notes.ts';
import type { Independent, Shape } from '../independent/service.ts';
import { csvOf, kenyanRows, lightning, nigerian, type SheetRow, southAfrican } from '../support.ts';
import { machine, posts, run, told, watched } from './desk.ts';

const kenyan = kenyanRows(2, 2);
type Change = (service: Independent) => void;
type Facts = Record<string, unknown>;

/** Each listed payment as `said` has it. */
const listed =
  (said: (payment: Facts) => Facts): Change =>
  (service) => {
    const before = service.fault;
    service.fault = (call) => {
      if (call.route !== 'GET /payments') return before(call);
      const items = service.payments.map(({ createdAtMs, madeBy: _madeBy, ends: _ends, ...payment }) =>
        said({ ...payment, status: 'success', date: new Date(createdAtMs).toISOString() }),
      );
      return { kind: 'answer', status: 200, body: { items, offsetMarker: null } };
    };
  };
const merchants =
  (change: (merchant: Facts) => void): Change =>
  ({ merchants: all }) => {
    for (const merchant of all.values()) change(merchant);
  };

const masked = ({ accountNumber }: Facts) => `****${String(accountNumber).slice(-4)}`;

const cases: [title: string, rows: readonly SheetRow[], shape: Shape, change: Change][] = [
  ['no reference', kenyan, { listLacks: ['reference'] }, () => {}],
  [
    'no reference of last month',
    kenyan,
    { listLacks: ['reference'] },
    ({ payments }) => {
      for (const payment of payments) Object.assign(payment, { createdAtMs: payment.createdAtMs - 30 * dayMs });
    },
  ],
  ['no merchant', kenyan, { listLacks: ['merchantId'] }, () => {}],
  ['no amount', kenyan, { listLacks: ['amount'] }, () => {}],
  ['amounts as text', kenyan, {}, listed(({ amount, ...rest }) => ({ ...rest, amount: String(amount) }))],
  ['amounts as decimals', kenyan, {}, listed(({ amount, ...rest }) => ({ ...rest, amount: `${String(amount)}.00` }))],
  ['references in capitals', kenyan, {}, listed((one) => ({ ...one, reference: String(one.reference).toUpperCase() }))],
  ['the day before the month', kenyan, {}, listed((payment) => ({ ...payment, date: '03/11/2026 10:00' }))],
  ['phones without a plus', kenyan, {}, merchants((one) => (one.contactNumber = String(one.contactNumber).slice(1)))],
  ['phones as numbers', kenyan, {}, merchants((one) => (one.contactNumber = Number(one.contactNumber)))],
  ['phones without their network', kenyan, {}, merchants((one) => delete one.networkProvider)],
  ['masked account numbers', [southAfrican], {}, merchants((one) => (one.accountNumber = masked(one)))],
  [
    'masked phones',
    kenyan,
    {},
    merchants((one) => (one.contactNumber = `+2547****${String(one.contactNumber).slice(-4)}`)),
  ],
  ['masked lightning addresses', [lightning], {}, merchants((one) => (one.lnurl = 's*****i@bitcoin.org'))],
  [
    'masked account numbers, and names in capitals',
    [southAfrican],
    {},
    merchants((one) => Object.assign(one, { accountNumber: masked(one), name: String(one.name).toUpperCase() })),
  ],
  ['banks by their code', [southAfrican], {}, merchants((one) => (one.bankName = '051001'))],
  ['banks in a place of their own', [southAfrican], {}, merchants((one) => delete one.bankName)],
  ['no destination at all', [lightning], {}, merchants((one) => delete one.lnurl)],
  ['account numbers as numbers', [nigerian], {}, merchants((one) => (one.accountNumber = Number(one.accountNumber)))],
];

it('a merchant of ours is used again where the list masks its account', async () => {
  const { service } = await watched();
  const desk = machine(service, [southAfrican]);
  await run(desk);
  merchants((one) => (one.accountNumber = masked(one)))(service);
  writeFileSync(desk.sheet, csvOf([{ ...southAfrican, row_id: 'za2', amount: '77', reference: 'Bonus Dec' }]));
  const { exit, err } = await told(desk, 'run', desk.sheet, '--batch', 'december', '--wait', '0');
  expect([exit, posts(service), service.merchants.size], err).toEqual([23, 2, 1]);
  expect(err).toContain(noteWords({ note: 'merchants-incomplete', merchants: 1 }));
});

describe.concurrent('another ledger, under another name, where the lists have', () => {
  it.each(cases)('%s', async (_title, rows, shape, change) => {
    const { service } = await watched(shape);
    await run(machine(service, rows));
    change(service);
    const second = machine(service, rows);
    const { exit, err } = await told(second, 'run', second.sheet, '--batch', 'november', '--wait', '0');
    expect([exit, posts(service)], err).toEqual([22, rows.length]);
  });
});
