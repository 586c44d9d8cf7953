/** A run under a plan pays that plan and nothing else: how somebody would get another payment through, and what stops it. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/digest.ts';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import { planPageWords } from '../../src/messages/files/plan-page.ts';
import type { Independent } from '../independent/service.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  pay,
  planDiffers,
  refusalOf,
  type SheetRow,
  southAfrican,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(3);
const posts = ({ calls }: Independent) => calls.get('POST /payments') ?? 0;
const created = ({ calls }: Independent) => calls.get('POST /merchants') ?? 0;

interface Planned extends Outcome {
  readonly plan: string;
  readonly plan_page: string;
  readonly plan_digest: string;
}

async function plan(desk: Desk, ...more: string[]): Promise<Planned> {
  const ran = await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--maker', 'Ama', '--json', ...more]);
  return documentOf(ran) as Planned;
}

/** A sheet and its plan. */
async function planned(sheet: readonly SheetRow[] = rows, ...more: string[]) {
  const service = await newService();
  const desk = deskFor(service, sheet);
  return { service, desk, made: await plan(desk, ...more) };
}

const approve = async (desk: Desk, digest: string, ...more: string[]) =>
  await command(desk, ['run', desk.sheet, '--wait', '0', '--approve', digest, ...more]);

/** The newest entries of the trail, by what they tell. */
async function trail(desk: Desk, what: string): Promise<{ batch: string | null; data: Record<string, unknown> }[]> {
  const out = join(desk.folder, `trail-${Math.random()}.jsonl`);
  await command(desk, ['audit', 'export', '--out', out]);
  return readFileSync(out, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse((JSON.parse(line) as { text: string }).text) as [number, string, string, string, object])
    .filter(([, , , told]) => told === what)
    .map(([, batch, , , data]) => ({ batch, data: data as Record<string, unknown> }));
}

/** Expects exit 26 with this refusal in the trail, and neither a payment nor a merchant. */
async function expectDenied(service: Independent, desk: Desk, digest: string, refusal: object, ...more: string[]) {
  const [before, merchants] = [posts(service), created(service)];
  expect((await approve(desk, digest, ...more)).exit).toBe(26);
  expect([posts(service), created(service)]).toEqual([before, merchants]);
  expect((await trail(desk, 'denied')).at(-1)?.data).toMatchObject(refusal);
}

const cell = (row: number, column: string, was: unknown, now: unknown) =>
  planDiffers({ fault: 'cell-differs', row, column, was, now });
const setting = (name: string, was: unknown = expect.anything(), now: unknown = expect.anything()) =>
  planDiffers({ fault: 'setting-differs', name, was, now });
const otherIdentity = planDiffers({ fault: 'identity-differs' });
const payee = (was: object, now: object) =>
  planDiffers({ fault: 'payee-differs', was: expect.objectContaining(was), now: expect.objectContaining(now) });
const warning = (row: number | null, code: string, facts: object = {}) =>
  planDiffers({ fault: 'warning-is-new', row, problem: { code, facts: expect.objectContaining(facts) } });

describe.concurrent('a plan', () => {
  it('is written beside the sheet with a page, and its digest is that of the file', async () => {
    const { desk, made } = await planned();
    expect(made.plan).toBe(join(desk.folder, 'november.plan.json'));
    expect(made.plan_page).toBe(join(desk.folder, 'november.plan.html'));
    expect(made.plan_digest).toBe(`sha256:${sha256(readFileSync(made.plan))}`);
    expect(made.plan_digest, 'it is not the digest of the rows').not.toBe(made.digest);
    expect(readFileSync(made.plan_page, 'utf8').split(made.plan_digest).length, 'at the top and at the end').toBe(3);
    expect(readFileSync(made.plan, 'utf8'), 'the key is not in it').not.toContain(desk.env.PAYRUN_API_KEY);
  });

  it('of a refused sheet is not written', async () => {
    const service = await newService();
    const desk = deskFor(service, [{ ...rows[0]!, amount: '12.50' }]);
    const { exit } = await command(desk, ['plan', desk.sheet]);
    expect([exit, existsSync(join(desk.folder, 'november.plan.json'))]).toEqual([20, false]);
  });

  it('goes where --out says, and is found there', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const out = join(desk.folder, 'state');
    const made = await plan(desk, '--out', out);
    expect(made.plan).toBe(join(out, 'november.plan.json'));
    expect((await approve(desk, made.plan_digest, '--out', out)).exit).toBe(23);
    expectOnePaymentEach(service, rows);
  });

  it('does not take the place of a file that is none', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    writeFileSync(join(desk.folder, 'november.plan.json'), '{"mine":true}');
    expect((await plan(desk)).plan).toBe(join(desk.folder, 'november.plan-2.json'));
    expect(readFileSync(join(desk.folder, 'november.plan.json'), 'utf8')).toBe('{"mine":true}');
  });

  it('has no place for what a name would do to a page', async () => {
    const service = await newService();
    const hostile = [{ ...rows[0]!, row_id: '<script>alert(1)</script>', note: '"><img src=x>' }];
    const desk = deskFor(service, hostile);
    writeFileSync(join(desk.folder, '<b onclick=x>&.csv'), csvOf(hostile));
    const ran = await command(desk, [
      'plan',
      '<b onclick=x>&.csv',
      '--maker',
      '<i>\u202eA',
      '--batch',
      '"b\'',
      '--json',
    ]);
    expect(ran.exit, 'a maker whose name is a tag, or turns the line around, is none').toBe(2);
    const { plan_page } = documentOf(
      await command(desk, ['plan', '<b onclick=x>&.csv', '--maker', 'Ama', '--batch', '"b\'', '--json']),
    );
    const page = readFileSync(plan_page ?? '', 'utf8');
    const tags = new Set([...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag));
    expect([...tags].filter((tag) => ['script', 'img', 'b', 'i', 'a', 'link'].includes(tag ?? ''))).toEqual([]);
    expect(page).toContain('&lt;b onclick=x&gt;&amp;.csv');
    expect(page).toContain('&quot;b&#39;');
  });

  it('takes no expiry and no maker of another form', async () => {
    const desk = deskFor(null, rows);
    for (const slip of [
      ['--expires', '0'],
      ['--expires', '721h'],
      ['--expires', '24'],
      ['--maker', ' Ama'],
      ['--maker', 'a'.repeat(65)],
    ])
      expect((await command(desk, ['plan', desk.sheet, '--sandbox', ...slip])).exit, slip.join(' ')).toBe(2);
  });
});

describe.concurrent('a run under its plan', () => {
  it('pays it, and the batch, its result, its rows and an audit tell so', async () => {
    const { service, desk, made } = await planned();
    const { document } = await pay(desk, '--approve', made.plan_digest, '--wait', '20s', '--format', 'xlsx');
    expectOnePaymentEach(service, rows);
    expect(document).toMatchObject({ batch: 'nov', plan_digest: made.plan_digest, exit: 0 });
    const said = async (...words: string[]) => (await command(desk, words)).out;
    expect(await said('status', 'nov')).toContain(made.plan_digest);
    expect(JSON.parse(await said('status', 'nov', '--json'))).toMatchObject({ plan_digest: made.plan_digest });
    expect(await said('explain', 'nov', 'k1')).toContain(made.plan_digest);
    const audit = ['audit', 'verify', '--result', document.result ?? ''];
    expect(JSON.parse(await said(...audit, '--json'))).toMatchObject({
      whole: true,
      plans: [{ batch: 'nov', plan: made.plan_digest.slice(7), rows: rows.length, approved: [] }],
    });
    expect(await trail(desk, 'plan')).toMatchObject([
      { batch: 'nov', data: { plan: made.plan_digest.slice(7), maker: 'Ama' } },
    ]);
  });

  it('is named by its digest, in capitals, without its sign, or by its first 32 digits', async () => {
    const { service, desk, made } = await planned();
    for (const slip of ['abcd', 'sha256:', `${'0'.repeat(31)}g`, '0'.repeat(31), '0'.repeat(65)])
      expect([slip, (await approve(desk, slip)).exit, posts(service)]).toEqual([slip, 2, 0]);
    const digest = made.plan_digest.slice(7);
    for (const said of [digest.slice(0, 32), digest, `sha256:${digest.toUpperCase()}`])
      expect([said, (await approve(desk, said)).exit]).toEqual([said, 23]);
    expectOnePaymentEach(service, rows);
  });

  it('whose payees cannot be read sends nothing, and ends as any run that the service fails', async () => {
    const { service, desk, made } = await planned();
    service.fault = ({ route }) => (route === 'GET /merchants' ? { kind: 'answer', status: 500 } : undefined);
    const ran = await approve(desk, made.plan_digest, '--json');
    const unreachable = { code: 'SERVICE_UNREACHABLE', facts: { service: service.url } };
    expect([ran.exit, refusalOf(ran), posts(service)]).toMatchObject([25, unreachable, 0]);
    service.fault = () => undefined;
    expect((await approve(desk, made.plan_digest)).exit).toBe(23);
  });

  it('is finished by resume, which sends the same rows', async () => {
    const { service, desk, made } = await planned();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await approve(desk, made.plan_digest, '--concurrency', '1');
    service.fault = () => undefined;
    rmSync(made.plan);
    expect((await command(desk, ['resume', 'nov', '--wait', '0'])).exit).toBe(23);
    expectOnePaymentEach(service, rows);
    expect((await command(desk, ['status', 'nov'])).out).toContain(made.plan_digest);
  });

  it.each([
    ['with another key, where nothing was sent yet', { key: true, rebound: false }, [], { fault: 'identity-differs' }],
    ['with another key, to which its batch was bound', { key: true, rebound: true }, [], { fault: 'identity-differs' }],
    [
      'with payees renamed, where the plan renames none',
      { key: false, rebound: false },
      ['--update-names'],
      { fault: 'setting-differs', name: 'update_names' },
    ],
  ])('is not finished by resume %s', async (_, { key, rebound }, more, difference) => {
    const { service, desk, made } = await planned();
    service.fault = ({ route }) => (route === 'POST /merchants' ? { kind: 'answer', status: 401 } : undefined);
    expect((await approve(desk, made.plan_digest)).exit).toBe(25);
    service.fault = () => undefined;
    const other = key ? { ...desk, env: { ...desk.env, PAYRUN_API_KEY: service.addKey() } } : desk;
    if (rebound) expect((await command(other, ['ledger', 'rebind', 'nov', '--reason', 'rotated'])).exit).toBe(0);
    expect((await command(other, ['resume', 'nov', '--wait', '0', ...more])).exit).toBe(26);
    const leaves = { code: 'BATCH_LEAVES_PLAN', facts: { batch: 'nov', plan: made.plan_digest, difference } };
    expect([posts(service), (await trail(desk, 'denied')).map(({ data }) => data)]).toMatchObject([0, [leaves]]);
    expect((await command(desk, ['resume', 'nov', '--wait', '0'])).exit).toBe(23);
    expectOnePaymentEach(service, rows);
  });

  it('shows a row that it will hold as held, and sends it once a person has released it', async () => {
    const [paid = southAfrican, ...others] = rows;
    const service = await newService();
    const desk = deskFor(service, [paid]);
    expect((await pay(desk, '--batch', 'oct', '--wait', '20s')).exit).toBe(0);
    writeFileSync(desk.sheet, csvOf(rows));
    const made = await plan(desk);
    expect(made.rows).toMatchObject({ held: 1, not_sent: others.length });
    const held = planPageWords.held({
      rows: 1,
      sums: [{ amount: paid.amount ?? '', unit: 'whole', currency: paid.currency ?? 'KES' }],
    });
    expect(readFileSync(made.plan_page, 'utf8')).toContain(held);
    const ran = await approve(desk, made.plan_digest);
    expect([ran.exit, posts(service)]).toEqual([22, rows.length]);
    const release = ['resolve', 'nov', '--row', '2', '--not-a-repeat', '--reason', 'a second order'];
    await command(desk, release);
    expect([(await approve(desk, made.plan_digest)).exit, posts(service)]).toEqual([23, rows.length + 1]);
  });

  it('sends a row that the list showed as paid only under a plan of its release', async () => {
    const own = rows[0]!;
    const earlier = rows.map((row, nth) => ({
      ...row,
      row_id: `e${nth}`,
      amount: `${5000 + nth}`,
      reference: `E ${nth}`,
    }));
    const service = await newService();
    const desk = deskFor(service, earlier, { PAYRUN_PRESEND: 'always' });
    expect((await pay(desk, '--batch', 'oct', '--wait', '20s')).exit).toBe(0);
    const { tag: _, ...paid } = service.payments.find(({ reference }) => reference === 'E 0')!;
    const byHand = {
      id: 'hand',
      reference: own.reference ?? '',
      amount: Number(own.amount),
      createdAtMs: service.clock.now(),
    };
    service.payments.push({ ...paid, ...byHand });
    writeFileSync(desk.sheet, csvOf(rows));
    expect((await pay(desk, '--batch', 'nov', '--wait', '20s')).document.rows).toMatchObject({ held: 1 });
    writeFileSync(desk.sheet, csvOf(kenyanRows(4)));
    const made = await plan(desk, '--add');
    await command(desk, ['resolve', 'nov', '--row', '2', '--not-a-repeat', '--reason', 'a second order']);
    const before = posts(service);
    const ran = await approve(desk, made.plan_digest, '--add');
    expect([ran.exit, posts(service) - before], 'the plan shows the row as held').toEqual([26, 0]);
    const now = await approve(desk, (await plan(desk, '--add')).plan_digest, '--add');
    expect([now.exit, posts(service) - before], now.err).toEqual([23, 2]);
  });

  it('sends no row that it holds for a changed account, although a person allowed the row as a repeat', async () => {
    const service = await newService();
    const [paid = southAfrican, ...others] = rows;
    const desk = deskFor(service, [paid]);
    expect((await pay(desk, '--batch', 'oct', '--wait', '0')).exit).toBe(23);
    const moved = { ...paid, contact_number: '+254712345699' };
    writeFileSync(desk.sheet, csvOf([moved, ...others]));
    const made = await plan(desk, '--confirm-repeat', 'a second order');
    expect(made.rows).toMatchObject({ held: 1, not_sent: others.length });
    const again = ['--batch', 'nov', '--confirm-repeat', 'a second order'];
    const first = await approve(desk, made.plan_digest, ...again);
    expect([first.exit, posts(service)], first.err).toEqual([22, rows.length]);
    // The hold ends without a release: no payment to the payee's old account is left.
    service.payments[0] = { ...service.payments[0]!, ends: 'expired' };
    expect((await command(desk, ['resume', 'oct', '--wait', '20s'])).exit).toBe(21);
    const second = await approve(desk, made.plan_digest, ...again);
    expect([second.exit, posts(service)], second.err).toEqual([22, rows.length]);
  });

  it('renames what the plan says, and a second run finds that done', async () => {
    const service = await newService();
    const { contact_number: contactNumber } = rows[0]!;
    service.merchants.set('m1', {
      id: 'm1',
      name: 'Old name',
      country: 'Kenya',
      networkProvider: 'MOMO',
      contactNumber,
    });
    const desk = deskFor(service, rows);
    const made = await plan(desk, '--update-names');
    expect(readPlan(made).merchants[0]).toMatchObject({ action: 'rename', id: 'm1', service_name: 'Old name' });
    await expectDenied(service, desk, made.plan_digest, setting('update_names', true, false));
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    expect((await approve(desk, made.plan_digest, '--update-names')).exit).toBe(25);
    expect(service.merchants.get('m1')).toMatchObject({ name: 'Payee 1' });
    service.fault = () => undefined;
    expect((await approve(desk, made.plan_digest, '--update-names')).exit).toBe(23);
    expectOnePaymentEach(service, rows);
  });
});

interface PlanText {
  readonly merchants: readonly object[];
}
const readPlan = (made: Planned) => JSON.parse(readFileSync(made.plan, 'utf8')) as PlanText;

/** The sheet as somebody left it after the plan was made. */
const edits: readonly [string, (sheet: SheetRow[]) => SheetRow[], object][] = [
  ['an amount', ([one, ...rest]) => [{ ...one!, amount: '999' }, ...rest], cell(2, 'amount', '100', '999')],
  [
    'an account',
    ([one, ...rest]) => [{ ...one!, contact_number: '+254712345699' }, ...rest],
    cell(2, 'contact_number', '+254712345610', '+254712345699'),
  ],
  ['a name', ([one, ...rest]) => [{ ...one!, name: 'Somebody' }, ...rest], cell(2, 'name', 'Payee 1', 'Somebody')],
  ['a reference', ([one, ...rest]) => [{ ...one!, reference: 'X' }, ...rest], cell(2, 'reference', 'Ref 1', 'X')],
  [
    'the order of its rows',
    (sheet) => sheet.toReversed(),
    planDiffers({ fault: 'cell-differs', row: 2, column: 'name' }, { fault: 'cell-differs', row: 4, column: 'name' }),
  ],
  [
    'a row added',
    (sheet) => [...sheet, kenyanRows(4)[3]!],
    planDiffers({ fault: 'plan-lacks-row', row: 5, name: 'Payee 4', amount: '103', currency: 'KES' }),
  ],
  [
    'a row taken out',
    (sheet) => sheet.slice(0, 2),
    planDiffers({ fault: 'sheet-lacks-row', row: 4, name: 'Payee 3', amount: '102', currency: 'KES' }),
  ],
  [
    'the money of two rows moved',
    ([a, b, c]) => [{ ...a!, amount: '101' }, { ...b!, amount: '100' }, c!],
    planDiffers({ fault: 'cell-differs', row: 2 }, { fault: 'cell-differs', row: 3 }),
  ],
];

describe.concurrent('a sheet that was edited after its plan was approved', () => {
  it('nothing is sent, and the difference is shown', async () => {
    const { service, desk, made } = await planned();
    for (const [, edit, refusal] of edits) {
      writeFileSync(desk.sheet, csvOf(edit([...rows])));
      await expectDenied(service, desk, made.plan_digest, refusal);
    }
    writeFileSync(desk.sheet, csvOf(rows));
    expect((await approve(desk, made.plan_digest)).exit, 'put back, it is the plan again').toBe(23);
    expectOnePaymentEach(service, rows);
  });

  it('also without row_ids, where a changed row has another key', async () => {
    const bare = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'row_id')));
    const { service, desk, made } = await planned(bare);
    writeFileSync(desk.sheet, csvOf(bare.map((row, at) => (at === 1 ? { ...row, amount: '999' } : row))));
    await expectDenied(service, desk, made.plan_digest, cell(3, 'amount', '101', '999'));
  });

  it('also where half of it was paid already', async () => {
    const { service, desk, made } = await planned();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await approve(desk, made.plan_digest, '--concurrency', '1');
    service.fault = () => undefined;
    const edited = rows.map((row, at) => (at === 2 ? { ...row, amount: '999' } : row));
    writeFileSync(desk.sheet, csvOf(edited));
    await expectDenied(service, desk, made.plan_digest, cell(4, 'amount', '102', '999'));
  });

  it('a document exchanged under its name', async () => {
    const sheet = [{ ...southAfrican, documents: 'invoice.pdf' }];
    const service = await newService();
    const desk = deskFor(service, sheet);
    writeFileSync(join(desk.folder, 'invoice.pdf'), '%PDF-1.4\none');
    const made = await plan(desk);
    writeFileSync(join(desk.folder, 'invoice.pdf'), '%PDF-1.4\nother');
    await expectDenied(
      service,
      desk,
      made.plan_digest,
      planDiffers({ fault: 'cell-differs', row: 2, column: 'documents' }),
    );
  });
});

it('a row that was hidden since is refused with its sheet (20), and the trail tells', async () => {
  const service = await newService();
  const desk = { ...deskFor(service, rows), sheet: '' };
  desk.sheet = join(desk.folder, 'november.xlsx');
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('November');
  sheet.addRows([Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))]);
  await book.xlsx.writeFile(desk.sheet);
  const made = await plan(desk);
  sheet.getRow(3).hidden = true;
  await book.xlsx.writeFile(desk.sheet);
  expect([(await approve(desk, made.plan_digest)).exit, posts(service)]).toEqual([20, 0]);
  const empty = new ExcelJS.Workbook();
  empty.addWorksheet('November').addRow(Object.keys(rows[0]!));
  await empty.xlsx.writeFile(desk.sheet);
  expect([(await approve(desk, made.plan_digest)).exit, posts(service)]).toEqual([20, 0]);
  const denied = (code: string) => ({
    batch: 'nov',
    data: { code: 'SHEET_HAS_PROBLEMS', facts: { problem: { code } } },
  });
  expect(await trail(desk, 'denied')).toMatchObject(['ROW_HIDDEN', 'SHEET_EMPTY'].map(denied));
});

it('a plan that was paid pays nothing more', async () => {
  const { service, desk, made } = await planned();
  await pay(desk, '--approve', made.plan_digest, '--wait', '20s');
  const { exit } = await approve(desk, made.plan_digest);
  expect([exit, posts(service)]).toEqual([0, 3]);
});

describe.concurrent('a plan that is not the one', () => {
  it('of another batch name', async () => {
    const { service, desk, made } = await planned();
    await expectDenied(service, desk, made.plan_digest, setting('batch', 'nov', 'dec'), '--batch', 'dec');
  });

  it('of another service, or another key', async () => {
    const { service, desk, made } = await planned();
    const other = await newService();
    const elsewhere = {
      ...desk,
      env: {
        ...desk.env,
        PAYRUN_BASE_URL: other.url,
        PAYRUN_API_KEY: other.apiKey,
        PAYRUN_API_SECRET: other.apiSecret,
      },
    };
    await expectDenied(other, elsewhere, made.plan_digest, otherIdentity);
    const rekeyed = { ...desk, env: { ...desk.env, PAYRUN_API_KEY: service.addKey() } };
    await expectDenied(service, rekeyed, made.plan_digest, otherIdentity);
  });

  it('that expired before its run began', async () => {
    const { service, desk, made } = await planned(rows, '--expires', '1ms');
    await expectDenied(service, desk, made.plan_digest, planDiffers({ fault: 'plan-is-over' }));
  });

  it('whose file was edited, with the digest of the edited file', async () => {
    const { service, desk, made } = await planned();
    const text = readFileSync(made.plan, 'utf8').replace('"amount":"100"', '"amount":"900"');
    writeFileSync(made.plan, text);
    await expectDenied(service, desk, made.plan_digest, { code: 'PLAN_NOT_FOUND', facts: { others: [{}] } });
    await expectDenied(service, desk, sha256(text), {
      code: 'PLAN_CHANGED',
      facts: { why: { fault: 'plan-row-differs', row: 2 } },
    });
  });

  it('that says that a row was paid, where nothing was: another ledger', async () => {
    const { service, desk, made } = await planned();
    expect((await approve(desk, made.plan_digest)).exit).toBe(23);
    const later = await plan(desk);
    const fresh = { ...desk, env: { ...desk.env, PAYRUN_LEDGER: join(desk.folder, 'state', 'other.db') } };
    await expectDenied(
      service,
      fresh,
      later.plan_digest,
      planDiffers({ fault: 'effect-differs', row: 2, was: 'pending', now: 'not sent' }),
    );
  });

  it('an older one of the same sheet is good while the sheet is as it was, and no longer', async () => {
    const { service, desk, made } = await planned();
    renameSync(made.plan, join(desk.folder, 'older.json'));
    writeFileSync(desk.sheet, csvOf(rows.slice(0, 2)));
    await plan(desk);
    expect((await command(desk, ['run', 'older.json'])).exit).toBe(26);
    expect((await trail(desk, 'denied')).at(-1)?.data).toMatchObject({ code: 'SHEET_CHANGED' });
    await expectDenied(service, desk, made.plan_digest, { code: 'PLAN_NOT_FOUND' });
  });
});

describe('a clock that went on, or that somebody moved', () => {
  const hour = 3_600_000;

  it('back, to a time at which the plan was good: the ledger has seen a later one', async () => {
    const { service, desk, made } = await planned(rows, '--expires', '1h');
    desk.clock.pass(2 * hour);
    await expectDenied(service, desk, made.plan_digest, planDiffers({ fault: 'plan-is-over' }));
    desk.clock.pass(-2 * hour);
    await expectDenied(service, desk, made.plan_digest, planDiffers({ fault: 'plan-is-over' }));
    expect((await approve(desk, (await plan(desk)).plan_digest)).exit, 'and a new plan is not held up').toBe(23);
  });

  it('goes on where it died, its payees made and its rows paid by the first run, also after the plan has expired', async () => {
    const { service, desk, made } = await planned(rows, '--expires', '1h');
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    const first = await approve(desk, made.plan_digest, '--concurrency', '1');
    expect([first.exit, service.payments.length]).toEqual([25, 1]);
    service.fault = () => undefined;
    desk.clock.pass(24 * hour);
    expect((await approve(desk, made.plan_digest)).exit).toBe(23);
    expectOnePaymentEach(service, rows);
  });

  it('ahead, when the plan was made, so that it would be good for longer', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    desk.clock.pass(hour);
    const made = await plan(desk);
    desk.clock.pass(-hour);
    await expectDenied(service, desk, made.plan_digest, planDiffers({ fault: 'plan-is-from-future' }));
  });
});

it('an audit finds a batch whose plan was exchanged in the ledger', async () => {
  const { desk, made } = await planned();
  await approve(desk, made.plan_digest);
  const db = new DatabaseSync(desk.ledger);
  db.exec(`UPDATE sheet SET options = replace(options, '${made.plan_digest.slice(7)}', '${'0'.repeat(64)}')`);
  db.close();
  const { exit, out } = await command(desk, ['audit', 'verify']);
  expect([exit, out]).toEqual([27, expect.stringContaining('trail')]);
});

describe.concurrent('payees that changed at the service since the plan', () => {
  const phone = rows[0]!.contact_number!;
  const merchant = (id: string, name = 'Payee 1', contactNumber = phone) => ({
    id,
    name,
    country: 'Kenya',
    networkProvider: 'MOMO',
    contactNumber,
  });

  it('one that it would create, made by somebody else meanwhile', async () => {
    const { service, desk, made } = await planned();
    service.merchants.set('m9', merchant('m9'));
    await expectDenied(service, desk, made.plan_digest, payee({ use: 'create' }, { use: 'reuse', id: 'm9' }));
  });

  it('one that it would create, made for another batch by this very ledger, is the same', async () => {
    const { service, desk, made } = await planned();
    const other = join(desk.folder, 'other.csv');
    writeFileSync(other, csvOf([{ ...rows[0]!, reference: 'Other', amount: '7' }]));
    expect((await command(desk, ['run', other, '--batch', 'other', '--wait', '0'])).exit).toBe(23);
    expect((await approve(desk, made.plan_digest)).exit).toBe(23);
    expect(created(service)).toBe(3);
  });

  it.each([
    ['another id', merchant('m2'), payee({ id: 'm1', service_name: 'Payee 1' }, { id: 'm2' })],
    [
      'another name',
      merchant('m1', 'Somebody'),
      payee({ id: 'm1', service_name: 'Payee 1' }, { id: 'm1', service_name: 'Somebody' }),
    ],
    ['another destination', merchant('m1', 'Payee 1', '+254700000000'), payee({ id: 'm1' }, { use: 'create' })],
  ])('one that it would use, with %s', async (_, now, refusal) => {
    const service = await newService();
    service.merchants.set('m1', merchant('m1'));
    const desk = deskFor(service, rows);
    const made = await plan(desk);
    service.merchants.clear();
    service.merchants.set(now.id, now);
    await expectDenied(service, desk, made.plan_digest, refusal);
  });

  it('one row twice in the plan, in the place of another that it leaves out', async () => {
    const { service, desk, made } = await planned(rows.map((row) => ({ ...row, amount: '100' })));
    const lines = readFileSync(made.plan, 'utf8').split('\n');
    const [two = 0, three = 0] = ['{"row":2,', '{"row":3,'].map((start) =>
      lines.findIndex((line) => line.startsWith(start)),
    );
    lines[three] = lines[two] ?? '';
    const text = lines.join('\n');
    writeFileSync(made.plan, text);
    await expectDenied(service, desk, sha256(text), {
      code: 'PLAN_CHANGED',
      facts: { why: { fault: 'plan-row-differs', row: 2 } },
    });
  });

  it('one that the plan leaves out', async () => {
    const { service, desk, made } = await planned();
    const text = readFileSync(made.plan, 'utf8')
      .replace(/\{"destination":"Kenya.*"row":2,.*\n/, '')
      .replace('"merchants_to_create":3', '"merchants_to_create":2');
    writeFileSync(made.plan, text);
    await expectDenied(service, desk, sha256(text), planDiffers({ fault: 'payee-differs', row: 2, was: null }));
  });
});

describe.concurrent('what the ledger learnt since the plan was made', () => {
  interface Since {
    readonly sheet?: readonly SheetRow[];
    readonly more?: readonly string[];
    readonly exit?: number;
    readonly prepare?: (service: Independent) => void;
  }
  const october = (change: SheetRow = {}) => [{ ...rows[0]!, row_id: 'oct', reference: 'Oct', ...change }];
  /** The plan of November, and then what another batch paid. */
  async function paidSince(other: readonly SheetRow[], { sheet = rows, more = [], exit = 0, prepare }: Since = {}) {
    const service = await newService();
    const desk = deskFor(service, sheet);
    writeFileSync(join(desk.folder, 'invoice.pdf'), '%PDF-1.4\n%%EOF\n');
    const made = await plan(desk, ...more);
    prepare?.(service);
    writeFileSync(desk.sheet, csvOf(other));
    const ran = await command(desk, ['run', desk.sheet, '--batch', 'oct', '--series', 'pay', '--wait', '20s']);
    expect(ran.exit, ran.err).toBe(exit);
    service.fault = () => undefined;
    writeFileSync(desk.sheet, csvOf(sheet));
    return { service, desk, made };
  }

  it.each<[string, readonly SheetRow[], object, Since]>([
    [
      'a payee was paid to another account',
      october({ contact_number: '+254712999999' }),
      warning(2, 'PAYEE_CHANGED'),
      {},
    ],
    [
      'an account was paid under another name',
      october({ name: 'Somebody Else' }),
      warning(2, 'PAYEE_KNOWN_OTHERWISE'),
      {},
    ],
    [
      'a payee was paid in another country',
      [{ ...southAfrican, row_id: 'oct', name: rows[0]!.name! }],
      warning(2, 'PAYEE_ELSEWHERE'),
      {},
    ],
    [
      'another batch came to the same totals',
      rows.map((row, at) => ({ ...row, row_id: `o${at}`, reference: `Oct ${at}` })),
      warning(null, 'TOTALS_REPEATED'),
      {},
    ],
    [
      'another batch of the same rows waits to be sent',
      rows,
      warning(null, 'BATCH_REPEATED'),
      {
        exit: 25,
        prepare(service) {
          service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
        },
      },
    ],
    [
      'a row was paid that differs in its amount alone',
      october({ reference: rows[0]!.reference!, amount: '99' }),
      warning(2, 'LOOKS_PAID'),
      {},
    ],
    [
      'one of two payees of a name was paid',
      october(),
      warning(5, 'PAYEE_TWICE'),
      { sheet: [...rows, { ...rows[0]!, row_id: 'twice', reference: 'Two', contact_number: '+254712999999' }] },
    ],
    [
      'its document went with a payment of another batch',
      october({ documents: 'invoice.pdf' }),
      warning(2, 'DOCUMENT_AGAIN'),
      { sheet: [{ ...rows[0]!, documents: 'invoice.pdf' }, ...rows.slice(1)] },
    ],
    [
      'another batch of its series was paid',
      october(),
      warning(3, 'VARIES'),
      { more: ['--series', 'pay', '--confirm-variance', 'It is the first'] },
    ],
  ])('%s: nothing is sent', async (_, other, refusal, since) => {
    const { service, desk, made } = await paidSince(other, since);
    const before = service.payments.length;
    await expectDenied(service, desk, made.plan_digest, refusal);
    // The plan that shows it is run.
    expect((await approve(desk, (await plan(desk, ...(since.more ?? []))).plan_digest)).exit).toBeGreaterThan(20);
    expect(service.payments.length).toBeGreaterThan(before);
  });

  it('is no difference where it is nothing to look at: a payee that is known by now', async () => {
    const { desk, made } = await paidSince(october({ amount: '7' }));
    expect((await approve(desk, made.plan_digest)).exit).toBe(23);
  });

  it('is no difference to a batch that began under the plan, whose rows go on as they would by resume', async () => {
    const { service, desk, made } = await planned();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await approve(desk, made.plan_digest, '--concurrency', '1');
    service.fault = () => undefined;
    writeFileSync(
      desk.sheet,
      csvOf([{ ...rows[1]!, row_id: 'o', reference: 'Oct', amount: '7', name: 'Somebody Else' }]),
    );
    expect((await command(desk, ['run', desk.sheet, '--batch', 'oct', '--wait', '20s'])).exit).toBe(0);
    writeFileSync(desk.sheet, csvOf(rows));
    expect((await approve(desk, made.plan_digest)).exit).toBe(23);
    expect(service.payments).toHaveLength(4);
  });
});

describe.concurrent('the limits of a plan', () => {
  const configured = (desk: Desk, settings: object) =>
    writeFileSync(join(desk.folder, 'payrun.config.json'), JSON.stringify(settings));

  it('hold its run to rails, refusals in a row and doubts', async () => {
    const usual = { refusals: 10, doubts: { rows: 5, percent: 2 } };
    const others: readonly (readonly [settings: object, limit: object])[] = [
      [{ rails: 'warn' }, setting('rails', 'hold', 'warn')],
      [
        { rails: 'hold', breaker: { refusals: 1000 } },
        setting('breaker', usual, expect.objectContaining({ refusals: 1000 })),
      ],
      [
        { rails: 'hold', breaker: { doubts: { rows: 900, percent: 50 } } },
        setting('breaker', usual, { refusals: 10, doubts: { rows: 900, percent: 50 } }),
      ],
    ];
    const service = await newService();
    const own = deskFor(service, rows);
    configured(own, { rails: 'hold' });
    const made = await plan(own);
    for (const [settings, refusal] of others) {
      configured(own, settings);
      await expectDenied(service, own, made.plan_digest, refusal);
    }
    configured(own, { rails: 'hold' });
    expect((await approve(own, made.plan_digest)).exit).toBe(23);
  });

  it('hold its run to its canaries', async () => {
    const { service, desk, made } = await planned(rows, '--canary', '2');
    expect(readFileSync(made.plan_page, 'utf8')).toContain('<th scope="row">Canaries</th><td>2</td>');
    await expectDenied(service, desk, made.plan_digest, setting('canary', 2, null));
    await expectDenied(service, desk, made.plan_digest, setting('canary', 2, 0), '--canary', '0');
    expect((await approve(desk, made.plan_digest, '--canary', '2')).exit).toBe(23);
    expect(service.payments).toHaveLength(2);
    const fewer = await command(desk, ['resume', 'nov', '--wait', '0', '--canary', '1']);
    expect(fewer.exit).toBe(26);
    const difference = { fault: 'setting-differs', name: 'canary', was: 2, now: 1 };
    expect((await trail(desk, 'denied')).at(-1)?.data).toMatchObject({
      code: 'BATCH_LEAVES_PLAN',
      facts: { difference },
    });
    expect(service.payments).toHaveLength(2);
    expect((await command(desk, ['resume', 'nov', '--wait', '20s'])).exit).toBe(0);
  });

  it('lets the others of an unpaid canary go by a new plan alone', async () => {
    const { service, desk, made } = await planned(rows, '--canary', '1');
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 422, body: {} } : undefined);
    const ran = documentOf(await approve(desk, made.plan_digest, '--canary', '1', '--json'));
    expect(ran).toMatchObject({ exit: 22, stopped: { code: 'CANARY_UNPAID' } });
    expect(ran.next.map(({ action }) => action)).toEqual(['plan-sheet', 'plan-sheet', 'drop-rows']);
  });
});
