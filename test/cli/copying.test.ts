/** A ledger that goes on in another database, in the middle of a batch: nothing is lost, and nothing is sent twice, by neither of the two. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { copyLedger, openLedger } from '../../src/ledger/ledger.ts';
import { newPlace } from '../ledger/stores.ts';
import {
  command,
  type Desk,
  deskFor,
  expectOnePaymentEach,
  kenyanRows,
  newFolder,
  newService,
  pay,
  start,
  until,
} from '../support.ts';

const rows = kenyanRows(12);
const never = new Promise<never>(() => {});

/** As a person copies: the address has its password from the environment. */
function copyTo(desk: Desk, place: string, ...more: string[]) {
  const { href, password } = withoutPassword(place);
  const env = { ...desk.env, ...(password === '' ? {} : { PGPASSWORD: password }) };
  return command({ ...desk, env }, ['ledger', 'copy', href, ...more]);
}

function withoutPassword(place: string): { href: string; password: string } {
  if (!place.startsWith('postgres:')) return { href: place, password: '' };
  const url = new URL(place);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { href: url.href, password };
}

const on = (desk: Desk, place: string): Desk => ({ ...desk, env: { ...desk.env, PAYRUN_LEDGER: place } });

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
    expect(early).toMatchObject({ exit: 24, err: expect.stringContaining('Another run holds the ledger') });
    run.child.kill('SIGKILL');
    await run.ended;
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth >= 7 ? { kind: 'hold', after: true, until: never } : undefined;

    const copied = await copyTo(desk, postgres);
    expect([copied.exit, copied.err]).toEqual([0, '']);
    expect(copied.out).toMatch(/^Copied: 12 rows and \d+ entries of the trail/);
    expect(copied.out).not.toContain(new URL(postgres).password);
    const again = ['run', desk.sheet, '--wait', '0'];
    const old = await command(desk, again);
    expect([old.exit, old.err]).toEqual([2, expect.stringContaining('it was copied to postgres://')]);
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
    expect((await copyTo(there, file)).err).toContain('end its workers first');
    await working.fleet!.leave('w');
    expect(await copyTo(there, file)).toMatchObject({ exit: 0, err: '' });
    const back = on(desk, file);
    const { exit, document } = await pay(back, '--wait', '20s');
    expect([exit, document.rows.paid]).toEqual([0, 12]);
    expectOnePaymentEach(service, rows);
    for (const place of [desk, there, back])
      expect(await command(place, ['audit', 'verify'])).toMatchObject({
        exit: 0,
        out: expect.stringContaining('Whole: nothing was found'),
      });
    const report = await command(back, ['report', document.batch!, '--json']);
    expect(existsSync((JSON.parse(report.out) as { result: string }).result)).toBe(true);
    expect((await command(there, again)).err).toContain(`it was copied to ${file}`);
    await expect(working.fleet!.beat('w')).rejects.toThrow('it was copied to');
    await working.close();
  });

  it('again where the copy ended before its last word, and only then', async () => {
    const desk = deskFor(await newService(), rows);
    await pay(desk, '--wait', '20s');
    const postgres = await newPlace('Postgres');
    let audits = 0;
    const copy = (at: number) =>
      copyLedger(
        { place: desk.ledger, options: {} },
        { place: postgres, options: { files: newFolder() } },
        systemClock,
        () => {
          audits += 1;
          if (audits === at) throw new Error('the power failed');
        },
      );
    await expect(copy(2)).rejects.toThrow('the power failed');
    expect((await pay(desk)).exit).toBe(0);
    // It was told something since: the state that was copied is not the ledger's any more.
    await expect(copy(0)).rejects.toThrow('holds an earlier state of this ledger already');
    expect((await pay(desk)).exit).toBe(0);

    audits = 0;
    const other = await newPlace('Postgres');
    const copyOn = (at: number) =>
      copyLedger(
        { place: desk.ledger, options: {} },
        { place: other, options: { files: newFolder() } },
        systemClock,
        () => {
          audits += 1;
          if (audits === at) throw new Error('the power failed');
        },
      );
    await expect(copyOn(2)).rejects.toThrow('the power failed');
    expect(await copyOn(0)).toMatchObject({ rows: 12 });
    await expect(copyOn(0)).rejects.toThrow('it was copied to');
    expect((await pay(on(desk, other))).document.rows.paid).toBe(12);
  });

  it('to a place of the other kind that holds none, while no console is open', async () => {
    const desk = deskFor(await newService(), rows);
    await pay(desk, '--wait', '20s');
    const taken = await newPlace('Postgres');
    await openLedger(taken, systemClock).close();
    await pay(on(deskFor(await newService(), rows), taken), '--wait', '20s');
    const old = openLedger(desk.ledger, systemClock);
    const console = old.holdConsole();
    expect((await copyTo(desk, taken)).err).toContain('another console works on the ledger');
    console.release();
    await old.close();
    for (const [place, words] of [
      [join(desk.folder, 'other.db'), 'from a file to a Postgres, or back'],
      [taken, 'holds another ledger already'],
      ['postgres://h/d?password=x', 'says password'],
    ] as const) {
      const { exit, err } = await copyTo(desk, place);
      expect([exit, err]).toEqual([2, expect.stringContaining(words)]);
    }
    expect((await pay(desk)).exit).toBe(0);
  });
});
