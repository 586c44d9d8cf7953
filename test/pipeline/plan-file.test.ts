/** The plan's file: one text for one plan, and nothing is believed of a text that is another. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/digest.ts';
import { PayrunError } from '../../src/base/errors.ts';
import { destinationKey } from '../../src/domain/accounts/merchant.ts';
import { contentOf, rowDigest } from '../../src/domain/rows/digest.ts';
import type { Row } from '../../src/domain/rows/row.ts';
import { inZone } from '../../src/messages/format/times.ts';
import { rowDifferences } from '../../src/pipeline/plans/plan-differences.ts';
import { openPlan, type PlanMerchant, type PlanSource, planRow } from '../../src/pipeline/plans/plan-file.ts';
import { replacePlanPage, writePlanPage } from '../../src/pipeline/plans/plan-page.ts';
import { writePlan } from '../../src/pipeline/plans/write-plan.ts';
import { newFolder } from '../support.ts';

const row = (number: number, changes: Partial<Row> = {}): Row => ({
  number,
  rowId: `k${number}`,
  payeeId: null,
  name: `Payee ${number}`,
  destination: { country: 'Kenya', networkProvider: 'MOMO', contactNumber: `+2547123456${10 + number}` },
  amount: 100 + number,
  unit: 'whole',
  currency: 'KES',
  reference: `Ref ${number}`,
  fromCountry: null,
  collectionMethod: null,
  type: null,
  slow: false,
  ownTag: null,
  merchantId: null,
  documents: [],
  ...changes,
});

const planned = (one: Row, state: 'planned' | 'succeeded' = 'planned') =>
  planRow({
    number: one.number,
    key: one.rowId ?? '',
    digest: rowDigest(one),
    content: contentOf(one),
    state,
    documents: one.documents.map((name) => ({ name, sha256: sha256(name), sizeBytes: name.length })),
  });

const merchant = ({ number, name, destination }: Row): PlanMerchant => ({
  destination: destinationKey(destination),
  row: number,
  name,
  rows: 1,
  action: 'create',
  id: null,
  service_name: null,
});

const head: PlanSource['head'] = {
  version: 1,
  batch: 'nov',
  batch_named: true,
  sheet: 'november.csv',
  sheet_sha256: 'b'.repeat(64),
  options: {},
  service: 'https://pay.example.com',
  identity: 'https://pay.example.com|key:0123456789abcdef|tenant',
  maker: 'Ama',
  made_at: '2026-11-21T08:00:00.000Z',
  expires_at: '2026-11-22T08:00:00.000Z',
  base: 0,
  terms: {
    add: false,
    drop: false,
    retry: false,
    skip_invalid: false,
    update_names: false,
    repeat: null,
    series: null,
    confirm_variance: null,
  },
  limits: {
    documents: 'require',
    documents_above: '50000',
    collection_prompts: 5,
    account_checks: 'by-rule',
    rails: 'warn',
    breaker: { refusals: 20, doubts: { rows: 5, percent: 2 } },
  },
  rows_digest: 'a'.repeat(64),
  skipped: 0,
};

function source(rows: readonly Row[], changes: Partial<PlanSource['head']> = {}): PlanSource {
  return {
    head: { ...head, ...changes },
    async *lines() {
      for (const one of rows) yield { kind: 'merchants', line: merchant(one) };
      const facts = { by: null, why: 'paid\u2028by hand' };
      yield { kind: 'warnings', line: { row: 3, code: 'ROW_CLOSED', facts } };
      for (const one of rows) yield { kind: 'rows', line: planned(one) };
    },
  };
}

const write = async (rows: readonly Row[], changes: Partial<PlanSource['head']> = {}) =>
  await writePlan({ path: join(newFolder(), 'november.plan.json'), subject: 'november' }, source(rows, changes));

const refusal = async (path: string) => {
  const error = await openPlan(path).then(
    () => expect.fail('the plan was taken'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PayrunError);
  expect((error as PayrunError).code).toMatch(/^PLAN_(?:CHANGED|UNREADABLE)$/);
  return (error as PayrunError).refusal.facts;
};

it('a plan that would be good for longer than 30 days, or ends before it begins, is none', async () => {
  const { path } = await write([row(2)], { expires_at: '2026-12-21T08:00:00.000Z' });
  expect((await openPlan(path)).head.expires_at).toBe('2026-12-21T08:00:00.000Z');
  for (const expires_at of ['2026-12-21T08:00:00.001Z', '2126-11-22T08:00:00.000Z', head.made_at])
    await expect(write([row(2)], { expires_at })).rejects.toMatchObject({
      code: 'PLAN_CHANGED',
      facts: { line: null, why: { fault: 'plan-is-damaged' } },
    });
});

it('two documents of one name are two, however alike their digests begin', () => {
  const line = planned(row(2, { documents: ['a.pdf'] }));
  const [document] = line.documents;
  const other = { ...document!, sha256: document!.sha256.slice(0, 63) + (document!.sha256.endsWith('0') ? '1' : '0') };
  expect(rowDifferences(line, line)).toEqual([]);
  expect(rowDifferences(line, { ...line, documents: [other] })).toMatchObject([
    { fault: 'cell-differs', row: 2, column: 'documents' },
  ]);
});

it('the page of a plan is the same for approvers in two time zones', async () => {
  const plan = await write([row(2)]);
  const path = await writePlanPage({ path: join(newFolder(), 'november.plan.html'), subject: 'november' }, plan);
  const page = readFileSync(path, 'utf8');
  await inZone('Africa/Johannesburg', async () => await replacePlanPage(path, plan));
  expect(readFileSync(path, 'utf8')).toBe(page);
});

describe('the text of a plan', () => {
  it('is JSON, one and the same for one plan, and its digest is that of the file', async () => {
    const rows = [row(2), row(3, { documents: ['a.pdf'] })];
    const [one, other] = [await write(rows), await write(rows)];
    const text = readFileSync(one.path, 'utf8');
    expect(readFileSync(other.path, 'utf8')).toBe(text);
    expect([one.digest, other.digest]).toEqual([sha256(text), sha256(text)]);
    const read = JSON.parse(text) as { plan: typeof one.head; rows: unknown[]; merchants: unknown[] };
    expect(read.plan).toEqual(one.head);
    expect([read.rows.length, read.merchants.length]).toEqual([2, 2]);
    expect(text.split('\n').length, 'a line for each row').toBe(13);
    expect(text, 'no key, no number with a point').not.toMatch(/[0-9]\.[0-9]+[,}]/);
  });

  it('counts the lines that it has, also if another batch changes them meanwhile', async () => {
    let reads = 0;
    const { head: read } = await writePlan(
      { path: join(newFolder(), 'p.plan.json'), subject: 'november' },
      {
        ...source([]),
        async *lines() {
          reads += 1;
          yield { kind: 'merchants', line: { ...merchant(row(2)), action: reads > 1 ? 'reuse' : 'create' } };
          yield { kind: 'rows', line: planned(row(2)) };
        },
      },
    );
    expect([reads, read.counts]).toEqual([1, expect.objectContaining({ merchants_to_create: 1 })]);
  });

  it('of no rows is one too', async () => {
    const { head: read } = await writePlan(
      { path: join(newFolder(), 'p.plan.json'), subject: 'november' },
      {
        ...source([]),
        async *lines() {},
      },
    );
    expect(read.counts.rows).toBe(0);
  });

  it('counts money exactly beyond what a number holds, by currency, unit and funding source', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const { head: read } = await writePlan(
      { path: join(newFolder(), 'p.plan.json'), subject: 'november' },
      {
        ...source([]),
        async *lines() {
          yield { kind: 'rows', line: planned(row(2, { amount: most })) };
          yield { kind: 'rows', line: planned(row(3, { amount: most }), 'succeeded') };
          const usdt = { unit: 'hundredths', currency: 'USDT', fromCountry: 'USDT' } as const;
          yield { kind: 'rows', line: planned(row(4, { amount: 151, ...usdt })) };
        },
      },
    );
    expect(read.totals).toEqual([
      {
        currency: 'KES',
        unit: 'whole',
        from_country: null,
        rows: 2,
        amount: '18014398509481982',
        rows_to_send: 1,
        amount_to_send: '9007199254740991',
      },
      {
        currency: 'USDT',
        unit: 'hundredths',
        from_country: 'USDT',
        rows: 1,
        amount: '151',
        rows_to_send: 1,
        amount_to_send: '151',
      },
    ]);
  });

  it.each<[string, Partial<Row>]>([
    ['amount', { amount: 103 }],
    ['account', { destination: { country: 'Kenya', networkProvider: 'MOMO', contactNumber: '+254712345699' } }],
    ['name', { name: 'Payee 2b' }],
    ['own tag', { ownTag: 'x' }],
    ['document', { documents: ['b.pdf'] }],
    ['reference', { reference: 'Ref 2b' }],
    ['funding source', { fromCountry: 'USDT' }],
  ])('has another digest for another %s', async (_, changes) => {
    expect((await write([row(2, changes)])).digest).not.toBe((await write([row(2)])).digest);
  });

  it.each<[string, Partial<PlanSource['head']>]>([
    ['batch', { batch: 'dec' }],
    ['maker', { maker: 'Kofi' }],
    ['time', { made_at: '2026-11-21T08:00:00.001Z' }],
    ['expiry', { expires_at: '2026-11-23T08:00:00.000Z' }],
    ['identity', { identity: 'https://pay.example.com|key:1123456789abcdef|tenant' }],
  ])('has another digest for another %s', async (_, changes) => {
    expect((await write([row(2)], changes)).digest).not.toBe((await write([row(2)])).digest);
  });
});

const why = (fault: string, facts: object = {}) => ({ why: { fault, ...facts } });

describe('a plan file that was edited, its digest made anew', () => {
  it.each<[string, (text: string) => string, object]>([
    ['an amount', (text) => text.replace('"amount":"102"', '"amount":"902"'), why('plan-row-differs', { row: 2 })],
    [
      'an account',
      (text) => text.replace('+254712345612"},"amount', '+254712345699"},"amount'),
      why('plan-row-differs', { row: 2 }),
    ],
    ['a total', (text) => text.replace('"amount":"205"', '"amount":"105"'), why('plan-is-damaged')],
    ['a row taken out', (text) => text.replace(/\{"row":2,.*\n/, ''), why('plan-row-differs', { row: 2 })],
    [
      'a payee under another name',
      (text) => text.replace('"row":2,"name":"Payee 2"', '"row":2,"name":"Payee X"'),
      why('plan-row-differs', { row: 2 }),
    ],
    [
      'a payee of another account',
      (text) => text.replace('|+254712345612', '|+254712345699'),
      why('plan-row-differs', { row: 2 }),
    ],
    [
      'a payee of no row',
      (text) => text.replace('"row":3,"name":"Payee 3"', '"row":9,"name":"Payee 3"'),
      why('plan-row-differs', { row: 9 }),
    ],
    [
      'a row twice',
      (text) =>
        text.replace(/(\{"row":2,.*\n)\{"row":3,.*\n/, (_, two: string) => `${two}${two.replace(/,\n$/, '\n')}`),
      why('plan-row-differs', { row: 2 }),
    ],
    [
      'rows in another order',
      (text) => text.replace(/(\{"row":2,.*\}),\n(\{"row":3,.*\})\n/, '$2,\n$1\n'),
      why('plan-row-differs', { row: 2 }),
    ],
    [
      'an unknown field',
      (text) => text.replace('{"row":2,', '{"row":2,"note":"x",'),
      { line: 10, ...why('wrong-shape', { place: '' }) },
    ],
    ['a key twice', (text) => text.replace('"amount":"102"', '"amount":"902","amount":"102"'), why('plan-is-damaged')],
    [
      'another order of keys',
      (text) => text.replace('"row":2,"key":"k2"', '"key":"k2","row":2'),
      why('plan-is-damaged'),
    ],
    ['a space', (text) => text.replace('"row":2', '"row": 2'), why('plan-is-damaged')],
    [
      'an escape',
      (text) => text.replace('"Payee 2","destination"', '"P\\u0061yee 2","destination"'),
      why('plan-is-damaged'),
    ],
    [
      'an amount with a point',
      (text) => text.replace('"amount":"102"', '"amount":"102.0"'),
      why('wrong-shape', { place: 'amount' }),
    ],
    [
      'an amount as a number',
      (text) => text.replace('"amount":"102"', '"amount":102'),
      why('wrong-shape', { place: 'amount' }),
    ],
    ['lists in another order', (text) => text.replace('"merchants":[', '"rows":['), why('plan-is-damaged')],
    ['a line that is no JSON', (text) => text.replace('{"row":2,', '{"row":2,,'), { line: 10 }],
    ['another version', (text) => text.replace('"version":1', '"version":2'), why('wrong-shape', { place: 'version' })],
    ['a mark at its start', (text) => `\uFEFF${text}`, why('plan-is-no-plan')],
    ['a comma behind the last row', (text) => text.replace('}\n]}\n', '},\n]}\n'), { line: 12 }],
    ['Windows line ends', (text) => text.replaceAll('\n', '\r\n'), why('plan-is-no-plan')],
    ['nothing in it', () => '', why('plan-is-damaged')],
  ])('%s is refused with its place', async (_, edit, facts) => {
    const { path } = await write([row(2), row(3)]);
    const text = readFileSync(path, 'utf8');
    expect(edit(text), 'the edit finds its place').not.toBe(text);
    writeFileSync(path, edit(text));
    expect(await refusal(path)).toMatchObject(facts);
  });

  it('cut short, or with something behind it, is refused', async () => {
    const { path } = await write([row(2), row(3)]);
    appendFileSync(path, '{}\n');
    expect(await refusal(path)).toMatchObject(why('plan-is-damaged'));
    truncateSync(path, readFileSync(path).length - 4);
    expect(await refusal(path)).toMatchObject(why('plan-is-damaged'));
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x0a]));
    expect(await refusal(path)).toMatchObject({ line: 0 });
  });

  it('between two readings is found by the second', async () => {
    const plan = await write([row(2)]);
    const other = await write([row(2, { amount: 999 })]);
    writeFileSync(plan.path, readFileSync(other.path));
    const reading = async () => {
      for await (const line of plan.lines()) expect(line).toBeDefined();
    };
    await expect(reading()).rejects.toMatchObject({ code: 'PLAN_CHANGED', facts: { why: { fault: 'file-changed' } } });
  });

  it('that is not there says so', async () => {
    expect(await refusal(join(newFolder(), 'none.plan.json'))).toMatchObject(why('no-file'));
  });
});
