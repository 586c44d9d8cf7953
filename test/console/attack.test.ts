/** What somebody who has an account might try with money, or with what others need not see. */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Batch,
  BatchRows,
  ErrorAnswer,
  Review,
  SearchResult,
  SheetRows,
  TrailPage,
  Upload,
} from '../../src/console/api.ts';
import { detailLine } from '../../src/console/batches/batch-views.ts';
import { deedWords } from '../../src/messages/web/deeds.ts';
import { atPayment, quick } from '../protocol/desk.ts';
import { csvOf, kenyanRows, newService, southAfrican } from '../support.ts';
import { eventually, type Office, openOffice, password, payingAt } from './office.ts';

const pdf = (words: string) => Buffer.from(`%PDF-1.4\n% ${words}\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n`);

async function planOf(office: Office, id: string, batch: string): Promise<string> {
  const { status, body } = await office.press('Nomsa', `/api/uploads/${id}/plan`, {
    batch,
    skipInvalid: false,
    expect: [],
  });
  expect([status, body]).toMatchObject([200, {}]);
  const now = await office.settled(id);
  expect([now.state, now.message]).toEqual(['planned', null]);
  return (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body.digest;
}

async function paidBatch(office: Office, content: string, name: string): Promise<{ id: string; digest: string }> {
  const { id } = await office.upload('Nomsa', `${name}.csv`, content);
  const digest = await planOf(office, id, name);
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  expect((await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest })).status).toBe(200);
  await eventually(`${name} is paid`, async () => {
    const { body, status } = await office.get<Batch>('Nomsa', `/api/batches/${name}`);
    return status === 200 && body.job?.state === 'done' ? body : null;
  });
  return { id, digest };
}

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});

describe('a batch', () => {
  it('that is paid is neither declined nor thrown away, also while its unpaid rows are planned again', async () => {
    const service = await newService();
    service.fault = atPayment(2, { kind: 'answer', status: 422 });
    const office = await openOffice(undefined, { ...quick, ...payingAt(service), PAYRUN_CONCURRENCY: '1' });
    const { id, digest } = await paidBatch(office, csvOf(kenyanRows(2)), 'oct');
    const declined = await office.post<ErrorAnswer>('Thabo', `/api/uploads/${id}/decline`, {
      digest,
      reason: 'too late',
    });
    expect([declined.status, declined.body.code]).toEqual([409, 'PLAN_MOVED']);
    expect((await office.press('Nomsa', `/api/uploads/${id}/discard`)).status).toBe(409);
    expect((await office.settled(id)).state).toBe('batch');
    for (const time of ['first', 'second']) {
      const again = await office.press('Nomsa', '/api/batches/oct/retry', { rows: null, reason: 'all are paid' });
      expect([time, again.status, again.body]).toMatchObject([time, 200, {}]);
      expect((await office.settled(id)).state, time).toBe('planned');
      // It is of a batch still.
      expect((await office.press('Nomsa', `/api/uploads/${id}/discard`)).status, time).toBe(409);
      expect((await office.send('Nomsa', `/api/uploads/${id}/documents`, 'a.pdf', pdf('a'))).status, time).toBe(409);
    }
    // Whose unpaid rows nobody lets go again is a batch still, and may be asked for anew.
    const { body: plan } = await office.get<Review>('Thabo', `/api/uploads/${id}/plan`);
    const no = { digest: plan.digest, reason: 'not again' };
    const { status, body } = await office.post<Upload>('Thabo', `/api/uploads/${id}/decline`, no);
    expect([status, body.state, body.batch]).toEqual([200, 'batch', 'oct']);
    expect((await office.get<Review>('Nomsa', `/api/uploads/${id}/plan`)).body.declined).toMatchObject({ by: 'Thabo' });
    expect((await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/pay`, { digest: plan.digest })).status).toBe(
      409,
    );
    expect((await office.press('Nomsa', '/api/batches/oct/retry', { rows: null, reason: 'once more' })).status).toBe(
      200,
    );
    expect((await office.settled(id)).state).toBe('planned');
    await office.close();
  });
});

describe('whoever had a hand in a sheet', () => {
  it.each(['document', 'document removed again', 'another’s document removed', 'columns', 'undo'])(
    'does not approve it, as an approver later: %s',
    async (what) => {
      const { id, header } = await office.upload('Nomsa', 'sheet.csv', csvOf(kenyanRows(2)));
      const documents = `/api/uploads/${id}/documents`;
      if (what.includes('document')) {
        const by = what.startsWith('another') ? 'Nomsa' : 'Pieter';
        expect((await office.send(by, documents, 'a.pdf', pdf('a'))).status).toBe(200);
      }
      if (what.endsWith('removed'))
        expect((await office.press('Pieter', `${documents}/a.pdf/remove`)).status).toBe(200);
      if (what.endsWith('again')) expect((await office.press('Nomsa', `${documents}/a.pdf/remove`)).status).toBe(200);
      if (what === 'columns') {
        const columns = Object.fromEntries(header.map((one) => [one, one]));
        const choice = { columns, values: {}, numberFormat: null };
        const { status, body } = await office.press('Pieter', `/api/uploads/${id}/columns`, choice);
        expect([status, body]).toMatchObject([200, {}]);
      }
      if (what === 'undo') {
        const { body: rows } = await office.get<SheetRows>('Nomsa', `/api/uploads/${id}/rows`);
        const column = rows.rows[0]!.cells.indexOf('100');
        const one = { row: 2, column, from: '100', to: '101' };
        expect((await office.post('Nomsa', `/api/uploads/${id}/corrections`, one)).status).toBe(200);
        await office.settled(id);
        const [made] = (await office.get<{ id: number }[]>('Nomsa', `/api/uploads/${id}/corrections`)).body;
        expect((await office.post('Pieter', `/api/uploads/${id}/corrections/${made?.id}/undo`)).status).toBe(200);
      }
      await office.settled(id);
      const digest = await planOf(office, id, `own ${what}`.replaceAll(/\W/g, '-'));
      const { status, body } = await office.post<ErrorAnswer>('Later', `/api/uploads/${id}/approve`, {
        digest,
        password,
      });
      expect([status, body.code]).toEqual([403, 'OWN_SHEET']);
    },
  );
});

/** None of the rows whose digits a viewer looks for. */
const invoiced = { ...southAfrican, row_id: 'inv', account_number: '62123456781', reference: 'Invoice' };

describe('a document', () => {
  it('that is handed in anew takes the place of the old one wherever the sheet names it', async () => {
    const rows = [{ ...invoiced, documents: 'papers/invoice.pdf' }];
    const { id } = await office.upload('Nomsa', 'one.csv', csvOf(rows));
    const documents = `/api/uploads/${id}/documents`;
    const place = join(office.folder, 'console', 'uploads', id, 'documents', 'papers', 'invoice.pdf');
    for (const version of ['first', 'second']) {
      expect((await office.send('Nomsa', documents, 'invoice.pdf', pdf(version))).status).toBe(200);
      await eventually(`the ${version} one is in its place`, async () => {
        await office.settled(id);
        return readIf(place)?.equals(pdf(version)) === true ? true : null;
      });
    }

    // A wrong one is taken away from every place, until the sheet is a batch; a plan that named it is void.
    const digest = await planOf(office, id, 'one');
    for (const [who, name, status] of [
      ['Vusi', 'invoice.pdf', 403],
      ['Thabo', 'invoice.pdf', 403],
      ['Nomsa', '..%2Fone.csv', 404],
      ['Nomsa', 'papers', 404],
    ] as const)
      expect([name, (await office.press(who, `${documents}/${name}/remove`)).status]).toEqual([name, status]);
    expect((await office.press<Upload>('Pieter', `${documents}/invoice.pdf/remove`)).body.documents).toEqual([]);
    expect(readIf(place)).toBeNull();
    expect(await office.settled(id)).toMatchObject({ state: 'to_fix', counts: { toFix: 1 }, documents: [] });
    expect(
      (await office.post<ErrorAnswer>('Thabo', `/api/uploads/${id}/approve`, { digest, password })).body.code,
    ).toBe('PLAN_MISSING');
    const { body: trail } = await office.get<TrailPage>('Vusi', '/api/trail');
    expect(trail.entries[0]).toMatchObject({
      by: 'Pieter',
      words: deedWords('document-removed', { document: 'invoice.pdf', file: 'one.csv' }),
    });
  });

  it('that ends coming in after its sheet was paid changes nothing of what was approved', async () => {
    const { id } = await office.upload('Nomsa', 'one.csv', csvOf([{ ...invoiced, documents: 'invoice.pdf' }]));
    const documents = `/api/uploads/${id}/documents`;
    await office.send('Nomsa', documents, 'invoice.pdf', pdf('approved'));
    await office.settled(id);
    const late = slowly(office, 'Pieter', documents, 'invoice.pdf', pdf('of another'));
    const folder = join(office.folder, 'console', 'uploads', id, 'documents');
    const names = () => readdirSync(folder).filter((name) => name !== 'invoice.pdf');
    await eventually('it begins to come in', async () => (names().length > 0 ? true : null));
    const digest = await planOf(office, id, 'one');
    await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password });
    await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest });
    await eventually('it is a batch', async () => ((await office.settled(id)).state === 'batch' ? true : null));
    expect(await late.end()).toBe(409);
    expect((await office.get('Thabo', `${documents}/invoice.pdf`)).bytes).toEqual(pdf('approved'));
    expect(names()).toEqual([]);
  });

  it('is not taken for two that the sheet names', async () => {
    const rows = csvOf([
      { ...invoiced, documents: 'jan/invoice.pdf; jan/terms.pdf' },
      { ...invoiced, row_id: 'za2', reference: 'Feb', amount: '12', documents: 'feb/invoice.pdf; jan/terms.pdf' },
    ]);
    const { id } = await office.upload('Nomsa', 'two.csv', rows);
    const documents = `/api/uploads/${id}/documents`;
    const { status, body } = await office.send<ErrorAnswer>('Nomsa', documents, 'invoice.pdf', pdf('january'));
    expect([status, body.message]).toEqual([422, expect.stringContaining('feb/invoice.pdf, jan/invoice.pdf')]);
    // One for both rows may well be meant.
    expect((await office.send<Upload>('Nomsa', documents, 'terms.pdf', pdf('terms'))).body.documents).toMatchObject([
      { name: 'terms.pdf' },
    ]);
  });

  it('that came before its sheet was read lies in neither of two places', async () => {
    const rows = csvOf([
      { ...invoiced, documents: 'jan/invoice.pdf; jan/terms.pdf' },
      { ...invoiced, row_id: 'za2', reference: 'Feb', amount: '12', documents: 'feb/invoice.pdf' },
    ]);
    const { id } = await office.upload('Nomsa', 'two.csv', rows.replace('documents', 'papers'));
    for (const name of ['invoice.pdf', 'terms.pdf'])
      await office.send('Nomsa', `/api/uploads/${id}/documents`, name, pdf(name));
    const { header } = await office.settled(id);
    const columns = Object.fromEntries(header.map((one) => [one, one === 'papers' ? 'documents' : one]));
    await office.press('Nomsa', `/api/uploads/${id}/columns`, { columns, values: {}, numberFormat: null });
    const place = (path: string) => readIf(join(office.folder, 'console', 'uploads', id, 'documents', path));
    await eventually('what one row alone names is in its place', async () => place('jan/terms.pdf'));
    expect([place('jan/invoice.pdf'), place('feb/invoice.pdf')]).toEqual([null, null]);
    await eventually('both rows lack it', async () => {
      const { state, counts } = await office.settled(id);
      return state === 'to_fix' && counts.toFix === 2 ? true : null;
    });
  });
});

/** A file of which the rest does not come before `end`, which tells how it was answered. */
function slowly({ port }: Office, who: string, path: string, name: string, content: Buffer) {
  const origin = `http://127.0.0.1:${port}`;
  const type = { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' };
  const asking = request(`${origin}${path}`, { method: 'POST', headers: { 'x-person': who, origin, ...type } });
  const answered = new Promise<number>((done, failed) => {
    asking.once('response', (response) => done(response.resume().statusCode ?? 0));
    asking.once('error', failed);
  });
  asking.write(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`);
  asking.write(content.subarray(0, 20));
  return {
    end: async () => {
      asking.end(Buffer.concat([content.subarray(20), Buffer.from('\r\n--b--\r\n')]));
      return await answered;
    },
  };
}

const readIf = (path: string): Buffer | null => {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
};

describe('a viewer', () => {
  it.each([
    ['Account number', '10004291601', '…1601'],
    ['IBAN', 'GB33BUKB20201555555555', '…5555'],
    ['M-Pesa', '+254 712 345610', '…5610'],
    ['Bank', 'Standard Bank', 'Standard Bank'],
    ['Amount', '2300000', '2300000'],
    ['Reference', 'PR 1234567', 'PR 1234567'],
  ])('sees of an account to pay into %s: %s as %s', (name, value, shown) => {
    expect(detailLine({ name, value }, { masked: true })).toEqual({ label: name, value: shown });
    expect(detailLine({ name, value }, { masked: false })).toEqual({ label: name, value });
  });

  const account = '10004291601';

  it('learns no account by looking for its digits', async () => {
    const { id } = await paidBatch(office, csvOf([southAfrican, ...kenyanRows(1)]), 'sa');
    for (const digits of [account, account.slice(2, 8)]) {
      const looks = async (who: string) => [
        (await office.get<SheetRows>(who, `/api/uploads/${id}/rows?q=${digits}`)).body.total,
        (await office.get<BatchRows>(who, `/api/batches/sa/rows?q=${digits}`)).body.total,
        (await office.get<SearchResult>(who, `/api/search?q=${digits}`)).body.rows.length,
      ];
      expect([digits, await looks('Nomsa')]).toEqual([digits, [1, 1, 1]]);
      expect([digits, await looks('Vusi')]).toEqual([digits, [0, 0, 0]]);
    }
    expect((await office.get<BatchRows>('Vusi', '/api/batches/sa/rows?q=Thandi')).body.total).toBe(1);
    expect((await office.get<SheetRows>('Vusi', `/api/uploads/${id}/rows?q=Thandi`)).body.total).toBe(1);
  });
});

describe('a live connection', () => {
  it('ends when who follows it is logged out or shut out, and nobody holds very many', async () => {
    const path = '/api/batches/sa/events';
    const all = [];
    for (let nth = 0; nth < 16; nth += 1) all.push(await office.follow('Vusi', path));
    expect(all.map(({ status }) => status)).toContain(429);
    const other = await office.follow('Thabo', path);
    expect(other.status, 'others are not held up').toBe(200);
    office.gone.add('Vusi');
    await Promise.all(all.map(({ ended }) => ended));
    office.gone.delete('Vusi');
    expect((await office.follow('Vusi', path)).status, 'and later there is room').toBe(200);
  });
});
