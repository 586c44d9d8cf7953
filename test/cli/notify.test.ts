/** Notifications: who is told of what, by real programs and a real listener; and that none of it has a secret, or changes a run. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type Notification, noticeOf, notifyingOnce } from '../../src/cli/observe/notify.ts';
import type { End } from '../../src/domain/sending/end.ts';
import { noPlace } from '../../src/messages/next-actions.ts';
import { atEnd } from '../endings.ts';
import { command, configAbout, csvOf, type Desk, expectOnePaymentEach, oneOfEach, pay, refusalOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = {
  total: 4,
  paid: 1,
  pending: 0,
  being_sent: 0,
  not_sent: 0,
  unpaid: 0,
  in_doubt: 0,
  held: 3,
  paid_twice: 0,
  invalid: 0,
  closed: 0,
};
const outcome = { batch: '2026-11', service: 'sandbox', rows };
const doubts = { ...outcome, rows: { ...rows, held: 0, in_doubt: 3 } };

it.each<[End, string | null, typeof outcome | null, Notification['what'] | null]>([
  ['done', null, outcome, null],
  ['later', 'OUTSIDE_PAY_WINDOW', outcome, null],
  ['busy', 'LEDGER_BUSY', null, null],
  ['signal', 'STOPPED', outcome, null],
  ['alarm', 'PAID_TWICE', outcome, 'alarm'],
  ['doubt', null, outcome, 'held'],
  ['doubt', null, doubts, 'in doubt'],
  ['rule', 'APPROVALS_TOO_FEW', null, 'waits'],
  ['rule', 'SHEET_LOOKS_PAID', null, 'refused'],
  ['sheet', null, outcome, 'refused'],
  ['service', 'SERVICE_UNREACHABLE', null, 'stopped'],
  ['machine', null, null, 'stopped'],
  ['unpaid', null, outcome, 'unpaid'],
])('end %s %s is reported by its facts', (end, code, stands, what) => {
  const notice = noticeOf({ end, code, outcome: stands, batch: null, sheet: null }, noPlace);
  expect(notice?.what ?? null).toBe(what);
});

it('tells of an hour that nobody used, though the rows need nobody', () => {
  const notice = noticeOf({ end: 'later', code: null, outcome, batch: '2026-11', sheet: null, missed: true }, noPlace);
  expect(notice).toMatchObject({ what: 'missed' });
});

/** The line on stderr for a notification that was not sent, and the reason. It has no code. */
const unsent = (way: string, why: string) => new RegExp(`^payrun: .* by ${way} .*${why}`, 'm');

/** A program that keeps its words, its input and its environment. */
function program(folder: string, name: string): { readonly path: string; told(): string[] } {
  const [path, kept] = [join(folder, name), join(folder, `${name}.told`)];
  writeFileSync(path, `#!/bin/sh\n{ echo "$@"; env; cat; echo ----; } >> '${kept}'\n`);
  chmodSync(path, 0o755);
  return { path, told: () => (existsSync(kept) ? readFileSync(kept, 'utf8').split('----\n').slice(0, -1) : []) };
}

async function chat(status = 200) {
  const told: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      told.push(body);
      response.writeHead(status).end('ok');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => server.close());
  return { told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/canary-of-the-chat` };
}

async function everyWay() {
  const service = await newService();
  const desk = deskFor(service, oneOfEach);
  const [mail, page, room] = [program(desk.folder, 'sendmail'), program(desk.folder, 'page'), await chat()];
  Object.assign(desk.env, {
    PAYRUN_NOTIFY_MAIL: 'payouts@example.com,duty@example.com',
    PAYRUN_NOTIFY_SENDMAIL: mail.path,
    PAYRUN_NOTIFY_COMMAND: page.path,
    PAYRUN_NOTIFY_WEBHOOK: room.url,
  });
  return { service, desk, mail, page, room };
}

const withoutService = (desk: Desk) => ({ ...desk, env: { ...desk.env, PAYRUN_BASE_URL: 'http://127.0.0.1:1/v1' } });

describe.concurrent('a run that needs somebody', () => {
  it('is told by mail, in the chat and to the command, without a secret; one that goes well is not', async () => {
    const { service, desk, mail, page, room } = await everyWay();
    const policy = join(import.meta.dirname, '../golden/cases/approved-by-two/payrun.policy.json');
    const ledger = join(desk.folder, 'under-policy.db');
    const asked = { ...desk, env: { ...desk.env, PAYRUN_POLICY: policy, PAYRUN_LEDGER: ledger } };
    const held = await pay(asked, '--batch', '2026-11 März').catch((error: Error) => error.message);
    expect(held).toContain('exit 26');
    const [words, ...others] = mail.told();
    expect(others).toEqual([]);
    expect(words!.split('\n')[0]).toBe('-i -- payouts@example.com duty@example.com');
    const [head, body] = words!.slice(words!.indexOf('To: ')).split('\n\n');
    expect(head!.split('\n').slice(0, 2)).toEqual([
      'To: payouts@example.com, duty@example.com',
      expect.stringMatching(/^Subject: .*waits \(exit 26\)$/),
    ]);
    expect(Buffer.from(body!, 'base64').toString()).toMatch(/^Code: (?:APPROVALS_TOO_FEW|SIGNED_PLAN_MISSING)$/m);
    expect(room.told.map((text) => JSON.parse(text) as { text: string })).toEqual([
      { text: expect.stringContaining('payrun: waits (exit 26)') },
    ]);

    // No payment is answered in a way that says what became of it.
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 502 } : undefined);
    const { exit } = await pay(desk, '--batch', '2026-11 März');
    expect(exit).toBe(22);
    service.fault = () => undefined;
    const [, last] = page.told();
    const notice = JSON.parse(last!.split('\n').find((line) => line.startsWith('{'))!) as Notification;
    expect(notice).toMatchObject({ what: 'in doubt', exit, batch: '2026-11 März', rows: { total: 4 }, sheet: null });
    const told = [...mail.told(), ...page.told(), ...room.told].join('\n');
    for (const secret of ['canary-of-the-chat', desk.env.PAYRUN_API_KEY!, desk.env.PAYRUN_API_SECRET!])
      expect(told).not.toContain(secret);
    const readable =
      told +
      mail
        .told()
        .map((text) => Buffer.from(text.split('\n\n')[1]!, 'base64').toString())
        .join('\n');
    for (const row of oneOfEach)
      for (const field of ['account_number', 'contact_number', 'name', 'reference', 'lnurl'] as const)
        if (row[field] !== undefined) expect(readable).not.toContain(row[field]);

    const count = page.told().length;
    const done = await pay(
      deskFor(await newService(), oneOfEach, { PAYRUN_NOTIFY_COMMAND: page.path }),
      '--wait',
      '5s',
    );
    expect([done.exit, done.err]).toEqual([0, '']);
    expect(page.told()).toHaveLength(count);
  });

  it('is written after a fault of the program too', async () => {
    const { desk, page } = await everyWay();
    const now = () => {
      throw new RangeError('the clock is gone');
    };
    const ran = await command({ ...desk, clock: { ...systemClock, now } }, ['run', desk.sheet]);
    expect(ran.exit).toBe(1);
    expect(page.told()).toEqual([expect.stringContaining('"what":"stopped","exit":1,"code":null')]);
  });

  it('is what it is where nobody can be told: on stderr, once for each way, and without the address of the chat', async () => {
    const { desk } = await everyWay();
    const silent = await chat(500);
    Object.assign(desk.env, {
      PAYRUN_NOTIFY_SENDMAIL: join(desk.folder, 'no such program'),
      PAYRUN_NOTIFY_WEBHOOK: silent.url,
      PAYRUN_NOTIFY_COMMAND: '/bin/false',
    });
    const ran = await command(withoutService(desk), ['run', desk.sheet]);
    expect(ran.exit).toBe(25);
    const said = ran.err.split('\n').filter((line) => line.includes('notification'));
    expect(said).toEqual([
      expect.stringMatching(unsent('mail', 'ENOENT')),
      expect.stringMatching(unsent('chat webhook', 'it answered 500')),
      expect.stringMatching(unsent('command', '/bin/false ended with 1')),
    ]);
    expect(ran.err).not.toContain('canary-of-the-chat');
    const gone = await command(
      {
        ...desk,
        env: { ...withoutService(desk).env, PAYRUN_NOTIFY_WEBHOOK: 'http://127.0.0.1:1/hook/canary-of-the-chat' },
      },
      ['run', desk.sheet],
    );
    expect(gone.err).toMatch(unsent('chat webhook', String.raw`\w+`));
    expect(gone.err).not.toContain('canary-of-the-chat');
  });

  it('a program that hangs is ended after a while, with what it has started', async (test) => {
    const service = await newService();
    const desk = deskFor(service, oneOfEach);
    const path = join(desk.folder, 'hangs');
    writeFileSync(path, `#!/bin/sh\nsleep 600 & echo $! > '${path}.pid'\nwait\n`);
    chmodSync(path, 0o755);
    desk.env.PAYRUN_NOTIFY_COMMAND = path;
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    const ran = await command(desk, ['run', desk.sheet, '--wait', '0']);
    expect(ran.err).toMatch(unsent('command', `${path} took too long`));
    const started = readFileSync(`${path}.pid`, 'utf8').trim();
    // What nobody has asked about yet is a zombie. On a busy machine a killed program runs for some moments more.
    const state = () => spawnSync('ps', ['-o', 'stat=', '-p', started], { encoding: 'utf8' }).stdout;
    await test.expect.poll(state).toMatch(/^(Z.*\n)?$/);
  });

  it('of a sheet in the hot folder is told once, until something else comes of it', async () => {
    const { service, desk, page } = await everyWay();
    const hot = join(desk.folder, 'hot');
    mkdirSync(hot);
    writeFileSync(join(hot, 'november.csv'), csvOf(oneOfEach));
    const once = async (at: Desk, ...more: string[]) =>
      await command(at, ['watch', hot, '--once', '--still', '20ms', '--wait', '5s', ...more]);
    const whats = () =>
      page
        .told()
        .map((text) => (JSON.parse(text.split('\n').find((line) => line.startsWith('{'))!) as Notification).what);
    expect((await once(withoutService(desk))).exit).toBe(25);
    const record = join(hot, 'taken/november/taken.json');
    const later = () =>
      writeFileSync(record, readFileSync(record, 'utf8').replace(/"again_at": ".*"/, '"again_at": null'));
    later();
    expect((await once(withoutService(desk))).exit).toBe(25);
    expect(whats()).toEqual(['stopped']);
    later();
    const paid = await once(desk);
    expect([paid.exit, paid.err]).toEqual([0, '']);
    expect(whats()).toEqual(['stopped']);
    expectOnePaymentEach(service, oneOfEach);
  });

  it.each([
    [{ PAYRUN_NOTIFY_MAIL: '-oQ/tmp@example.com' }, "'-oQ/tmp@example.com'"],
    [{ PAYRUN_NOTIFY_WEBHOOK: 'http://chat.example.com/canary-of-the-chat' }, 'PAYRUN_NOTIFY_WEBHOOK'],
  ])('settings that cannot be used are refused: %o', async (env, words) => {
    const desk = deskFor(null, oneOfEach, env);
    const ran = await command(desk, ['run', desk.sheet, '--json']);
    expect([ran.exit, refusalOf(ran)]).toEqual([2, configAbout(words)]);
    expect(ran.err + ran.out).not.toContain('canary-of-the-chat');
  });
});

it('an unchanged end of a batch is notified once', async () => {
  const { desk, page } = await everyWay();
  const streams = { out: { write: () => true }, err: { write: () => true }, color: false };
  const env = { PATH: desk.env.PATH, PAYRUN_NOTIFY_COMMAND: page.path };
  const tell = notifyingOnce({ env, cwd: desk.folder, streams, place: noPlace });
  const ended = { end: 'service', code: 'SERVICE_UNREACHABLE', outcome, batch: '2026-11', sheet: null } as const;
  await tell(ended);
  await tell(ended);
  expect(page.told()).toHaveLength(1);
  await tell({ ...ended, end: 'doubt' });
  expect(page.told()).toHaveLength(2);
});
