/** Sheets of batch nov that people plan and pay at a console. */
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Options } from '../../src/app/batch/command.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Batch, ErrorAnswer, Review } from '../../src/console/api.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Ending } from '../../src/pipeline/outcome.ts';
import { eventually, type Office, password, performHere } from '../console/office.ts';
import { csvOf, type Desk, type SheetRow } from '../support.ts';

export const chosen = (choices: string) =>
  Object.fromEntries(choices === '' ? [] : choices.split(' ').map((one) => [one, true]));

/** Makes the plan that a console would make of the sheet, and ends its hold. */
export async function planHere(desk: Desk, sheet: readonly SheetRow[], options: Options): Promise<Ending> {
  writeFileSync(desk.sheet, csvOf(sheet));
  const perform = performHere({ env: desk.env, cwd: desk.folder }, {});
  const actor = { driver: 'console', name: 'Nomsa' } as const;
  const ending = await perform({ do: 'propose', file: desk.sheet, ...options, batch: 'nov' }, { actor });
  const ledger = openLedger(desk.ledger, systemClock);
  const { holds } = ledger;
  for (const { id } of holds.proposals()) await holds.unpropose(id);
  await ledger.close();
  return ending;
}

/** Uploads a sheet, and plans it with the choices of the person. */
export async function planned(office: Office, sheet: readonly SheetRow[], choices: string) {
  const { id } = await office.upload('Nomsa', 'nov.csv', csvOf(sheet));
  const ask = { batch: 'nov', skipInvalid: true, expect: [], ...chosen(choices) };
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
