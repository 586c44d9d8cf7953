/**
 * `npm run test:systemd`: the pages run-by-cron.md and workers.md on a machine with a real systemd. Their commands are given as they stand
 * there, to the units as they are shipped and the packed program, in a guest of Debian without a network. It needs root, Debian's
 * debootstrap and systemd-container, and its packages; `--debian DIR` keeps what debootstrap made for the next time.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    debian: { type: 'string' },
    rows: { type: 'string', default: '3000' },
    // Else debootstrap's own.
    mirror: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'payrun-systemd-'));
const debian = flags.debian ?? join(home, 'debian');
const guest = join(home, 'guest');
const inGuest = (...names: string[]) => join(guest, ...names);
const packages = 'systemd,systemd-sysv,dbus,procps,adduser,tzdata,ca-certificates,postgresql';
/** The guest is given up after it. */
const longestMs = 20 * 60_000;

const give = (command: string, ...words: string[]) =>
  execFileSync(command, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

try {
  if (!existsSync(debian))
    give(
      'debootstrap',
      '--variant=minbase',
      `--include=${packages}`,
      'trixie',
      debian,
      ...(flags.mirror === undefined ? [] : [flags.mirror]),
    );
  give('cp', '-a', debian, guest);
  give('npm', 'pack', '--pack-destination', home);
  give('npm', 'install', '--global', '--omit=dev', '--prefix', inGuest('usr/local'), join(home, tarball()));
  mkdirSync(inGuest('opt/node24/bin'), { recursive: true });
  copyFileSync(realpathSync(process.execPath), inGuest('opt/node24/bin/node'));
  furnish();
  const told = await booted();
  process.stdout.write(told);
  const failed: string[] = told.match(/^NOT OK.*/gm) ?? [];
  if (!/^end of the drive$/m.test(told)) failed.push('NOT OK it did not come to its end');
  const passed = told.match(/^ok .*/gm)?.length ?? 0;
  process.stdout.write(`${passed} seen, ${failed.length} not\n`);
  const today = new Date().toISOString().slice(0, 10);
  const version = /^systemd \d+/m.exec(told)?.[0] ?? 'systemd';
  const found = failed.length === 0 ? 'no failure' : `${failed.length} failed checks`;
  const what = `2 batches of ${flags.rows} rows, ${version}: 2 kills, ${passed} checks passed`;
  appendFileSync(
    join(root, 'docs/explanation/evidence.md'),
    `| ${today} | systemd | none | ${what} | ${found} | no bound |\n`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

function tarball(): string {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  return `${name}-${version}.tgz`;
}

/** The commands of a section of a page. */
function commandsOf(page: string, heading: string): string {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1];
  const block = /```sh\n([\s\S]*?)```/.exec(section ?? '')?.[1];
  if (block === undefined) throw new Error(`docs/${page} has no commands under '${heading}'`);
  return block;
}

/** What a guest has besides Debian: the page's commands, the drive, and a unit that begins it and shuts the guest down after it. */
function furnish(): void {
  for (const [name, text] of Object.entries({
    'root/folders.sh': commandsOf('how-to/run-by-cron.md', 'Set up users and folders').replace(
      /^install -m 0400.*\n/m,
      '',
    ),
    'root/units.sh': commandsOf('how-to/run-by-cron.md', 'Run it with systemd').replace(/^systemctl .*\n/gm, ''),
    'root/drive.sh': readFileSync(join(import.meta.dirname, 'drive.sh'), 'utf8'),
    'etc/systemd/system-preset/00-nothing.preset': 'disable payrun*\ndisable postgresql*\n',
    'etc/systemd/system/drive.service':
      '[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\n' +
      `ExecStart=/bin/bash /root/drive.sh ${flags.rows}\nStandardOutput=file:/root/drive.log\nStandardError=file:/root/drive.log\n` +
      `ExecStopPost=/bin/systemctl poweroff --no-block\nTimeoutStartSec=${longestMs / 1000}\n[Install]\nWantedBy=multi-user.target\n`,
  }))
    placed(inGuest(name), text);
  const enable = ['enable', 'drive.service'];
  const mask = ['mask', 'systemd-networkd.service', 'systemd-networkd-wait-online.service', 'postgresql.service'];
  for (const words of [enable, mask]) give('chroot', guest, 'systemctl', ...words);
}

function placed(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** systemd wants a terminal, which `script` gives it; the guest has a loopback of its own and no other network. */
async function booted(): Promise<string> {
  const nspawn = ['systemd-nspawn', '-D', guest, '--register=no', '--keep-unit', '--private-network', '--boot'];
  const child = spawn('script', ['-qec', [...nspawn, '--console=interactive'].join(' '), '/dev/null'], {
    stdio: 'ignore',
    timeout: longestMs,
  });
  await once(child, 'exit');
  return readFileSync(inGuest('root/drive.log'), 'utf8');
}
