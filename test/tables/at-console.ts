/** Sheets of batch nov that people plan and pay at a console. */
import { expect } from 'vitest';
import type { Batch, ErrorAnswer, Review } from '../../src/console/api.ts';
import { eventually, type Office, password } from '../console/office.ts';
import { csvOf, type SheetRow } from '../support.ts';

export const documentName = 'a.pdf';
export const document = '%PDF-1.4\nan invoice';

const chosen = (choices: string) =>
  Object.fromEntries(choices === '' ? [] : choices.split(' ').map((one) => [one, true]));

/** Uploads a sheet, and the document that it names. */
export async function uploaded(office: Office, sheet: readonly SheetRow[]): Promise<string> {
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(sheet));
  if (sheet.some((row) => row.documents !== undefined)) {
    expect((await office.send('Nomsa', `/api/uploads/${id}/documents`, documentName, document)).status).toBe(200);
    await office.settled(id);
  }
  return id;
}

export async function planOf(office: Office, id: string, choices: string) {
  const ask = { batch: 'nov', skipInvalid: true, expect: [], ...chosen(choices) };
  const asked = await office.press<ErrorAnswer>('Nomsa', `/api/uploads/${id}/plan`, ask);
  if (asked.status !== 200) return asked.body.code;
  const { state, code, job } = await office.settled(id);
  return state === 'planned' ? 'plan' : (code ?? job?.code);
}

/** Uploads a sheet, and plans it with the choices of the person. */
export async function planned(office: Office, sheet: readonly SheetRow[], choices: string) {
  const id = await uploaded(office, sheet);
  return { id, code: await planOf(office, id, choices) };
}

/** Ends a plan that waits, for the next one. */
export async function withdrawn(office: Office, id: string): Promise<Review> {
  const { body } = await office.get<Review>('Nomsa', `/api/uploads/${id}/plan`);
  const withdrawal = { digest: body.digest, reason: 'The next sheet' };
  expect((await office.post('Nomsa', `/api/uploads/${id}/withdraw`, withdrawal)).status).toBe(200);
  return body;
}

/** Approves and pays a plan. */
export async function paid(office: Office, id: string): Promise<void> {
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  expect((await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest })).status).toBe(200);
  await eventually('the job has ended', async () => {
    const { job } = (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;
    return job?.kind === 'pay' && job.state === 'done' ? true : null;
  });
}
