/** Files of other products, as they come: read right, or refused in words that let a person mend them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { offlineBanks } from '../../src/domain/accounts/bank.ts';
import { parseRow, type Row, type RowRules } from '../../src/domain/rows/row.ts';
import type { ShownOutcome as Outcome } from '../../src/pipeline/outcome.ts';
import { mapNamed, openSheet, rulesOfSheet } from '../../src/sheet/sheet.ts';
import { command, deskFor } from '../support.ts';

const samples = join(import.meta.dirname, '../../samples/other');
const sample = (name: string) => readFileSync(join(samples, name), 'utf8');

async function checked(text: string, ...flags: string[]): Promise<{ outcome: Outcome; said: string }> {
  const desk = deskFor(null, []);
  writeFileSync(desk.sheet, text);
  const { out } = await command(desk, ['check', desk.sheet, '--json', ...flags]);
  const outcome = JSON.parse(out) as Outcome;
  const said = outcome.problems.map(({ code, row, message }) => `${code} ${row ?? 'sheet'}: ${message}`).join('\n');
  return { outcome, said };
}

const rules: RowRules = {
  banks: offlineBanks(),
  numberFormat: null,
  accountChecks: 'error',
  documents: 'require',
  btcUnit: null,
  networkProvider: 'MOMO',
  defaults: {},
};

/** What would be paid, with every check of account numbers at its strictest. */
async function rowsOf(name: string, map: string): Promise<unknown[]> {
  const options = { map: mapNamed(map, map) };
  const sheet = await openSheet(join(samples, name), options);
  const rows: (Row | null)[] = [];
  for await (const lines of sheet.lines())
    for (const { cells, number } of lines)
      rows.push(parseRow(cells, number, rulesOfSheet(rules, sheet, options.map)).row);
  return rows.map((row) => {
    if (row === null) return null;
    const { country, ...to } = row.destination;
    return [row.name, country, Object.values(to).at(-1), row.amount, row.currency, row.reference];
  });
}

describe('read right', () => {
  it('Wise, with the accounts added: the currency says the country', async () => {
    expect(await rowsOf('wise-with-accounts.csv', 'wise')).toEqual([
      ['Zola Example', 'SouthAfrica', '10004291601', 11250, 'ZAR', 'DESIGN 21'],
      ['Ibadan Sample Textiles', 'Nigeria', '0000014579', 415000, 'NGN', 'INV 611'],
      ['Njeri Example', 'Kenya', '+254712345610', 32000, 'KES', 'RESEARCH 4'],
    ]);
  });

  it('an ACB file with the banks added: the last Ref is the one on the statement', async () => {
    expect(await rowsOf('za-acb-with-banks.csv', 'za-acb')).toEqual([
      ['Acme Example Castings', 'SouthAfrica', expect.stringMatching(/^10012504\d\d$/), 8700, 'ZAR', 'INV 5512'],
      ['Boikhutso Example', 'SouthAfrica', expect.stringMatching(/^10013375\d\d$/), 12400, 'ZAR', 'WAGES 47'],
      ['Transkei Sample Haulage', 'SouthAfrica', '001321676', 46050, 'ZAR', 'LOAD 88'],
    ]);
  });

  it('Flutterwave, with the names added', async () => {
    expect(await rowsOf('flutterwave-with-names.csv', 'flutterwave')).toEqual([
      ['Yetunde Example', 'Nigeria', '0123456784', 185000, 'NGN', 'Salary November'],
      ['Enugu Sample Foods', 'Nigeria', '0123456785', 640000, 'NGN', 'Invoice 90'],
      ['Tunde Example', 'Nigeria', '2000000097', 72000, 'NGN', 'Transport'],
    ]);
  });

  it('a Kenyan bulk file: the account numbers are phones', async () => {
    expect(await rowsOf('kenya-mobile.csv', 'kenya-mobile')).toEqual([
      ['Wambui Example', 'Kenya', '+254712345611', 14500, 'KES', 'Salary November'],
      ['Kisumu Sample Fisheries', 'Kenya', '+254712345612', 68000, 'KES', 'Invoice 31'],
      ['Barasa Example', 'Kenya', '+254110123413', 3200, 'KES', 'Bus fares'],
    ]);
  });
});

describe.concurrent('without a map the one that fits is named, and none is applied', () => {
  it.each([
    ['wise.csv', 'wise'],
    ['za-acb.csv', 'za-acb'],
    ['paypal.csv', 'paypal'],
    ['flutterwave.csv', 'flutterwave'],
    ['kenya-mobile.csv', 'kenya-mobile'],
  ])('%s', async (file, name) => {
    const { outcome } = await checked(sample(file));
    expect([outcome.exit, outcome.map?.shipped?.name]).toEqual([20, name]);
  });

  it.each([
    'name,account_number,amount,reference,note',
    'Account Name,Bank,Account Number,Amount,Reason',
    'Recipient,Amount,Currency,Country code,Ref',
    'bank_code,account_number,amount,currency,narration,country',
  ])('and none for %s', async (header) => {
    const { outcome } = await checked(`${header}\nA,1,1,R,1,2\n`);
    expect(outcome.map).toMatchObject({ needed: true, shipped: null });
  });
});

describe.concurrent('refused in words that let a person mend it', () => {
  it('Wise with recipientIds only: what is missing, and where it is found', async () => {
    const { said } = await checked(sample('wise.csv'), '--map', 'wise');
    expect(said).toMatch(
      /COLUMN_MISSING sheet: .*only Wise knows the account of a recipientId. Add the columns bank_name and/,
    );
  });

  it('Wise in the currency that leaves: the amount that arrives is not known', async () => {
    const text = sample('wise-with-accounts.csv').replace('ZAR,target', 'ZAR,source');
    const { said, outcome } = await checked(text, '--map', 'wise');
    expect(said).toMatch(/MAP_REFUSED 2: with 'source' in amountCurrency, the amount that the payee gets depends/);
    expect(outcome.rows).toMatchObject({ not_sent: 2, invalid: 1 });
  });

  it('Wise in a currency that cannot be paid', async () => {
    const { said } = await checked(
      sample('wise-with-accounts.csv').replace('KES,target', 'EUR,target'),
      '--map',
      'wise',
    );
    expect(said).toMatch(/COUNTRY_UNKNOWN 4: /);
  });

  it('an ACB file without banks: each row says which bank its branch code is, and none is chosen', async () => {
    const { said, outcome } = await checked(sample('za-acb.csv'), '--map', 'za-acb');
    expect(said).toMatch(
      /COLUMN_MISSING sheet: .*Payrun needs the bank's name, and uses a branch code only to confirm this name. Add the column bank_name/,
    );
    expect(outcome.problems.flatMap(({ code, suggestion }) => (code === 'BANK_MISSING' ? [suggestion] : []))).toEqual([
      'Nedbank',
      'Capitec Bank',
      'Standard Bank',
    ]);
  });

  it('an ACB file with cents', async () => {
    const { said } = await checked(sample('za-acb-with-banks.csv').replace('8700.00', '8700.36'), '--map', 'za-acb');
    expect(said).toMatch(/AMOUNT_FRACTION 2: /);
  });

  it('an ACB file with one Ref only', async () => {
    const { said } = await checked('Ref,Name,Amount,Account No.,Branch Code\nA,B,1,1,1\n', '--map', 'za-acb');
    expect(said).toContain("only column A is headed 'Ref', and the map za-acb speaks of 2");
  });

  it('PayPal: an e-mail address is no destination', async () => {
    const { said, outcome } = await checked(sample('paypal.csv'), '--map', 'paypal');
    expect(said).toMatch(/Payrun cannot pay to an e-mail address or a PayPal account. Ask each payee for an account/);
    expect(outcome.rows).toMatchObject({ not_sent: 0, invalid: 2 });
  });

  it('PayPal as it is uploaded, with tabs and without a header', async () => {
    const { said } = await checked('a@mail.example\t10.00\tUSD\tc1\tThanks\nb@mail.example\t9.00\tUSD\tc2\tThanks\n');
    expect(said).toMatch(/HEADER_MISSING sheet: .*it seems to have no header at all: put the column names above/);
  });

  it('Flutterwave: its files have no names, and Payrun needs them', async () => {
    const { said } = await checked(sample('flutterwave.csv'), '--map', 'flutterwave');
    expect(said).toMatch(/COLUMN_MISSING sheet: no column says who is paid: Flutterwave finds the name by the account/);
  });

  it('Flutterwave to Kenya: bank payouts are not supported there', async () => {
    const text = `${sample('flutterwave-with-names.csv')}68,0110194000123,900,KES,Fares,Barasa Example\n`;
    const { said } = await checked(text, '--map', 'flutterwave');
    expect(said).toMatch(/KENYA_BANK_UNSUPPORTED 5: /);
  });

  it('a Kenyan bulk file of bank accounts', async () => {
    const text = 'Account Name,Account Number,Bank Paybill Number,Amount,Nickname,Reason\nA B,0712345678,247247,1,,R\n';
    const { said, outcome } = await checked(text, '--map', 'kenya-mobile');
    expect(said).toMatch(
      /MAP_REFUSED 1: column C 'Bank Paybill Number' .* Payrun cannot pay to bank accounts in Kenya/,
    );
    expect(outcome.rows.not_sent).toBe(0);
  });

  it('a Kenyan bulk file with an account number that is no phone', async () => {
    const text = 'Account Name,Account Number,Amount,Nickname,Reason\nA B,01109998887770,1,,R\n';
    const { said } = await checked(text, '--map', 'kenya-mobile');
    expect(said).toMatch(/PHONE_INVALID 2: /);
  });
});
