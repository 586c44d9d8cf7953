/** Files as they come in: counted, named by us, sniffed, one at a time; and what is left of those that are refused. */
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { ErrorAnswer, SearchResult, UploadLine } from '../../src/console/api.ts';
import { mostSheetBytes } from '../../src/console/drafts/uploads.ts';
import { safeName } from '../../src/console/http/upload-stream.ts';
import { csvOf, kenyanRows } from '../support.ts';
import { eventually, openOffice } from './office.ts';

describe('a name', () => {
  it.each([
    ['november.csv', 'november.csv'],
    ['../../etc/passwd.csv', 'passwd.csv'],
    ['..\\..\\windows\\november.XLSX', 'november.xlsx'],
    ['.hidden.csv', 'hidden.csv'],
    ['--out.csv', 'out.csv'],
    ['a\u202egpj.csv', 'agpj.csv'],
    ['<img onerror=alert(1)>.csv', 'img onerror=alert(1)-.csv'],
    ['con.csv', 'con-.csv'],
    ['.csv', 'csv'],
    ['', 'sheet'],
    ['a\0b.csv', 'ab.csv'],
    [`${'x'.repeat(300)}.csv`, `${'x'.repeat(80)}.csv`],
    ['Löhne November.csv', 'Löhne November.csv'],
    // No longer by its bytes than what is made beside it may still add to.
    [`${'ደ'.repeat(80)}.csv`, `${'ደ'.repeat(40)}.csv`],
    [`${'😀'.repeat(80)}.csv`, `${'😀'.repeat(30)}.csv`],
  ])('%j becomes %j', (said, name) => expect(safeName(said)).toBe(name));
});

describe('a file that comes in', () => {
  it('is looked at, wherever its name points; the same bytes are known again', async () => {
    const office = await openOffice();
    const sheet = csvOf(kenyanRows(2));
    const first = await office.upload('Nomsa', '../../../november.csv', sheet);
    expect(first).toMatchObject({ state: 'ready', file: 'november.csv', counts: { rows: 2 }, bytes: sheet.length });
    expect(existsSync(join(office.folder, 'console', 'uploads', first.id, 'november.csv'))).toBe(true);
    const again = await office.upload('Pieter', 'other.csv', sheet);
    expect(again.seen.map(({ words }) => words)).toEqual([expect.stringContaining('Nomsa uploaded')]);
    const { body } = await office.get<UploadLine[]>('Vusi', '/api/uploads');
    expect(body.map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, again.id]));
    // A list has what it shows of each, and no more.
    const { id, file, bytes, by, at, state, asksForSheet, code, message, counts, totals, lapsed } = first;
    const { declined, looksPaid, toSend, job } = first;
    expect(body.find((one) => one.id === id)).toEqual({
      id,
      file,
      bytes,
      by,
      at,
      state,
      asksForSheet,
      code,
      message,
      counts,
      totals,
      lapsed,
      declined,
      looksPaid,
      toSend,
      job,
      batch: '',
    });
    const { body: found } = await office.get<SearchResult>('Vusi', '/api/search?q=OVEMBER');
    expect(found.uploads.map((one) => one.id)).toEqual([first.id]);
    expect((await office.press('Nomsa', `/api/uploads/${again.id}/discard`)).status).toBe(204);
    expect((await office.get('Nomsa', `/api/uploads/${again.id}`)).status).toBe(404);
    expect(readdirSync(join(office.folder, 'console', 'uploads'))).toEqual([first.id]);

    // As long as a name may be here, in letters of which each is many bytes.
    const long = await office.upload('Nomsa', `${'ደ'.repeat(90)}.csv`, csvOf(kenyanRows(1)));
    expect((await office.get('Nomsa', `/api/uploads/${long.id}/checked`)).status).toBe(200);
    const plan = { batch: 'long', skipInvalid: false, expect: [] };
    await office.press('Nomsa', `/api/uploads/${long.id}/plan`, plan);
    expect(await office.settled(long.id)).toMatchObject({ state: 'planned', message: null });
    await office.close();
  });

  it('is no larger than it may be, counted by its bytes, and nothing of it stays', async () => {
    const office = await openOffice();
    const folder = join(office.folder, 'console', 'uploads');
    const over = await office.send<ErrorAnswer>(
      'Nomsa',
      '/api/uploads',
      'large.csv',
      Buffer.alloc(mostSheetBytes + 1, 0x61),
    );
    expect([over.status, over.body.code]).toEqual([413, 'FILE_TOO_LARGE']);
    expect(readdirSync(folder)).toEqual([]);
    await office.close();
  });

  it('is a sheet by its content, whatever its name is', async () => {
    const office = await openOffice();
    const refused = async (name: string, content: Buffer | string) => {
      const { status, body } = await office.send<ErrorAnswer>('Nomsa', '/api/uploads', name, content);
      return { status, code: body.code ?? null, message: body.message };
    };
    expect(await refused('november.csv', '%PDF-1.7 …')).toMatchObject({
      status: 422,
      code: 'FOREIGN_FILE',
      message: expect.stringContaining('a PDF document') as string,
    });
    expect(await refused('november.csv', '')).toMatchObject({ status: 422, code: 'FILE_EMPTY' });
    expect(await refused('november.exe', csvOf(kenyanRows(1)))).toMatchObject({ status: 415, code: 'NO_SHEET' });
    expect(await refused('november.xlsx', 'PK\x03\x04 and no more')).toMatchObject({ status: 201, code: null });
    expect((await office.send('Vusi', '/api/uploads', 'november.csv', 'a,b\n')).status, 'viewers hand in nothing').toBe(
      403,
    );
    expect((await office.send('Thabo', '/api/uploads', 'november.csv', 'a,b\n')).status).toBe(403);
    await office.close();
  });

  it('is opened again as a document by those who may see whole files, under no name but its own', async () => {
    const office = await openOffice();
    const { id } = await office.upload('Nomsa', 'november.csv', csvOf(kenyanRows(1)));
    const pdf = '%PDF-1.7\nan invoice\n%%EOF\n';
    expect((await office.send('Nomsa', `/api/uploads/${id}/documents`, 'invoice 1.pdf', pdf)).status).toBe(200);
    await office.settled(id);
    const open = (who: string, name: string) =>
      fetch(`http://127.0.0.1:${office.port}/api/uploads/${id}/documents/${encodeURIComponent(name)}`, {
        headers: { 'x-person': who },
      });
    const answer = await open('Thabo', 'invoice 1.pdf');
    expect([answer.status, await answer.text()]).toEqual([200, pdf]);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="invoice 1\.pdf"/);
    expect((await open('Vusi', 'invoice 1.pdf')).status, 'viewers take no files away').toBe(403);
    for (const name of ['../november.csv', '..', '.coming-1', 'none.pdf'])
      expect([name, (await open('Thabo', name)).status]).toEqual([name, 404]);
    await office.close();
  });

  it('leaves no thread behind where it is no sheet and its checked workbook is asked for', async () => {
    const office = await openOffice();
    const { id } = await office.upload('Pieter', 'bad.xlsx', 'PK\x03\x04garbage');
    const threads = new Set<Worker>();
    const began = (thread: Worker) => {
      threads.add(thread);
      thread.once('exit', () => threads.delete(thread));
    };
    process.on('worker', began);
    // Two may have waited idle from before.
    for (let n = 0; n < 3; n += 1) expect((await office.get('Pieter', `/api/uploads/${id}/checked`)).status).toBe(422);
    process.off('worker', began);
    await eventually('its threads are gone', async () => (threads.size === 0 ? true : null));
    await office.close();
  });

  it('comes one at a time for each person, and leaves nothing behind where it breaks off', async () => {
    const office = await openOffice();
    const folder = join(office.folder, 'console', 'uploads');
    const origin = `http://127.0.0.1:${office.port}`;
    const slow = request(`${origin}/api/uploads`, {
      method: 'POST',
      headers: {
        'x-person': 'Nomsa',
        origin,
        'content-type': 'multipart/form-data; boundary=b',
        'transfer-encoding': 'chunked',
      },
    });
    slow.on('error', () => undefined);
    slow.write('--b\r\nContent-Disposition: form-data; name="file"; filename="slow.csv"\r\n\r\nname,amount\r\n');
    await eventually('the first begins', async () =>
      existsSync(folder) && readdirSync(folder).length === 1 ? true : null,
    );
    const second = await office.send<ErrorAnswer>('Nomsa', '/api/uploads', 'second.csv', 'a,b\n');
    expect([second.status, second.body.code]).toEqual([409, 'UPLOAD_UNDER_WAY']);
    const other = await office.send('Pieter', '/api/uploads', 'other.csv', csvOf(kenyanRows(1)));
    expect(other.status, 'another person is not held up').toBe(201);
    slow.destroy();
    await eventually('what came is gone', async () => (readdirSync(folder).length === 1 ? true : null));
    expect((await office.send('Nomsa', '/api/uploads', 'second.csv', csvOf(kenyanRows(1)))).status).toBe(201);
    await office.close();
  });
});
