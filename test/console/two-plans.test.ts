/** Of two sheets of one batch the newer one counts: what that has otherwise is not paid from the older one, whichever is paid first, and whenever it is planned. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Batch, Refusal, Review, Upload } from '../../src/console/api.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { newPlace } from '../ledger/stores.ts';
import { quick } from '../protocol/desk.ts';
import { command, csvOf, documentOf, kenyanRows, newFolder, newService, type SheetRow, start } from '../support.ts';
import { eventually, type Office, openOffice, password, payingAt } from './office.ts';

const rows = kenyanRows(4, 4);
const three = rows.slice(0, 3);
const other = '+254799000111';
const mended = [rows[0]!, rows[1]!, { ...rows[2]!, contact_number: other }];
const without = (sheet: readonly SheetRow[]) => sheet.map((row) => ({ ...row, row_id: '' }));

async function open(env: Record<string, string> = {}) {
  const service = await newService();
  const office = await openOffice(newFolder(), { ...quick, PAYRUN_HTTP_TIMEOUT: '60s', ...payingAt(service), ...env });
  const stopsAfter = (count: number) => {
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > count ? { kind: 'answer', status: 401 } : undefined;
  };
  const goes = () => {
    service.fault = () => undefined;
  };
  /** The first call of it, and until when it is held. */
  const held = (wanted: string) => {
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    let isHeld = false;
    service.fault = ({ route }) => {
      if (route !== wanted || isHeld) return undefined;
      isHeld = true;
      return { kind: 'hold', until };
    };
    return { answer, waits: async () => await eventually(`${wanted} waits`, async () => isHeld || null) };
  };
  const paidTo = () =>
    service.payments
      .map(({ reference, merchantId }) => {
        const [phone] = JSON.stringify(service.merchants.get(String(merchantId))).match(/\+254\d+/) ?? [];
        return `${reference}${phone === other ? ' (other account)' : ''}`;
      })
      .sort();
  return { office, service, stopsAfter, goes, held, paidTo };
}

/** Planned as its preparer asks, and approved. */
async function approved(office: Office, file: string, sheet: readonly SheetRow[], more: object = {}) {
  const { id } = await office.upload('Nomsa', file, csvOf(sheet));
  await office.post('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [], ...more });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  return { id, ...(await approve(office, id)) };
}
async function approve(office: Office, id: string) {
  const { digest, warnings } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  return { digest, told: warnings.filter(({ code }) => code === 'ANOTHER_PLAN').map(({ message }) => message) };
}
async function withLedger(office: Office, work: (ledger: Ledger) => Promise<void>): Promise<void> {
  const ledger = openLedger(office.env.PAYRUN_LEDGER!, systemClock);
  await work(ledger);
  await ledger.close();
}

type Plan = Awaited<ReturnType<typeof approved>>;

const batchOf = async (office: Office) => (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;
async function ends(office: Office): Promise<Batch> {
  return await eventually('it has ended', async () => {
    const batch = await batchOf(office);
    return ['done', 'failed'].includes(String(batch.job?.state)) ? batch : null;
  });
}
async function pay(office: Office, { id, digest }: Plan): Promise<Batch> {
  expect((await office.post<Refusal>('Nomsa', `/api/uploads/${id}/pay`, { digest })).body.message).toBeNull();
  return await ends(office);
}
async function refused(office: Office, { id, digest }: Plan, why: string | RegExp): Promise<void> {
  const { body } = await office.post<Refusal>('Nomsa', `/api/uploads/${id}/pay`, { digest });
  // On a slow machine it is told later, on the sheet.
  await eventually(`it is refused: ${why}`, async () => {
    const { message, job } = await office.settled(id);
    return [body.message, message, job?.message].some((told) => new RegExp(why).test(told ?? '')) ? true : null;
  });
}

it.each([
  ['another account', three, mended, 'this row goes to another account in it', ['Ref 3 (other account)']],
  [
    'another account, without row_ids',
    without(three),
    without(mended),
    'this row goes to another account in it',
    ['Ref 3 (other account)'],
  ],
  ['a row less', three, three.slice(0, 2), 'this row is missing in it', []],
] as const)(
  'the newer plan, with %s, is paid, and the older one neither before nor after it',
  async (_, first, second, how, last) => {
    const { office, stopsAfter, goes, paidTo } = await open();
    const older = await approved(office, 'nov.csv', first);
    const newer = await approved(office, 'mended.csv', second);
    expect(newer.told).toEqual([
      expect.stringMatching(last.length > 0 ? 'This one is newer: what it says is paid' : 'is not sent twice'),
    ]);
    await refused(office, older, how);
    stopsAfter(1);
    await pay(office, newer);
    goes();
    await refused(
      office,
      older,
      /since its plan was made, another sheet came into batch nov, mended\.csv|brings 1 new row/,
    );
    const { stops } = (await office.get<Review>('Thabo', `/api/uploads/${older.id}/plan`)).body;
    expect(stops).toEqual([expect.stringContaining('another sheet came into batch nov, mended.csv')]);
    expect((await office.post('Nomsa', '/api/batches/nov/resume')).status).toBe(200);
    await ends(office);
    expect(paidTo()).toEqual(['Ref 1', 'Ref 2', ...last]);
    await office.close();
  },
);

it('whoever approves the newer one reads what an approved correction has otherwise; an older one of which nothing can be read is no excuse', {
  tags: ['long'],
}, async () => {
  const { office, stopsAfter, goes, paidTo } = await open();
  stopsAfter(1);
  await pay(office, await approved(office, 'nov.csv', three));
  goes();
  const correction = await approved(office, 'mended.csv', mended);
  const whole = await approved(office, 'whole.csv', rows, { add: true });
  expect(whole.told).toEqual([
    expect.stringMatching(/mended\.csv.*In it row 4 of this sheet goes to another account, and/),
  ]);
  const [folder] = readdirSync(join(office.folder, 'console/uploads', whole.id)).filter((name) =>
    name.startsWith('plan-'),
  );
  rmSync(join(office.folder, 'console/uploads', whole.id, folder!), { recursive: true });
  await refused(office, correction, 'what it says of this row cannot be read here');
  expect(paidTo()).toEqual(['Ref 1']);
  await office.close();
});

it('an addition holds back neither what its batch goes on with nor what is released', async () => {
  const { office, stopsAfter, goes, paidTo } = await open();
  stopsAfter(1);
  await pay(office, await approved(office, 'nov.csv', three));
  goes();
  const addition = await approved(office, 'added.csv', rows.slice(3), { add: true });
  expect((await batchOf(office)).mended).toEqual([]);
  expect((await office.post('Nomsa', '/api/batches/nov/resume')).status).toBe(200);
  expect((await ends(office)).rows).toMatchObject({ paid: 3 });
  expect((await pay(office, addition)).rows).toMatchObject({ paid: 4 });
  expect(paidTo()).toEqual(['Ref 1', 'Ref 2', 'Ref 3', 'Ref 4']);
  await office.close();
});

it.each(['older', 'newer'] as const)(
  'of two additions the %s one may be paid first',
  { tags: ['long'] },
  async (first) => {
    const { office, paidTo } = await open();
    await pay(office, await approved(office, 'nov.csv', rows.slice(0, 2)));
    const older = await approved(office, 'a.csv', rows.slice(2, 3), { add: true });
    const newer = await approved(office, 'b.csv', rows.slice(3), { add: true });
    for (const one of first === 'older' ? [older, newer] : [newer, older]) await pay(office, one);
    expect(paidTo()).toEqual(['Ref 1', 'Ref 2', 'Ref 3', 'Ref 4']);
    await office.close();
  },
);

it('an unpaid row is not left to an older sheet while a newer plan mends it, and whoever approves it reads so', {
  tags: ['long'],
}, async () => {
  const { office, goes, service, paidTo } = await open();
  service.fault = ({ route, body }) =>
    route === 'POST /payments' && body.reference === 'Ref 3' ? { kind: 'answer', status: 422 } : undefined;
  await pay(office, await approved(office, 'nov.csv', three));
  goes();
  const addition = await approved(office, 'whole.csv', rows, { add: true });
  const correction = await approved(office, 'mended.csv', [...mended, rows[3]!], { add: true });
  expect(correction.told).toEqual([expect.stringContaining('In it row 4 of this sheet goes to another account')]);
  await refused(office, addition, 'this row goes to another account in it');
  await pay(office, correction);
  expect(paidTo()).toEqual(['Ref 1', 'Ref 2', 'Ref 3 (other account)', 'Ref 4']);
  await office.close();
});

it('a run at a terminal that has looked already takes no sheet in once another one is planned', async () => {
  const { office, held, paidTo } = await open();
  const sheet = join(office.folder, 'nov.csv');
  writeFileSync(sheet, csvOf(three));
  const desk = { env: office.env, folder: office.folder };
  const { plan_digest: digest } = documentOf(await command(desk, ['plan', sheet, '--batch', 'nov', '--json']));
  const { answer, waits } = held('GET /merchants');
  const run = start(office, ['run', sheet, '--batch', 'nov', '--approve', digest!]);
  await waits();
  await approved(office, 'mended.csv', mended);
  answer();
  const { exit, err } = await run.ended;
  expect([exit, err]).toEqual([23, expect.stringContaining('was made at the console meanwhile')]);
  const again = await command(desk, ['run', sheet, '--batch', 'nov', '--approve', digest!]);
  expect([again.exit, again.err]).toEqual([26, expect.stringContaining('has 0 of 1 approval')]);
  expect(paidTo()).toEqual([]);
  await office.close();
});

it('a run that was stopped and let go on again, with a correction between, sends nothing of what that mends', {
  tags: ['long'],
}, async () => {
  const folder = newFolder();
  const place = { PAYRUN_LEDGER: await newPlace('Postgres'), PAYRUN_LEDGER_FILES: join(folder, 'files') };
  const { office, held, paidTo } = await open(place);
  const sheet = join(office.folder, 'nov.csv');
  writeFileSync(sheet, csvOf(three));
  const { answer, waits } = held('GET /payments');
  const run = start(office, ['run', sheet, '--batch', 'nov', '--wait', '0']);
  await waits();
  expect((await office.post('Nomsa', '/api/batches/nov/stop')).status).toBe(200);
  const correction: Pick<Upload, 'id'> = await approved(office, 'mended.csv', mended);
  await command({ env: office.env, folder: office.folder }, ['pause', 'nov', '--end', '--reason', 'seen']);
  answer();
  const { exit, out } = await run.ended;
  expect([exit, out]).toEqual([26, expect.stringContaining('goes to another account in it')]);
  expect(paidTo()).toEqual([]);
  expect(await office.settled(correction.id)).toMatchObject({ state: 'approved' });
  await office.close();
});

it('an addition that is planned while its batch is being paid lets that go on', { tags: ['long'] }, async () => {
  const { office, held, paidTo } = await open();
  const first = await approved(office, 'nov.csv', three);
  const { answer, waits } = held('POST /payments');
  expect(
    (await office.post<Refusal>('Nomsa', `/api/uploads/${first.id}/pay`, { digest: first.digest })).body.message,
  ).toBeNull();
  await waits();
  const addition = await approved(office, 'added.csv', rows.slice(3), { add: true });
  answer();
  expect((await ends(office)).rows).toMatchObject({ paid: 3 });
  expect((await pay(office, addition)).rows).toMatchObject({ paid: 4 });
  expect(paidTo()).toEqual(['Ref 1', 'Ref 2', 'Ref 3', 'Ref 4']);
  await office.close();
});

it.each([
  ['of one account', three, mended],
  [
    'of each account, without row_ids',
    without(three),
    without(three.map((row) => ({ ...row, contact_number: other }))),
  ],
])(
  'an addition that comes in between hides no correction %s from an older plan',
  { tags: ['long'] },
  async (_, first, correction) => {
    const { office, stopsAfter, goes, paidTo } = await open();
    stopsAfter(0);
    await pay(office, await approved(office, 'nov.csv', first));
    const older = await approved(office, 'older.csv', first, { add: true });
    await pay(office, await approved(office, 'mended.csv', correction, { add: true }));
    goes();
    await pay(office, await approved(office, 'added.csv', rows.slice(3), { add: true }));
    await refused(office, older, /another sheet came into batch nov, (mended|added)\.csv/);
    expect(paidTo()).not.toContain('Ref 3');
    await office.close();
  },
);

it('the newer plan is paid after the older one, as its review says, with the row that only it has', {
  tags: ['long'],
}, async () => {
  const { office, stopsAfter, goes, paidTo } = await open();
  const older = await approved(office, 'nov.csv', three);
  const newer = await approved(office, 'whole.csv', rows, { add: true });
  stopsAfter(1);
  await pay(office, older);
  goes();
  expect((await pay(office, newer)).rows).toMatchObject({ paid: 4 });
  expect(paidTo()).toEqual(['Ref 1', 'Ref 2', 'Ref 3', 'Ref 4']);
  await office.close();
});

it('a plan to send unpaid rows again leaves the plan of their sheet newer than those before it', {
  tags: ['long'],
}, async () => {
  const { office, service, stopsAfter, goes, paidTo } = await open();
  stopsAfter(0);
  await pay(office, await approved(office, 'nov.csv', three));
  const older = await approved(office, 'older.csv', three);
  const newer = await approved(office, 'mended.csv', mended);
  service.fault = ({ route, body }) => {
    if (route !== 'POST /payments' || body.reference === 'Ref 1') return undefined;
    return { kind: 'answer', status: body.reference === 'Ref 2' ? 422 : 401 };
  };
  await pay(office, newer);
  const { unpaid, not_sent } = (await batchOf(office)).rows;
  expect([unpaid, not_sent]).toEqual([1, 1]);
  goes();
  expect((await office.post('Nomsa', '/api/batches/nov/retry', { rows: null, reason: 'seen' })).status).toBe(200);
  await office.settled(newer.id);
  expect(older.told).toEqual([]);
  const { warnings } = (await office.get<Review>('Thabo', `/api/uploads/${newer.id}/plan`)).body;
  expect(warnings.filter(({ code }) => code === 'ANOTHER_PLAN').map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /that of older\.csv, .*In it row 4 of this sheet goes to another account\. Where it has a row otherwise that is sent again here, it is declined, discarded or paid first$/,
    ),
  ]);
  expect((await office.post('Nomsa', '/api/batches/nov/resume')).status).toBe(200);
  expect((await ends(office)).rows).toMatchObject({ paid: 2, unpaid: 1 });
  expect(paidTo()).toEqual(['Ref 1', 'Ref 3 (other account)']);
  await office.close();
});

it('a newer plan that takes a correction back counts as well, though its content was there before', {
  tags: ['long'],
}, async () => {
  const { office, stopsAfter, goes, paidTo } = await open();
  stopsAfter(0);
  await pay(office, await approved(office, 'nov.csv', three));
  const older = await approved(office, 'mended.csv', mended);
  await pay(office, await approved(office, 'back.csv', three));
  goes();
  await refused(office, older, 'another sheet came into batch nov, back.csv, which has another content in row 4');
  expect(paidTo()).toEqual([]);
  await office.close();
});

it.each([
  ['the newest sheet', null],
  ['followed by an addition', kenyanRows(5, 4).slice(4)],
])(
  'whoever approves a plan that takes a correction back, %s, reads which rows the batch has otherwise by now, or has no more',
  { tags: ['long'] },
  async (_, addition) => {
    const { office, stopsAfter } = await open();
    stopsAfter(0);
    await pay(office, await approved(office, 'nov.csv', rows));
    await pay(office, await approved(office, 'mended.csv', mended));
    if (addition !== null) await pay(office, await approved(office, 'added.csv', addition, { add: true }));
    const { id } = await approved(office, 'back.csv', rows, { add: true });
    const { warnings } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
    expect(warnings.filter(({ code }) => code === 'TAKES_BACK')).toEqual([
      {
        row: 4,
        code: 'TAKES_BACK',
        message: expect.stringMatching(/^batch nov has it otherwise by now, .*000111.* mended\.csv/),
      },
      { row: 5, code: 'TAKES_BACK', message: 'batch nov has it no more: mended.csv lacks it' },
    ]);
    await office.close();
  },
);

it('an unpaid row that the newer sheet dropped does not come back with an older plan', { tags: ['long'] }, async () => {
  const { office, goes, service, paidTo } = await open();
  service.fault = ({ route, body }) =>
    route === 'POST /payments' && body.reference === 'Ref 3' ? { kind: 'answer', status: 422 } : undefined;
  await pay(office, await approved(office, 'nov.csv', three));
  goes();
  const older = await approved(office, 'older.csv', rows, { add: true });
  await pay(office, await approved(office, 'dropped.csv', [rows[0]!, rows[1]!, rows[3]!], { add: true }));
  await refused(office, older, 'another sheet came into batch nov, dropped.csv, which lacks row 4');
  expect(paidTo()).toEqual(['Ref 1', 'Ref 2', 'Ref 4']);
  await office.close();
});

it('an approved correction that is no longer good still keeps its row from going where it was', async () => {
  const { office, stopsAfter, goes, paidTo } = await open();
  stopsAfter(0);
  await pay(office, await approved(office, 'nov.csv', three));
  goes();
  const { id } = await approved(office, 'mended.csv', mended);
  await withLedger(office, (ledger) =>
    ledger.uploads.change(id, ({ facts }) => {
      const known = JSON.parse(facts) as { readonly plan: object };
      return { facts: JSON.stringify({ ...known, plan: { ...known.plan, expiresAt: '2026-01-01T00:00:00Z' } }) };
    }),
  );
  const { body } = await office.post<Refusal>('Nomsa', '/api/batches/nov/resume');
  expect(body.message).toMatch(
    /its plan is no longer good: this row goes to another account in it\. Make its plan again/,
  );
  expect(paidTo()).toEqual([]);
  await office.close();
});

const again = async (office: Office, id: string, deed: string, more: object = {}) => {
  expect((await office.post('Nomsa', `/api/uploads/${id}${deed}`, more)).status).toBe(200);
  return id;
};
it.each([
  ['is edited once more', async (office: Office, id: string) => await again(office, id, '/check')],
  [
    'is planned anew in vain',
    async (office: Office, id: string) =>
      await again(office, id, '/plan', { batch: 'nov', skipInvalid: false, expect: ['rows=99'] }),
  ],
  [
    'is discarded for a file in its place',
    async (office: Office, id: string) => {
      const file = csvOf(mended.slice(0, 2));
      const { body } = await office.send<Upload>('Nomsa', `/api/uploads?replaces=${id}`, 'mended.csv', file);
      expect((await office.post('Nomsa', `/api/uploads/${id}/discard`)).status).toBe(204);
      return body.id;
    },
  ],
])(
  'an approved correction that %s still keeps its row from going where it was, until it is discarded',
  { tags: ['long'] },
  async (_, deed) => {
    const { office, stopsAfter, goes, paidTo } = await open();
    stopsAfter(0);
    await pay(office, await approved(office, 'nov.csv', three));
    goes();
    const id = await deed(office, (await approved(office, 'mended.csv', mended)).id);
    expect((await office.settled(id)).state).toBe('ready');
    const why = /its plan is void since the sheet was changed or planned anew: this row goes to another account in it/;
    const { body } = await office.post<Refusal>('Nomsa', '/api/batches/nov/resume');
    expect(body.message).toMatch(why);
    const resumed = await command({ env: office.env, folder: office.folder }, ['resume', 'nov', '--wait', '0']);
    expect([resumed.exit, resumed.out]).toEqual([26, expect.stringMatching(why)]);
    expect((await batchOf(office)).mended).toMatchObject([
      { file: 'mended.csv', stands: 'void', rows: [{ key: 'k3', how: 'account' }] },
    ]);
    expect(paidTo()).toEqual([]);
    await office.post('Nomsa', `/api/uploads/${id}/discard`);
    expect((await office.post('Nomsa', '/api/batches/nov/resume')).status).toBe(200);
    await ends(office);
    expect(paidTo()).toEqual(['Ref 1', 'Ref 2', 'Ref 3']);
    await office.close();
  },
);

it('what ends a plan ends it for the file in its place, too, and until then it is told once', {
  tags: ['long'],
}, async () => {
  const { office, stopsAfter, goes, paidTo } = await open();
  stopsAfter(0);
  await pay(office, await approved(office, 'nov.csv', three));
  goes();
  const { id, digest } = await approved(office, 'mended.csv', mended);
  const { body } = await office.send<Upload>('Nomsa', `/api/uploads?replaces=${id}`, 'anew.csv', csvOf(mended));
  await office.settled(body.id);
  expect((await batchOf(office)).mended).toMatchObject([{ file: 'mended.csv', stands: 'approved' }]);
  expect((await office.post('Thabo', `/api/uploads/${id}/decline`, { digest, reason: 'no' })).status).toBe(200);
  expect((await batchOf(office)).mended).toEqual([]);
  expect((await office.post('Nomsa', '/api/batches/nov/resume')).status).toBe(200);
  await ends(office);
  expect(paidTo()).toEqual(['Ref 1', 'Ref 2', 'Ref 3']);
  await office.close();
});

it.each([
  ['a whole sheet', three, {}],
  ['an addition', kenyanRows(5, 4).slice(4), { add: true }],
])(
  'an older plan, of %s, drops no row that came in since and is not sent',
  { tags: ['long'] },
  async (_, sheet, more) => {
    const { office, stopsAfter, goes, paidTo } = await open();
    stopsAfter(0);
    await pay(office, await approved(office, 'nov.csv', three));
    const older = await approved(office, 'older.csv', sheet, more);
    await pay(office, await approved(office, 'added.csv', rows.slice(3), { add: true }));
    goes();
    const how = /another sheet came into batch nov, added\.csv, which has row 2, not sent yet, that this one lacks/;
    await refused(office, older, how);
    const { stops } = (await office.get<Review>('Thabo', `/api/uploads/${older.id}/plan`)).body;
    expect(stops).toEqual([expect.stringMatching(how)]);
    expect((await office.post('Nomsa', '/api/batches/nov/resume')).status).toBe(200);
    await ends(office);
    expect(paidTo()).toEqual(['Ref 4']);
    await office.close();
  },
);

it('a file that is run again leaves an addition that waits as it is, though another one came in between', {
  tags: ['long'],
}, async () => {
  const { office, stopsAfter, goes, paidTo } = await open();
  const sheet = join(office.folder, 'month.csv');
  writeFileSync(sheet, csvOf(three));
  const run = async () =>
    await command(office, ['run', sheet, '--batch', 'nov', '--concurrency', '1', '--wait', '20s']);
  stopsAfter(2);
  expect((await run()).exit).toBe(25);
  goes();
  await pay(office, await approved(office, 'added.csv', rows.slice(3), { add: true }));
  const waiting = await approved(office, 'more.csv', kenyanRows(5, 4).slice(4), { add: true });
  // A row that the terminal began without an approval waits for one now.
  expect((await run()).exit).toBe(26);
  expect((await pay(office, waiting)).rows).toMatchObject({ paid: 4 });
  expect(paidTo()).toHaveLength(4);
  await office.close();
});
