/** What a correction that waits at the console takes out is not paid meanwhile: not let go, not gone on with, not sent again. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { machine, pastHorizonMs, resume, run, watched } from '../protocol/desk.ts';
import { command, csvOf, type Desk, deskFor, documentOf, kenyanRows, newService, type SheetRow } from '../support.ts';

const said = async (desk: Desk, ...argv: string[]) => await command(desk, [...argv, '--json']);

/** A sheet as the console keeps it once its plan is approved. */
async function waits(desk: Desk, batch: string, rows: readonly SheetRow[], ...flags: string[]) {
  writeFileSync(desk.sheet, csvOf(rows));
  const { plan: path, plan_digest: digest } = documentOf(
    await said(desk, 'plan', desk.sheet, '--batch', batch, ...flags),
  );
  expect(path).toEqual(expect.any(String));
  const facts = JSON.stringify({ plan: { path, digest, request: { batch }, retry: null } });
  const ledger = openLedger(desk.ledger, systemClock);
  const doing = { account: 1, by: 'Nomsa', did: 'handed it in' };
  await ledger.uploads.add({ id: 'u1', file: 'mended.csv', bytes: 1, sha256: 's', facts, state: 'approved' }, doing);
  return {
    path: path ?? '',
    digest: digest ?? '',
    async declined() {
      await ledger.uploads.change('u1', () => ({ state: 'declined' }));
      await ledger.close();
    },
  };
}

const other = '+254799000111';
const phoneOf = (row: SheetRow, contact_number: string) => ({ ...row, contact_number });

it('a held row is asked for itself, however many rows wait before it', {
  tags: ['long'],
  timeout: 240_000,
}, async () => {
  const service = await newService();
  const one = { ...kenyanRows(1)[0], name: 'Wanjiru Kamau' };
  const desk = deskFor(service, [{ ...one, row_id: 'n0' }]);
  expect((await said(desk, 'run', desk.sheet, '--batch', 'oct')).exit).toBe(0);
  const others = kenyanRows(10_050).map((row) => ({ ...row, reference: `Nov ${row.row_id}` }));
  const row = { ...one, row_id: 'n1', reference: 'Nov' };
  service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
  writeFileSync(desk.sheet, csvOf([...others, phoneOf(row, other)]));
  expect(documentOf(await said(desk, 'run', desk.sheet, '--batch', 'nov')).rows).toMatchObject({ held: 1 });
  const mended = await waits(desk, 'nov', [...others, row]);
  const ask = ['--row', 'n1', '--reason', 'Called', '--by', 'Kofi', '--out', desk.folder];
  const refused = await said(desk, 'release', 'nov', ...ask);
  expect([refused.exit, refused.err]).toEqual([2, expect.stringMatching(/mended\.csv.*to another account in it/)]);
  await mended.declined();
});

it.each([
  ['run', 401],
  ['resume', 401],
  ['retry', 422],
])('%s sends no row to the account that the correction takes out', async (verb, status) => {
  const service = await newService();
  const rows = kenyanRows(3);
  const desk = deskFor(service, rows);
  service.fault = ({ route, nth }) => (route === 'POST /payments' && nth > 2 ? { kind: 'answer', status } : undefined);
  const first = documentOf(await said(desk, 'run', desk.sheet, '--batch', 'la', '--concurrency', '1'));
  expect(first.rows).toMatchObject({ [verb === 'retry' ? 'unpaid' : 'not_sent']: 1 });
  const mended = await waits(desk, 'la', [rows[0]!, rows[1]!, phoneOf(rows[2]!, other)]);
  service.fault = () => undefined;
  const asked = service.payments.length;
  writeFileSync(desk.sheet, csvOf(rows));
  const again = verb === 'run' ? [verb, desk.sheet, '--batch', 'la'] : [verb, 'la'];
  const refused = await said(desk, ...again);
  expect([refused.exit, refused.out + refused.err, service.payments.length]).toEqual([
    26,
    expect.stringMatching(/row k3: the sheet mended\.csv.*is approved: this row goes to another account in it/i),
    asked,
  ]);
  // Once it is declined the row stands as it is here.
  await mended.declined();
  expect(documentOf(await said(desk, ...again, '--wait', '20s')).rows).toMatchObject({ paid: 3 });
});

it('the plan under which the batch is paid is no correction of it, though it cannot be read any more', {
  tags: ['long'],
}, async () => {
  const service = await newService();
  const rows = kenyanRows(3);
  const desk = deskFor(service, rows);
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  const own = await waits(desk, 'la', rows);
  const ran = await said(desk, 'run', desk.sheet, '--batch', 'la', '--approve', own.digest, '--concurrency', '1');
  expect(documentOf(ran).rows).toMatchObject({ not_sent: 2 });
  service.fault = () => undefined;
  rmSync(own.path);
  expect(documentOf(await said(desk, 'resume', 'la', '--wait', '20s')).rows).toMatchObject({ paid: 3 });
  await own.declined();
});

it('an addition that waits keeps no other addition from being paid', { tags: ['long'] }, async () => {
  const rows = kenyanRows(4);
  const desk = deskFor(await newService(), rows.slice(0, 2));
  await said(desk, 'run', desk.sheet, '--batch', 'la');
  const other = await waits(desk, 'la', rows.slice(0, 3), '--add');
  writeFileSync(desk.sheet, csvOf([rows[0]!, rows[1]!, rows[3]!]));
  const added = await said(desk, 'run', desk.sheet, '--batch', 'la', '--add', '--wait', '20s');
  expect(documentOf(added).rows).toMatchObject({ paid: 3 });
  await other.declined();
});

it.each([
  ['the same sheet', 3],
  ['an addition', 4],
])('an unpaid row that the correction mends is not sent again after %s came', async (_, count) => {
  const service = await newService();
  const rows = kenyanRows(4);
  const desk = deskFor(service, rows.slice(0, 3));
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 2 ? { kind: 'answer', status: 422 } : undefined;
  await said(desk, 'run', desk.sheet, '--batch', 'la', '--concurrency', '1');
  const mended = await waits(desk, 'la', [rows[0]!, rows[1]!, phoneOf(rows[2]!, other)]);
  service.fault = () => undefined;
  writeFileSync(desk.sheet, csvOf(rows.slice(0, count)));
  for (const again of [
    ['run', desk.sheet, '--batch', 'la', '--add'],
    ['retry', 'la'],
  ]) {
    const { exit, err } = await said(desk, ...again);
    expect([exit, err]).toEqual([26, expect.stringMatching(/row k3: .*this row goes to another account in it/)]);
  }
  expect(service.payments).toHaveLength(2);
  await mended.declined();
});

it('a sheet without row_ids is not paid while a plan has a row of it otherwise, or lacks one, though its batch is not there yet', async () => {
  const rows = kenyanRows(3);
  const bare = rows.map((row) => ({ ...row, row_id: '' }));
  for (const [sheet, planned, how] of [
    [bare, [bare[0]!, bare[1]!, phoneOf(bare[2]!, other)], 'this row goes to another account in it'],
    [bare.slice(2), [phoneOf(bare[2]!, other)], 'this row goes to another account in it'],
    [rows, rows.slice(0, 2), 'this row is missing in it'],
  ] as const) {
    const service = await newService();
    const desk = deskFor(service, sheet);
    const mended = await waits(desk, 'nov', planned);
    writeFileSync(desk.sheet, csvOf(sheet));
    const { exit, err } = await said(desk, 'run', desk.sheet, '--batch', 'nov');
    expect([exit, err, service.payments]).toEqual([26, expect.stringContaining(how), []]);
    await mended.declined();
  }
});

it('what is proven absent is not sent again while a correction takes it out', async () => {
  const seen = await watched();
  const rows = kenyanRows(5, 2);
  const desk = machine(seen.service, rows.slice(0, 4), { PAYRUN_DOUBT_POLICY: 'resend' });
  seen.fault = ({ route, body }) =>
    route === 'POST /payments' && body.reference === 'Ref 4' ? { kind: 'drop' } : undefined;
  await run(desk);
  seen.fault = () => undefined;
  seen.clock.moved += pastHorizonMs;
  // A younger payment of ours, without which nothing is proven.
  writeFileSync(desk.sheet, csvOf(rows));
  await run(desk, '--add');
  const mended = await waits(desk, 'nov', [...rows.slice(0, 3), rows[4]!]);
  const asked = seen.service.payments.length;
  seen.clock.moved += 1300;
  const held = await resume(desk);
  expect([held.document.stopped?.message, seen.service.payments.length]).toEqual([
    expect.stringContaining('this row is missing in it'),
    asked,
  ]);
  writeFileSync(desk.sheet, csvOf(rows));
  const again = await said(desk, 'run', desk.sheet, '--batch', 'nov');
  expect([again.exit, again.err, seen.service.payments.length]).toEqual([
    26,
    expect.stringContaining('this row is missing in it'),
    asked,
  ]);
  await mended.declined();
  const { document } = await resume(desk);
  expect([document.sent, seen.service.payments.length]).toEqual([1, asked + 1]);
});

it('a file that is run again and again does not take back a correction that was approved; a plan that is made of it does', async () => {
  const service = await newService();
  const rows = kenyanRows(3);
  const desk = deskFor(service, rows);
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 2 ? { kind: 'answer', status: 401 } : undefined;
  const { run } = sheetsOf(desk);
  expect((await run(rows)).exit).toBe(25);
  const mended = [rows[0]!, rows[1]!, phoneOf(rows[2]!, other)];
  writeFileSync(desk.sheet, csvOf(mended));
  const { plan_digest: first } = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'la'));
  expect((await run(mended, '--approve', first ?? '')).exit).toBe(25);
  service.fault = () => undefined;
  const again = await run(rows);
  expect([again.exit, again.err]).toEqual([
    26,
    expect.stringMatching(/another sheet came into batch la, .*another content in row 4.*make a plan of it/s),
  ]);
  expect(service.payments).toHaveLength(2);
  const { plan_digest: digest, problems } = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'la'));
  expect(problems).toMatchObject([
    { row: 4, code: 'TAKES_BACK', message: expect.stringMatching(/^batch la has it otherwise by now, .*000111/) },
  ]);
  expect(documentOf(await run(rows, '--approve', digest ?? '')).rows).toMatchObject({ paid: 3 });
  const third = service.payments.find(({ reference }) => reference === 'Ref 3');
  expect(JSON.stringify(service.merchants.get(String(third?.merchantId)))).toContain(rows[2]!.contact_number);
});

const without = (sheet: readonly SheetRow[]) => sheet.map((row) => ({ ...row, row_id: '' }));

/** The desk's file as each of these sheets in turn, for one batch: run, or planned, which tells the plan's digest. */
const sheetsOf = (desk: Desk) => ({
  async run(sheet: readonly SheetRow[], ...flags: string[]) {
    writeFileSync(desk.sheet, csvOf(sheet));
    return await said(desk, 'run', desk.sheet, '--batch', 'la', '--concurrency', '1', '--wait', '20s', ...flags);
  },
  async planned(sheet: readonly SheetRow[], ...flags: string[]) {
    writeFileSync(desk.sheet, csvOf(sheet));
    return documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'la', ...flags)).plan_digest ?? '';
  },
});

/** A batch of which two rows were sent, the third one not; `goes`: from then on the service pays. */
async function halfSent(rows: readonly SheetRow[]) {
  const service = await newService();
  const desk = deskFor(service, rows);
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 2 ? { kind: 'answer', status: 401 } : undefined;
  const { run, planned } = sheetsOf(desk);
  const approved = async (sheet: readonly SheetRow[], ...flags: string[]) =>
    await run(sheet, '--approve', await planned(sheet, ...flags), ...flags);
  const goes = () => {
    service.fault = () => undefined;
  };
  expect((await run(rows)).exit).not.toBe(26);
  return { service, run, approved, goes };
}

const five = kenyanRows(5);
const three = five.slice(0, 3);
const mendedThree = [five[0]!, five[1]!, phoneOf(five[2]!, other)];

it.each<[string, readonly SheetRow[], readonly SheetRow[], readonly SheetRow[] | null, readonly SheetRow[], string]>([
  ['with a row more', three, mendedThree, null, five.slice(0, 4), 'has another content in row 4'],
  ['with a row less', three, mendedThree, null, five.slice(1, 3), 'has another content in row 3'],
  [
    'with a row more, without row_ids',
    without(three),
    without(mendedThree),
    null,
    without(five.slice(0, 4)),
    'lacks row 4',
  ],
  ['with a row that the correction lacks', three, five.slice(0, 2), null, five.slice(0, 4), 'lacks row 4'],
  [
    'as it was, once the correction itself came with a row more',
    three,
    mendedThree,
    [...mendedThree, five[3]!],
    [...three, five[4]!],
    'has another content in row 4',
  ],
  [
    'with a row that no sheet had, without row_ids, and that an approved row is the mend of',
    without(five.slice(0, 2)),
    without(mendedThree),
    null,
    without(three),
    'has otherwise row 4',
  ],
])(
  'a file without a plan does not take back a correction that was approved: %s',
  { tags: ['long'] },
  async (_, first, correction, between, file, how) => {
    const { service, run, approved, goes } = await halfSent(first);
    expect((await approved(correction, '--add')).exit).not.toBe(26);
    if (between !== null) expect((await run(between, '--add')).exit).toBe(25);
    goes();
    const sent = service.payments.length;
    const again = await run(file, '--add');
    expect([again.exit, again.err]).toEqual([
      26,
      expect.stringMatching(
        `another sheet came into batch la, .*, which was approved and ${how} of this one.*make a plan`,
      ),
    ]);
    expect(service.payments).toHaveLength(sent);
    expect((await approved(file, '--add')).exit).not.toBe(26);
  },
);

it('what nobody approved is mended without a plan, also where the batch has rows that were approved', {
  tags: ['long'],
}, async () => {
  const { service, run, approved, goes } = await halfSent(three);
  expect((await approved(mendedThree)).exit).toBe(25);
  expect((await run([...mendedThree, five[3]!], '--add')).exit).toBe(25);
  goes();
  const rows = [...mendedThree, phoneOf(five[3]!, '+254799000222')];
  expect(documentOf(await run(rows, '--add')).rows).toMatchObject({ paid: 4 });
  const fourth = service.payments.find(({ reference }) => reference === 'Ref 4');
  expect(JSON.stringify(service.merchants.get(String(fourth?.merchantId)))).toContain('+254799000222');
});

it('a payment beside an approved one to the same payee is none that takes that back', { tags: ['long'] }, async () => {
  const { run, approved, goes } = await halfSent(without(three));
  expect((await approved(without(mendedThree), '--add')).exit).toBe(25);
  goes();
  const beside = { ...phoneOf(five[2]!, other), row_id: '', reference: 'Bonus' };
  expect(documentOf(await run([...without(mendedThree), beside], '--add')).rows).toMatchObject({ paid: 4 });
});

it('of a file that is run again, an addition that repeats a row of it keeps the others from being sent until a plan is made', {
  tags: ['long'],
}, async () => {
  const service = await newService();
  const rows = kenyanRows(4);
  const desk = deskFor(service, rows.slice(0, 3));
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  const { run, planned } = sheetsOf(desk);
  const month = rows.slice(0, 3);
  await run(month);
  service.fault = () => undefined;
  const addition = [rows[0]!, rows[3]!];
  expect((await run(addition, '--add', '--approve', await planned(addition, '--add'))).exit).toBe(21);
  const again = await run(month);
  expect([again.exit, again.err]).toEqual([
    26,
    expect.stringMatching(/another sheet .*, which was approved and lacks row 3 of this one.*make a plan of it/),
  ]);
  expect(documentOf(await run(month, '--approve', await planned(month))).rows).toMatchObject({ paid: 4 });
});

it('an addition that comes in keeps no row of an approved correction from waiting for it', {
  tags: ['long'],
}, async () => {
  const service = await newService();
  const rows = kenyanRows(4).map((row) => ({ ...row, row_id: '' }));
  const desk = deskFor(service, rows.slice(0, 3));
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  await said(desk, 'run', desk.sheet, '--batch', 'la', '--concurrency', '1');
  service.fault = () => undefined;
  const mended = await waits(desk, 'la', [rows[0]!, rows[1]!, phoneOf(rows[2]!, other)], '--add');
  writeFileSync(desk.sheet, csvOf(rows.slice(3)));
  expect(documentOf(await said(desk, 'run', desk.sheet, '--batch', 'la', '--add', '--wait', '20s')).rows).toMatchObject(
    {
      paid: 2,
    },
  );
  writeFileSync(desk.sheet, csvOf(rows.slice(0, 3)));
  expect(await said(desk, 'run', desk.sheet, '--batch', 'la')).toMatchObject({
    exit: 26,
    err: expect.stringContaining('this row goes to another account in it'),
  });
  await mended.declined();
});

it('a plan of the older file tells of the one that waits, and names no step that is refused', async () => {
  const rows = kenyanRows(3);
  const desk = deskFor(await newService(), rows);
  const mended = await waits(desk, 'la', [rows[0]!, rows[1]!, phoneOf(rows[2]!, other)]);
  writeFileSync(desk.sheet, csvOf(rows));
  mkdirSync(join(desk.folder, 'own'));
  const make = ['plan', desk.sheet, '--batch', 'la', '--out', join(desk.folder, 'own')];
  const told = await command(desk, make);
  const screen = told.out + told.err;
  expect([told.exit, screen]).toEqual([
    0,
    expect.stringMatching(
      /A run of it is refused \(26\).*row k3: the sheet mended\.csv.*is approved.*another account in it/is,
    ),
  ]);
  expect(screen).not.toMatch(/The sheet can be paid|--approve/);
  const { plan, plan_digest: digest, next } = documentOf(await said(desk, ...make));
  expect(next).toEqual([]);
  const run = ['run', desk.sheet, '--batch', 'la', '--approve', digest ?? '', '--plan', plan ?? ''];
  expect((await said(desk, ...run)).exit, 'as it said').toBe(26);
  await mended.declined();
  expect(documentOf(await said(desk, ...make)).next).toMatchObject([{ command: expect.stringContaining('--approve') }]);
});

it('an old file of a batch that was stopped in the middle names how its other rows go on', async () => {
  const service = await newService();
  const rows = kenyanRows(3);
  const desk = deskFor(service, rows);
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  await said(desk, 'run', desk.sheet, '--batch', 'la', '--concurrency', '1');
  writeFileSync(desk.sheet, csvOf([{ ...rows[0]!, amount: '777' }, ...rows.slice(1)]));
  const old = await said(desk, 'plan', desk.sheet, '--batch', 'la');
  expect([old.exit, old.out + old.err]).toEqual([
    26,
    expect.stringMatching(/leave it; 2 rows of batch la are not sent yet, and go on without it: payrun resume la\./),
  ]);
});
