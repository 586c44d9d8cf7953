/** A ledger that goes on in another database, in the middle of a batch: nothing is lost, and nothing is sent twice, by neither of the two. */
import { cpSync, existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { shellWord } from '../../src/base/words.ts';
import { copyLedger, isPostgres, openLedger, readPostgres } from '../../src/ledger/ledger.ts';
import { newPlace } from '../ledger/stores.ts';
import { mainFile } from '../program.ts';
import {
  command,
  type Desk,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  newFolder,
  pay,
  refusalOf,
  start,
  until,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(12);
const never = new Promise<never>(() => {});

/** As a person copies: the address has its password from the environment. */
function copyTo(desk: Desk, place: string, ...more: string[]) {
  const { href, password } = withoutPassword(place);
  const env = { ...desk.env, ...(password === '' ? {} : { PGPASSWORD: password }) };
  return command({ ...desk, env }, ['ledger', 'copy', href, '--json', ...more]);
}

function withoutPassword(place: string): { href: string; password: string } {
  if (!place.startsWith('postgres:')) return { href: place, password: '' };
  const url = new URL(place);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { href: url.href, password };
}

const on = (desk: Desk, place: string): Desk => ({ ...desk, env: { ...desk.env, PAYRUN_LEDGER: place } });

const unusable = (why: object) => ({ code: 'LEDGER_UNUSABLE', facts: { why } });
const wasCopiedTo = (to: string) => unusable({ fault: 'ledger-was-copied', to });
/** Returns the place as messages name it. */
const nameOf = (place: string) => (isPostgres(place) ? readPostgres(place).address : place);

const killer = join(import.meta.dirname, 'crash.ts');

/** Whether a run could begin to pay its rows from there. */
async function canSend(place: string): Promise<boolean> {
  if (!isPostgres(place) && !existsSync(place)) return false;
  const ledger = (() => {
    try {
      return openLedger(place, systemClock, { existing: true });
    } catch {
      return null;
    }
  })();
  try {
    await ledger?.hold();
    return ((await ledger?.batches.list()) ?? []).length > 0;
  } catch (error) {
    expect(error).toMatchObject({ code: 'LEDGER_UNUSABLE' });
    return false;
  } finally {
    await ledger?.close();
  }
}

describe('a ledger is copied', () => {
  it('in the middle of a batch to a Postgres and back, and each row is paid once', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth >= 4 ? { kind: 'hold', after: true, until: never } : undefined;
    const desk = deskFor(service, rows);
    const postgres = await newPlace('Postgres');
    const run = start(desk, ['run', desk.sheet, '--wait', '0', '--concurrency', '2']);
    await until('five payments were made, two unanswered', () => service.payments.length === 5);
    const early = await copyTo(desk, postgres);
    expect([early.exit, refusalOf(early)]).toMatchObject([24, { code: 'LEDGER_BUSY', facts: { path: desk.ledger } }]);
    run.child.kill('SIGKILL');
    await run.ended;
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth >= 7 ? { kind: 'hold', after: true, until: never } : undefined;

    const copied = await copyTo(desk, postgres);
    expect([copied.exit, copied.err]).toEqual([0, '']);
    const counts = JSON.parse(copied.out);
    expect(counts).toMatchObject({ from: desk.ledger, to: nameOf(postgres), rows: 12 });
    expect(counts.entries, 'each row has its entries in the trail').toBeGreaterThan(12);
    expect(copied.out).not.toContain(new URL(postgres).password);
    const again = ['run', desk.sheet, '--json', '--wait', '0'];
    const old = await command(desk, again);
    expect([old.exit, refusalOf(old)]).toMatchObject([2, wasCopiedTo(nameOf(postgres))]);
    expect(service.payments).toHaveLength(5);

    const there = on(desk, postgres);
    const second = start(there, [...again, '--concurrency', '2']);
    await until('three more were made', () => service.payments.length === 8);
    second.child.kill('SIGKILL');
    await second.ended;
    service.fault = () => undefined;

    const file = join(newFolder(), 'again.db');
    const working = openLedger(postgres, systemClock);
    await working.fleet!.beat('w');
    expect(refusalOf(await copyTo(there, file))).toMatchObject(
      unusable({ fault: 'worker-sends-from-it', worker: 'w' }),
    );
    await working.fleet!.leave('w');
    expect(await copyTo(there, file)).toMatchObject({ exit: 0, err: '' });
    const back = on(desk, file);
    const { exit, document } = await pay(back, '--wait', '20s');
    expect([exit, document.rows.paid]).toEqual([0, 12]);
    expectOnePaymentEach(service, rows);
    for (const place of [desk, there, back])
      expect(JSON.parse((await command(place, ['audit', 'verify', '--json'])).out)).toMatchObject({
        exit: 0,
        whole: true,
      });
    const report = await command(back, ['report', document.batch!, '--json']);
    expect(existsSync((JSON.parse(report.out) as { result: string }).result)).toBe(true);
    const homes =
      "SELECT json_extract(entry, '$[4].home') AS home FROM trail WHERE json_extract(entry, '$[3]') = 'home'";
    const db = new DatabaseSync(file, { readOnly: true });
    const trail = db.prepare(homes).all();
    db.close();
    expect(trail.map(({ home }) => JSON.parse(String(home)))).toEqual([
      { at: realpathSync(desk.ledger) },
      { copyOf: desk.ledger },
      { copiedFrom: desk.ledger },
      { at: expect.stringContaining('postgres ') },
      { copyOf: nameOf(postgres) },
      { copiedFrom: nameOf(postgres) },
      { at: realpathSync(file) },
    ]);
    expect(refusalOf(await command(there, again))).toMatchObject(wasCopiedTo(file));
    await expect(working.fleet!.beat('w')).rejects.toMatchObject(wasCopiedTo(file));
    await working.close();
  });

  it('an unfinished copy sends nothing until a second copy finishes it; then the old ledger sends nothing', async () => {
    const desk = deskFor(await newService(), rows);
    const name = (await pay(desk, '--wait', '20s')).document.batch!;
    const postgres = await newPlace('Postgres');
    const failure = new Error('the power failed');
    let audits = 0;
    const copy = (at: number) =>
      copyLedger(
        { place: desk.ledger, options: {} },
        { place: postgres, options: { files: newFolder() } },
        systemClock,
        () => {
          audits += 1;
          if (audits === at) throw failure;
        },
      );
    await expect(copy(2)).rejects.toBe(failure);
    expect((await pay(desk)).exit).toBe(0);
    // It sends nothing, and says what finishes it; nothing is changed there that the finished one would not have.
    const half = on(desk, postgres);
    const to = nameOf(postgres);
    const finish = `payrun ledger copy ${shellWord(to)} --ledger ${desk.ledger}`;
    const finishing = { action: 'copy-ledger', from: desk.ledger, to };
    const isUnfinished = unusable({ fault: 'ledger-is-unfinished-copy', of: desk.ledger, command: finishing });
    for (const words of [
      ['run', desk.sheet],
      ['resume', 'b'],
      ['pause', '--reason', 'x'],
      ['worker'],
      ['console', '--port', '0'],
    ]) {
      const { exit, out, err } = await command(half, [...words, '--json']);
      const { error } = JSON.parse(out.trimEnd().split('\n').at(-1)!);
      expect([words[0], exit, error, err]).toMatchObject([
        words[0],
        2,
        isUnfinished,
        expect.stringContaining(`(${finish})`),
      ]);
    }
    for (const words of [['status', name], ['list'], ['report', name], ['audit', 'verify']])
      expect([words[0], await command(half, [...words, '--json'])]).toEqual([
        words[0],
        {
          exit: 0,
          out: expect.stringContaining(`"unfinished_copy_of":"${desk.ledger}"`),
          err: expect.stringContaining(finish),
        },
      ]);
    // The old one was told more since: all of it is copied anew.
    expect((await pay(desk)).exit).toBe(0);
    expect(await copy(0)).toMatchObject({ rows: 12 });
    expect(await command(half, ['audit', 'verify'])).toMatchObject({ exit: 0, err: '' });
    expect((await pay(half)).document.rows.paid).toBe(12);
    await expect(copy(0)).rejects.toMatchObject(wasCopiedTo(to));
    for (const words of [['status', name], ['list'], ['report', name], ['audit', 'verify']])
      expect([words[0], await command(desk, [...words, '--json'])]).toEqual([
        words[0],
        {
          exit: 0,
          out: expect.stringContaining(`"copied_to":"${to}"`),
          err: expect.stringContaining(` ${to}.`),
        },
      ]);
    expect(documentOf(await command(desk, ['status', '--json'])).next).toMatchObject([
      { action: 'open-copy', batch: name, ledger: to, after: null },
    ]);
    expect(refusalOf(await command(desk, ['console', '--port', '0', '--json']))).toMatchObject(wasCopiedTo(to));
  });

  it('wherever the copy dies, at most one of the two sends, and a second copy finishes it', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    await pay(desk, '--wait', '20s');
    const paid = service.payments.length;
    for (let dies = 1; ; dies += 1) {
      const from = join(newFolder(), 'ledger.db');
      cpSync(dirname(desk.ledger), dirname(from), { recursive: true });
      const to = await newPlace('Postgres');
      const { href, password } = withoutPassword(to);
      const env = { ...desk.env, PAYRUN_LEDGER: from, PGPASSWORD: password, DIES: `${dies}` };
      const ended = await start({ ...desk, env }, ['ledger', 'copy', href], mainFile, ['--import', killer]).ended;
      const sends = await Promise.all([from, to].map(canSend));
      expect([dies, sends]).not.toEqual([dies, [true, true]]);
      if (ended.signal === null) {
        expect([ended.exit, sends]).toEqual([0, [false, true]]);
        expect(dies).toBeGreaterThan(3);
        break;
      }
      // Only a finished copy is refused.
      const again = await copyTo(on(desk, from), to);
      expect([dies, again.exit]).toEqual([dies, sends[1] ? 2 : 0]);
      if (sends[1]) expect(refusalOf(again)).toMatchObject(wasCopiedTo(nameOf(to)));
      else expect([again.err, await canSend(to)]).toEqual(['', true]);
    }
    expect(service.payments).toHaveLength(paid);
  });

  it('only to an empty place of the other kind, while no console is open', async () => {
    const desk = deskFor(await newService(), rows);
    await pay(desk, '--wait', '20s');
    const taken = await newPlace('Postgres');
    await openLedger(taken, systemClock).close();
    await pay(on(deskFor(await newService(), rows), taken), '--wait', '20s');
    const old = openLedger(desk.ledger, systemClock);
    const console = old.holdConsole();
    expect(refusalOf(await copyTo(desk, taken))).toMatchObject(unusable({ fault: 'console-is-open' }));
    console.release();
    await old.close();
    const isOther = { from: desk.ledger, to: nameOf(taken), isPostgres: true };
    for (const [place, refusal] of [
      [join(desk.folder, 'other.db'), { code: 'LEDGER_COPY_NEEDS_POSTGRES' }],
      [taken, { code: 'COPY_MEETS_OTHER_LEDGER', facts: isOther }],
      [
        'postgres://h/d?password=x',
        {
          code: 'LEDGER_ADDRESS_UNUSABLE',
          facts: { why: { fault: 'address-has-other-setting', setting: 'password' } },
        },
      ],
    ] as const) {
      const ran = await copyTo(desk, place);
      expect([ran.exit, refusalOf(ran)]).toMatchObject([2, refusal]);
    }
    expect((await pay(desk)).exit).toBe(0);
  });

  it('only undamaged: the refusal has the first finding of the audit', async () => {
    const desk = deskFor(await newService(), rows);
    await pay(desk, '--wait', '20s');
    const db = new DatabaseSync(desk.ledger);
    db.exec('UPDATE payout SET amount = amount + 1');
    db.close();
    const { findings } = JSON.parse((await command(desk, ['audit', 'verify', '--json'])).out);
    const refused = await copyTo(desk, await newPlace('Postgres'));
    const { message: _, ...first } = findings[0];
    const why = { fault: 'audit-has-findings', ledger: desk.ledger, findings: findings.length, first };
    expect([refused.exit, refusalOf(refused)]).toMatchObject([27, { code: 'LEDGER_DAMAGED', facts: { why } }]);
  });

  it('with its pauses, which a ledger in a file keeps', async () => {
    const service = await newService();
    const desk = on(deskFor(service, rows), await newPlace('Postgres'));
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    const file = join(desk.folder, 'back.db');
    for (const words of [[], ['nov']])
      expect((await command(desk, ['pause', ...words, '--reason', 'a doubt'])).exit).toBe(0);
    const paused = async (of: Desk) => JSON.parse((await command(of, ['pause', '--list', '--json'])).out).paused;
    const before = await paused(desk);
    expect(before).toMatchObject([
      { batch: null, reason: 'a doubt' },
      { batch: 'nov', reason: 'a doubt' },
    ]);
    expect((await command(desk, ['ledger', 'copy', file])).exit).toBe(0);
    expect(await paused(on(desk, file))).toEqual(before);
  });

  it('and refuses a pause that comes after the copy', async () => {
    const place = await newPlace('Postgres');
    const office = openLedger(place, systemClock);
    const { holds } = office;
    const file = join(newFolder(), 'back.db');
    await copyLedger({ place, options: {} }, { place: file, options: {} }, systemClock, () => {});
    await expect(holds.pause(null, 'Thandi', 'a doubt')).rejects.toMatchObject(wasCopiedTo(file));
    expect(await holds.pauses(null)).toEqual([]);
    await office.close();
  });
});
