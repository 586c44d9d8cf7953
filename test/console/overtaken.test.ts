/** A sheet that mends a batch which is being paid is not planned before that is stopped: its rows would go out as they were, whoever approves it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Batch, Refusal, Review, Upload } from '../../src/console/api.ts';
import { newPlace, type StoreName, stores } from '../ledger/stores.ts';
import { quick } from '../protocol/desk.ts';
import { csvOf, kenyanRows, newFolder, newService, start } from '../support.ts';
import { eventually, type Office, openOffice, password, payingAt } from './office.ts';

/** More than are sent at once. */
const rows = kenyanRows(14);
const [last, another] = [rows.at(-1)!, '+254799000111'];
const mended = csvOf([...rows.slice(0, -1), { ...last, contact_number: another }]);
const shorter = csvOf(rows.slice(0, -1));
const added = csvOf([{ ...last, row_id: 'k15', reference: 'Ref 15', amount: '999' }]);

/** An office at a service that answers for two payments, and for no other until it is told to. */
async function slowly(store: StoreName) {
  const service = await newService();
  const { promise: until, resolve: answer } = Promise.withResolvers<void>();
  let isWaiting = false;
  service.fault = ({ route, body }) => {
    if (route !== 'POST /payments' || ['Ref 1', 'Ref 2'].includes(String(body.reference))) return undefined;
    isWaiting = true;
    return { kind: 'hold', until };
  };
  const folder = newFolder();
  const office = await openOffice(folder, {
    ...quick,
    PAYRUN_HTTP_TIMEOUT: '60s',
    ...(store === 'SQLite' ? {} : { PAYRUN_LEDGER: await newPlace(store), PAYRUN_LEDGER_FILES: join(folder, 'files') }),
    ...payingAt(service),
  });
  return {
    service,
    office,
    answer,
    waits: async () => await eventually('a payment waits', async () => isWaiting || null),
  };
}

const plan = async (office: Office, id: string, more: object = {}): Promise<Upload> => {
  const asked = { batch: 'nov', skipInvalid: false, expect: [], ...more };
  expect((await office.post<Refusal>('Pieter', `/api/uploads/${id}/plan`, asked)).status).toBe(200);
  return await office.settled(id);
};
const approve = async (office: Office, id: string): Promise<string> => {
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  return digest;
};
const batchOf = async (office: Office) => (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;
const refused = (how: string, what: string) => ({
  state: 'ready',
  message: expect.stringMatching(new RegExp(`^Row 15 of batch nov is not sent yet, and ${how}\\. ${what}; then make`)),
});
const now = 'The batch is being paid just now.* Stop the batch on its page first, and wait until that has ended';

describe.each(stores)('a batch that is being paid, on %s', (store) => {
  const tags = store === 'Postgres' ? ['long'] : [];
  it('from here: a mended sheet is planned once that is stopped, and holds back what is gone on with', {
    tags,
  }, async () => {
    const { service, office, answer, waits } = await slowly(store);
    const first = await office.upload('Nomsa', 'nov.csv', csvOf(rows));
    await plan(office, first.id);
    await office.post('Nomsa', `/api/uploads/${first.id}/pay`, { digest: await approve(office, first.id) });
    await waits();

    const whole = await office.upload('Pieter', 'mended.csv', mended);
    expect(await plan(office, whole.id)).toMatchObject(refused('goes to another account in this sheet', now));
    expect((await office.get('Thabo', `/api/uploads/${whole.id}/plan`)).status, 'nothing to approve').toBe(409);
    const short = await office.upload('Pieter', 'shorter.csv', shorter);
    expect(await plan(office, short.id)).toMatchObject(refused('is missing in this sheet', now));
    const more = await office.upload('Pieter', 'added.csv', added);
    expect(await plan(office, more.id, { add: true })).toMatchObject({ state: 'planned', message: null });
    await office.post('Pieter', `/api/uploads/${more.id}/discard`);

    expect((await office.post('Nomsa', '/api/batches/nov/stop')).status).toBe(200);
    answer();
    const stopped = await eventually('it is stopped', async () => {
      const { job, rows: counts } = await batchOf(office);
      return job?.state === 'done' ? counts : null;
    });
    expect(stopped.not_sent).toBeGreaterThan(0);
    expect(await plan(office, whole.id)).toMatchObject({ state: 'planned', message: null });
    expect((await batchOf(office)).mended).toMatchObject([
      { file: 'mended.csv', rows: [{ key: 'k14', how: 'account' }] },
    ]);
    const goOn = await office.post<Refusal>('Nomsa', '/api/batches/nov/resume');
    expect([goOn.status, goOn.body.code]).toEqual([409, 'CORRECTION_WAITS']);
    await office.post('Pieter', `/api/uploads/${whole.id}/pay`, { digest: await approve(office, whole.id) });
    if (store === 'Postgres') {
      const { paused } = await eventually('it is taken in, and stopped still', async () => {
        const { job, ...batch } = await batchOf(office);
        return job?.end === 'open' ? batch : null;
      });
      await office.post('Pieter', '/api/batches/nov/resume', { pause: paused[0]?.id });
    }
    await eventually('all is paid', async () => ((await batchOf(office)).rows.paid === 14 ? true : null));
    const paid = service.payments.find(({ reference }) => reference === last.reference);
    expect(JSON.stringify(service.merchants.get(String(paid?.merchantId)))).toContain(another);
    expect(service.payments).toHaveLength(14);
    await office.close();
  });

  it('from a terminal: a mended sheet is planned once that is stopped, or stops it', { tags: ['long'] }, async () => {
    const { office, answer, waits } = await slowly(store);
    const sheet = join(office.folder, 'nov.csv');
    writeFileSync(sheet, csvOf(rows));
    const run = start(office, ['run', sheet, '--batch', 'nov']);
    await waits();
    const { id } = await office.upload('Pieter', 'mended.csv', mended);
    const planned = { state: 'planned', message: null };
    if (store === 'SQLite') expect(await plan(office, id)).toMatchObject(planned);
    else {
      expect(await plan(office, id)).toMatchObject(refused('goes to another account in this sheet', now));
      expect((await office.post('Nomsa', '/api/batches/nov/stop')).status).toBe(200);
    }
    answer();
    const { exit, out } = await run.ended;
    if (store === 'SQLite')
      expect([exit, out]).toEqual([26, expect.stringContaining('this row goes to another account in it')]);
    expect((await batchOf(office)).rows.not_sent).toBeGreaterThan(0);
    expect(await plan(office, id)).toMatchObject(planned);
    await office.close();
  });
});
