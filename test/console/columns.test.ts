/** Columns that nobody knew are matched once; documents are found by their names; a plan that cannot be made says why. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import type { Batch, Correction, ErrorAnswer, Problem, Review, SheetRows, Upload } from '../../src/console/api.ts';
import { command, csvOf, kenyanRows, noted } from '../support.ts';
import { eventually, openOffice } from './office.ts';

it('columns are matched on the page, and remembered for the next sheet with that header', async () => {
  const office = await openOffice();
  const strange = 'Wer;Wohin;Wieviel;Wofür\nThandi Mokoena;0712345601;450;LOHN 1\n';
  const first = await office.upload('Nomsa', 'löhne.csv', strange);
  expect(first).toMatchObject({ state: 'columns', header: ['Wer', 'Wohin', 'Wieviel', 'Wofür'] });
  expect(first.advice?.choices.find(({ field }) => field === 'amount')).toMatchObject({ needed: true });
  const columns = { Wer: 'name', Wohin: 'contact_number', Wieviel: 'amount', Wofür: 'reference' };
  const choice = { columns, values: { country: 'Kenya' }, numberFormat: null };
  const slip = await office.press('Nomsa', `/api/uploads/${first.id}/columns`, {
    ...choice,
    values: { country: 'Narnia' },
  });
  expect(slip).toMatchObject({ status: 422, body: { message: expect.stringContaining('Narnia') } });
  expect((await office.press('Nomsa', `/api/uploads/${first.id}/columns`, choice)).status).toBe(200);
  expect(await office.settled(first.id)).toMatchObject({ state: 'ready', columns: Object.values(columns) });
  const next = await office.upload('Pieter', 'dezember.csv', strange.replace('LOHN 1', 'LOHN 2'));
  expect(next).toMatchObject({ state: 'ready', columns: Object.values(columns) });
  await office.press('Pieter', `/api/uploads/${next.id}/plan`, { batch: 'dez', skipInvalid: false, expect: [] });
  expect(await office.settled(next.id)).toMatchObject({ state: 'planned', message: null });
  await office.close();
});

const samples = join(import.meta.dirname, '../../samples/other');

it('a file of another product is offered its map and is read as at a terminal; its columns are not guessed', async () => {
  const office = await openOffice();
  const nothing = { columns: {}, values: {}, numberFormat: null };
  const files = readdirSync(samples);
  for (const file of files) {
    const name = file.replace(/-with-\w+/, '').replace('.csv', '');
    const content = readFileSync(join(samples, file));
    // What a terminal hands back stands beside the file.
    const copy = join(office.folder, file);
    writeFileSync(copy, content);
    const { out } = await command(office, ['check', copy, '--map', name, '--json']);
    const terminal = JSON.parse(out) as { rows: { total: number; invalid: number }; problems: Problem[] };
    const isRight = !terminal.problems.some(({ severity }) => severity === 'error');
    const first = await office.upload('Nomsa', file, content);
    const read = async (choice: object) => {
      const { status } = await office.press('Nomsa', `/api/uploads/${first.id}/columns`, { ...nothing, ...choice });
      expect(status).toBe(200);
      return await office.settled(first.id);
    };
    const isKnown = first.state !== 'columns';
    if (!isKnown) {
      expect(first, file).toMatchObject({ state: 'columns', advice: { shipped: { name } } });
      // No column is read that is not called so itself.
      expect(first.advice?.columns, file).toEqual(first.columns);
    }
    const mapped = await read({ map: name });
    expect(mapped, file).toMatchObject({
      state: isRight ? 'ready' : 'to_fix',
      counts: { rows: terminal.rows.total, toFix: terminal.rows.invalid },
      advice: { shipped: null },
    });
    if (file !== files[0]) continue;
    // Matched by hand, it can still be read as its product's file, and the next month is read so by itself.
    const byHand = await read({ columns: { [mapped.header.at(-1) ?? '']: 'reference' } });
    expect(byHand.advice?.shipped).toMatchObject({ name });
    await read({ map: name });
    const next = await office.upload('Pieter', `next ${file}`, content);
    expect(next.columns).toEqual(mapped.columns);
  }
  await office.close();
});

it('of another product’s file the currency that payees get says their country', async () => {
  const office = await openOffice();
  for (const [nth, [from, to, amount]] of [
    ['Source currency', 'Target currency', 'Amount'],
    ['sell_ccy', 'buy_ccy', 'buy_amount'],
    ['Debit currency', 'Payout currency', 'Amount'],
    ['From Currency', 'To Currency', 'Amount'],
    ['Funding currency', 'Payment currency', 'Payment amount'],
  ].entries()) {
    const content = `Recipient name,${from},${to},${amount},Payment reference,Bank,Account number,Mobile
Zola Example,GBP,ZAR,11250,DESIGN 21,Standard Bank,10004291601,
Njeri Example,GBP,KES,32000,RESEARCH 4,,,+254712345610
`;
    const { id, header, advice } = await office.upload('Nomsa', `other-${nth}.csv`, content);
    expect([advice?.columns.slice(1, 4), advice?.values]).toEqual([[null, 'country', 'amount'], {}]);
    if (nth > 0) continue;
    const columns = Object.fromEntries(
      header.flatMap((text, at) => [[text, advice?.columns[at]]]).filter(([, use]) => use),
    );
    const choice = { columns, values: {}, numberFormat: null };
    expect((await office.press('Nomsa', `/api/uploads/${id}/columns`, choice)).status).toBe(200);
    expect(await office.settled(id)).toMatchObject({ state: 'ready' });
    const { rows } = (await office.get<SheetRows>('Nomsa', `/api/uploads/${id}/rows?filter=all`)).body;
    expect(rows.map(({ money }) => money.currency)).toEqual(['ZAR', 'KES']);
  }
  await office.close();
});

it('of a workbook with several sheets the one is chosen, then its columns; both are known the next month, and can be matched otherwise', async () => {
  const office = await openOffice();
  const workbook = async (...sheets: readonly string[]) => {
    const book = new ExcelJS.Workbook();
    for (const name of sheets)
      book.addWorksheet(name).addRows([
        ['Qui', 'Où', 'Combien', 'Pourquoi'],
        ['Thandi Mokoena', '0712345601', '450', `SALAIRE ${name}`],
      ]);
    return Buffer.from(await book.xlsx.writeBuffer());
  };
  const match = async (id: string, choice: object) => {
    const nothing = { columns: {}, values: {}, numberFormat: null };
    const { status } = await office.press('Nomsa', `/api/uploads/${id}/columns`, { ...nothing, ...choice });
    expect(status).toBe(200);
    return await office.settled(id);
  };
  const columns = { Qui: 'name', Où: 'contact_number', Combien: 'amount', Pourquoi: 'reference' };
  const first = await office.upload('Nomsa', 'octobre.xlsx', await workbook('Old', 'October'));
  expect(first).toMatchObject({ state: 'columns', advice: { sheets: ['Old', 'October'] } });
  expect(await match(first.id, { sheetName: 'October' })).toMatchObject({
    state: 'columns',
    header: Object.keys(columns),
  });
  const matched = await match(first.id, { columns, values: { country: 'Kenya' } });
  expect(matched).toMatchObject({ state: 'ready', columns: Object.values(columns) });
  // What was matched is shown to be matched otherwise.
  expect(matched.advice).toMatchObject({ columns: Object.values(columns), values: { country: 'Kenya' } });
  const next = await office.upload('Nomsa', 'novembre.xlsx', await workbook('Old', 'November'));
  expect(await match(next.id, { sheetName: 'November' })).toMatchObject({ state: 'ready', counts: { rows: 1 } });
  expect((await office.get<Upload>('Thabo', `/api/uploads/${next.id}`)).body.advice).not.toBe(null);
  const wrong = await match(next.id, {
    columns: { ...columns, Qui: 'reference', Pourquoi: 'name' },
    values: { country: 'Kenya' },
  });
  expect(wrong.columns).toEqual(['reference', 'contact_number', 'amount', 'name']);

  // What was fixed is of this sheet and of no other.
  const fix = (row: number, from: string) =>
    office.post<ErrorAnswer>('Nomsa', `/api/uploads/${next.id}/corrections`, { row, column: 2, from, to: '900' });
  expect((await fix(2, '450')).status).toBe(200);
  await office.settled(next.id);
  const nothing = { columns: {}, values: {}, numberFormat: null };
  const other = async () =>
    await office.press<ErrorAnswer>('Nomsa', `/api/uploads/${next.id}/columns`, { ...nothing, sheetName: 'Old' });
  expect(await other()).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/'November' were.*Undo/) },
  });
  const [made] = (await office.get<Correction[]>('Nomsa', `/api/uploads/${next.id}/corrections`)).body;
  expect((await office.post('Nomsa', `/api/uploads/${next.id}/corrections/${made?.id}/undo`)).status).toBe(200);
  expect((await other()).status).toBe(200);
  // Before the other one was read, nothing is fixed that was shown of this one.
  const early = await fix(2, '450');
  expect([early.status, early.body.code]).toEqual([409, 'NOT_READ_YET']);
  await office.settled(next.id);
  await office.close();
});

it('documents are found by their names, also where the sheet names a folder', async () => {
  const office = await openOffice();
  const row = { ...kenyanRows(1)[0]!, documents: 'documents/invoice.pdf' };
  const upload = await office.upload('Nomsa', 'november.csv', csvOf([row]));
  expect(upload).toMatchObject({ state: 'to_fix', counts: { toFix: 1 } });
  const pdf = '%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n';
  const add = async (text: string) =>
    await office.send<ErrorAnswer>('Nomsa', `/api/uploads/${upload.id}/documents`, 'invoice.pdf', text);
  expect(await add('row_id,name')).toMatchObject({
    status: 415,
    body: { code: 'DOCUMENT_UNSOUND', facts: { name: 'invoice.pdf' } },
  });
  expect((await office.get<Upload>('Nomsa', `/api/uploads/${upload.id}`)).body.documents).toEqual([]);
  expect((await add(pdf)).status).toBe(200);
  const mended = await eventually('the document is found', async () => {
    const now = await office.settled(upload.id);
    return now.state === 'ready' ? now : null;
  });
  expect(mended.documents).toMatchObject([{ name: 'invoice.pdf', bytes: pdf.length }]);
  await office.close();
});

it('what the plan cannot be made of is said in plain words', async () => {
  const office = await openOffice();
  const { id } = await office.upload('Nomsa', 'november.csv', csvOf(kenyanRows(2)));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: ['rows=3'] });
  const now = await office.settled(id);
  expect(now).toMatchObject({ state: 'ready', job: { kind: 'plan', state: 'failed' } });
  expect(now.message).toMatch(/rows/);
  expect((await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).status).toBe(409);
  expect((await office.get<Batch>('Nomsa', '/api/batches/nov')).status).toBe(404);
  const { body } = await office.get<Upload>('Nomsa', `/api/uploads/${id}`);
  expect(body.message).not.toContain('payrun ');
  // A name or a reason is what it is, whatever it begins with.
  for (const [batch, more] of [
    ['november', { series: '--add', confirmVariance: '- as agreed' }],
    ['new', { confirmRepeat: '--sandbox' }],
  ] as const) {
    await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch, skipInvalid: false, expect: [], ...more });
    expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null, batch });
  }
  const dashed = { batch: '--skip-invalid', skipInvalid: false, expect: [] };
  const refused = await office.press<ErrorAnswer>('Nomsa', `/api/uploads/${id}/plan`, dashed);
  expect([refused.status, refused.body.code]).toEqual([422, 'BATCH_NAME_UNFIT']);
  await office.close();
});

it('a column that says which rows are meant is asked about: some of its rows are paid, or all', async () => {
  const office = await openOffice();
  const rows = [
    'name,country,contact_number,amount,reference,status',
    'Otieno Example,Kenya,+254712345601,460,SALARY NOV,SUCCESSFUL',
    'Achieng Example,Kenya,+254712345603,385,SALARY NOV,FAILED',
    'Wanjiru Example,Kenya,+254712345604,386,SALARY NOV,SUCCESSFUL',
  ];
  const first = await office.upload('Nomsa', 'results.csv', `${rows.join('\n')}\n`);
  expect(first).toMatchObject({
    state: 'to_fix',
    questions: [
      {
        header: 'status',
        values: [
          { text: 'SUCCESSFUL', rows: 2 },
          { text: 'FAILED', rows: 1 },
        ],
        others: 0,
      },
    ],
    problems: [{ code: 'CHOICE_UNREAD', message: expect.stringMatching(/; say here\b/) }],
  });
  await office.press('Nomsa', `/api/uploads/${first.id}/plan`, { batch: 'nov', skipInvalid: true, expect: [] });
  expect(await office.settled(first.id), 'nothing is planned before').toMatchObject({ state: 'to_fix' });
  const decide = async (choices: readonly object[]) => {
    expect((await office.press('Nomsa', `/api/uploads/${first.id}/rows`, { choices })).status).toBe(200);
    return await office.settled(first.id);
  };
  expect(await decide([{ column: 'status', only: null }])).toMatchObject({ state: 'ready', counts: { rows: 3 } });
  expect(await decide([{ column: 'status', only: ['nothing of it'] }])).toMatchObject({ state: 'to_fix' });
  expect(await decide([])).toMatchObject({ state: 'to_fix', questions: [{ header: 'status' }], rowChoices: [] });
  const chosen = [{ column: 'status', only: ['FAILED'] }];
  expect(await decide(chosen)).toMatchObject({
    state: 'ready',
    questions: [],
    rowChoices: chosen,
    counts: { rows: 1 },
    found: expect.arrayContaining([expect.stringMatching(/\b2 other rows\b/)]),
  });
  await office.press('Nomsa', `/api/uploads/${first.id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect(await office.settled(first.id)).toMatchObject({ state: 'planned', message: null });
  const { body } = await office.get<Review>('Nomsa', `/api/uploads/${first.id}/plan`);
  expect(body.notes).toContainEqual(noted('rows-chosen'));
  await office.close();
});

it('a choice or a plan that was decided on an older page is refused', async () => {
  const office = await openOffice();
  const rows = [
    'name,country,contact_number,amount,reference,status',
    'Otieno Example,Kenya,+254712345601,460,SALARY NOV,SUCCESSFUL',
    'Achieng Example,Kenya,+254712345603,385,SALARY NOV,FAILED',
  ];
  const { id, standing } = await office.upload('Nomsa', 'nov.csv', `${rows.join('\n')}\n`);
  const chosen = [{ column: 'status', only: ['FAILED'] }];
  expect((await office.press('Nomsa', `/api/uploads/${id}/rows`, { choices: chosen })).status).toBe(200);
  const ofOtherTab = async () => {
    for (const [what, order] of [
      ['rows', { choices: [] }],
      ['columns', { columns: {}, values: { country: 'Kenya' }, numberFormat: null }],
      ['plan', { batch: 'nov', skipInvalid: true, expect: [] }],
    ] as const) {
      const { status, body } = await office.post<ErrorAnswer>('Pieter', `/api/uploads/${id}/${what}`, {
        standing,
        ...order,
      });
      expect([what, status, body.code]).toEqual([what, 409, 'SHEET_MOVED']);
    }
  };
  await ofOtherTab();
  expect(await office.settled(id)).toMatchObject({ state: 'ready', rowChoices: chosen, counts: { rows: 1 } });
  await ofOtherTab();
  expect(await office.settled(id)).toMatchObject({ state: 'ready', rowChoices: chosen, counts: { rows: 1 } });
  await office.close();
});
