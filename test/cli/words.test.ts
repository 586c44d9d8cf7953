/** Sentences that people read: one of something is told as one, and what went wrong in words of ours. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, csvOf, documentOf, kenyanRows, pay, refusalOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const readings = ['list', 'audit verify', 'report nov', 'explain nov 2', 'status nov', 'reconcile nov', 'resume nov'];

describe.concurrent('one of something is told as one', () => {
  it.each([
    ['paid', () => undefined],
    [
      'unpaid',
      ({ route }: { route: string }) =>
        route === 'POST /payments' ? ({ kind: 'answer', status: 422, body: { message: 'no' } } as const) : undefined,
    ],
    [
      'in doubt',
      ({ route }: { route: string }) => (route === 'POST /payments' ? ({ kind: 'drop' } as const) : undefined),
    ],
    [
      'not sent',
      ({ route }: { route: string }) => (route === 'GET /payments' ? ({ kind: 'cut' } as const) : undefined),
    ],
  ])('of a sheet with one row that ends %s', async (_title, fault) => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(1));
    service.fault = fault;
    const said = [await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '20s'])];
    service.fault = () => undefined;
    for (const line of [`plan ${desk.sheet} --batch nov`, ...readings])
      said.push(await command(desk, [...line.split(' '), ...(line.startsWith('resume') ? ['--wait', '0'] : [])]));
    writeFileSync(
      desk.sheet,
      csvOf([{ ...kenyanRows(1)[0], row_id: 'other', reference: 'Other', from_country: 'Kenya' }]),
    );
    for (const more of [[], ['--add'], ['--add', '--skip-invalid']])
      said.push(await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0', ...more]));
    for (const { out, err } of said)
      expect(`${out}${err}`).not.toMatch(
        /\b1 (rows|payments|payees|documents|pages|entries|merchants|findings|digits)\b|\b1 row as they/,
      );
  });

  it('of an account with one digit', async () => {
    const desk = deskFor(null, [
      {
        row_id: 'a',
        name: 'A',
        country: 'Nigeria',
        bank_name: 'Guaranty Trust Bank',
        account_number: '7',
        amount: '5',
        reference: 'R',
      },
    ]);
    expect((await command(desk, ['check', desk.sheet])).out).toContain('has 1 digit;');
  });
});

describe.concurrent('a folder that is not there', () => {
  it.each([
    ['report', ['report', 'nov', '--out', 'nowhere']],
    ['resume', ['resume', 'nov', '--out', 'nowhere']],
    ['audit export', ['audit', 'export', '--out', join('nowhere', 'trail')]],
    ['template', ['template', '--out', join('nowhere', 'payouts.csv'), '--csv']],
  ])('is said to be none by %s', async (_title, argv) => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(1));
    await pay(desk, '--batch', 'nov');
    const { exit, err } = await command(desk, argv);
    expect([exit, err]).toEqual([2, expect.stringMatching(/^payrun: .* write to \S*nowhere: .*--out\.\n$/)]);
  });
});

it('ledger rebind says what the new key does not show, and what to do', async () => {
  const [service, other] = [await newService(), await newService()];
  const desk = deskFor(service, kenyanRows(1));
  await pay(desk, '--batch', 'nov');
  const elsewhere = {
    ...desk,
    env: { ...desk.env, PAYRUN_BASE_URL: other.url, PAYRUN_API_KEY: other.apiKey, PAYRUN_API_SECRET: other.apiSecret },
  };
  const ran = await command(elsewhere, ['ledger', 'rebind', 'nov', '--reason', 'moved', '--json']);
  const identity = (url: string) => ({ service: url, key: expect.stringMatching(/^\w{8}$/), user: null });
  expect(ran.exit).toBe(26);
  expect(refusalOf(ran)).toMatchObject({
    code: 'IDENTITY_UNPROVEN',
    facts: {
      batch: 'nov',
      was: identity(service.url),
      now: identity(other.url),
      payment: service.payments[0]?.id,
      row: 'k1',
    },
  });
  expect(ran.err).not.toContain('rebind nov');
});

it('ledger rebind at a service that cannot be reached says so (25)', async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(1));
  await pay(desk, '--batch', 'nov');
  const away = { ...desk, env: { ...desk.env, PAYRUN_BASE_URL: 'http://127.0.0.1:9' } };
  const ran = await command(away, ['ledger', 'rebind', 'nov', '--reason', 'moved', '--json']);
  expect(ran.exit).toBe(25);
  expect(refusalOf(ran)).toMatchObject({ code: 'SERVICE_UNREACHABLE', facts: { service: 'http://127.0.0.1:9' } });
});

describe.concurrent('an alarm of another batch that a reconcile finds', () => {
  it('is an alarm of its own: exit 27, and named', async () => {
    const service = await newService();
    const rows = kenyanRows(2);
    const desk = deskFor(service, rows.slice(0, 1));
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf(rows.slice(1)));
    await pay(desk, '--batch', 'dec', '--wait', '20s');
    const [first] = service.payments;
    service.payments.push({ ...first!, id: 'a-second-one' });
    const paidTwice = { code: 'PAID_TWICE', facts: { rows: { total: 1, shown: [{ row: 'k1', batch: 'nov' }] } } };
    const document = documentOf(await command(desk, ['reconcile', 'dec', '--json']));
    expect([document.exit, document.batch, document.stopped]).toMatchObject([27, 'dec', paidTwice]);
    expect(documentOf(await command(desk, ['reconcile', 'nov', '--json']))).toMatchObject({
      exit: 27,
      stopped: paidTwice,
    });
  });

  it('is not followed by the word that every row is paid', async () => {
    const service = await newService();
    const rows = kenyanRows(2);
    const desk = deskFor(service, rows.slice(0, 1));
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf(rows.slice(1)));
    await pay(desk, '--batch', 'dec', '--wait', '20s');
    service.payments.push({ ...service.payments[0]!, id: 'a-second-one' });
    const { exit, out } = await command(desk, ['reconcile', 'dec']);
    expect([exit, out]).toEqual([27, expect.stringMatching(/ALARM: /)]);
    expect(out).not.toContain('Finished');
  });
});
