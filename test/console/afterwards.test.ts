/** After a batch was paid: a payee whose account changed is held and released by a second person; payees, search and unpaid rows. */
import { expect, it } from 'vitest';
import type {
  Batch,
  BatchLine,
  BatchRow,
  BatchRows,
  ErrorAnswer,
  Payee,
  PayeeLine,
  Review,
  RowLife,
  Upload,
  UploadLine,
} from '../../src/console/api.ts';
import { command, csvOf, noted, type SheetRow } from '../support.ts';
import {
  eventually,
  lockTheKey,
  naming,
  november,
  type Office,
  october,
  openOffice,
  password,
  planFileOf,
  trailOf,
} from './office.ts';

interface Ways {
  /** Pieter says another number for the first row. */
  readonly number?: string;
  readonly add?: boolean;
  readonly drop?: boolean;
  readonly skipInvalid?: boolean;
  /** Before it is approved. */
  readonly look?: (id: string) => Promise<void>;
  readonly see?: (review: Review) => void;
}

async function pay(
  office: Office,
  batch: string,
  rows: readonly SheetRow[],
  { number: to, add = false, drop = false, skipInvalid = false, look, see }: Ways = {},
): Promise<Batch> {
  const { id, header } = await office.upload('Nomsa', `${batch}.csv`, csvOf(rows));
  if (to !== undefined) {
    const column = header.indexOf('contact_number');
    const said = { row: 2, column, from: rows[0]?.contact_number, to };
    expect((await office.post('Pieter', `/api/uploads/${id}/corrections`, said)).status).toBe(200);
    await office.settled(id);
  }
  const order = { batch, skipInvalid, expect: skipInvalid ? [] : [`rows=${rows.length}`], add, drop };
  await office.press('Nomsa', `/api/uploads/${id}/plan`, order);
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  await look?.(id);
  const { body } = await office.get<Review>('Thabo', `/api/uploads/${id}/plan`);
  see?.(body);
  await office.post<Upload>('Thabo', `/api/uploads/${id}/approve`, { digest: body.digest, password });
  await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest: body.digest });
  await eventually(`${batch} has begun`, async () =>
    (await office.get<Upload>('Nomsa', `/api/uploads/${id}`)).body.state === 'batch' ? true : null,
  );
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
  const bad = { ...november[0]!, row_id: 'n9', name: 'Payee 9', payee_id: 'p9', amount: '12.50', reference: 'Nov 9' };
  const held = await pay(office, 'november', [...november, bad], {
    skipInvalid: true,
    // What is held is told apart from what would be sent, and from what is left out.
    look: async (id) =>
      expect(planFileOf(office, id).warnings).toContainEqual(
        expect.objectContaining({
          row: 3,
          code: 'PAYEE_CHANGED',
          facts: expect.objectContaining({ batch: 'october' }),
        }),
      ),
    see(review) {
      expect([review.rows, review.skipped, review.rowsToSend]).toEqual([3, 1, 2]);
      expect([review.totals, review.heldTotals]).toMatchObject([
        [{ rows: 2, amount: '602' }],
        [{ rows: 1, amount: '301' }],
      ]);
      const words = naming(3, 'october');
      expect(review.held).toEqual([{ row: 3, payee: 'Payee 2', money: '301 KES', why: 'account changed', words }]);
      expect(review.largest.map(({ row, held }) => [row, held])).toEqual([
        [4, null],
        [3, 'account changed'],
        [2, null],
      ]);
    },
  });
  expect(held).toMatchObject({ rows: { paid: 2, held: 1, invalid: 1 } });
  const heldAt = { key: 'n1', number: 3, name: 'Payee 2' };
  expect(held.next[0]).toMatchObject({ action: 'release', after: null, at: heldAt });
  const { body: life } = await office.get<RowLife>('Vusi', '/api/batches/november/rows/n1');
  expect(life).toMatchObject({ status: 'held', action: 'release', decides: 'account', mayDrop: true });
  expect(life.reason, 'a sentence').toMatch(/^Account changed\b.*\.$/);
  expect(life.reason, 'no command of a terminal').not.toMatch(/payrun|--/);
  // What was left out is listed too, with its mistake.
  const rowsOf = async (query: string) =>
    (await office.get<BatchRows>('Vusi', `/api/batches/november/rows?${query}`)).body;
  const out = { key: 'n9', number: 5, status: 'invalid', name: 'Payee 9', amount: '' };
  expect(await rowsOf('status=invalid')).toMatchObject({
    total: 1,
    rows: [{ ...out, reason: expect.stringContaining('12.50') }],
  });
  expect((await rowsOf('')).rows.map(({ number }) => number)).toEqual([2, 3, 4, 5]);
  expect(await rowsOf('from=3&limit=1')).toMatchObject({ total: 4, rows: [out] });
  expect(await rowsOf('q=Payee%209')).toMatchObject({ total: 1, rows: [out] });

  const said = { row: 'n1', reason: '- asked her, by phone with --key on 0712345699' };
  const code = async (who: string, route: string, body: object) =>
    (await office.press<ErrorAnswer>(who, `/api/batches/november/${route}`, body)).body.code;
  expect(await code('Both', 'release', { ...said, password })).toBe('RELEASE_BY_MAKER');
  expect(await code('Thabo', 'release', { ...said, reason: 'TEXT', password })).toBe('REASON_PLACEHOLDER');
  expect(await code('Nomsa', 'retry', { rows: null, reason: 'TEXT', standing: '' })).toBe('REASON_PLACEHOLDER');
  const wrong = await office.press('Thabo', '/api/batches/november/release', { ...said, password: 'guess' });
  expect(wrong.status).toBe(403);
  const stale = { ...said, password, standing: 'as it stood before' };
  const moved = await office.press<ErrorAnswer>('Thabo', '/api/batches/november/release', stale);
  expect([moved.status, moved.body.code]).toEqual([409, 'ROW_MOVED']);
  const released = await office.press<Batch>('Thabo', '/api/batches/november/release', { ...said, password });
  expect([released.status, released.body.rows]).toMatchObject([200, { held: 0, not_sent: 1 }]);
  // Nothing moves by that: somebody has to go on.
  const { body: after } = await office.get<Batch>('Thabo', '/api/batches/november');
  expect([released.body.running, after.running]).toEqual([false, false]);
  expect([after.next[0]?.action, after.goOn?.rows]).toEqual(['resume', 1]);
  const let1 = {
    key: 'n1',
    number: 3,
    name: 'Payee 2',
    by: 'Thabo',
    at: expect.stringMatching(/Z$/),
    why: said.reason,
  };
  expect(after.released).toEqual({ total: 1, rows: [let1] });
  const { body: seen } = await office.get<Batch>('Vusi', '/api/batches/november');
  expect(seen.released.rows[0]?.why).toMatch(/with --key on …5699$/);
  expect((await office.press('Nomsa', '/api/batches/november/resume')).status).toBe(200);
  expect(await ended(office, 'november')).toMatchObject({ rows: { paid: 3 }, released: { total: 0 } });

  const { body: story } = await office.get<RowLife>('Thabo', '/api/batches/november/rows/n1');
  const byThabo = (life: RowLife) => life.moves.filter(({ by }) => by === 'Thabo').map(({ words }) => words);
  expect(byThabo(story)).toEqual([expect.stringContaining(said.reason)]);
  const decided = trailOf(office, 'november').filter(
    ({ data }) => 'said' in data && 'by' in data && data.by === 'Thabo',
  );
  expect(decided).toMatchObject([
    { row: 'n1', data: { said: 'release', why: said.reason, from: 'withheld', to: 'planned' } },
  ]);
  const hidden = (await office.get<RowLife>('Vusi', '/api/batches/november/rows/n1')).body;
  const hiddenReason = said.reason.replace('0712345699', '…5699');
  expect(byThabo(hidden), 'the end of a number').toEqual([expect.stringContaining(hiddenReason)]);

  // What a job said names rows as people wrote them.
  const nowhere = { ...said, row: '0712345698', password };
  expect((await office.press('Thabo', '/api/batches/november/release', nowhere)).status).toBe(409);
  const jobSaid = async (who: string) => (await office.get<Batch>(who, '/api/batches/november')).body.job?.message;
  expect([await jobSaid('Thabo'), await jobSaid('Vusi')]).toEqual([
    expect.stringContaining('0712345698'),
    expect.stringContaining('…5698'),
  ]);
  const live = await office.follow('Vusi', '/api/batches/november/events');
  await eventually('it is told', async () => (live.said().includes('5698') ? true : null));
  live.leave();
  expect(live.said()).not.toContain('0712345698');
  // Of a sheet in which every row is held the way on is a batch too; and what was sent is told of it alone.
  const number = '+254712345688';
  const alone = { ...november[2]!, row_id: 'd2', reference: 'Dec 2', amount: '402' };
  expect(await pay(office, 'december', [alone], { number })).toMatchObject({ rows: { total: 1, held: 1 } });

  // Whoever wrote the number does not let it go, whichever sheet of the batch, or of another, has it since.
  const wrote = { ...alone, contact_number: number };
  const release = async (batch: string, row: string) =>
    (await office.press<ErrorAnswer>('Later', `/api/batches/${batch}/release`, { ...said, row, password })).body.code;
  expect(await release('december', 'd2')).toBe('RELEASE_BY_MAKER');
  const word = { row: 'd2', way: 'not-paid', reason: 'seen', password };
  const resolved = await office.press<ErrorAnswer>('Later', '/api/batches/december/resolve', word);
  expect(resolved.body.code).toBe('RELEASE_BY_MAKER');
  const next = { ...wrote, row_id: 'j2', reference: 'Jan 2', amount: '502' };
  expect(await pay(office, 'january', [next])).toMatchObject({ rows: { held: 1 } });
  expect(await release('january', 'j2')).toBe('RELEASE_BY_MAKER');

  // A row that was held and is corrected: its review says so, and speaks of what would be sent.
  const own0 = { ...november[0]!, row_id: 'm0', reference: 'Mar 0', amount: '601' };
  const own2 = { ...november[2]!, row_id: 'm2', reference: 'Mar 2', amount: '602' };
  const elsewhere = { ...own2, contact_number: '+254712345677' };
  expect(await pay(office, 'march', [own0, elsewhere])).toMatchObject({ rows: { paid: 1, held: 1 } });
  const repaired = await office.upload('Nomsa', 'mended.csv', csvOf([own0, own2]));
  expect(repaired.sharedWith).toMatchObject([{ batch: 'march', rows: 2, paid: 1, lacks: 0 }]);
  const still = await office.upload('Nomsa', 'march.csv', csvOf([own0, elsewhere]));
  expect(still.sharedWith).toMatchObject([{ batch: 'march', rows: 2, paid: 1, held: 1 }]);
  const corrected = await pay(office, 'march', [own0, own2], {
    async look(id) {
      const { body: lines } = await office.get<UploadLine[]>('Thabo', '/api/uploads');
      expect(lines.find((one) => one.id === id)?.toSend).toMatchObject({
        rows: 1,
        totals: [{ rows: 1, amount: '602' }],
      });
    },
    see(review) {
      expect(review.corrected).toEqual([
        {
          row: 3,
          payee: 'Payee 3',
          money: '602 KES',
          why: expect.stringMatching(/^Account changed/),
          changes: expect.stringMatching(new RegExp(`345677.*${String(own2.contact_number).slice(-6)}`)),
        },
      ]);
      expect(review.standings).toEqual([{ word: 'paid', rows: 1 }]);
      expect(review.payees.map(({ row }) => row).filter((row) => row !== 3)).toEqual([]);
      expect(review.notes).not.toContainEqual(noted('others-stay'));
      // Of what would be sent alone, as everything beside it counts.
      expect(review.reading.join(' ')).toMatch(/accounts\b\D*: 1\.\D*\b1\b\D*\b0\b/);
    },
  });
  expect(corrected).toMatchObject({ rows: { paid: 2, held: 0 } });

  const { body: payees } = await office.get<PayeeLine[]>('Vusi', '/api/payees?q=payee%202');
  expect(payees).toEqual([
    { key: payees[0]?.key, name: 'Payee 2', destination: 'MOMO …5699', rows: 2, paidAt: expect.stringMatching(/Z$/) },
  ]);
  const { body: payee } = await office.get<Payee>('Vusi', `/api/payees/${encodeURIComponent(payees[0]!.key)}`);
  // That the account is another one, and who let that go.
  expect(payee.payments).toMatchObject([
    { moved: true, released: { by: 'Thabo', why: hiddenReason } },
    { moved: false, released: null },
  ]);
  expect(payee.payments.map(({ batch, destination, status }) => [batch, destination, status])).toEqual([
    ['november', 'MOMO …5699', 'paid'],
    ['october', 'MOMO …5611', 'paid'],
  ]);
  const { body: waiting } = await office.get<Payee>('Vusi', '/api/payees/payee3');
  expect(waiting.payments.map(({ batch, moved: elsewhere }) => [batch, elsewhere])).toEqual([
    ['january', true],
    ['december', true],
    ['march', false],
    ['november', false],
    ['october', false],
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
