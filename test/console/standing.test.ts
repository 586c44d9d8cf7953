/** Whether a plan may be paid is told by the policy as it is now, and not as it was when somebody approved. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeKey, publicLine, publicOf } from '../../src/approval/approval.ts';
import type { Refusal, Review, Upload, UploadLine } from '../../src/console/api.ts';
import { csvOf, kenyanRows } from '../support.ts';
import { openOffice, password, policyOf } from './office.ts';

it('what was approved waits again where the policy asks for more, and what waited may be paid where it asks for less', async () => {
  const office = await openOffice();
  const path = policyOf(office.folder);
  const text = readFileSync(path, 'utf8');
  const was = JSON.parse(text) as { approvers: object[] };
  const zed = { name: 'Zed', keys: [publicLine(publicOf('Zed', makeKey()))] };
  const policy = (said: object | string) =>
    writeFileSync(path, typeof said === 'string' ? said : JSON.stringify({ ...was, ...said }));
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(kenyanRows(1)));
  await office.post('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [] });
  expect((await office.settled(id)).state).toBe('planned');
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  const approved = await office.post<Upload>('Thabo', `/api/uploads/${id}/approve`, { digest, password });
  expect(approved.body.state).toBe('approved');
  const listed = async () => (await office.get<UploadLine[]>('Thabo', '/api/uploads')).body[0]?.state;
  const read = async () => await office.get<Review & Refusal>('Thabo', `/api/uploads/${id}/plan`);

  policy({ approvers: [...was.approvers, zed], otherwise: 2 });
  expect(await listed()).toBe('planned');
  expect((await read()).body).toMatchObject({ needed: 2, approvals: [{ name: 'Thabo' }] });
  policy(text);
  expect(await listed()).toBe('approved');
  // Shut out, and seen first by who would pay.
  policy({ approvers: [zed] });
  expect((await office.post<Refusal>('Nomsa', `/api/uploads/${id}/pay`, { digest })).body.code).toBe('NOT_APPROVED');
  expect(await listed()).toBe('planned');

  // What nobody can approve says so, where it is read and where it is listed.
  for (const [what, words] of [
    [{ makers: ['Pieter'] }, /Nomsa/],
    ['{', /policy/],
  ] as const) {
    policy(what);
    const { status, body } = await read();
    expect([what, status, body.message]).toEqual([what, 409, expect.stringMatching(words)]);
    expect(await office.settled(id)).toMatchObject({ state: 'planned', message: expect.stringMatching(words) });
  }
  policy(text);
  expect((await read()).status).toBe(200);
  expect(await office.settled(id)).toMatchObject({ state: 'approved', message: null });
  await office.close();
});
