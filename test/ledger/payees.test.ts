/** What the ledger finds odd about the payees of a sheet: how a changed account is noticed, and how it could be hidden. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type DraftRow, type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { heldForAccount, refusedFor } from '../reasons.ts';

let ledger: Ledger;
beforeEach(() => {
  ledger = openLedger(null, systemClock);
});
afterEach(() => ledger.close());

type Payee = readonly [id: string | null, name: string, account: string];

const rowsOf = (payees: readonly Payee[], first: number): DraftRow[] =>
  payees.map(([id, name, account], at) => ({
    number: at + 2,
    key: `r${first + at}`,
    rowId: `r${first + at}`,
    digest: `${account} ${first + at}`,
    likeness: `l${first + at}`,
    content: JSON.stringify({ id, name, account }),
    amount: 100,
    unit: 'whole',
    currency: 'ZAR',
    fromCountry: null,
    country: 'SouthAfrica',
    destination: account,
    collection: null,
    payee: { id, name, account },
    documents: [],
  }));

let sheets = 0;
function draft(payees: readonly Payee[], first = 0): void {
  ledger.draft.clear();
  ledger.draft.add(rowsOf(payees, first));
}

async function take(batch: string, payees: readonly Payee[], first = 0) {
  draft(payees, first);
  sheets += 1;
  const sheet = { name: 'f', origin: 'f', copy: `f${sheets}`, options: {} };
  const identity = 'https://pay|key:1|tenant';
  return await ledger.versions.importDraft({
    base: Number.MAX_SAFE_INTEGER,
    isAddition: false,
    mayRepeat: false,
    plan: null,
    batch,
    identity,
    service: 's',
    repeatReason: null,
    sheet,
  });
}

async function pay(batch: string, payees: readonly Payee[], to: 'accepted' | 'expired' = 'accepted') {
  await take(batch, payees, 100 * (sheets + 1));
  for (const row of await ledger.rows.list({ batch, states: ['planned'], limit: 100 })) {
    await ledger.rows.move({ row, from: 'planned', to: 'accepted', paymentId: `p${row.id}`, submittedAt: row.id });
    if (to === 'expired') await ledger.rows.move({ row: { ...row, state: 'accepted' }, from: 'accepted', to });
  }
}

/** Row by row: what is odd about it; `held` where it would be. */
function found(batch: string, address = 'https://pay'): Record<number, string> {
  ledger.payees.lookAtPayees(batch, address);
  ledger.draft.hold(new Set(ledger.payees.changedInDraft()));
  const odd: Record<number, string> = {};
  for (const verdict of ['changed', 'elsewhere', 'new'] as const)
    for (const { number, ambiguous } of ledger.payees.oddPayees(verdict, 100))
      odd[number] = ambiguous === 1 ? 'two of one name' : verdict;
  for (const { number, state } of ledger.versions.plannedRows(batch)) if (state === 'withheld') odd[number] = 'held';
  return odd;
}

const [a, b, c] = ['SouthAfrica|std|1', 'SouthAfrica|std|2', 'SouthAfrica|std|3'];
const acme: Payee = [null, 'acme', a];
const acme7: Payee = ['7', 'acme', a];
const acme7B: Payee = ['7', 'acme', b];
const acmeB: Payee = [null, 'acme', b];
const acmeC: Payee = [null, 'acme', c];
const other: Payee = [null, 'other', c];

describe('a payee that was paid before', () => {
  it.each<[what: string, before: Payee[], now: Payee[], odd: Record<number, string>]>([
    ['to the same account', [acme], [acme], {}],
    ['to another account', [acme], [[null, 'acme', b]], { 2: 'held' }],
    ['to two accounts, both known', [acme, [null, 'acme', b]], [acme, [null, 'acme', b]], {}],
    ['to one of two, and now a third', [acme, [null, 'acme', b]], [[null, 'acme', c]], { 2: 'held' }],
    ['not at all', [acme], [[null, 'other', b]], { 2: 'new' }],
    ['in another country', [acme], [[null, 'acme', 'BTC|x@y']], { 2: 'elsewhere' }],
    ['in two countries, one account each', [acme, [null, 'acme', 'BTC|x@y']], [[null, 'acme', 'BTC|x@y'], acme], {}],
    ['by id, under another name', [acme7], [['7', 'akme', b]], { 2: 'held' }],
    ['by id, the same account under another name', [acme7], [['7', 'akme', a]], {}],
    ['by id, in another country', [acme7], [['7', 'acme', 'Kenya|+254']], { 2: 'held' }],
    // A column of new ids makes nobody new.
    ['without ids, that the sheet now has', [acme], [['7', 'acme', b]], { 2: 'held' }],
    ['with an id that the sheet no longer has', [acme7], [[null, 'acme', b]], { 2: 'held' }],
    ['with another id, as if it were a namesake', [acme7], [['8', 'acme', b]], { 2: 'held' }],
    ['two of one name, one as before', [acme], [acme, [null, 'acme', b]], { 3: 'two of one name' }],
    [
      'two of one name, neither as before',
      [acme],
      [
        [null, 'acme', b],
        [null, 'acme', c],
      ],
      { 2: 'held', 3: 'held' },
    ],
    ['two of one name, told apart by ids', [acme7], [acme7, ['8', 'acme', b]], { 3: 'held' }],
    ['two of one name, an id beside the one that lacks it', [acme7], [['7', 'acme', b], acme], { 2: 'held' }],
    [
      'many rows of one payee, one of them elsewhere',
      [acme],
      [acme, acme, [null, 'acme', b], acme],
      { 4: 'two of one name' },
    ],
  ])('%s', async (_, before, now, odd) => {
    await pay('oct', before);
    draft(now);
    expect(found('nov')).toEqual(odd);
  });

  it.each<[what: string, months: Payee[][], now: Payee[], odd: Record<number, string>]>([
    ['to one account, then to another, and now to the first', [[acme], [acmeB]], [acme], { 2: 'held' }],
    ['by id to one account, then to another, and now to the first', [[acme7], [acme7B]], [acme7], { 2: 'held' }],
    ['to two accounts in one month', [[acme], [acme, acmeB]], [acme, acmeB], {}],
    ['to two accounts in one month, and then to one of them', [[acme, acmeB], [acmeB]], [acme], { 2: 'held' }],
    [
      'to one account, then to another, and now to a third too',
      [[acme], [acmeB]],
      [acme, acmeC],
      { 2: 'held', 3: 'held' },
    ],
    ['to an account beside payments to others', [[acme], [other]], [acme], {}],
    ['in two countries by turns', [[acme], [[null, 'acme', 'BTC|x@y']]], [acme], {}],
  ])('%s', async (_, months, now, odd) => {
    for (const [month, payees] of months.entries()) await pay(`month ${month}`, payees);
    draft(now);
    expect(found('nov')).toEqual(odd);
  });

  it('to an account that is older than the newest, in a corrected row of its batch', async () => {
    await pay('oct', [acme, acmeB]);
    await pay('nov', [acme]);
    draft([acmeB], 900);
    expect(found('nov'), 'October paid both').toEqual({});
    draft([acmeC], 900);
    expect(found('nov')).toEqual({ 2: 'held' });
  });

  it('is known at its own service alone', async () => {
    await pay('oct', [acme]);
    draft([[null, 'acme', b]]);
    expect([found('nov', 'https://other'), found('nov')]).toEqual([{ 2: 'new' }, { 2: 'held' }]);
  });

  it('is not known by a payment that expired', async () => {
    await pay('oct', [acme], 'expired');
    draft([[null, 'acme', b]]);
    expect(found('nov')).toEqual({ 2: 'new' });
  });
});

describe('rows of a batch', () => {
  const changed = async (batch: string) =>
    (await ledger.payees.changedPayees(batch, 'https://pay')).map(({ batch: where, twin }) => `${where} ${twin}`);

  it('that waited while the payee was paid elsewhere are found by a later run', async () => {
    await take('nov', [[null, 'acme', b]]);
    expect(await changed('nov')).toEqual([]);
    await pay('oct', [acme]);
    expect(await changed('nov')).toEqual(['oct 2']);
  });

  it('that are unpaid and sent again are known by what their payees were paid later', async () => {
    const both: Payee[] = [acme, [null, 'zola', c]];
    const again = () => {
      draft(both);
      ledger.draft.retry(['r0', 'r1'], ['r0', 'r1']);
      return found('nov');
    };
    await take('nov', both);
    for (const row of await ledger.rows.list({ batch: 'nov', limit: 2 })) {
      await ledger.rows.move({ row, from: 'planned', to: 'refused', reason: refusedFor('no such account') });
    }
    draft(both);
    expect(found('nov')).toEqual({});
    expect(again()).toEqual({ 2: 'new', 3: 'new' });
    await pay('oct', [[null, 'acme', b]]);
    expect(again()).toEqual({ 2: 'held', 3: 'new' });
    await pay('dec', both);
    expect(again()).toEqual({});
  });

  it('that came in together are no change of each other, and one that was corrected since is', async () => {
    const both: Payee[] = [acme, [null, 'acme', b]];
    await take('nov', both);
    const [first] = await ledger.rows.list({ batch: 'nov', limit: 1 });
    await ledger.rows.move({ row: first!, from: 'planned', to: 'accepted', paymentId: 'p', submittedAt: 1 });
    expect(await changed('nov')).toEqual([]);
    draft(both);
    expect(found('nov')).toEqual({ 3: 'new' });
    // The old account no longer stands beside it: it is not two of one name.
    await take('nov', [[null, 'acme', c]], 1);
    expect(await changed('nov')).toEqual(['nov 2']);
  });

  it('are held until they are let go, and again when they say something else', async () => {
    await pay('oct', [acme]);
    await take('nov', [[null, 'acme', b]]);
    const row = async () => (await ledger.rows.rowByKey('nov', 'r0'))!;
    const reason = heldForAccount;
    await ledger.rows.move({ row: await row(), from: 'planned', to: 'withheld', reason });
    expect(await changed('nov')).toEqual([]);
    await ledger.rows.move({ row: await row(), from: 'withheld', to: 'ready', released: `${b} 0 acme` });
    expect(await changed('nov')).toEqual([]);
    draft([[null, 'acme', b]]);
    expect(found('nov')).toEqual({});
    for (const account of [c, b]) {
      draft([[null, 'acme', account]]);
      expect(found('nov')).toEqual(account === c ? { 2: 'held' } : {});
      await take('nov', [[null, 'acme', account]]);
      expect(await changed('nov')).toEqual(account === c ? ['oct 2'] : []);
    }
  });

  it('that are held for their account stay held until a person or new content decides', async () => {
    await pay('oct', [acme]);
    const row = async () => (await ledger.rows.rowByKey('nov', 'r0'))!;
    await take('nov', [[null, 'acme', b]]);
    for (const other of [
      [null, 'other', b],
      [null, 'acme', c],
    ] as const) {
      await take('nov', [[null, 'acme', b]]);
      await ledger.rows.move({ row: await row(), from: 'planned', to: 'withheld', reason: heldForAccount });
      await take('nov', [[null, 'acme', b]]);
      expect((await row()).state).toBe('withheld');
      await take('nov', [other]);
      expect((await row()).state).toBe('planned');
    }
  });
});

describe('an account that was paid before', () => {
  const otherwise = (address = 'https://pay') => {
    ledger.payees.lookAtPayees('nov', address);
    return ledger.payees.knownOtherwise(10).map(({ number, batch, twin }) => `${number}: ${batch} ${twin}`);
  };

  it.each<[what: string, now: Payee[], told: string[]]>([
    ['to the same name', [acme], []],
    [
      'to another name',
      [
        [null, 'other', a],
        [null, 'third', 'SouthAfrica|std|4'],
        [null, 'more', a],
      ],
      ['2: oct 2', '4: oct 2'],
    ],
    ['to another name and id', [['9', 'other', b]], ['2: oct 3']],
    ['to the same id under another name', [['7', 'akme', b]], []],
    ['to the same name under another id', [['9', 'acme', b]], []],
    ['to another than this known name', [[null, 'zed', a]], ['2: oct 2']],
    ['to another id of the same name', [['1', 'acme', b]], []],
  ])('%s', async (_, now, told) => {
    await pay('oct', [acme, ['7', 'acme', b], [null, 'zed', c], ['1', 'acme', c]]);
    draft(now);
    expect(otherwise()).toEqual(told);
  });

  it('is told of payments that were made, at this service, and by another sheet', async () => {
    await pay('sep', [[null, 'other', a]], 'expired');
    await take('nov', [acme, [null, 'other', a]]);
    const [first] = await ledger.rows.list({ batch: 'nov', limit: 1 });
    await ledger.rows.move({ row: first!, from: 'planned', to: 'accepted', paymentId: 'p', submittedAt: 1 });
    draft([acme, [null, 'other', a]]);
    expect(otherwise()).toEqual([]);
    await pay('oct', [[null, 'third', a]]);
    draft([acme, [null, 'other', a]]);
    expect([otherwise(), otherwise('https://other')]).toEqual([['3: oct 2'], []]);
  });
});

describe('a sheet by itself', () => {
  it('two payees that share an account are told, by id where both have one', () => {
    draft([acme, [null, 'other', a], ['7', 'x', b], ['7', 'y', b], ['8', 'x', b], [null, 'x', c]]);
    expect(ledger.draft.sharedAccounts(10)).toEqual([
      { number: 3, above: 2 },
      { number: 6, above: 4 },
    ]);
  });
});
