/** The words that the page makes of facts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachOf, unitOf } from '../../src/base/words.ts';
import type { Batch, Person, Review, Upload, UploadLine } from '../../src/console/api.ts';
import { moneyIn } from '../../src/console/inspection/cell-money.ts';
import { hardWords } from '../../src/console/page/hard-words.ts';
import {
  cellAmount,
  closingWords,
  count,
  differenceOf,
  isFinished,
  money,
  moneyOfSome,
  nextOf,
  paidOf,
  payingWords,
  size,
  stateOf,
  waysOf,
} from '../../src/console/page/words.ts';
import { joined, moneyOf, sumWords } from '../../src/messages/format/numbers.ts';
import { summedWords } from '../../src/pipeline/figures.ts';

const line: UploadLine = {
  id: '',
  file: '',
  bytes: 0,
  by: 'Pia',
  at: '',
  code: null,
  message: null,
  batch: '',
  lapsed: false,
  job: null,
  looksPaid: 0,
  toSend: null,
  state: 'ready',
  asksForSheet: false,
  totals: [],
  declined: null,
  counts: { rows: 3, toFix: 0, warnings: 0, newPayees: 0, over50000: 0 },
};
const job: NonNullable<UploadLine['job']> = {
  id: 1,
  kind: 'pay',
  by: 'Pia',
  startedAt: '',
  state: 'failed',
  stage: null,
  done: 0,
  total: null,
  confirms: null,
  code: 'PAUSED',
  message: 'No',
};
const declined = { by: 'Ali', at: '2026-11-22T10:00:00.000Z', reason: 'paid already', did: 'plan-declined' } as const;

it.each<[Partial<UploadLine>, string]>([
  [{ declined }, 'declined by Ali: Paid already.'],
  [{ counts: { ...line.counts, paid: 3 } }, 'paid already: every row of it'],
  [{ counts: { ...line.counts, paid: 2 } }, 'ready to plan'],
  [{ declined: { ...declined, did: 'plan-withdrawn' } }, 'withdrawn by Ali: Paid already.'],
  [{ state: 'planned' }, 'waits for approval'],
  [{ state: 'approved', job: job }, 'approved, not paid yet: the last try to pay it failed'],
  [{ lapsed: true, state: 'planned' }, 'to plan again: its plan is too old'],
  [{ looksPaid: 2 }, '2 rows look like earlier payments'],
  [{ state: 'planned', looksPaid: 1 }, 'waits for approval: 1 row looks like an earlier payment'],
  [{ state: 'approved', looksPaid: 2 }, 'approved, not paid yet: 2 rows look like earlier payments'],
])('a list says of %j: %s', (one, words) => expect(stateOf({ ...line, ...one })).toBe(words));

it.each<[Partial<Upload>, string]>([
  [{}, 'It has no mistakes and no warnings. Make the plan next. Then somebody else approves it.'],
  [
    { looksPaid: 2, sharedWith: [{ batch: 'nov' }] as unknown as Upload['sharedWith'] },
    'It has rows of batch nov. Say below whether it is the next version, which sends no row twice, or a new batch. If it is the wrong sheet, discard it.',
  ],
  [
    { looksPaid: 1, counts: { ...line.counts, warnings: 1 } },
    'No row needs fixing, but 1 row has a warning to look at first. Make the plan next. Then somebody else approves it.',
  ],
])('the next step of a sheet that is ready, of %j: %s', (one, words) =>
  expect(
    nextOf({ ...line, problems: [], seen: [], sharedWith: [], ...one } as unknown as Upload, { isPreparer: true }),
  ).toBe(words),
);

it.each<[Partial<Upload>, string]>([[{}, 'It has no mistakes and no warnings. A preparer makes the plan next.']])(
  'the next step of a sheet that is ready, for others than preparers, of %j: %s',
  (one, words) =>
    expect(
      nextOf({ ...line, problems: [], seen: [], sharedWith: [], ...one } as unknown as Upload, { isPreparer: false }),
    ).toBe(words),
);

const noRow = { total: 1, ...eachOf(0, ...summedWords, 'invalid', 'closed') };
const over = { next: [], paused: [], proposal: null, rows: noRow };

it.each<[Partial<Parameters<typeof isFinished>[0]>, boolean]>([
  [{}, true],
  [{ rows: { ...noRow, paid: 1 } }, true],
  [{ rows: { ...noRow, not_sent: 1 } }, false],
  [{ rows: { ...noRow, held: 1 } }, false],
  [{ proposal: { batch: 'nov', file: 'nov.csv', by: 'Pia', upload: null } as unknown as Batch['proposal'] }, false],
])('a batch with %j is finished: %s', (one, is) => expect(isFinished({ ...over, ...one })).toBe(is));

it('the sums of a sheet to fix leave out its rows with mistakes', () => {
  const counts = { ...line.counts, rows: 45, toFix: 37 };
  expect(moneyOfSome({ ...line, counts })).toBe('for 8 rows without a mistake, of 45 rows in the sheet:');
});

it('of another plan is said whether its rows and totals are those that were read', () => {
  const totals = [{ currency: 'ZAR', unit: 'whole', from: null, country: 'SouthAfrica', rows: 2, amount: '500' }];
  const plan = { totals, rowsToSend: 2, batch: 'nov', rowsAre: 'a' } as unknown as Review;
  expect([
    differenceOf(plan, { ...plan }),
    differenceOf(plan, { ...plan, rowsAre: 'b', batch: 'dec' }),
    differenceOf(plan, { ...plan, rowsToSend: 1 }),
  ]).toEqual([
    'Its rows and totals are the same: 500 ZAR in 2 rows.',
    'Its totals are the same, 500 ZAR in 2 rows, but its rows differ. Its batch is “dec”, and was “nov”.',
    'It would send 500 ZAR in 1 row. The one that you opened would have sent 500 ZAR in 2 rows.',
  ]);
});

it.each([
  ['the table has it', 'amount', null, { addColumn: null, leaveOut: true }],
  ['of no column', null, 'No row of it can be paid as it is.', { addColumn: null, leaveOut: false }],
  ['no column has it', 'contact_number', null, { addColumn: 'contact_number', leaveOut: true }],
  ['nor has the sheet a good row', 'contact_number', 'No row …', { addColumn: 'contact_number', leaveOut: false }],
])('a mistake of no single cell leads to what is there: %s', (_, column, whyNotSkip, ways) => {
  expect(waysOf({ column }, { columns: ['name', null, 'amount'], whyNotSkip })).toEqual(ways);
});

it.each([
  [
    'sandbox',
    { rowsToSend: 3, heldTotals: [] },
    ['3 payments are sent: 700 ZAR, 5 sat.', 'Service: the sandbox. No real money moves.'],
  ],
  [
    'https://pay',
    {
      rowsToSend: 3,
      heldTotals: [{ currency: 'KES', unit: 'whole', from: null, country: 'Kenya', rows: 1, amount: '9' }],
    },
    [
      '3 payments are sent: 700 ZAR, 5 sat.',
      '1 row is held, and is not sent before a second person releases it: 9 KES.',
      'Service: https://pay (API key k1…). It is live: real money moves.',
    ],
  ],
  [
    'sandbox',
    { rowsToSend: 0, totals: [], heldTotals: [] },
    ['No payment is sent now.', 'Service: the sandbox. No real money moves.'],
  ],
])('before it pays at %s, the page says what will happen', (service, more, words) => {
  const totals = [
    { currency: 'ZAR', unit: 'whole', from: null, country: 'SouthAfrica', rows: 1, amount: '500' },
    { currency: 'ZAR', unit: 'whole', from: 'Kenya', country: 'SouthAfrica', rows: 1, amount: '200' },
    { currency: 'BTC', unit: 'sat', from: null, country: 'BTC', rows: 1, amount: '5' },
  ];
  const review = { totals, service: { address: 'https://pay', account: 'API key k1…' }, ...more } as unknown as Review;
  expect(payingWords(review, service)).toEqual(words);
});

it.each([
  ['preparer', []],
  ['approver', [/^Approvals of Ann no longer count: .*another/, /^Other accounts that can approve plans: Thabo\.$/]],
] as const)('before the account of a %s is closed, the page says what will happen', (role, words) => {
  const one = (id: number, name: string, more: object) =>
    ({ id, name, role: 'approver', active: true, invited: false, ...more }) as Person;
  const ann = one(1, 'Ann', { role });
  const people = [ann, one(2, 'Thabo', {}), one(3, 'Shut', { active: false }), one(4, 'New', { invited: true })];
  const out = 'Ann is logged out now, and cannot log in until an administrator opens the account again.';
  expect(closingWords(ann, people)).toEqual([out, ...words.map((word) => expect.stringMatching(word))]);
  if (role === 'approver') expect(closingWords(ann, [ann])[2]).toMatch(/^No other\b/);
});

it('hard words are explained by facts, and never read out of what people wrote', () => {
  const facts = ['PAYEE_NEW', 'ACCOUNT_CHECK', 'Kenya', null, 'whole', 'Open Ledger Sample Fund', 'policy', 'toString'];
  expect(hardWords(['hash'], facts).map(([word]) => word)).toEqual(['ledger', 'hash', 'MOMO', 'check digit']);
});

it.each([
  [{ country: 'Kenya' }, '62000', 'Amount', '62,000 KES'],
  [{ country: 'ZA', amount_unit: 'whole' }, '62000', 'Amount', '62,000 ZAR'],
  [{ country: 'ZA', from_country: 'USDT', amount_unit: 'hundredths' }, '62000', 'Amount', '620.00 USDT'],
  [{ country: 'BTC', amount_unit: 'sats' }, '62000', 'Amount', '62,000 sat'],
  // A mistake stands as it is written, and what the cells do not say is not guessed.
  [{ country: 'Kenya' }, '12.50', 'Amount', '12.50 KES'],
  [{ country: 'ZA' }, '11250.00', 'Amount', '11,250.00 ZAR'],
  [{}, '415000.5', 'Amount', '415,000.5'],
  [{ country: 'Kenya' }, 'R 1 500', 'Amount', 'R 1 500'],
  [{ country: 'BTC' }, '62000', 'Amount', '62,000'],
  [{ country: 'ZA', amount_unit: 'cents' }, '62000', 'Amount', '62,000'],
  [{ country: 'ZA' }, '62000', 'Amount in cents', '62,000'],
  [{}, '62000', 'Amount', '62,000'],
  // Of smaller units a separator is none of the whole ones; and the sheet's own currency is another one.
  [{ country: 'BTC', amount_unit: 'sat' }, '2 500', 'Amount', '2 500'],
  [{ country: 'ZA', from_country: 'USDT', amount_unit: 'hundredths' }, '1,500', 'Amount', '1,500'],
  [{ country: 'Kenya', currency: 'GBP' }, '101', 'Amount', '101'],
  [{ country: 'Kenya', currency: 'kes' }, '101', 'Amount', '101 KES'],
  [{ country: 'Kenya' }, '101', 'Amount (GBP)', '101'],
  [{ country: 'Kenya' }, '101', 'Amount (KES)', '101 KES'],
])('the amount of %j is read with its currency', (said, amount, heading, words) => {
  expect(cellAmount(amount, moneyIn(said, {}, heading))).toBe(words);
});

it.each([
  ['whole', 'ZAR', '62000', '62,000 ZAR'],
  ['whole', 'KES', '999', '999 KES'],
  ['sat', 'BTC', '1290000', '1,290,000 sat'],
  ['hundredths', 'USDT', '123450', '1,234.50 USDT'],
  ['hundredths', 'USDT', '7', '0.07 USDT'],
  ['whole', 'UGX', '9007199254740993', '9,007,199,254,740,993 UGX'],
] as const)(
  'money of unit %s in %s has one form, also in a sentence of the server',
  (unit, currency, amount, words) => {
    expect(money(amount, unit, currency)).toBe(words);
  },
);

it.each(Object.entries(unitOf))('a threshold of the policy in %s counts %s, and is shown so', (currency, unit) =>
  expect(sumWords(currency, '123456')).toBe(moneyOf({ amount: '123456', unit, currency })),
);

it('counts and sizes have the form of the server’s counts, and no file of the page writes numbers by itself', () => {
  expect([0, 999, 1000, 20_000, 1_290_000].map(count)).toEqual(['0', '999', '1,000', '20,000', '1,290,000']);
  expect([999, 8765, 1_234_567_000].map(size)).toEqual(['999 bytes', '8.8 KB', '1,234.6 MB']);
  const folder = join(import.meta.dirname, '../../src/console/page');
  const formatting = readdirSync(folder).filter((name) =>
    /NumberFormat|toLocaleString/.test(readFileSync(join(folder, name), 'utf8')),
  );
  expect(formatting).toEqual([]);
});

it('of a batch that nobody is at work on, doubts are told before all else that is open', () => {
  const rows = { total: 600, paid: 0, in_doubt: 8, pending: 365, not_sent: 227, held: 0 };
  expect(paidOf(rows)).toBe(
    '0 of 600 rows paid. Of the others, 8 are in doubt, 365 are pending and 227 were not sent.',
  );
  expect(paidOf({ ...rows, total: 2, paid: 2, in_doubt: 0, pending: 0, not_sent: 0 })).toBe('2 of 2 rows paid.');
});

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('the list %j reads %s', (words, list) => expect(joined(words)).toBe(list));
