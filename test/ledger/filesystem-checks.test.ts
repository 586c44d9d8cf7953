/** What a ledger may stand on, a disk of this machine with room; and a run whose disk is full after all. */
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { networkOf, roomFault } from '../../src/ledger/store/sqlite/filesystem-checks.ts';
import { mayMount, smallDisk } from '../small-disk.ts';
import {
  command,
  deskFor,
  expectNoTwins,
  expectOnePaymentEach,
  kenyanRows,
  newFolder,
  newService,
  pay,
  resultOf,
} from '../support.ts';

/** So many pages may the ledger of the next openings have; null for any number. */
const limits = vi.hoisted(() => ({ pages: null as number | null, on: '' }));
vi.mock('../../src/base/sqlite.ts', async (original) => {
  const real = await original<typeof import('../../src/base/sqlite.ts')>();
  return {
    ...real,
    openSqlite(path: string) {
      const db = real.openSqlite(path);
      if (limits.pages !== null && path === limits.on) db.exec(`PRAGMA max_page_count=${limits.pages}`);
      return db;
    },
  };
});
afterEach(() => {
  limits.pages = null;
});

const mounts = [
  '22 27 0:21 / /proc rw,relatime - proc proc rw',
  '27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
  '60 27 0:40 / /home/a\\040b rw - fuse.sshfs me@host:/home rw',
  '61 27 0:41 / /home rw - fuse.mergerfs a:b rw',
  '62 27 0:42 / /dav rw - fuse https://dav.example.com/ rw',
  '63 27 0:43 / /encrypted rw - fuse.gocryptfs /crypt rw',
  '64 27 0:44 / /ntfs rw - fuseblk /dev/sdb1 rw',
  '65 27 0:45 / /twice rw - fuse.sshfs host:/ rw',
  '66 65 0:46 / /twice rw - fuse.mergerfs a:b rw',
  '67 27 0:47 / /mnt/s3 rw shared:7 master:2 - fuse.s3fs s3fs rw',
  '68 27 0:48 / /virtio rw - virtiofs host rw',
].join('\n');
const fuse = 0x65735546;

describe('where a ledger may lie', () => {
  it.each<readonly [string, number, string, string | null]>([
    ['ext4', 0xef53, '/var/lib/ledger.db', null],
    ['xfs', 0x58465342, '/var/lib/ledger.db', null],
    ['btrfs, whose highest bit is set', 0x9123683e, '/var/lib/ledger.db', null],
    ['tmpfs', 0x01021994, '/dev/shm/ledger.db', null],
    ['zfs', 0x2fc12fc1, '/tank/ledger.db', null],
    ['overlayfs of a container', 0x794c7630, '/ledger.db', null],
    ['a type that nobody knows', 0x12345678, '/x/ledger.db', null],
    ['NFS', 0x6969, '/net/ledger.db', 'NFS'],
    ['SMB', 0x517b, '/net/ledger.db', 'SMB'],
    ['CIFS', 0xff534d42, '/net/ledger.db', 'CIFS'],
    ['CIFS as a negative number', 0xff534d42 | 0, '/net/ledger.db', 'CIFS'],
    ['SMB2', 0xfe534d42, '/net/ledger.db', 'SMB2'],
    ['9p', 0x01021997, '/net/ledger.db', '9p'],
    ['AFS', 0x5346414f, '/afs/ledger.db', 'AFS'],
    ['AFS of the kernel', 0x6b414653, '/afs/ledger.db', 'AFS'],
    ['Ceph', 0x00c36400, '/ceph/ledger.db', 'Ceph'],
    ['Lustre', 0x0bd00bd0, '/lustre/ledger.db', 'Lustre'],
    ['GPFS', 0x47504653, '/gpfs/ledger.db', 'GPFS'],
    ['sshfs, below a path with a space', fuse, '/home/a b/state/ledger.db', 'sshfs'],
    ['s3fs', fuse, '/mnt/s3/ledger.db', 's3fs'],
    ['a mount from an address', fuse, '/dav/ledger.db', 'https://dav.example.com/'],
    ['mergerfs, beside an sshfs', fuse, '/home/ab/ledger.db', null],
    ['a mount whose name only begins alike', fuse, '/mnt/s3-local/ledger.db', null],
    ['mergerfs mounted over sshfs', fuse, '/twice/ledger.db', null],
    ['an encrypted folder of this machine', fuse, '/encrypted/ledger.db', null],
    ['a Windows disk of this machine', fuse, '/ntfs/ledger.db', null],
    ["a folder of a virtual machine's host", fuse, '/virtio/ledger.db', null],
  ])('%s', (_title, type, path, name) => {
    expect(networkOf(type, mounts, path)).toBe(name);
  });

  it('without a list of mounts a program’s file system is taken, and NFS is refused all the same', () => {
    expect([networkOf(fuse, '', '/home/a b/ledger.db'), networkOf(0x6969, '', '/x')]).toEqual([null, 'NFS']);
  });

  it('this very folder is taken, deep below what is there', async () => {
    const ledger = openLedger(join(newFolder(), 'a', 'b', 'ledger.db'), systemClock);
    await ledger.close();
  });
});

const mb = 1024 * 1024;

describe('room for a run', () => {
  it.each<readonly [string, number, number, number[] | null]>([
    ['64 MB for a new ledger', 64 * mb, 0, null],
    ['a byte less', 64 * mb - 1, 0, [63, 64]],
    ['none at all', 0, 0, [0, 64]],
    ['twice its size for one that is large', 64 * mb + 2000 * mb, 1000 * mb, null],
    ['too little for one that is large', 64 * mb + 1999 * mb, 1000 * mb, [2063, 2064]],
  ])('%s', (_title, free, size, megabytes) => {
    const [freeMegabytes, neededMegabytes] = megabytes ?? [];
    const fault = { fault: 'ledger-lacks-room', freeMegabytes, neededMegabytes };
    expect(roomFault(free, size)).toEqual(megabytes === null ? null : fault);
  });
});

const rows = kenyanRows(12);

describe.skipIf(!mayMount)('a small disk', () => {
  it('has no room for a run: exit 2, nothing sent, and a larger one has', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const before = service.total();
    const small = { ...desk, env: { ...desk.env, PAYRUN_LEDGER: join(smallDisk('8m') ?? '', 'ledger.db') } };
    const { exit, err } = await command(small, ['run', desk.sheet]);
    expect([exit, err]).toEqual([2, expect.stringMatching(/disk has \d MB free/)]);
    expect(service.total()).toBe(before);
    const large = { ...desk, env: { ...desk.env, PAYRUN_LEDGER: join(smallDisk('80m') ?? '', 'ledger.db') } };
    expect((await command(large, ['run', desk.sheet, '--wait', '0'])).exit).toBe(23);
  });

  it('that is filled while the run pays: no row is paid twice, and the next run ends it', async () => {
    const service = await newService();
    const disk = smallDisk('80m') ?? '';
    const desk = deskFor(service, rows);
    const tight = { ...desk, env: { ...desk.env, PAYRUN_LEDGER: join(disk, 'ledger.db') } };
    const filler = join(disk, 'filler');
    let filled = false;
    service.fault = ({ route, nth }) => {
      if (route === 'POST /payments' && nth === 5 && !filled) {
        filled = true;
        fill(filler, disk);
      }
      return undefined;
    };
    const first = await command(tight, ['run', desk.sheet, '--json', '--wait', '0', '--concurrency', '3']);
    expect(filled).toBe(true);
    expect([first.exit, first.err, JSON.parse(first.out).stopped?.code]).toEqual([22, '', 'LEDGER_UNWRITABLE']);
    expectNoTwins(service);
    const paid = service.payments.length;
    expect(paid).toBeLessThan(rows.length);
    expect((await command(tight, ['run', desk.sheet, '--wait', '0'])).exit, 'still full').toBe(2);
    expect(service.payments).toHaveLength(paid);
    rmSync(filler);
    const { document } = await pay(tight);
    expect(document.rows).toMatchObject({ in_doubt: 0, not_sent: 0 });
    expectOnePaymentEach(service, rows);
  });
});

/** To the last page: a file system keeps handing out what is left in ever smaller pieces. */
function fill(path: string, disk: string): void {
  for (let size = statfsSync(disk).bavail * statfsSync(disk).bsize; size >= 1; size = Math.floor(size / 2))
    try {
      writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch {}
}

describe('a ledger that cannot grow any more', () => {
  it('ends a run at any write without a double, and a later one pays the rest', async () => {
    const many = kenyanRows(40);
    // Taken in, and not paid: from here on the pages are counted.
    const planned = deskFor(await newService(), many, { PAYRUN_API_SECRET: 'wrong' });
    expect((await pay(planned)).exit).toBe(25);
    const start = pagesOf(planned.ledger);
    let stopped = 0;
    let inDoubt = 0;
    for (let more = 0; ; more += 2) {
      // At one service the same batch would be found again: each limit has a service of its own.
      const service = await newService();
      const desk = deskFor(service, many);
      limits.on = desk.ledger;
      limits.pages = start + more;
      const { exit, document } = await pay(desk, '--concurrency', '3');
      expectNoTwins(service);
      limits.pages = null;
      if (exit === 23 && document.stopped === null) break;
      stopped += 1;
      inDoubt += document.rows.in_doubt;
      expect(document.stopped?.code).toBe('LEDGER_UNWRITABLE');
      expect(exit).toBe(document.rows.in_doubt > 0 ? 22 : 1);
      // A row in doubt may have been stopped before it left.
      const shown = document.rows.pending + document.rows.in_doubt;
      expect(shown, 'every payment there is one that the ledger shows').toBeGreaterThanOrEqual(service.payments.length);
      if (document.result !== null) checkDoubts(document.result, service);
      const last = await pay(desk);
      expect(last.document.rows).toMatchObject({ in_doubt: 0, not_sent: 0, held: 0, paid_twice: 0 });
      expectOnePaymentEach(service, many);
    }
    expect(stopped, 'the limit was met at several writes').toBeGreaterThan(2);
    expect(inDoubt, 'some of them were answers').toBeGreaterThan(0);
  });
});

/** A row whose payment is at the service is never shown as one that was not sent. */
function checkDoubts(path: string, service: { payments: readonly { reference: string }[] }): void {
  const sent = new Set(service.payments.map(({ reference }) => reference));
  for (const row of resultOf(path))
    if (sent.has(row.reference ?? '')) expect(['pending', 'in doubt', 'paid']).toContain(row.payrun_status);
}

function pagesOf(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return (db.prepare('PRAGMA page_count').get() as { page_count: number }).page_count;
  } finally {
    db.close();
  }
}
