/** What looks like an earlier batch: which grade it has, and how somebody would make it look new. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type DraftRow, openLedger } from '../../src/ledger/ledger.ts';
import { historyOf, sumsOf } from '../../src/pipeline/controls/history.ts';
import { deskFor, newService } from '../cli/own-time.ts';
import { command, csvOf, type Desk, documentOf, kenyanRows, type SheetRow } from '../support.ts';

const day = 24 * 60 * 60 * 1000;

const first: readonly SheetRow[] = kenyanRows(2).map((row, at) => ({
  ...row,
  amount: `${1500 + at}`,
  reference: `Rent ${at}`,
}));
const two = first[1]!;
const later: readonly SheetRow[] = first.map((row) => ({
  ...row,
  reference: row.reference!.replace('Rent', 'Rent Dec'),
}));

const codesOf = async (desk: Desk) => {
  const { problems } = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'dec', '--json']));
  return problems.filter(({ code }) => /REPEATED/.test(code)).map(({ code, facts }) => [code, facts] as const);
};

describe('a sheet beside a batch of another name', () => {
  it('is told with its name, file, day, rows and money; however it is written', async () => {
    const service = await newService();
    const desk = deskFor(service, first);
    const paid = documentOf(await command(desk, ['run', desk.sheet, '--batch', 'nov', '--json']));
    expect(paid.exit).toBe(0);
    const nov = {
      batch: 'nov',
      file: 'november.csv',
      rows: 2,
      totals: { KES: '3001' },
      at: expect.any(Number),
      isSent: true,
    };
    const cut = { ...two, row_id: 'k3', amount: '1000', reference: 'Rent Dec 2' };
    for (const [rows, told] of [
      [later, [['TOTALS_REPEATED', { ...nov, same: 'totals and count' }]]],
      [later.toReversed().map((row) => ({ ...row, amount: `${row.amount}.00`, name: row.name!.toUpperCase() })), 1],
      // Cut in two.
      [[later[0]!, { ...later[1]!, amount: '501' }, cut], [['TOTALS_REPEATED', { ...nov, same: 'totals' }]]],
      [[...later, { ...cut, amount: '1' }], 0],
    ] as const) {
      writeFileSync(desk.sheet, csvOf(rows));
      const codes = await codesOf(desk);
      expect(typeof told === 'number' ? codes.length : codes).toEqual(told);
    }
    // It goes into the plan, into what the run says, and into the result.
    writeFileSync(desk.sheet, csvOf(later));
    const planned = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'dec', '--json']));
    expect(readFileSync(planned.plan!, 'utf8')).toContain('"same":"totals and count"');
    expect(readFileSync(planned.plan_page!, 'utf8')).toContain('the same totals');
    expect(
      documentOf(await command(desk, ['run', desk.sheet, '--batch', 'dec', '--json'])).problems.map(({ code }) => code),
    ).toEqual(['TOTALS_REPEATED', 'LOOKS_PAID', 'LOOKS_PAID']);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });
});

const draftRow = (number: number, amount: number): DraftRow => ({
  number,
  key: `r${number}`,
  rowId: `r${number}`,
  digest: `d${amount}`,
  likeness: '',
  content: '{}',
  amount,
  unit: 'whole',
  currency: 'KES',
  fromCountry: null,
  country: 'Kenya',
  destination: 'x',
  collection: null,
  payee: { id: null, name: 'x', account: 'x' },
  documents: [],
});

it('the same rows in another order, under another name, are told; after 35 days only noted, and of another service not at all', async () => {
  const ledger = openLedger(null, systemClock);
  const take = (...amounts: number[]) => {
    ledger.draft.clear();
    ledger.draft.add(amounts.map((amount, at) => draftRow(at + 2, amount)));
  };
  take(1, 2);
  const sheet = { name: 'f.csv', origin: 'f.csv', copy: 'f.csv', options: { sums: sumsOf(ledger) } };
  await ledger.versions.importDraft({
    base: Number.MAX_SAFE_INTEGER,
    isAddition: false,
    mayRepeat: false,
    plan: null,
    batch: 'nov',
    identity: 'https://pay|k|t',
    service: 's',
    repeatReason: null,
    sheet,
  });
  const looks = async (batch: string, days = 0, address = 'https://pay') => {
    const { warnings, notes, alike } = await historyOf(ledger, {
      batch,
      address,
      now: Date.now() + days * day,
    });
    expect(notes.length).toBe(warnings.length > 0 || alike === null ? 0 : 1);
    return alike === null ? [] : [{ ...alike, grade: warnings[0]?.code ?? notes[0]?.note }];
  };
  take(2, 1);
  const nov = { batch: 'nov', file: 'f.csv', rows: 2, same: 'content', totals: { KES: '3' }, isSent: false };
  expect(await looks('dec')).toMatchObject([{ ...nov, grade: 'BATCH_REPEATED' }]);
  expect(await looks('dec', 34.9)).toMatchObject([{ ...nov, grade: 'BATCH_REPEATED' }]);
  expect(await looks('dec', 35.1)).toMatchObject([{ ...nov, grade: 'like-earlier-batch' }]);
  // What the service refused was sent, and is not out all the same.
  for (const [from, to] of [
    ['planned', 'ready'],
    ['ready', 'sending'],
    ['sending', 'refused'],
  ] as const)
    for (const row of await ledger.rows.list({ batch: 'nov', states: [from], limit: 9 }))
      await ledger.rows.move({ row, from, to });
  expect(await looks('dec')).toMatchObject([nov]);
  expect([await looks('nov'), await looks('dec', 401), await looks('dec', 0, 'https://other')]).toEqual([[], [], []]);
  // One row of the same amount is nothing strange; nor is one row more.
  take(3);
  expect(await looks('dec')).toHaveLength(1);
  take(1, 2, 3);
  expect(await looks('dec')).toEqual([]);
  await ledger.close();
});
