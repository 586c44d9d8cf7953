/** Sheets of batch nov that people plan and pay at a console. */
import { expect } from 'vitest';
import type { Batch, ErrorAnswer, Review, Upload } from '../../src/console/api.ts';
import { type Office, password } from '../console/office.ts';
import { csvOf, type SheetRow } from '../support.ts';

export const documentName = 'a.pdf';
export const document = '%PDF-1.4\nan invoice';

const chosen = (choices: string) =>
  Object.fromEntries(choices === '' ? [] : choices.split(' ').map((one) => [one, true]));

/** Uploads a sheet, and the document that it names. */
export async function uploaded(office: Office, sheet: readonly SheetRow[]): Promise<Upload> {
  const upload = await office.upload('Nomsa', 'nov.csv', csvOf(sheet));
  if (sheet.every((row) => row.documents === undefined)) return upload;
  const { id } = upload;
  expect((await office.send('Nomsa', `/api/uploads/${id}/documents`, documentName, document)).status).toBe(200);
  return await office.settled(id);
}

/** Plans a sheet with the choices of the person. Also returns the sheet as its page shows it then. */
export async function planOf(office: Office, upload: Upload, choices: string, batch = 'nov') {
  const { id, standing } = upload;
  const ask = { standing, batch, skipInvalid: true, expect: [], ...chosen(choices) };
  const asked = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${id}/plan`, ask);
  if (asked.status !== 200) return { upload, code: asked.body.code };
  const settled = await office.settled(id);
  const { state, code, job } = settled;
  return { upload: settled, code: state === 'planned' ? 'plan' : String(code ?? job?.code) };
}

/** Uploads a sheet, and plans it with the choices of the person. */
export async function planned(office: Office, sheet: readonly SheetRow[], choices: string) {
  const { upload, code } = await planOf(office, await uploaded(office, sheet), choices);
  return { id: upload.id, code };
}

/** Returns what a plan shows, and withdraws the plan: the next sheet may have one then. */
export async function withdrawn(office: Office, id: string) {
  const { body: review } = await office.get<Review>('Nomsa', `/api/uploads/${id}/plan`);
  const withdrawal = { digest: review.digest, reason: 'The next sheet' };
  const { status, body } = await office.post<Upload>('Nomsa', `/api/uploads/${id}/withdraw`, withdrawal);
  expect(status).toBe(200);
  return { review, upload: body };
}

/** Approves and pays a plan. */
export async function paid(office: Office, id: string): Promise<void> {
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  expect((await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest })).status).toBe(200);
  const job = async () => (await office.get<Batch>('Nomsa', '/api/batches/nov')).body.job;
  await expect.poll(job, { interval: 250 }).toMatchObject({ kind: 'pay', state: 'done' });
}
