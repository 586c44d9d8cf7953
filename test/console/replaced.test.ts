/** A mended file handed in in place of a sheet: what was fixed before, and who did it, is told on to approvers and auditors. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Excel from 'exceljs';
import { expect, it } from 'vitest';
import type { Batch, Correction, ErrorAnswer, Mistake, Review, TrailPage, Upload } from '../../src/console/api.ts';
import { command, csvOf, kenyanRows } from '../support.ts';
import { eventually, openOffice, password } from './office.ts';

it('the review, the trail of the batch and the evidence list cells that were fixed in the sheet before it', async () => {
  const office = await openOffice();
  const rows = kenyanRows(4).map((row, index) => (index < 2 ? { ...row, amount: '12.50' } : row));
  const first = await office.upload('Pieter', 'november.csv', csvOf(rows));
  const column = first.header.indexOf('amount');
  const account = first.header.indexOf('contact_number');
  const fix = async (row: number, at: number, from: string, to: string) => {
    const body = { row, column: at, from, to };
    expect((await office.post('Pieter', `/api/uploads/${first.id}/corrections`, body)).status).toBe(200);
    await office.settled(first.id);
  };
  await fix(2, column, '12.50', '12');
  await fix(3, column, '12.50', '14');
  await fix(4, column, '102', '999');
  expect(account).toBeGreaterThan(-1);
  const number = '+254712345613';
  await fix(5, account, number, '+254712345619');
  const made = (await office.get<{ id: number; to: string }[]>('Pieter', `/api/uploads/${first.id}/corrections`)).body;
  const taken = made.find(({ to }) => to === '999')?.id;
  expect((await office.post('Pieter', `/api/uploads/${first.id}/corrections/${taken}/undo`)).status).toBe(200);
  await office.settled(first.id);

  const mended = rows.map((row, index) => ({ ...row, amount: ['12', '14'][index] ?? '300' }));
  const nowhere = await office.send<ErrorAnswer>(
    'Nomsa',
    `/api/uploads?replaces=${'0'.repeat(32)}`,
    'a.csv',
    csvOf(mended),
  );
  expect(nowhere.status).toBe(404);
  const { body } = await office.send<Upload>('Nomsa', `/api/uploads?replaces=${first.id}`, 'mended.csv', csvOf(mended));
  expect((await office.press('Nomsa', `/api/uploads/${first.id}/discard`)).status).toBe(204);
  expect(await office.settled(body.id)).toMatchObject({
    state: 'ready',
    batch: 'november',
    replaces: { file: 'november.csv' },
  });

  await office.press('Nomsa', `/api/uploads/${body.id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect(await office.settled(body.id)).toMatchObject({ state: 'planned', message: null });
  const review = (await office.get<Review>('Thabo', `/api/uploads/${body.id}/plan`)).body;
  const fixed = (await office.get<Correction[]>('Thabo', `/api/uploads/${body.id}/corrections`)).body;
  expect(fixed).toHaveLength(3);
  expect(fixed[0]).toMatchObject({
    before: 'november.csv',
    rows: [2],
    header: 'amount',
    from: '12.50',
    to: '12',
    by: 'Pieter',
  });
  const masked = (await office.get<Correction[]>('Vusi', `/api/uploads/${body.id}/corrections`)).body;
  expect(masked.find(({ header }) => header === 'contact_number')).toMatchObject({ from: '…5613', to: '…5619' });
  expect(JSON.stringify(masked)).not.toContain(number);
  // Whoever fixed cells of the sheet before has prepared this one too.
  const approval = { digest: review.digest, password };
  const own = await office.post<ErrorAnswer>('Later', `/api/uploads/${body.id}/approve`, approval);
  expect([own.status, own.body.code]).toEqual([403, 'OWN_SHEET']);
  expect((await office.post('Thabo', `/api/uploads/${body.id}/approve`, approval)).status).toBe(200);
  expect((await office.post('Nomsa', `/api/uploads/${body.id}/pay`, { digest: review.digest })).status).toBe(200);
  await eventually('nov is paid', async () => {
    const { body: batch, status } = await office.get<Batch>('Nomsa', '/api/batches/nov');
    return status === 200 && batch.job?.state === 'done' && batch.rows.paid === 4 ? batch : null;
  });

  const { entries } = (await office.get<TrailPage>('Thabo', '/api/trail?batch=nov&limit=200')).body;
  const told = entries.map(({ by, words }) => `${by}: ${words}`).toReversed();
  const at = (words: RegExp) => told.findIndex((one) => words.test(one));
  const story = [
    /^Pieter: uploaded november\.csv/,
    /^Pieter: fixed row 2\b.*'12\.50'.*'12'/,
    /^Nomsa: uploaded mended\.csv .*november\.csv, after 3 /,
    /^Nomsa: made .*mended\.csv/,
    /^Thabo: approved .*mended\.csv/,
    /^Nomsa: began .*\bnov\b/,
    /^null: .*approval.*Thabo/,
  ].map(at);
  expect([...story].sort((a, b) => a - b)).toEqual(story);
  expect(story[0]).toBeGreaterThan(-1);
  expect(told.filter((one) => one.startsWith('Thabo')).length, 'he approved once').toBe(1);

  const pack = join(office.folder, 'nov.evidence.zip');
  writeFileSync(pack, (await office.get('Thabo', '/api/batches/nov/evidence')).bytes);
  expect((await command(office, ['audit', 'verify', pack])).exit).toBe(0);
  // None of its parts is packed.
  const text = /decisions\.json(\[.*?\n\])/s.exec(readFileSync(pack, 'utf8'))?.[1] ?? '';
  const decisions = JSON.parse(text) as { what: string; by: string; data: { cell: string; header: string } }[];
  const facts = decisions.map(({ what, by, data }) => [what, by, data.cell.slice(-1), data.header]);
  expect(facts).toEqual([
    ['person', 'Pieter', '2', 'amount'],
    ['person', 'Pieter', '3', 'amount'],
    ['person', 'Pieter', '5', 'contact_number'],
  ]);
  expect(decisions[0]?.data).toMatchObject({ did: 'fixed', from: '12.50', to: '12' });
  expect(JSON.stringify(decisions)).not.toContain(number);
  await office.close();
});

const pdf = '%PDF-1.7\nan invoice\n%%EOF\n';

it('a checked workbook that is dropped as any file knows its sheet, names no flag, and brings its documents', async () => {
  const office = await openOffice();
  const rows = kenyanRows(3).map((row, index) => ({
    ...row,
    amount: index === 0 ? '1,500' : '300',
    documents: ['', 'papers/one.pdf', ''][index]!,
  }));
  const first = await office.upload('Pieter', 'november.csv', csvOf(rows));
  expect((await office.get<Mistake[]>('Nomsa', `/api/uploads/${first.id}/mistakes`)).body[0]?.message).toContain(
    '1,500',
  );
  for (const name of ['one.pdf', 'other.pdf'])
    expect((await office.send('Pieter', `/api/uploads/${first.id}/documents`, name, pdf)).status).toBe(200);
  await office.settled(first.id);

  const { bytes } = await office.get('Nomsa', `/api/uploads/${first.id}/checked`);
  const book = new Excel.Workbook();
  await book.xlsx.load(bytes as unknown as ArrayBuffer);
  const texts = book.worksheets.flatMap((sheet) =>
    (sheet.getSheetValues() as unknown[]).flatMap((row) => (Array.isArray(row) ? row.map(String) : [])),
  );
  expect(texts.join('\n')).toContain('sheet writes numbers');
  expect(texts.filter((text) => /--[a-z]|payrun [a-z]|command/.test(text))).toEqual([]);
  for (const row of book.worksheets[1]!.getRows(1, 5)!)
    row.eachCell((cell) => {
      if (cell.value === '1,500') cell.value = '1500';
    });
  // As a spreadsheet program saves it.
  const saved = Buffer.from(await book.xlsx.writeBuffer());

  const mended = await office.upload('Nomsa', 'mended.xlsx', saved);
  expect(mended).toMatchObject({
    state: 'ready',
    replaces: { id: first.id, file: 'november.csv' },
    documents: [{ name: 'one.pdf' }, { name: 'other.pdf' }],
  });
  expect(await office.press('Pieter', `/api/uploads/${first.id}/discard`)).toMatchObject({ status: 204 });
  const { body: later } = await office.get<Upload>('Nomsa', `/api/uploads/${mended.id}`);
  expect(later).toMatchObject({ replaces: { id: null }, documents: [{ name: 'one.pdf' }, { name: 'other.pdf' }] });
  // Of what sheet it was is known still; its documents went with it.
  const again = await office.upload('Nomsa', 'again.xlsx', saved);
  expect(again).toMatchObject({ replaces: { id: null }, documents: [] });
  await office.close();
});

it('whoever corrected a sheet that was discarded does not approve its checked workbook', async () => {
  const office = await openOffice();
  const rows = kenyanRows(2).map((row) => ({ ...row, amount: '12.50' }));
  const { id, header } = await office.upload('Pieter', 'november.csv', csvOf(rows));
  const column = header.indexOf('amount');
  const { body: mistakes } = await office.get<Mistake[]>('Pieter', `/api/uploads/${id}/mistakes`);
  const { code, severity, suggestion, words, rowsAre } = mistakes[0]!;
  const mistake = { code, severity, suggestion, words, rowsAre };
  const all = { column, from: '12.50', to: '49000', mistake };
  expect((await office.post('Pieter', `/api/uploads/${id}/corrections`, all)).status).toBe(200);
  await office.settled(id);
  const { bytes } = await office.get('Pieter', `/api/uploads/${id}/checked`);
  expect((await office.press('Pieter', `/api/uploads/${id}/discard`)).status).toBe(204);
  for (const path of ['', '/rows', '/corrections'])
    expect((await office.get('Pieter', `/api/uploads/${id}${path}`)).status).toBe(404);
  expect((await office.get('Pieter', '/api/uploads')).body).toEqual([]);

  const mended = await office.upload('Nomsa', 'november.checked.xlsx', bytes);
  expect(mended.replaces).toMatchObject({ id: null, file: 'november.csv' });
  await office.press('Nomsa', `/api/uploads/${mended.id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect(await office.settled(mended.id)).toMatchObject({ state: 'planned' });
  const { digest } = (await office.get<Review>('Later', `/api/uploads/${mended.id}/plan`)).body;
  const own = await office.post<ErrorAnswer>('Later', `/api/uploads/${mended.id}/approve`, { digest, password });
  expect([own.status, own.body.code]).toEqual([403, 'OWN_SHEET']);
  const fixed = (await office.get<Correction[]>('Later', `/api/uploads/${mended.id}/corrections`)).body;
  expect(fixed).toMatchObject([
    { before: 'november.csv', rows: [2, 3], header: 'amount', from: '12.50', to: '49000', by: 'Pieter' },
  ]);
  await office.close();
});

it('a document that was removed gives way to none that nobody chose', async () => {
  const office = await openOffice();
  const sheetOf = (documents: string) => csvOf(kenyanRows(1).map((row) => ({ ...row, documents })));
  const first = await office.upload('Pieter', 'november.csv', sheetOf('inv.pdf'));
  const add = async (id: string, content: string) => {
    expect((await office.send('Nomsa', `/api/uploads/${id}/documents`, 'inv.pdf', content)).status).toBe(200);
    await office.settled(id);
  };
  await add(first.id, pdf);
  const { body } = await office.send<Upload>('Nomsa', `/api/uploads?replaces=${first.id}`, 'mended.csv', sheetOf(''));
  const { id, header } = await office.settled(body.id);
  await add(id, `${pdf}newer`);
  const named = { row: 2, column: header.indexOf('documents'), from: '', to: 'inv.pdf' };
  expect((await office.post('Nomsa', `/api/uploads/${id}/corrections`, named)).status).toBe(200);
  expect(await office.settled(id)).toMatchObject({ state: 'ready' });
  // What somebody takes away is what they saw.
  const { standing, documents } = await office.settled(id);
  await add(id, `${pdf}newest`);
  const take = async (what: string, seen: object) =>
    await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/${what}`, seen);
  for (const [code, stale] of [
    ['DOCUMENT_MOVED', await take('documents/inv.pdf/remove', { file: documents[0]?.file })],
    ['SHEET_MOVED', await take('discard', { standing })],
  ] as const)
    expect([stale.status, stale.body.code]).toEqual([409, code]);
  const { documents: newest } = await office.settled(id);
  expect((await take('documents/inv.pdf/remove', { file: newest[0]?.file })).status).toBe(200);
  const gone = await office.settled(id);
  expect(gone).toMatchObject({ state: 'to_fix', documents: [] });
  expect((await take('discard', { standing: gone.standing })).status).toBe(204);
  await office.close();
});
