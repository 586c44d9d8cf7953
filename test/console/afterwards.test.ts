/** After a batch was paid: a payee whose account changed is held and released by a second person; payees, search and unpaid rows. */
import { expect, it } from 'vitest';
import type {
  Batch,
  BatchLine,
  BatchRow,
  Payee,
  PayeeLine,
  Refusal,
  Review,
  RowLife,
  Upload,
} from '../../src/console/api.ts';
import { command, csvOf, kenyanRows } from '../support.ts';
import { eventually, lockTheKey, type Office, openOffice, password } from './office.ts';

const october = kenyanRows(3, 3).map((row, index) => ({ ...row, row_id: `o${index}`, payee_id: `p${index}` }));
/** The same payees a month later; the account of one is another. */
const november = october.map((row, index) => ({
  ...row,
  row_id: `n${index}`,
  // Paid a moment after October, it must not look like it.
  amount: String(300 + index),
  reference: `Nov ${index}`,
  ...(index === 1 ? { contact_number: '+254712345699' } : {}),
}));

async function pay(office: Office, batch: string, rows: typeof october): Promise<Batch> {
  const { id } = await office.upload('Nomsa', `${batch}.csv`, csvOf(rows));
  await office.post('Nomsa', `/api/uploads/${id}/plan`, { batch, skipInvalid: false, expect: [`rows=${rows.length}`] });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  const { body } = await office.get<Review>('Thabo', `/api/uploads/${id}/plan`);
  await office.post<Upload>('Thabo', `/api/uploads/${id}/approve`, { digest: body.digest, password });
  await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest: body.digest });
  return await ended(office, batch);
}

const ended = async (office: Office, batch: string) =>
  await eventually(`${batch} has ended`, async () => {
    const { body, status } = await office.get<Batch>('Nomsa', `/api/batches/${batch}`);
    return status === 200 && body.job !== null && body.job.state !== 'running' ? body : null;
  });

it('a payee whose account changed waits for a second person, and what was paid is found again', async () => {
  const office = await openOffice();
  await lockTheKey();
  await pay(office, 'october', october);
  const held = await pay(office, 'november', november);
  expect(held).toMatchObject({ rows: { paid: 2, held: 1 }, exit: 22 });
  const words = 'A payee’s account changed: a second person, who has asked the payee, releases the row.';
  expect(held.next).toEqual([{ action: 'release', after: null, words }]);
  const { body: life } = await office.get<RowLife>('Vusi', '/api/batches/november/rows/n1');
  expect(life).toMatchObject({ status: 'held', action: 'release', reason: expect.stringContaining('Account changed') });
  expect(life.reason, 'no command of a terminal').not.toContain('payrun');

  const said = { row: 'n1', reason: '- asked her, by phone with --key on 0712345699' };
  const own = await office.post<Refusal>('Both', '/api/batches/november/release', { ...said, password });
  expect([own.status, own.body.code]).toEqual([403, 'NOT_YOURS']);
  const wrong = await office.post('Thabo', '/api/batches/november/release', { ...said, password: 'guess' });
  expect(wrong.status).toBe(403);
  const released = await office.post<Batch>('Thabo', '/api/batches/november/release', { ...said, password });
  expect([released.status, released.body.rows]).toMatchObject([200, { held: 0, not_sent: 1 }]);
  expect((await office.post('Nomsa', '/api/batches/november/resume')).status).toBe(200);
  expect((await ended(office, 'november')).rows).toMatchObject({ paid: 3 });

  const { body: whole } = await office.get<RowLife>('Thabo', '/api/batches/november/rows/n1');
  const byThabo = (life: RowLife) => life.moves.filter(({ by }) => by === 'Thabo').map(({ words }) => words);
  expect(byThabo(whole)).toEqual([
    expect.stringMatching(/\(as a person said\).* – - asked her, by phone with --key on 0712345699$/),
  ]);
  const hidden = (await office.get<RowLife>('Vusi', '/api/batches/november/rows/n1')).body;
  expect(byThabo(hidden), 'the end of a number').toEqual([expect.stringMatching(/ by phone with --key on …5699$/)]);

  // What a job said names rows as people wrote them.
  const nowhere = { ...said, row: '0712345698', password };
  expect((await office.post('Thabo', '/api/batches/november/release', nowhere)).status).toBe(409);
  const jobSaid = async (who: string) => (await office.get<Batch>(who, '/api/batches/november')).body.job?.message;
  expect([await jobSaid('Thabo'), await jobSaid('Vusi')]).toEqual([
    expect.stringContaining('0712345698'),
    expect.stringContaining('…5698'),
  ]);
  const live = await office.follow('Vusi', '/api/batches/november/events');
  await eventually('it is told', async () => (live.said().includes('5698') ? true : null));
  live.leave();
  expect(live.said()).not.toContain('0712345698');
  const both = await office.upload('Pieter', 'both.csv', csvOf([october[0]!, november[0]!, november[2]!]));
  expect(both.sent).toBe(null);
  expect(both.seen).toEqual([
    { batch: 'november', words: '2 rows of it were sent already, 2 of them paid, as batch november' },
    { batch: 'october', words: '1 row of it was sent already, 1 of them paid, as batch october' },
  ]);

  // Of a sheet in which every row is held the way on is a batch too; and what was sent is told of it alone.
  const alone = { ...november[2]!, row_id: 'd2', reference: 'Dec 2', amount: '402', contact_number: '+254712345688' };
  expect(await pay(office, 'december', [alone])).toMatchObject({ rows: { total: 1, held: 1 } });

  const { body: payees } = await office.get<PayeeLine[]>('Vusi', '/api/payees?q=payee%202');
  expect(payees).toEqual([
    { key: payees[0]?.key, name: 'Payee 2', destination: 'MOMO …5699', rows: 2, paidAt: expect.stringMatching(/Z$/) },
  ]);
  const { body: payee } = await office.get<Payee>('Vusi', `/api/payees/${encodeURIComponent(payees[0]!.key)}`);
  expect(payee.payments.map(({ batch, destination, status }) => [batch, destination, status])).toEqual([
    ['november', 'MOMO …5699', 'paid'],
    ['october', 'MOMO …5611', 'paid'],
  ]);
  const { body: found } = await office.get<{
    batches: BatchLine[];
    uploads: Upload[];
    rows: (BatchRow & { batch: string })[];
  }>('Nomsa', '/api/search?q=Nov%201');
  expect(found.rows.map(({ batch, key }) => [batch, key])).toEqual([['november', 'n1']]);
  const verified = await command(office, ['audit', 'verify', '--sandbox']);
  expect([verified.exit, verified.out]).toEqual([0, expect.not.stringContaining('+2547')]);
  await office.close();
});
