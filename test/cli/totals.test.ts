/** Control totals from a second channel: a sheet that was changed on its way is not paid. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportWords } from '../../src/messages/files/report-page.ts';
import { type ControlTotals, differencesOf, type Expected } from '../../src/pipeline/controls/control-totals.ts';
import { workbookText } from '../golden/workbook-text.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  nigerian,
  noted,
  pay,
  refusalOf,
  southAfrican,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(3);
const accounts = '5cd1a7e2b0f3946885cd1a7e2b0f394688aabbccddeeff00112233445566778899'.slice(0, 64);
const found: ControlTotals = { rows: 3, totals: { KES: '303', 'BTC:sat': '9007199254740993' }, accounts };

describe('what differs', () => {
  it.each<[what: string, expected: ControlTotals | Omit<Expected, 'source'>, differences: object[]]>([
    ['nothing said', { rows: null, totals: {}, accounts: null }, []],
    ['all of it', { ...found }, []],
    ['half of the hash', { rows: null, totals: {}, accounts: accounts.slice(0, 32) }, []],
    ['rows', { rows: 4, totals: {}, accounts: null }, [{ of: 'rows', expected: 4, found: 3 }]],
    [
      'a sum',
      { rows: 3, totals: { KES: '302', 'BTC:sat': '9007199254740993' }, accounts: null },
      [{ of: 'money', money: 'KES', expected: '302', found: '303' }],
    ],
    [
      'by one, where a floating-point number is rounded',
      { rows: null, totals: { KES: '303', 'BTC:sat': '9007199254740992' }, accounts: null },
      [{ of: 'money', money: 'BTC:sat', expected: '9007199254740992', found: '9007199254740993' }],
    ],
    [
      'a currency that nobody named',
      { rows: null, totals: { KES: '303' }, accounts: null },
      [{ of: 'money', money: 'BTC:sat', expected: null, found: '9007199254740993' }],
    ],
    [
      'a currency that the sheet lacks',
      { rows: null, totals: { ...found.totals, ZAR: '5' }, accounts: null },
      [{ of: 'money', money: 'ZAR', expected: '5', found: null }],
    ],
    [
      'none of a currency that the sheet lacks',
      { rows: null, totals: { ...found.totals, ZAR: '0' }, accounts: null },
      [],
    ],
    ['accounts', { rows: null, totals: {}, accounts: 'f'.repeat(64) }, [{ of: 'accounts' }]],
  ])('%s', (_, expected, differences) => {
    const source = '--expect';
    expect(differencesOf({ source, ...expected }, found)).toEqual(differences.map((one) => ({ source, ...one })));
  });
});

const totalsFile = (desk: Desk) => join(desk.folder, 'november.totals.json');

const totalsDiffer = (source: string, difference: object) => ({
  code: 'TOTALS_DIFFER',
  facts: { differences: expect.arrayContaining([{ source, ...difference }]) as object },
});

/** A sheet whose totals its maker wrote down. */
async function toldDesk(more = rows) {
  const service = await newService();
  const desk = deskFor(service, more);
  const checked = await command(desk, ['check', desk.sheet, '--totals']);
  expect([checked.exit, checked.out]).toEqual([0, expect.stringContaining(totalsFile(desk))]);
  return { service, desk };
}

async function tell(desk: Desk, ...more: string[]) {
  const { exit, err, out } = await command(desk, ['run', desk.sheet, '--json', '--wait', '0', ...more]);
  return { exit, err, out };
}

async function trailOf(desk: Desk): Promise<string> {
  const out = join(desk.folder, 'trail.jsonl');
  expect((await command(desk, ['audit', 'export', '--out', out])).exit).toBe(0);
  return readFileSync(out, 'utf8');
}

describe.concurrent('a totals file beside the sheet', () => {
  it('lets the sheet that it was made from go through, and the trail says so', async () => {
    const { service, desk } = await toldDesk([southAfrican, nigerian, ...rows]);
    const ran = await tell(desk);
    expect(documentOf(ran)).toMatchObject({
      exit: 23,
      notes: expect.arrayContaining([
        noted('totals-agree', {
          source: 'november.totals.json',
          rows: 5,
          totals: { ZAR: southAfrican.amount!, NGN: nigerian.amount!, KES: '303' },
        }),
      ]) as object,
    });
    expect(service.payments).toHaveLength(5);
    expect(await trailOf(desk)).toMatch(/totals.*agreed.*november\.totals\.json/);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });

  it.each<[what: string, change: (sheet: string) => string, difference: object]>([
    [
      'an amount',
      (sheet) => sheet.replace(',100,', ',101,'),
      { of: 'money', money: 'KES', expected: '303', found: '304' },
    ],
    [
      'a row more',
      (sheet) => `${sheet}k9,Payee 9,Kenya,+254712345699,5,Ref 9\n`,
      { of: 'rows', expected: 3, found: 4 },
    ],
    ['a row less', (sheet) => sheet.replace(/k3.*\n/, ''), { of: 'rows', expected: 3, found: 2 }],
    ['an account', (sheet) => sheet.replace('+254712345610', '+254712345777'), { of: 'accounts' }],
    [
      'a row less and its money in another',
      (sheet) => sheet.replace(/k3.*\n/, '').replace(',100,', ',202,'),
      { of: 'rows', expected: 3, found: 2 },
    ],
  ])(
    'holds a sheet in which %s was changed: nothing is sent, and the trail records it',
    async (_, change, difference) => {
      const { service, desk } = await toldDesk();
      const before = readFileSync(desk.sheet, 'utf8');
      writeFileSync(desk.sheet, change(before));
      expect(readFileSync(desk.sheet, 'utf8')).not.toBe(before);
      const ran = await tell(desk);
      expect(ran.exit).toBe(26);
      expect(refusalOf(ran)).toMatchObject(totalsDiffer('november.totals.json', difference));
      expect(service.payments).toHaveLength(0);
      expect((await command(desk, ['plan', desk.sheet])).exit).toBe(26);
      expect((await command(desk, ['check', desk.sheet])).exit).toBe(26);
      expect(await trailOf(desk)).toMatch(/denied.*TOTALS_DIFFER/);
      expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
      writeFileSync(desk.sheet, before);
      expect((await tell(desk)).exit).toBe(23);
      expect(service.payments).toHaveLength(3);
    },
  );

  it('with rows left out by --skip-invalid does not agree', async () => {
    const { service, desk } = await toldDesk();
    writeFileSync(desk.sheet, readFileSync(desk.sheet, 'utf8').replace(',102,', ',10.2,'));
    const ran = await tell(desk, '--skip-invalid');
    expect(ran.exit).toBe(26);
    expect(refusalOf(ran)).toMatchObject(totalsDiffer('november.totals.json', { of: 'rows', expected: 3, found: 2 }));
    expect(service.payments).toHaveLength(0);
  });

  it.each([
    ['rows: 3', 'not JSON'],
    ['{}', 'no totals'],
    ['{"rows": "3"}', 'rows: '],
    ['{"row": 3}', 'Unrecognized key: "row"'],
    ['{"totals": {"KES": 303.5}}', 'totals.KES: '],
    ['{"totals": {"KES": "303.00"}}', 'totals.KES: a whole number'],
    ['{"totals": {"KES": 9007199254740993}}', 'totals.KES: '],
    ['{"totals": {"kes": 303}}', 'totals.kes: '],
    ['{"accounts": "ab"}', 'accounts: 32 to 64 digits'],
    ['{"totals": {"KES": 1, "KES": 303}}', "'KES' is"],
  ])('that says %s is refused before anything is sent', async (text, words) => {
    const service = await newService();
    const desk = deskFor(service, rows);
    writeFileSync(totalsFile(desk), text);
    const ran = await tell(desk);
    expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining(words)]);
    expect(service.payments).toHaveLength(0);
  });
});

describe.concurrent('--expect', () => {
  it('that agrees is on the first page of the result', async () => {
    const desk = deskFor(await newService(), rows);
    const { document } = await pay(desk, '--format', 'xlsx', '--expect', 'rows=3', '--expect', 'KES=303');
    const text = await workbookText(document.result!);
    expect(text).toContain(reportWords.totalsFrom('--expect'));
  });

  it('that the sheet keeps lets it go through; printed commands repeat it', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const expected = ['--expect', 'rows=3', '--expect', 'KES=303'];
    expect((await tell(desk, ...expected)).exit).toBe(23);
    writeFileSync(desk.sheet, csvOf(kenyanRows(4)));
    const more = await tell(desk, '--batch', 'nov', '--expect', 'rows=4');
    expect(more.err).toContain(' --add --expect rows=4');
  });

  it('that are wanted of a sheet to mend are said not to be written', async () => {
    const desk = deskFor(null, [{ ...southAfrican, amount: '12.50' }]);
    const ran = await command(desk, ['check', desk.sheet, '--totals']);
    expect([ran.exit, ran.out]).toEqual([20, expect.stringContaining('totals: not written')]);
    expect(existsSync(totalsFile(desk))).toBe(false);
  });

  it('that the sheet does not keep holds it', async () => {
    const service = await newService();
    const desk = deskFor(service, [southAfrican, ...rows]);
    const ran = await tell(desk, '--expect', 'KES=303');
    expect(ran.exit).toBe(26);
    expect(refusalOf(ran)).toMatchObject(
      totalsDiffer('--expect', { of: 'money', money: 'ZAR', expected: null, found: southAfrican.amount }),
    );
    expect(service.payments).toHaveLength(0);
  });

  it.each([
    ['rows', { fault: 'expect-has-no-form' }],
    ['rows=3=4', { fault: 'expect-has-no-form' }],
    ['rows=3.0', { fault: 'expect-has-no-form' }],
    ['KES=1,000', { fault: 'expect-has-no-form' }],
    ['KES=-1', { fault: 'expect-has-no-form' }],
    ['KES=1e3', { fault: 'expect-has-no-form' }],
    ['shillings=3', { fault: 'expect-has-no-form' }],
    ['zar=3', { fault: 'expect-has-no-form' }],
    ['accounts=abc', { fault: 'expect-has-no-form' }],
  ])('%s is refused', async (total, why) => {
    const desk = deskFor(null, rows);
    const ran = await command(desk, ['check', desk.sheet, '--json', '--expect', total]);
    expect(ran.exit).toBe(2);
    expect(refusalOf(ran)).toMatchObject({ code: 'EXPECT_UNUSABLE', facts: { expect: total, why } });
  });

  it('given twice for one total is refused', async () => {
    const desk = deskFor(null, rows);
    const ran = await command(desk, ['check', desk.sheet, '--json', '--expect', 'rows=3', '--expect', 'rows=4']);
    expect(ran.exit).toBe(2);
    const why = { fault: 'option-is-twice', name: 'rows' };
    expect(refusalOf(ran)).toMatchObject({ code: 'EXPECT_UNUSABLE', facts: { expect: 'rows=4', why } });
  });
});

describe.concurrent('where control totals are required', () => {
  const required = { PAYRUN_CONTROL_TOTALS: 'require' };

  it('nothing is sent without them, nor where only the rows are said', async () => {
    const service = await newService();
    const desk = deskFor(service, rows, required);
    for (const more of [[], ['--expect', 'rows=3']]) {
      const planned = command(desk, ['plan', desk.sheet, '--json', ...more]);
      for (const ran of [await tell(desk, ...more), await planned])
        expect([ran.exit, refusalOf(ran).code]).toEqual([26, 'TOTALS_MISSING']);
    }
    expect(service.payments).toHaveLength(0);
    expect((await tell(desk, '--expect', 'KES=303')).exit).toBe(23);
    expect(service.payments).toHaveLength(3);
  });

  it('by payrun.config.json as well; resume goes on without them', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    writeFileSync(join(desk.folder, 'payrun.config.json'), '{"controls": {"totals": "require"}}');
    expect((await tell(desk)).exit).toBe(26);
    expect((await pay(desk, '--batch', 'nov', '--expect', 'KES=303')).exit).toBe(23);
    expect(documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '20s'])).rows.paid).toBe(3);
  });
});

it('check and plan tell them to programs as the file has them', async () => {
  const { desk } = await toldDesk();
  const written = JSON.parse(readFileSync(totalsFile(desk), 'utf8')) as ControlTotals;
  expect(written).toMatchObject({ rows: 3, totals: { KES: '303' } });
  for (const name of ['check', 'plan'])
    expect(documentOf(await command(desk, [name, desk.sheet, '--json'])).control_totals).toEqual(written);
});
