/** Whether a plan may be paid is told by the policy as it is now, and not as it was when somebody approved. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { makeKey, publicLine, publicOf } from '../../src/approval/approval.ts';
import type { Batch, ErrorAnswer, Review, Upload, UploadLine } from '../../src/console/api.ts';
import { openApproval } from '../../src/console/drafts/sheet-approval.ts';
import type { UploadRecord } from '../../src/ledger/ledger.ts';
import { reviewWords } from '../../src/messages/web/review.ts';
import { batchSteps } from '../../src/messages/web/rows.ts';
import { quick } from '../protocol/desk.ts';
import { csvOf, kenyanRows, newFolder, newService } from '../support.ts';
import { eventually, hasty, openOffice, password, payingAt, policyOf } from './office.ts';

it('what was approved waits again where the policy asks for more, and what waited may be paid where it asks for less', async () => {
  const office = await openOffice();
  const path = policyOf(office.folder);
  const text = readFileSync(path, 'utf8');
  const was = JSON.parse(text) as { approvers: object[] };
  const zed = { name: 'Zed', keys: [publicLine(publicOf('Zed', makeKey()))] };
  const policy = (said: object | string) =>
    writeFileSync(path, typeof said === 'string' ? said : JSON.stringify({ ...was, ...said }));
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(kenyanRows(1)));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect((await office.settled(id)).state).toBe('planned');
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  const approved = await office.post<Upload>('Thabo', `/api/uploads/${id}/approve`, { digest, password });
  expect(approved.body.state).toBe('approved');
  const listed = async () => (await office.get<UploadLine[]>('Thabo', '/api/uploads')).body[0]?.state;
  const read = async () => await office.get<Review & ErrorAnswer>('Thabo', `/api/uploads/${id}/plan`);

  policy({ approvers: [...was.approvers, zed], otherwise: 2 });
  expect(await listed()).toBe('planned');
  expect((await read()).body).toMatchObject({ needed: 2, approvals: [{ name: 'Thabo' }] });
  policy(text);
  expect(await listed()).toBe('approved');
  // Shut out, and seen first by who would pay.
  policy({ approvers: [zed] });
  expect((await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/pay`, { digest })).body.code).toBe(
    'APPROVALS_TOO_FEW',
  );
  expect(await listed()).toBe('planned');

  // What nobody can approve says so where it is read, and waits again where it is listed.
  for (const [what, words] of [
    [{ makers: ['Pieter'] }, /Nomsa/],
    ['{', /policy/],
  ] as const) {
    policy(what);
    const { status, body } = await read();
    expect([what, status, body.message]).toEqual([what, 409, expect.stringMatching(words)]);
    expect((await office.settled(id)).state).toBe('planned');
  }
  policy(text);
  expect((await read()).status).toBe(200);
  expect((await office.settled(id)).state).toBe('approved');
  await office.close();
});

it('what was sent as another batch since, or planned too long ago, is no more to be paid, and lists say so', async () => {
  const office = await openOffice();
  const rows = kenyanRows(3).map((row, index) => (index === 2 ? { ...row, name: '' } : row));
  const approved = async (batch: string) => {
    const { id } = await office.upload('Nomsa', `${batch}.csv`, csvOf(rows));
    await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch, skipInvalid: true, expect: [] });
    expect((await office.settled(id)).state).toBe('planned');
    const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
    await office.post<Upload>('Thabo', `/api/uploads/${id}/approve`, { digest, password });
    return { id, digest };
  };
  const listed = async (batch: string) => {
    const { body } = await office.get<UploadLine[]>('Thabo', '/api/uploads');
    return body.find((one) => one.batch === batch);
  };
  const nov = await approved('nov');
  const again = await approved('again');
  expect(await listed('again')).toMatchObject({ state: 'approved', lapsed: false });
  expect((await office.post('Nomsa', `/api/uploads/${nov.id}/pay`, { digest: nov.digest })).status).toBe(200);
  await eventually('the other knows', async () => ((await listed('again'))?.looksPaid === 2 ? true : null));
  expect(await office.settled(again.id)).toMatchObject({
    state: 'approved',
    sharedWith: [{ batch: 'nov', rows: 2, same: 2, lacks: 0 }],
  });
  expect(await listed('nov')).toMatchObject({ state: 'batch' });
  // What was left out is no unpaid row that could be sent again as it is.
  const { next } = (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;
  expect(next).toMatchObject([{ words: batchSteps.invalid(1, 'nov'), action: null }]);

  const db = new DatabaseSync(office.ledger);
  db.prepare(`UPDATE upload SET facts = json_set(facts, '$.plan.expiresAt', '2026-01-01T00:00:00Z') WHERE id = ?`).run(
    again.id,
  );
  db.close();
  expect(await listed('again')).toMatchObject({ lapsed: true });
  await office.close();
});

it('a review names payees that were never paid from this ledger', async () => {
  const service = await newService();
  const office = await openOffice(undefined, { ...quick, ...payingAt(service) });
  const rows = kenyanRows(2);
  // Known to the service, and never paid from this ledger, which is empty.
  rows.forEach(({ name, contact_number: contactNumber }, index) => {
    const id = `0192f0a1-0000-7000-8000-00000000000${index}`;
    service.merchants.set(id, { id, name, country: 'Kenya', networkProvider: 'MOMO', contactNumber });
  });
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(rows));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  await office.settled(id);
  const { body } = await office.get<Review>('Thabo', `/api/uploads/${id}/plan`);
  expect(body.payees.map(({ words }) => words)).toEqual(rows.map(() => reviewWords.neverPaid));
  await office.close();
});

it('a batch that was finished elsewhere tells nobody to go on with what a console left when it died', async () => {
  const office = await openOffice();
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(kenyanRows(2)));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect((await office.settled(id)).state).toBe('planned');
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password });
  await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest });
  await eventually('it is paid', async () => {
    const { body } = await office.get<Batch>('Nomsa', '/api/batches/nov');
    return body.job?.state === 'done' ? body : null;
  });
  await office.close();
  // As a console leaves it that is killed; a terminal has paid the batch since.
  const db = new DatabaseSync(office.ledger);
  db.prepare("UPDATE job SET state = 'running', message = NULL WHERE kind = 'pay'").run();
  db.close();
  const again = await openOffice(office.folder);
  const { body } = await again.get<Batch>('Nomsa', '/api/batches/nov');
  expect([body.rows.paid, body.next, body.job]).toEqual([2, [], null]);
  await again.close();
});

it('a plan that is asked for during a check counts if the check finds nothing new, and a page from before a correction does not', async () => {
  const office = await openOffice();
  const rows = kenyanRows(1000);
  const { id, header } = await office.upload('Nomsa', 'nov.csv', csvOf(rows));
  const plan = async (standing: string) =>
    await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/plan`, {
      standing,
      batch: 'nov',
      skipInvalid: false,
      expect: [],
    });
  const shown = async () => (await office.get<Upload>('Nomsa', `/api/uploads/${id}`)).body;
  const { standing: before } = await shown();
  const fixed = { row: 2, column: header.indexOf('name'), from: rows[0]!.name, to: 'Another Name' };
  expect((await office.post('Nomsa', `/api/uploads/${id}/corrections`, fixed)).status).toBe(200);
  const { standing: during } = await shown();
  expect(await plan(before)).toMatchObject({ status: 409, body: { code: 'SHEET_MOVED' } });
  const pdf = '%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n';
  expect((await office.send('Nomsa', `/api/uploads/${id}/documents`, 'a.pdf', pdf)).status).toBe(200);
  const { standing } = await shown();
  expect(await plan(during)).toMatchObject({ status: 409, body: { code: 'SHEET_MOVED' } });
  expect((await office.settled(id)).standing).toBe(standing);
  expect((await plan(standing)).status).toBe(200);
  await office.settled(id);
  await office.close();
});

it('an approved sheet can be changed from the page that shows its approval, and loses its plan', async () => {
  const office = await openOffice();
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(kenyanRows(3)));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  await office.settled(id);
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  const { standing, state } = (await office.get<Upload>('Nomsa', `/api/uploads/${id}`)).body;
  const chosen = await office.post<Upload>('Nomsa', `/api/uploads/${id}/rows`, { standing, choices: [] });
  expect([state, chosen.status]).toEqual(['approved', 200]);
  expect(await office.settled(id)).toMatchObject({ state: 'ready', planLost: { by: 'Nomsa' } });
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', planLost: null });
  await office.close();
});

it('an approved plan that takes long to read is shown as approved', async () => {
  const folder = newFolder();
  const facts = { plan: { path: join(folder, 'plan', 'nov.plan.json'), digest: 'a', retry: null } };
  mkdirSync(join(folder, 'plan'));
  const read = Promise.withResolvers<unknown>();
  const order = { ledger: {}, policy: () => join(folder, 'policy.json') };
  const { current } = openApproval(
    { ...order, clock: { ...hasty, sleep: async () => {} } } as unknown as Parameters<typeof openApproval>[0],
    {} as Parameters<typeof openApproval>[1],
    { ask: () => read.promise } as unknown as Parameters<typeof openApproval>[2],
  );
  const shown = current({ id: 'a', state: 'planned', facts: JSON.stringify(facts) } as UploadRecord);
  setImmediate(() => read.resolve({ digest: 'a', approvals: [{}], needed: 1 }));
  expect((await shown).state).toBe('approved');
});
