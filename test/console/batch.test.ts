/** The month-end path over HTTP by several people, and what each of them is refused. */
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/digest.ts';
import type {
  Batch,
  BatchRows,
  ErrorAnswer,
  Mistake,
  Review,
  RowLife,
  SheetRows,
  TrailPage,
  Upload,
  UploadLine,
  Warnings,
} from '../../src/console/api.ts';
import { command, csvOf, kenyanRows, newFolder, refusalOf, type SheetRow, southAfrican, until } from '../support.ts';
import { eventually, type Office, openOffice, password, saidOf, trailOf } from './office.ts';

const rows = [...kenyanRows(4), { ...southAfrican, amount: '4500.50' }];
const request = { batch: 'nov', skipInvalid: false, expect: [] };

async function planned(
  office: Office,
  content = csvOf(kenyanRows(3)),
  batch = 'nov',
): Promise<Upload & { digest: string }> {
  const upload = await office.upload('Nomsa', 'november.csv', content);
  const { status, body } = await office.press('Nomsa', `/api/uploads/${upload.id}/plan`, { ...request, batch });
  expect([status, body]).toMatchObject([200, { id: upload.id }]);
  const now = await office.settled(upload.id);
  expect([now.state, now.message]).toEqual(['planned', null]);
  const review = await office.get<Review>('Thabo', `/api/uploads/${upload.id}/plan`);
  return { ...now, digest: review.body.digest };
}

async function paid(office: Office, name: string): Promise<Batch> {
  return await eventually(`batch ${name} is paid`, async () => {
    const { body, status } = await office.get<Batch>('Nomsa', `/api/batches/${name}`);
    return status === 200 && body.job?.state !== 'running' && body.rows.paid === body.rows.total ? body : null;
  });
}

it('one person uploads, fixes and pays; another approves; both see it, and so does a terminal', async () => {
  const office = await openOffice(undefined, {}, { threads: true });
  const upload = await office.upload('Nomsa', 'november.csv', csvOf(rows));
  expect(upload).toMatchObject({ state: 'to_fix', file: 'november.csv', by: 'Nomsa', counts: { rows: 5, toFix: 1 } });
  expect(upload.found.join('; ')).toMatch(/CSV/);
  const { body: mistakes } = await office.get<Mistake[]>('Nomsa', `/api/uploads/${upload.id}/mistakes`);
  const wrong = mistakes.find(({ severity }) => severity === 'error');
  expect(wrong).toMatchObject({ column: 'amount', value: '4500.50', rows: 1, firstRow: 6 });
  const early = await office.press<ErrorAnswer>('Nomsa', `/api/uploads/${upload.id}/plan`, request);
  expect([early.status, early.body.code]).toEqual([409, 'ROWS_TO_FIX']);

  const correction = { row: 6, column: wrong?.index, from: '4500.50', to: '4500' };
  expect((await office.post('Nomsa', `/api/uploads/${upload.id}/corrections`, correction)).status).toBe(200);
  const twice = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${upload.id}/corrections`, correction);
  expect([twice.status, twice.body.code], 'also before it is looked at again').toEqual([409, 'CELL_CHANGED']);
  const mended = await office.settled(upload.id);
  expect(mended).toMatchObject({ state: 'ready', counts: { rows: 5, toFix: 0 } });
  const stale = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${upload.id}/corrections`, correction);
  expect([stale.status, stale.body.code], 'the cell says something else by now').toEqual([409, 'CELL_CHANGED']);
  const { body: corrected } = await office.get<SheetRows>('Nomsa', `/api/uploads/${upload.id}/rows?filter=corrected`);
  expect(corrected).toMatchObject({ total: 1, rows: [{ number: 6, corrections: [{ was: '4500.50' }] }] });
  expect(corrected.rows[0]?.cells).toContain('4500');

  expect((await office.press('Nomsa', `/api/uploads/${upload.id}/plan`, request)).status).toBe(200);
  expect(await office.settled(upload.id)).toMatchObject({ state: 'planned', message: null, batch: 'nov' });
  const { body: review } = await office.get<Review>('Thabo', `/api/uploads/${upload.id}/plan`);
  expect(review).toMatchObject({
    batch: 'nov',
    maker: 'Nomsa',
    rows: 5,
    rowsToSend: 5,
    needed: 1,
    approvals: [],
    whyNot: null,
  });
  expect(review.totals.map(({ country, currency, amount }) => [country, currency, amount])).toEqual([
    ['Kenya', 'KES', '406'],
    ['SouthAfrica', 'ZAR', '4500'],
  ]);
  expect(review.warnings.map(({ code }) => code)).toContain('CELL_CORRECTED');
  expect(review.payees.length).toBe(5);

  const early2 = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${upload.id}/pay`, { digest: review.digest });
  expect([early2.status, early2.body.code]).toEqual([422, 'APPROVALS_TOO_FEW']);
  const wrongWord = { digest: review.digest, password: 'guess' };
  expect((await office.post('Thabo', `/api/uploads/${upload.id}/approve`, wrongWord)).status).toBe(403);
  const approved = await office.post<Upload>('Thabo', `/api/uploads/${upload.id}/approve`, {
    digest: review.digest,
    password,
  });
  expect([approved.status, approved.body.state]).toEqual([200, 'approved']);

  const paying = await office.post<Upload>('Nomsa', `/api/uploads/${upload.id}/pay`, { digest: review.digest });
  expect([paying.status, paying.body]).toMatchObject([200, { id: upload.id }]);
  const batch = await paid(office, 'nov');
  expect(batch).toMatchObject({ upload: upload.id, plan: { digest: review.digest, maker: 'Nomsa' } });
  expect(batch.approvals).toMatchObject([{ name: 'Thabo' }]);
  expect(await office.settled(upload.id)).toMatchObject({ state: 'batch', batch: 'nov' });

  const { body: found } = await office.get<BatchRows>('Nomsa', '/api/batches/nov/rows?status=paid&q=Thandi');
  expect(found).toMatchObject({
    total: 1,
    rows: [{ key: 'za1', status: 'paid', amount: '4500', destination: expect.stringContaining('10004291601') }],
  });
  const { body: life } = await office.get<RowLife>('Vusi', '/api/batches/nov/rows/za1');
  expect(life).toMatchObject({ status: 'paid', next: null });
  expect(JSON.stringify(life), 'a viewer sees the last four digits').not.toContain('10004291601');
  expect(life.moves.map(({ by }) => by)).toEqual(['Nomsa', null, null, null]);
  expect(trailOf(office, 'nov').filter(({ row, what }) => row === 'za1' && what === 'move')).toMatchObject(
    ['sending', 'accepted', 'succeeded'].map((to) => ({ data: { to } })),
  );

  const result = await office.get('Nomsa', '/api/batches/nov/result?format=csv');
  expect(result.headers['content-disposition']).toMatch(/^attachment; filename="november/);
  expect(result.bytes.toString('utf8')).toMatch(/za1.*4500.*paid/);
  expect(batch.evidence).toBeNull();
  const { bytes: pack } = await office.get('Thabo', '/api/batches/nov/evidence');
  expect(pack.subarray(0, 2).toString()).toBe('PK');
  const { evidence } = (await office.get<Batch>('Vusi', '/api/batches/nov')).body;
  expect(evidence).toEqual({ sha256: sha256(pack), by: 'Thabo', at: expect.any(String) });
  const { body: told } = await office.get<TrailPage>('Nomsa', '/api/trail?batch=nov&limit=1');
  expect(told.entries[0]).toMatchObject({ batch: 'nov', by: 'Thabo', words: expect.stringContaining(sha256(pack)) });
  expect(trailOf(office, 'nov').at(-1)).toMatchObject({
    what: 'person',
    data: { did: 'evidence-downloaded', by: 'Thabo', evidence: sha256(pack) },
  });
  expect((await office.get('Ada', '/api/batches/nov/report')).headers['content-disposition']).toContain('attachment');
  expect((await office.get('Vusi', '/api/batches/nov/result')).status, 'a viewer takes nothing away').toBe(403);

  // At a terminal it is the same batch, and its trail holds.
  const listed = await command(office, ['list', '--sandbox', '--json']);
  expect(JSON.parse(listed.out)).toMatchObject({ batches: [{ batch: 'nov', rows: { paid: 5 } }] });
  expect((await command(office, ['audit', 'verify', '--sandbox'])).exit).toBe(0);
  await office.close();
});

describe('what looks sent already', () => {
  let office: Office;
  const sheet = kenyanRows(4);
  const more = (by: number, rows: readonly SheetRow[] = sheet) =>
    rows.map((row) => ({ ...row, row_id: `c${row.row_id}`, amount: String(Number(row.amount) + by) }));
  const plan = async (id: string, batch: string, said = {}) =>
    await office.press<ErrorAnswer & Upload>('Nomsa', `/api/uploads/${id}/plan`, { ...request, batch, ...said });
  const pay = async (id: string) => {
    const { body: review } = await office.get<Review>('Thabo', `/api/uploads/${id}/plan`);
    const { digest } = review;
    await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password });
    const { status, body } = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/pay`, { digest });
    expect([status, body.message], 'the run takes what the plan took').toEqual([200, null]);
    return review;
  };
  beforeAll(async () => {
    office = await openOffice();
    const { id, batch } = await office.upload('Nomsa', 'hand2.csv', csvOf(sheet));
    expect(batch).toBe('hand2');
    await plan(id, batch);
    expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null, batch: 'hand2' });
    expect(await pay(id)).toMatchObject({ repeats: [], repeatReason: null });
    await paid(office, 'hand2');
  });

  it('a sheet of which most rows were paid is not planned without a reason, which approvers read', async () => {
    const { id, batch } = await office.upload('Nomsa', 'hand2-copy.csv', csvOf(more(0)));
    for (const name of [batch, 'quite-another']) {
      expect((await plan(id, name)).status).toBe(200);
      const { state, message, job } = await office.settled(id);
      expect([state, job?.state, job?.code]).toEqual(['ready', 'failed', 'SHEET_LOOKS_PAID']);
      expect(saidOf(office, id)).toMatchObject({ code: 'SHEET_LOOKS_PAID', facts: { batch: 'hand2' } });
      expect(message, 'no command of a terminal').not.toMatch(/--|\bpayrun\b/);
    }
    // A stale refusal does not stand beside what was checked since.
    await office.press('Nomsa', `/api/uploads/${id}/rows`, { choices: [] });
    expect(await office.settled(id)).toMatchObject({ state: 'ready', message: null, job: null });

    const confirmRepeat = 'Overtime, agreed with Thabo';
    await plan(id, batch, { confirmRepeat });
    expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
    const review = await pay(id);
    expect(review.repeats.map(({ row, payee }) => [row, payee])).toEqual(
      sheet.map(({ name }, index) => [index + 2, name]),
    );
    expect(review).toMatchObject({ repeatsTotal: 4, repeatReason: confirmRepeat });
    await paid(office, batch);
    const { body: trail } = await office.get<TrailPage>('Thabo', '/api/trail');
    expect(trail.entries.map(({ words }) => words).join('\n')).toContain(confirmRepeat);
  });

  it('a row that was paid is held, and one that nearly was is named; both before anybody plans it', async () => {
    const [one, two] = sheet;
    const fresh = { ...kenyanRows(1)[0]!, row_id: 'f1', amount: '7', reference: 'Fresh' };
    const { id } = await office.upload('Nomsa', 'some.csv', csvOf([fresh, ...more(70, [two!]), one!]));
    const { body: alike } = await office.get<SheetRows>('Nomsa', `/api/uploads/${id}/rows?filter=warnings`);
    expect(alike.rows.map(({ number, problems }) => [number, problems.map(({ code }) => code)])).toEqual([
      [3, ['LOOKS_PAID']],
      [4, ['LOOKS_PAID']],
    ]);
    const { body: kinds } = await office.get<Warnings[]>('Nomsa', `/api/uploads/${id}/warnings`);
    expect(kinds, 'in the words of its first row').toEqual([
      { code: 'LOOKS_PAID', message: alike.rows[0]?.problems[0]?.message, rows: 2, firstRow: 3 },
    ]);
    await plan(id, 'mine');
    expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  });

  it('control totals that differ, or that cannot be read, are refused', async () => {
    const own = { ...southAfrican, row_id: 't1', reference: 'Totals', amount: '4000' };
    const { id } = await office.upload('Nomsa', 'totals.csv', csvOf([own]));
    expect((await plan(id, 'totals', { expect: ['ZAR=R40x'] })).status).toBe(422);
    await plan(id, 'totals', { expect: ['ZAR=400,000.00'] });
    const { message } = await office.settled(id);
    expect(saidOf(office, id)).toMatchObject({
      code: 'TOTALS_DIFFER',
      facts: { differences: [{ of: 'money', money: 'ZAR', expected: '400000', found: '4000' }] },
    });
    expect(message).not.toContain('--');
  });
});

describe('what is refused', () => {
  let office: Office;
  /** The names of the writes, each from the time when it is asked for. */
  const writes: string[] = [];
  beforeAll(async () => {
    office = await openOffice(undefined, {}, { onWrite: (what) => writes.push(what) });
  });

  it('one’s own sheet is not approved, an approver does not pay, and a change makes plan and approvals void', async () => {
    const { id, digest } = await planned(office);
    const own = await office.post<ErrorAnswer>('Both', `/api/uploads/${id}/approve`, { digest, password });
    expect([own.status, own.body.code]).toEqual([403, 'OWN_SHEET']);
    expect((await office.post('Nomsa', `/api/uploads/${id}/approve`, { digest, password })).status, 'by role').toBe(
      403,
    );
    expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
    expect((await office.post('Thabo', `/api/uploads/${id}/pay`, { digest })).status, 'by role').toBe(403);

    const { body: sheet } = await office.get<SheetRows>('Nomsa', `/api/uploads/${id}/rows`);
    const column = sheet.rows[0]!.cells.indexOf('100');
    const changed = await office.post('Nomsa', `/api/uploads/${id}/corrections`, {
      row: 2,
      column,
      from: '100',
      to: '999',
    });
    expect(changed.status).toBe(200);
    expect(await office.settled(id)).toMatchObject({ state: 'ready' });
    for (const [who, path] of [
      ['Nomsa', 'pay'],
      ['Thabo', 'approve'],
    ] as const) {
      const { status, body } = await office.post<ErrorAnswer>(who, `/api/uploads/${id}/${path}`, {
        digest,
        password,
        ...(path === 'pay' ? { password: undefined } : {}),
      });
      expect([path, status, body.code]).toEqual([path, 409, 'PLAN_MISSING']);
    }
    expect((await office.get<ErrorAnswer>('Thabo', `/api/uploads/${id}/plan`)).body.code).toBe('PLAN_MISSING');
  });

  it('what was declined is not paid, and says why', async () => {
    const { id, digest } = await planned(office);
    const reason = 'The second amount is last month’s';
    expect((await office.post('Thabo', `/api/uploads/${id}/decline`, { digest, reason })).status).toBe(200);
    expect(await office.settled(id)).toMatchObject({ state: 'ready', declined: { did: 'plan-declined', reason } });
    const { body: lines } = await office.get<UploadLine[]>('Nomsa', '/api/uploads');
    expect(lines.find((one) => one.id === id)?.declined, 'in lists too').toMatchObject({ by: 'Thabo', reason });
    const { status, body } = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/pay`, { digest });
    expect([status, body.code]).toEqual([409, 'PLAN_MOVED']);

    const plan = { batch: (await office.settled(id)).batch, skipInvalid: false, expect: [] };
    const replan = async () => {
      expect((await office.press('Nomsa', `/api/uploads/${id}/plan`, plan)).status).toBe(200);
      expect(await office.settled(id)).toMatchObject({ state: 'planned', declined: null });
      return (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body.declinedBefore;
    };
    // A new plan shows the decline, with equal rows and after a correction.
    const before = { by: 'Thabo', reason, file: 'november.csv' };
    expect(await replan()).toMatchObject(before);
    const { body: sheet } = await office.get<SheetRows>('Nomsa', `/api/uploads/${id}/rows`);
    const column = sheet.rows[1]!.cells.indexOf('101');
    await office.post('Nomsa', `/api/uploads/${id}/corrections`, { row: 3, column, from: '101', to: '102' });
    await office.settled(id);
    expect(await replan()).toMatchObject(before);
  });

  it('a decline is shown with the plan of another sheet that has the same rows or the same batch name', async () => {
    const rows = kenyanRows(2).map((row) => ({ ...row, reference: `D ${row.row_id}` }));
    const reason = 'The second payee left';
    const first = await planned(office, csvOf(rows), 'no');
    await office.post('Thabo', `/api/uploads/${first.id}/decline`, { digest: first.digest, reason });
    await office.press('Nomsa', `/api/uploads/${first.id}/discard`, {});
    const declinedBefore = async (of: readonly SheetRow[], batch: string) => {
      const { id } = await office.upload('Nomsa', 'again.csv', csvOf(of));
      await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch, skipInvalid: false, expect: [] });
      expect(await office.settled(id)).toMatchObject({ state: 'planned' });
      return (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body.declinedBefore;
    };
    const no = { by: 'Thabo', reason, file: 'november.csv' };
    const others = [{ ...southAfrican, row_id: 'd9', reference: 'D nine' }];
    expect(await declinedBefore(rows, 'other')).toMatchObject(no);
    expect(await declinedBefore(others, 'no')).toMatchObject(no);
    expect(await declinedBefore([{ ...others[0]!, row_id: 'd8', reference: 'D eight' }], 'apart')).toBe(null);

    // A decline after the plan was made is shown with the plan too.
    const same = csvOf([{ ...others[0]!, row_id: 'd7', reference: 'D seven' }]);
    const waiting = await planned(office, same, 'waiting');
    const shown = async () =>
      (await office.get<Review>('Thabo', `/api/uploads/${waiting.id}/plan`)).body.declinedBefore;
    expect(await shown()).toBe(null);
    const second = await planned(office, same, 'second');
    await office.post('Thabo', `/api/uploads/${second.id}/decline`, { digest: second.digest, reason });
    expect(await shown()).toMatchObject(no);
  });

  it('the plan file of another sheet does not replace the plan', async () => {
    const sheets = [await planned(office, undefined, 'kept'), await planned(office, csvOf([southAfrican]), 'put')];
    const [own, foreign] = sheets.map(({ id }) => {
      const upload = join(office.folder, 'console', 'uploads', id);
      return join(upload, readdirSync(upload).find((name) => name.startsWith('plan-'))!, 'november.plan.json');
    });
    rmSync(own!);
    cpSync(foreign!, own!);
    for (const time of ['first', 'second']) {
      const { status, body } = await office.get<ErrorAnswer>('Thabo', `/api/uploads/${sheets[0]!.id}/plan`);
      expect([time, status, body.code]).toEqual([time, 409, 'PLAN_MOVED']);
    }
  });

  it('an approver declines what was approved until it is paid, and of both at once one is refused', async () => {
    const { id, digest } = await planned(office, csvOf([southAfrican]), 'back');
    const [plan, approve] = [`/api/uploads/${id}/plan`, `/api/uploads/${id}/approve`];
    const decline = async (of: string, reason = 'One payee left') =>
      await office.post<ErrorAnswer>('Thabo', `/api/uploads/${id}/decline`, { digest: of, reason });
    const pay = async (of: string) => await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/pay`, { digest: of });
    const mayEnd = async (who: string) => (await office.get<Review>(who, plan)).body.mayEnd;
    await office.post('Thabo', approve, { digest, password });
    expect((await office.settled(id)).state).toBe('approved');
    expect([await mayEnd('Thabo'), await mayEnd('Both'), await mayEnd('Nomsa')]).toEqual([
      'plan-declined',
      null,
      'plan-withdrawn',
    ]);
    // Nor does a terminal pay it, with the signature that somebody copied before.
    const upload = join(office.folder, 'console', 'uploads', id);
    const own = join(upload, readdirSync(upload).find((name) => name.startsWith('plan-'))!);
    const moved = newFolder();
    cpSync(upload, moved, { recursive: true });
    const copied = join(moved, basename(own));
    const signatures = (of: string) => readdirSync(of).filter((name) => name.endsWith('.sig.json')).length;
    expect((await decline(digest)).status).toBe(200);
    expect(await office.settled(id)).toMatchObject({ state: 'ready', declined: { by: 'Thabo' } });
    expect([signatures(copied), signatures(own)]).toEqual([1, 1]);
    const policy = join(office.folder, 'people', 'policy.json');
    for (const under of [[], ['--policy', policy]]) {
      const ran = await command(office, ['run', join(copied, 'november.plan.json'), ...under, '--sandbox', '--json']);
      expect([ran.exit, refusalOf(ran)]).toMatchObject([26, { code: 'PLAN_DECLINED', facts: { by: 'Thabo' } }]);
    }
    expect(await mayEnd('Thabo')).toBeNull();
    expect((await pay(digest)).body.code).toBe('PLAN_MOVED');

    // The signature under the declined plan counts for none that is made after it.
    expect((await office.press('Nomsa', plan, { ...request, batch: 'back' })).status).toBe(200);
    await office.settled(id);
    const { body: next } = await office.get<Review>('Thabo', plan);
    expect(next.declinedBefore).toMatchObject({ by: 'Thabo' });
    expect((await pay(next.digest)).body.code).toBe('APPROVALS_TOO_FEW');
    expect((await pay(digest)).body.code).toBe('PLAN_MOVED');
    await office.post('Thabo', approve, { digest: next.digest, password });

    // While another program writes the ledger, a decline and a payment wait. The ledger then accepts only one of them.
    const other = new DatabaseSync(office.ledger);
    other.exec('BEGIN IMMEDIATE');
    writes.length = 0;
    const declining = decline(next.digest);
    const paying = pay(next.digest);
    await until('the payment has begun', () => writes.includes('beginJob'));
    other.exec('COMMIT');
    other.close();
    const [declined] = await Promise.all([declining, paying]);
    const { state } = await office.settled(id);
    expect([state, declined.body.code]).toEqual(declined.status === 200 ? ['ready', null] : ['batch', 'PLAN_MOVED']);
    if (state === 'ready') {
      expect((await office.get('Nomsa', '/api/batches/back')).status).toBe(404);
      await office.press('Nomsa', plan, { ...request, batch: 'back' });
      await office.settled(id);
      const { body: last } = await office.get<Review>('Thabo', plan);
      await office.post('Thabo', approve, { digest: last.digest, password });
      await pay(last.digest);
    }
    await paid(office, 'back');
    const { bytes: pack } = await office.get('Thabo', '/api/batches/back/evidence');
    const told = /decisions\.json(\[.*?\n\])/s.exec(pack.toString('latin1'))?.[1] ?? '';
    expect(JSON.parse(told)[0], 'who checks the batch reads of the no').toMatchObject({
      what: 'person',
      by: 'Thabo',
      why: 'One payee left',
      data: { did: 'plan-declined', plan: digest },
    });
  });
});

it('where the ledger was used under another policy the console makes no plan by its own', async () => {
  const office = await openOffice();
  const terminal = newFolder();
  const policy = join(terminal, 'payrun.policy.json');
  cpSync(join(import.meta.dirname, '../golden/cases/approved-by-two/payrun.policy.json'), policy);
  writeFileSync(join(terminal, 'other.csv'), csvOf([{ ...southAfrican, row_id: 'other' }]));
  const plan = ['plan', 'other.csv', '--maker', 'Ama Mensah', '--sandbox'];
  expect((await command({ ...office, folder: terminal }, plan)).exit).toBe(0);
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf([southAfrican]));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  await office.settled(id);
  expect(saidOf(office, id)).toMatchObject({ code: 'POLICY_NOT_FOUND', facts: { path: policy } });
  const { body: batches } = await office.get<{ batches: unknown[] }>('Nomsa', '/api/batches');
  expect(JSON.stringify(batches)).not.toContain('"nov"');
  await office.close();
});

it('a document is that of its row’s own sheet, where a later sheet of the batch has another of the same name', async () => {
  const office = await openOffice();
  const pdf = (title: string) => `%PDF-1.4\n1 0 obj\n<< /T (${title}) >>\nendobj\ntrailer\n<< >>\n%%EOF\n`;
  const [first, second] = kenyanRows(2).map((row) => ({ ...row, documents: 'invoice.pdf' }));
  const payWith = async (file: string, title: string, rows: readonly SheetRow[], add: boolean) => {
    const { id } = await office.upload('Nomsa', file, csvOf(rows));
    await office.send('Nomsa', `/api/uploads/${id}/documents`, 'invoice.pdf', pdf(title));
    await office.settled(id);
    await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'docs', skipInvalid: false, expect: [], add });
    expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
    const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
    await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password });
    await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest });
    await eventually(`${file} is paid`, async () => {
      const { body } = await office.get<Upload>('Nomsa', `/api/uploads/${id}`);
      return body.state === 'batch' && body.job === null ? true : null;
    });
    return id;
  };
  const sheets = [
    await payWith('la.csv', 'first', [first!], false),
    await payWith('all.csv', 'second', [first!, second!], true),
  ];
  for (const [index, title] of ['first', 'second'].entries()) {
    const { body: row } = await office.get<RowLife>('Vusi', `/api/batches/docs/rows/k${index + 1}`);
    expect(row.documents).toEqual([
      { name: 'invoice.pdf', state: expect.any(String), sha256: sha256(pdf(title)), upload: sheets[index] },
    ]);
    const at = (digest: string) => `/api/uploads/${sheets[index]}/documents/invoice.pdf?sha256=${digest}`;
    expect((await office.get('Thabo', at(sha256(pdf(title))))).bytes.toString()).toBe(pdf(title));
    expect((await office.get('Thabo', at(sha256(pdf('else'))))).status).toBe(409);
  }
  await office.close();
});
