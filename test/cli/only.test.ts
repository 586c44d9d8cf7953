/** Columns that are not read and say which rows to pay: the answer is kept with the batch, its plan and the settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { command, type Desk, documentOf, noted, pay, planDiffers, refusalOf, resultOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const header = 'name,country,contact_number,amount,reference,status';
const rows = [
  'Otieno Example,Kenya,+254712345601,460,SALARY NOV,Sent',
  'Achieng Example,Kenya,+254712345603,385,SALARY NOV,Failed',
  'Wanjiru Example,Kenya,+254712345604,386,SALARY NOV,failed ',
];
const failed = ['--only', 'status=FAILED'];

function desk(service: Parameters<typeof deskFor>[0], sheet: readonly string[] = [header, ...rows]): Desk {
  const made = deskFor(service, []);
  writeFileSync(made.sheet, `${sheet.join('\n')}\n`);
  return made;
}

const checked = async (at: Desk, ...more: string[]) =>
  documentOf(await command(at, ['check', at.sheet, '--json', ...more]));
const codesOf = ({ problems }: Awaited<ReturnType<typeof checked>>) => problems.map(({ code }) => code);

describe.concurrent('--only', () => {
  it('pays the rows that it names, and shows the others as left out; the batch keeps it', async () => {
    const service = await newService();
    const at = desk(service);
    const asked = await pay(at);
    expect([asked.exit, asked.document.problems.map(({ code }) => code)]).toEqual([20, ['CHOICE_UNREAD']]);
    const { exit, document: paid } = await pay(at, '--batch', 'nov', ...failed);
    expect([exit, paid.rows.pending, paid.rows.total]).toEqual([23, 2, 2]);
    expect(paid.notes).toContainEqual(
      noted('rows-chosen', { columns: [{ column: 'status', values: ['FAILED'] }], leftOut: 1 }),
    );
    expect(resultOf(paid.result).map((row) => row.payrun_status)).toEqual(['left out', 'pending', 'pending']);
    for (const again of [
      ['run', at.sheet],
      ['run', at.sheet, '--batch', 'nov'],
      ['run', paid.result!],
      ['resume', 'nov'],
    ]) {
      const second = documentOf(await command(at, [...again, '--json', '--wait', '0']));
      expect([second.batch, second.rows.pending, second.rows.total], again.join(' ')).toEqual(['nov', 2, 2]);
    }
    const reported = JSON.parse((await command(at, ['report', 'nov', '--json'])).out) as { result: string };
    const result = resultOf(reported.result);
    expect(result.map((row) => row.payrun_status)).toEqual(['left out', 'pending', 'pending']);
    expect(service.payments.length).toBe(2);
  });

  it('stands in the plan, whose run needs no second word and takes no other', async () => {
    const service = await newService();
    const at = desk(service);
    const plan = documentOf(await command(at, ['plan', at.sheet, '--batch', 'nov', '--json', ...failed]));
    expect(plan.exit).toBe(0);
    expect(plan.notes).toContainEqual(
      noted('rows-chosen', { columns: [{ column: 'status', values: ['FAILED'] }], leftOut: 1 }),
    );
    const approve = ['run', at.sheet, '--approve', plan.plan_digest!];
    const other = await command(at, [...approve, '--json', '--ignore-column', 'status']);
    expect(other.exit).toBe(26);
    expect(refusalOf(other)).toMatchObject(
      planDiffers({ fault: 'setting-differs', name: 'choices', was: 'status=FAILED', now: 'status' }),
    );
    const run = documentOf(await command(at, [...approve, '--json', '--wait', '0']));
    expect([run.exit, run.rows.pending]).toEqual([23, 2]);
    expect(service.payments.length).toBe(2);
  });

  it('holds for several values of a column, and for each column that is named', async () => {
    const wide = [`${header},Hold`, ...rows.map((row, nth) => `${row},${['', 'x', ''][nth]}`)];
    const at = desk(null, wide);
    expect(codesOf(await checked(at))).toEqual(['CHOICE_UNREAD', 'CHOICE_UNREAD']);
    expect(codesOf(await checked(at, ...failed))).toEqual(['CHOICE_UNREAD']);
    const one = await checked(at, ...failed, '--only', 'Hold=');
    expect([one.exit, one.rows.total]).toEqual([0, 1]);
    const both = await checked(at, '--only', 'STATUS=sent', ...failed, '--ignore-column', 'Hold');
    expect([both.exit, both.rows.total]).toEqual([0, 3]);
    expect((await checked(at, '--only', 'Hold=', '--ignore-column', 'status')).rows.total).toBe(2);
  });

  it('refuses a value that no row has, a column that is not there or stands twice, and what is not COLUMN=VALUE', async () => {
    const at = desk(null);
    for (const only of ['status=Faild', 'state=Failed', 'status=']) {
      const { exit, problems } = await checked(at, '--only', only);
      expect([exit, problems.map(({ code }) => code)], only).toEqual([20, ['ONLY_UNKNOWN']]);
    }
    for (const only of ['status', '=Failed'])
      expect((await command(at, ['check', at.sheet, '--only', only])).exit).toBe(2);
    const twice = desk(null, [`${header},Status`, ...rows.map((row) => `${row},x`)]);
    expect(codesOf(await checked(twice, ...failed))).toEqual(['ONLY_UNKNOWN']);
    const { problems } = await checked(twice);
    expect(problems.map(({ code, facts }) => ({ code, facts }))).toMatchObject(
      Array(2).fill({ code: 'CHOICE_UNREAD', facts: { choices: [] } }),
    );
  });

  it('does not take a totals row for one of the rows, and compares it only with all of them', async () => {
    const at = desk(null, [header, ...rows, 'Total,,,1231,,']);
    expect((await checked(at, '--ignore-column', 'status')).notes).toContainEqual(
      noted('total-compared', { check: expect.objectContaining({ is: 'equal' }) as never }),
    );
    const part = await checked(at, ...failed);
    expect([part.exit, part.rows.total]).toEqual([0, 2]);
    expect(part.notes).toContainEqual(noted('total-compared', { check: { is: 'rows-left-out', rows: 1 } }));
  });

  it('stands in the settings, and a command says otherwise', async () => {
    const at = desk(null);
    const config = (sheet: object) => writeFileSync(join(at.folder, 'payrun.config.json'), JSON.stringify({ sheet }));
    config({ only: ['status=failed'] });
    expect((await checked(at)).rows.total).toBe(2);
    expect((await checked(at, '--ignore-column', 'Status')).rows.total).toBe(3);
    config({ ignoreColumns: ['Status', 'not there'] });
    expect(await checked(at)).toMatchObject({ exit: 0, rows: { total: 3 } });
    expect((await checked(at, ...failed)).rows.total).toBe(2);
    config({ only: ['status'] });
    expect((await command(at, ['check', at.sheet])).exit).toBe(2);
  });

  it('knows a header with a sign in it, and ticks that a workbook keeps as true and false', async () => {
    const book = new ExcelJS.Workbook();
    book
      .addWorksheet('Nov')
      .addRows([
        ['name', 'country', 'contact_number', 'amount', 'reference', 'Pay (x=yes)'],
        ...[true, false, true].map((tick, nth) => ['A B', 'Kenya', `071234560${nth}`, 100 + nth, `R ${nth}`, tick]),
      ]);
    const at = desk(null);
    const sheet = join(at.folder, 'ticks.xlsx');
    await book.xlsx.writeFile(sheet);
    const said = documentOf(await command(at, ['check', sheet, '--json']));
    const { message = '', ...problem } = said.problems[0] ?? {};
    const values = [
      { text: 'TRUE', rows: 2 },
      { text: 'FALSE', rows: 1 },
    ];
    expect(problem).toMatchObject({ code: 'CHOICE_UNREAD', facts: { values } });
    const option = /--only "([^"]*TRUE)"/.exec(message)?.[1] ?? '';
    const ticked = documentOf(await command(at, ['check', sheet, '--json', '--only', option]));
    expect([ticked.exit, ticked.rows.total]).toEqual([0, 2]);
  });

  it('chooses no rows by a column whose cells are merged', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Nov');
    sheet.addRows([
      ['name', 'country', 'contact_number', 'amount', 'reference', 'Batch note'],
      ...['MET', null, 'OPEN', null].map((note, nth) => [
        'A B',
        'Kenya',
        `+25471234560${nth}`,
        100 + nth,
        `R ${nth}`,
        note,
      ]),
    ]);
    for (const cells of ['F2:F3', 'F4:F5']) sheet.mergeCells(cells);
    const at = desk(null);
    const path = join(at.folder, 'merged.xlsx');
    await book.xlsx.writeFile(path);
    const said = async (...more: string[]) => documentOf(await command(at, ['check', path, '--json', ...more]));
    const { problems } = await said();
    expect(problems).toMatchObject([{ code: 'CHOICE_UNREAD', facts: { header: 'Batch note', isMerged: true } }]);
    expect(problems[0]?.message).toContain("--ignore-column 'Batch note'");
    expect(codesOf(await said('--only', 'Batch note=OPEN'))).toEqual(['ONLY_UNKNOWN']);
    const all = await said('--ignore-column', 'Batch note');
    expect([all.exit, all.rows.total]).toEqual([0, 4]);
  });

  it.each([
    ['without results', undefined, false],
    ['with results that the workbook calls stale', 'Yes', true],
    ['with an error', { error: '#REF!' }, false],
  ] as const)('takes no answer from formulas %s', async (_, result, fullCalcOnLoad) => {
    const book = new ExcelJS.Workbook();
    book.calcProperties.fullCalcOnLoad = fullCalcOnLoad;
    const nov = book.addWorksheet('Nov');
    nov.addRow(['name', 'country', 'contact_number', 'amount', 'reference', 'Pay?', 'Total']);
    for (let row = 2; row < 5; row += 1) {
      nov.addRow(['A B', 'Kenya', `+25471234560${row}`, 100 + row, `R ${row}`]);
      nov.getCell(`F${row}`).value = { formula: `IF(D${row}>0,"Yes","No")`, result } as ExcelJS.CellFormulaValue;
      nov.getCell(`G${row}`).value = { formula: `D${row}*2` } as ExcelJS.CellFormulaValue;
    }
    const at = desk(null);
    const sheet = join(at.folder, 'formulas.xlsx');
    await book.xlsx.writeFile(sheet);
    const under = async (...more: string[]) => {
      const { exit, problems } = documentOf(await command(at, ['check', sheet, '--json', ...more]));
      return [exit, problems.map(({ code, facts }) => ({ code, facts }))];
    };
    expect(await under()).toMatchObject([
      20,
      [{ code: 'CHOICE_UNREAD', facts: { header: 'Pay?', unknown: 3, isMerged: false } }],
    ]);
    expect(await under('--only', 'Pay?=Yes')).toMatchObject([
      20,
      [{ code: 'ONLY_UNKNOWN', facts: { why: 'unknown-cells', letter: 'F', cells: 3 } }],
    ]);
    expect((await under('--ignore-column', 'Pay?'))[0]).toBe(0);
  });

  it('a result and a checked workbook of such a sheet are not asked about for our own columns', async () => {
    const service = await newService();
    const at = desk(service, [header.replace(',status', ''), ...rows.map((row) => row.replace(/,[^,]*$/, ''))]);
    const { document } = await pay(at, '--batch', 'nov');
    const other = { ...at, sheet: document.result! };
    expect(codesOf(await checked(other))).toEqual([]);
    writeFileSync(at.sheet, readFileSync(at.sheet, 'utf8').replace('385', '385.50'));
    const { checked: workbook } = await checked(at);
    const again = documentOf(await command(at, ['check', workbook!, '--json']));
    expect(codesOf(again)).not.toContain('CHOICE_UNREAD');
  });
});

describe.concurrent('a column of days', () => {
  const clock = { ...systemClock, now: () => Date.parse('2026-11-27T09:00:00Z') };
  const dated = async (title: string, dates: readonly string[]) => {
    const lines = dates.map((date, nth) => `Payee ${nth},Kenya,071234560${nth},${500 + nth},Ref ${nth},${date}`);
    const at = { ...desk(null, [`name,country,phone,amount,reference,${title}`, ...lines]), clock };
    const { problems } = await checked(at);
    return problems
      .filter(({ code }) => code === 'EXECUTION_DATE')
      .map(({ row, severity, value }) => [row, severity, value]);
  };

  it.each([
    [
      'Payment Date',
      ['2027-12-24', '2026-11-26', '2026-11-27'],
      [
        [2, 'error', '2027-12-24'],
        [3, 'warning', '2026-11-26'],
      ],
    ],
    ['paymentDate', ['24/12/2027', ''], [[2, 'error', '2027-12-24']]],
    ['Value date', ['27.11.2026', '01.12.2026'], [[3, 'warning', '2026-12-01']]],
    ['Zahldatum', ['01.12.2026', '01.12.2026'], [[null, 'warning', '2026-12-01']]],
    [
      'Date de paiement',
      ['2026-12-31', '2027-01-02'],
      [
        [3, 'error', '2027-01-02'],
        [2, 'warning', '2026-12-31'],
      ],
    ],
    ['Pay date', ['11/12/2026', '12/11/2026'], [[null, 'warning', '2026-12-11']]],
    ['Payment date', ['27 Nov 2026', '27/11/26'], []],
    ['Due date', ['2025-01-01', '2026-12-24', '2027-12-24'], [[4, 'warning', '2027-12-24']]],
    ['Last payment date', ['2025-01-01', '2026-10-30'], []],
    ['Invoice date', ['2025-01-01', '2026-10-30'], []],
    [
      'Payment Date',
      ['24. Dezember 2027', 'soon', '-'],
      [
        [2, 'error', '24. Dezember 2027'],
        [3, 'error', 'soon'],
      ],
    ],
    [
      'Scheduled,Due',
      ['2026-12-10,2026-12-10', '2026-12-10,2027-12-24'],
      [
        [null, 'warning', '2026-12-10'],
        [3, 'warning', '2027-12-24'],
      ],
    ],
    ['Zahltag', ['2027-12-24'], [[2, 'error', '2027-12-24']]],
    ['Not before', ['2027-12-24'], [[2, 'error', '2027-12-24']]],
    ['Scheduled for', ['2027-12-24'], [[2, 'error', '2027-12-24']]],
    ['Release date', ['2027-12-24'], [[2, 'error', '2027-12-24']]],
    ['Tarehe ya malipo', ['2027-12-24'], [[2, 'error', '2027-12-24']]],
    ['Scheduled', ['2027-12-24'], [[2, 'error', '2027-12-24']]],
    ['Scheduled', ['2026-12-10', '2026-12-11'], [2, 3].map((row) => [row, 'warning', `2026-12-${8 + row}`])],
    ['Pay on', ['2027-12-24'], [[2, 'error', '2027-12-24']]],
    ['Zahltermin', ['24.12.2027'], [[2, 'error', '2027-12-24']]],
    ['Ausführung', ['24.12.2027'], [[2, 'error', '2027-12-24']]],
    ['Execution', ['2026-12-24'], [[null, 'warning', '2026-12-24']]],
    ['When', ['2027-12-24', '2026-11-01'], [[2, 'warning', '2027-12-24']]],
    ['Termin', ['10.12.2026', ''], [[2, 'warning', '2026-12-10']]],
    ['Due', ['2026-12-10'], []],
    ['Vence', ['24/12/2027'], [[null, 'warning', '2027-12-24']]],
    ['Fällig am', ['24.12.2027'], [[null, 'warning', '2027-12-24']]],
    ['Payment no', ['20271224'], []],
    ['Contract end date', ['2027-12-24'], [[null, 'warning', '2027-12-24']]],
    ['Received', ['02/11/2026'], []],
    ['Payment received', ['2026-10-30'], []],
  ] as const)('%j of %j', async (title, dates, found) => {
    expect(await dated(title, dates)).toEqual(found);
  });

  it('is not asked about once a person ignores it', async () => {
    const at = {
      ...desk(null, [header.replace('status', 'Payment Date'), `${rows[0]!.replace('Sent', '2027-12-24')}`]),
      clock,
    };
    expect((await checked(at)).exit).toBe(20);
    expect((await checked(at, '--ignore-column', 'Payment Date')).exit).toBe(0);
  });
});
