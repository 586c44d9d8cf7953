/** Sheets of batch nov that people plan and pay at a console. */
import { expect } from 'vitest';
import type { Batch, ErrorAnswer, Review } from '../../src/console/api.ts';
import { eventually, type Office, password } from '../console/office.ts';
import { csvOf, type SheetRow } from '../support.ts';

/** Uploads a sheet, and plans it with the choices of the person. */
export async function planned(office: Office, sheet: readonly SheetRow[], choices: string) {
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(sheet));
  const chosen = Object.fromEntries(choices === '' ? [] : choices.split(' ').map((one) => [one, true]));
  const ask = { batch: 'nov', skipInvalid: true, expect: [], ...chosen };
  const asked = await office.press<ErrorAnswer>('Nomsa', `/api/uploads/${id}/plan`, ask);
  if (asked.status !== 200) return { id, code: asked.body.code };
  const { state, code, job } = await office.settled(id);
  return { id, code: state === 'planned' ? 'plan' : (code ?? job?.code) };
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
