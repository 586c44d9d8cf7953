/** The hot folder on a disk that is full: that is told as what it is, is no sheet's fault, and is gone on from when there is room. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newPlace } from '../ledger/stores.ts';
import { mayMount, smallDisk } from '../small-disk.ts';
import { command, csvOf, expectOnePaymentEach, kenyanRows, newFolder, refusalOf } from '../support.ts';
import { newHotFolder } from './hot.ts';

const rows = kenyanRows(3);

/** Takes all room that is left. */
function fill(disk: string): string {
  const path = join(disk, 'fill');
  try {
    writeFileSync(path, Buffer.alloc(2 ** 20));
  } catch {
    // What fits is there.
  }
  return path;
}

describe.skipIf(!mayMount)('a full disk', () => {
  it.each([0, 8, 32])('at the start (%i KB left) ends the watcher as what passes, and is told', async (left) => {
    const { hot } = await newHotFolder(rows);
    const disk = smallDisk('64k') ?? '';
    const filled = fill(disk);
    truncateSync(filled, (64 - left) * 1024);
    const once = async () => await command(hot.desk, ['watch', disk, '--once', '--still', '20ms']);
    const { exit, err } = await once();
    expect([exit, err]).toEqual([1, expect.stringMatching(/^payrun: .* write to \S+taken\S*: /s)]);
    rmSync(filled);
    expect((await once()).exit).toBe(0);
  });

  it('under the copies of sheets refuses none: it is tried again, and paid when there is room', async () => {
    const { service, hot } = await newHotFolder(rows);
    const disk = smallDisk('64k') ?? '';
    Object.assign(hot.desk.env, { PAYRUN_LEDGER: await newPlace('Postgres'), PAYRUN_LEDGER_FILES: disk });
    const filled = fill(disk);
    hot.put('payroll.csv', csvOf(rows));
    expect((await hot.once()).exit).toBe(1);
    expect(hot.out()).toEqual(['payroll.ACK']);
    const why = expect.stringMatching(/ write to \S+sheets\/\S+: /);
    expect(hot.answer('payroll.ACK')).toMatchObject({ state: 'open', exit: 1, code: 'DISK_UNWRITABLE', why });
    rmSync(filled);
    hot.later('payroll');
    expect((await hot.once()).exit).toBe(0);
    expectOnePaymentEach(service, rows);
  });
});

describe('a folder that may not be written', () => {
  it.skipIf(!mayMount)(
    'is a fault of the set-up: the watcher ends with 2, and its unit does not start it again',
    async () => {
      const { hot } = await newHotFolder(rows);
      const disk = smallDisk('64k') ?? '';
      const mount = (how: string) => execFileSync('mount', ['-o', `remount,${how}`, disk]);
      const once = async () => await command(hot.desk, ['watch', disk, '--once', '--still', '20ms']);
      const refused = [2, expect.stringMatching(/^payrun: .* folder \S+ .*read-only/)];
      mount('ro');
      const first = await once();
      expect([first.exit, first.err]).toEqual(refused);
      mount('rw');
      expect((await once()).exit).toBe(0);
      mount('ro');
      const second = await once();
      expect([second.exit, second.err]).toEqual(refused);
    },
  );

  it('and so is a damaged file of the watcher', async () => {
    const { hot } = await newHotFolder(rows);
    mkdirSync(join(hot.folder, 'taken'));
    writeFileSync(join(hot.folder, 'taken', '.watch.db'), 'x'.repeat(5000));
    const ran = await hot.once('--json');
    const facts = { path: hot.folder, lock: join(hot.folder, 'taken', '.watch.db') };
    expect([ran.exit, refusalOf(ran)]).toMatchObject([2, { code: 'HOT_FOLDER_LOCK_DAMAGED', facts }]);
  });

  it('refuses no sheet where the one of the copies is a file', async () => {
    const { service, hot } = await newHotFolder(rows);
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    const given = { PAYRUN_LEDGER: await newPlace('Postgres'), PAYRUN_LEDGER_FILES: file };
    Object.assign(hot.desk.env, given);
    hot.put('payroll.csv', csvOf(rows));
    expect((await hot.once()).exit).toBe(2);
    expect(hot.out()).toEqual(['payroll.ACK']);
    const why = expect.stringMatching(/ in \S+sheets: .*write access/);
    expect(hot.answer('payroll.ACK')).toMatchObject({ state: 'open', exit: 2, code: 'COPIES_UNWRITABLE', why });
    hot.desk.env.PAYRUN_LEDGER_FILES = newFolder();
    hot.later('payroll');
    expect((await hot.once()).exit).toBe(0);
    expectOnePaymentEach(service, rows);
  });
});
