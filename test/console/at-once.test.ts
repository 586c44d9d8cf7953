/** What two people, two tabs, a terminal or a death do at the same moment: nothing is paid twice, and no row is lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { ShownOutcome } from '../../src/cli/render/outcome-document.ts';
import type { Batch, ErrorAnswer, FundingLine, Review, Upload } from '../../src/console/api.ts';
import { openFewAtOnce } from '../../src/console/batches/few-at-once.ts';
import { refused } from '../../src/console/http/route.ts';
import { command, csvOf, kenyanRows, newFolder, noted, resultOf, type SheetRow, start } from '../support.ts';
import { eventually, lockTheKey, type Office, openOffice, password, policyOf } from './office.ts';

/** Handed in, planned, and approved by another. */
async function approved(office: Office, batch: string, rows: readonly SheetRow[]) {
  const { id } = await office.upload('Nomsa', `${batch}.csv`, csvOf(rows));
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch, skipInvalid: false, expect: [] });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  const { body } = await office.post<Upload>('Thabo', `/api/uploads/${id}/approve`, { digest, password });
  expect(body.state).toBe('approved');
  return {
    id,
    pay: async (who = 'Nomsa') => await office.post<Upload & ErrorAnswer>(who, `/api/uploads/${id}/pay`, { digest }),
  };
}

const begun = async (office: Office, name: string) =>
  await eventually(`some of ${name} is sent`, async () => {
    const { body, status } = await office.get<Batch>('Nomsa', `/api/batches/${name}`);
    return status === 200 && body.rows.paid + body.rows.pending > 3 ? body : null;
  });

const ended = async (office: Office, name: string) =>
  await eventually(`the job on ${name} has ended`, async () => {
    const { body, status } = await office.get<Batch>('Nomsa', `/api/batches/${name}`);
    return status === 200 && body.job !== null && !['running', 'stopping'].includes(body.job.state) ? body : null;
  });

it('of two that pay at once one is told so; nothing is changed, discarded or planned under it; a stop ends in good order', async () => {
  const office = await openOffice(undefined, { PAYRUN_CONCURRENCY: '1' }, { threads: true });
  const rows = kenyanRows(200);
  const nov = await approved(office, 'nov', rows);
  const other = await office.upload(
    'Pieter',
    'other.csv',
    csvOf([{ ...kenyanRows(1)[0]!, reference: 'Other', row_id: 'o1' }]),
  );
  const column = other.header.indexOf('amount');
  const answers = await Promise.all([nov.pay(), nov.pay('Pieter'), nov.pay()]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);

  const correction = { row: 2, column, from: '100', to: '999' };
  const refused = await office.post('Nomsa', `/api/uploads/${nov.id}/corrections`, correction);
  expect(refused.status).toBe(409);
  for (const [what, body] of [
    ['discard', {}],
    ['rows', { choices: [] }],
    ['plan', { batch: 'nov', skipInvalid: false, expect: [] }],
  ] as const) {
    const { status } = await office.press<ErrorAnswer>('Nomsa', `/api/uploads/${nov.id}/${what}`, body);
    expect([what, status]).toEqual([what, 409]);
  }

  // Another sheet is planned meanwhile, with the same sandbox.
  await office.press('Pieter', `/api/uploads/${other.id}/plan`, { batch: 'other', skipInvalid: false, expect: [] });
  await begun(office, 'nov');
  expect((await office.post('Nomsa', '/api/batches/nov/stop')).status).toBe(200);
  const stopped = await ended(office, 'nov');
  expect(await office.settled(other.id)).toMatchObject({ state: 'planned', message: null });
  expect(stopped).toMatchObject({
    running: false,
    job: {
      kind: 'pay',
      code: 'JOB_STOPPED',
      message: expect.stringMatching(/ Nomsa, [-0-9]{10} [:0-9]{8} UTC\.$/),
    },
    rows: { total: 200, in_doubt: 0 },
  });
  expect(stopped.rows.not_sent).toBeGreaterThan(0);

  // The same batch at a terminal, and what it did stands on the page.
  const status = JSON.parse((await command(office, ['status', 'nov', '--sandbox', '--json'])).out) as Batch;
  expect(stopped.rows).toEqual({ ...status.rows, being_sent: 0 });
  const policy = ['--policy', policyOf(office.folder)];
  expect((await command(office, ['pause', 'nov', '--end', '--sandbox'])).exit).toBe(0);
  const resumed = await command(office, ['resume', 'nov', '--sandbox', '--json', '--wait', '2m', ...policy]);
  expect(resumed.exit, resumed.err).toBe(0);
  const whole = (await office.get<Batch>('Vusi', '/api/batches/nov')).body;
  expect(whole.rows).toMatchObject({ total: 200, paid: 200 });
  const taken = await office.get('Thabo', '/api/batches/nov/result?format=csv');
  const path = join(office.folder, 'taken.csv');
  writeFileSync(path, taken.bytes);
  const result = (JSON.parse(resumed.out) as { result: string }).result;
  expect(resultOf(path)).toEqual(resultOf(result));
  // By the service's own word.
  const listed = await command(office, ['reconcile', 'nov', '--sandbox', '--json']);
  expect((JSON.parse(listed.out) as ShownOutcome).notes[0]).toEqual(noted('scan-read', { payments: 200 }));
  expect((await command(office, ['audit', 'verify', '--sandbox'])).exit).toBe(0);
  await office.close();
});

it('a death before paying, or as the job began, leaves the approval good; a terminal’s batch under the same policy is gone on with', async () => {
  const folder = newFolder();
  const first = await openOffice(folder);
  const nov = await approved(first, 'nov', kenyanRows(3));
  const unread = await first.upload('Nomsa', 'unread.csv', csvOf(kenyanRows(2)));
  await first.close();
  // As a kill leaves them: between the job's row and its thread, and in the middle of a look.
  const db = new DatabaseSync(join(folder, 'ledger.db'));
  db.prepare(
    "INSERT INTO job (kind, account, upload, batch, started_at, state) VALUES ('pay', 1, ?, 'nov', 1, 'running')",
  ).run(nov.id);
  db.prepare("UPDATE upload SET state = 'reading' WHERE id = ?").run(unread.id);
  db.close();

  const office = await openOffice(folder);
  expect((await office.settled(unread.id)).state).toBe('ready');
  const { body } = await office.get<Upload>('Nomsa', `/api/uploads/${nov.id}`);
  expect([body.state, body.job?.state, body.job?.message]).toEqual([
    'approved',
    'failed',
    expect.stringContaining('was ended'),
  ]);
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${nov.id}/plan`)).body;
  expect((await office.post('Nomsa', `/api/uploads/${nov.id}/pay`, { digest })).status).toBe(200);
  expect((await ended(office, 'nov')).rows).toMatchObject({ total: 3, paid: 3 });
  const late = await office.post<ErrorAnswer>('Nomsa', `/api/uploads/${nov.id}/pay`, { digest });
  expect([late.status, late.body.code], 'in a tab that was left open').toEqual([409, 'PLAN_MOVED']);

  // The next sheet of a name like that gets a name of its own.
  const same = await office.upload(
    'Nomsa',
    'N-O-V.csv',
    csvOf([{ ...kenyanRows(1)[0]!, row_id: 'n1', reference: 'Dec' }]),
  );
  expect(same.batch).toBe('n-o-v-2');
  await office.press('Nomsa', `/api/uploads/${same.id}/plan`, { batch: 'N O V', skipInvalid: false, expect: [] });
  expect((await office.settled(same.id)).job).toMatchObject({ kind: 'plan', state: 'failed' });
  const checked = await office.get('Nomsa', `/api/uploads/${same.id}/checked`);
  expect([checked.status, checked.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  expect(checked.headers['content-disposition']).toContain('attachment');

  // Planned, approved and stopped at a terminal.
  const sheet = join(folder, 'dec.csv');
  writeFileSync(sheet, csvOf([...kenyanRows(30)].map((row) => ({ ...row, reference: `Dec ${row.row_id}` }))));
  const planned = await command(office, [
    'plan',
    sheet,
    '--batch',
    'dec',
    '--sandbox',
    '--json',
    '--policy',
    policyOf(folder),
  ]);
  const { plan, plan_digest } = JSON.parse(planned.out) as { plan: string; plan_digest: string };
  const keyFile = join(folder, 'thabo.key');
  writeFileSync(keyFile, await lockTheKey(), { mode: 0o600 });
  const signer = { folder, env: { ...office.env, PAYRUN_PASSPHRASE: password } };
  const said = await command(signer, ['approve', plan, '--key', keyFile]);
  expect(said.exit, said.err).toBe(0);
  const terms = ['--policy', policyOf(folder), '--approve', plan_digest];
  const run = start(office, ['run', plan, '--sandbox', '--concurrency', '1', ...terms]);
  await begun(office, 'dec');
  run.child.kill('SIGKILL');
  await run.ended;
  expect((await office.press('Nomsa', '/api/batches/dec/resume')).status).toBe(200);
  const { job, rows, next, notes } = await ended(office, 'dec');
  expect(rows, JSON.stringify({ job, rows, next, notes })).toMatchObject({ total: 30, paid: 30 });
  const listed = await command(office, ['reconcile', 'dec', '--sandbox', '--json']);
  expect((JSON.parse(listed.out) as ShownOutcome).notes[0]).toEqual(noted('scan-read', { payments: 33 }));
  expect((await office.get<FundingLine[]>('Vusi', '/api/batches/dec/funding')).body).toEqual([]);
  expect((await command(office, ['audit', 'verify', '--sandbox'])).exit).toBe(0);
  await office.close();
});

it('files to take away are made two at a time; some wait, and more are told to come again', async () => {
  const ends: (() => void)[] = [];
  let most = 0;
  let under = 0;
  const fewAtOnce = openFewAtOnce(2, 12, () => refused(503, 'MANY_FILES', { retryAfterMs: 60_000 }));
  const work = async (name: string) => {
    under += 1;
    most = Math.max(most, under);
    await new Promise<void>((end) => ends.push(end));
    under -= 1;
    return name;
  };
  const asked = Array.from({ length: 15 }, (_, index) => fewAtOnce(() => work(`file ${index}`)));
  await expect(asked[14]).rejects.toMatchObject({ status: 503, said: { code: 'MANY_FILES' } });
  for (let ended = 0; ended < 14; ended += 1) {
    while (ends.length === 0) await new Promise((done) => setImmediate(done));
    ends.shift()?.();
  }
  const made = await Promise.all(asked.slice(0, 14));
  expect([made, most]).toEqual([made.map((_, index) => `file ${index}`), 2]);
});
