/** What is shipped for cron, systemd and containers: it names only what exists, and its timer runs a month by itself. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { loadSettings } from '../../src/cli/compose/config.ts';
import { startService } from '../../src/service/service.ts';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import {
  command,
  csvOf,
  kenyanRows,
  newFolder,
  nigerian,
  type Ran,
  refusalOf,
  type SheetRow,
  southAfrican,
  start,
  until,
} from '../support.ts';

const templates = join(import.meta.dirname, '../../templates');
const textOf = (name: string) => readFileSync(join(templates, name), 'utf8');
const units = globSync('systemd/payrun-*', { cwd: templates }).sort();
const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/run-by-cron.md'), 'utf8');

/** `name=value` lines, by name; a unit may say one more than once. */
function linesOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, name, value] of text.matchAll(/^(\w+)=(.*)$/gm))
    found.set(name!, [...(found.get(name!) ?? []), value!]);
  return found;
}

const unit = (name: string) => linesOf(textOf(`systemd/${name}`));
/** The command that each of the files gives, without `payrun`. */
const commands: Readonly<Record<string, string[]>> = {
  'payrun-watch.service': unit('payrun-watch.service').get('ExecStart')![0]!.split(' ').slice(1),
  'payrun-once.service': unit('payrun-once.service').get('ExecStart')![0]!.split(' ').slice(1),
  cron: /^0 8-16 \* \* 1-5 payrun payrun (.*)$/m.exec(textOf('cron/payrun'))![1]!.split(' '),
  container: JSON.parse(/^CMD (.*)$/m.exec(textOf('container/Containerfile'))![1]!) as string[],
};

describe('what is shipped', () => {
  it('names settings that docs/reference/settings.md tells, files that are there, and each of them on its page', () => {
    const settings = readFileSync(join(import.meta.dirname, '../../docs/reference/settings.md'), 'utf8');
    const shipped = globSync('{systemd,cron,container}/*', { cwd: templates });
    expect(shipped.length).toBeGreaterThan(5);
    for (const name of shipped) {
      for (const [variable] of textOf(name).matchAll(/\b(?:PAYRUN|XDG)_[A-Z_]+\b/g))
        expect(settings, `${variable} in ${name}`).toContain(`| \`${variable}\` |`);
      expect(page, name).toMatch(new RegExp(`templates/(${name}|${dirname(name)}/payrun-\\*)`));
    }
    for (const [path] of page.matchAll(/templates\/[\w/.-]+\w(?![\w-]*\*)/g))
      expect(existsSync(join(templates, '..', path)), path).toBe(true);
    const config = /```json\n([\s\S]*?)```/.exec(page)![1]!;
    const folder = newFolder();
    writeFileSync(join(folder, 'payrun.config.json'), config);
    expect(loadSettings({ env: {}, cwd: folder }, {})).toMatchObject({
      policies: [join(folder, 'payrun.policy.json')],
      requiresTotals: true,
    });
  });

  it.each(Object.entries(commands))('%s gives a command that is taken', async (_, argv) => {
    // The folder of the files is not on this machine: all else is read before that is seen.
    const folder = newFolder();
    const ran = await command({ folder, env: { XDG_STATE_HOME: folder } }, [...argv, '--json']);
    const missing = { code: 'FOLDER_UNUSABLE', facts: { path: '/srv/payouts/in', why: { fault: 'no-folder' } } };
    expect([ran.exit, refusalOf(ran)]).toMatchObject([2, missing]);
  });

  it.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)('the units are units', () => {
    const folder = newFolder();
    for (const name of units) {
      // Its command is not on this machine.
      writeFileSync(
        join(folder, name.replace('systemd/', '')),
        textOf(name).replaceAll('/usr/local/bin/payrun', '/bin/true'),
      );
    }
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...readdirSync(folder).map((name) => join(folder, name))],
      {
        encoding: 'utf8',
        env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' },
      },
    );
    expect([status, stderr.split('\n').filter((line) => line.includes('payrun'))]).toEqual([0, []]);
  });

  it('all of a unit but its command is the same for each service', () => {
    const own = [
      'Description',
      'Type',
      'ExecStart',
      'Restart',
      'RestartSec',
      'RestartPreventExitStatus',
      'SuccessExitStatus',
      'WantedBy',
    ];
    const common = (name: string, ...more: string[]) =>
      [...unit(name)].filter(([key]) => ![...own, ...more].includes(key));
    expect(common('payrun-once.service')).toEqual(common('payrun-watch.service'));
    const folders = ['RequiresMountsFor', 'ReadWritePaths', 'LoadCredential', 'SetCredential'];
    expect(common('payrun-worker.service', ...folders)).toEqual(common('payrun-watch.service', ...folders));
  });

  it('a worker starts as its unit says, with its secrets as credentials, and ends at a SIGTERM', async () => {
    const said = unit('payrun-worker.service');
    const folder = newFolder();
    const place = new URL(await newPlace('Postgres'));
    const secrets: Record<string, string> = { PAYRUN_API_KEY: 'key', PAYRUN_API_SECRET: 'secret' };
    secrets.PGPASSWORD = place.password;
    place.password = '';
    const env: Record<string, string> = { CREDENTIALS_DIRECTORY: folder };
    for (const name of linesOf(textOf('systemd/payrun.env')).keys()) env[name] = folder;
    Object.assign(env, { PAYRUN_BASE_URL: 'http://127.0.0.1:9', PAYRUN_LEDGER: place.href });
    env.PAYRUN_CONFIG = join(folder, 'payrun.config.json');
    writeFileSync(env.PAYRUN_CONFIG, '{}');
    for (const credential of said.get('LoadCredential')!) {
      const name = credential.split(':')[0]!;
      writeFileSync(join(folder, name), `${secrets[name]!}\n`);
    }
    const { child, ended } = start({ folder, env }, said.get('ExecStart')![0]!.split(' ').slice(1));
    let told = '';
    child.stderr!.on('data', (text: string) => (told += text));
    await until('it has joined', () => told.includes('The worker joined'));
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ exit: 0, out: 'Drained: 0 payments sent.\n' });
  });
});

const dayMs = 86_400_000;
const offsetMs = 2 * 3_600_000;

/** The moments of `Mon..Fri *-*-* 08..16:00:00 Africa/Johannesburg` in a month; a line of another form is not understood here. */
function moments(calendar: readonly string[], from: number, days: number): number[] {
  const found = calendar.flatMap((line) => {
    const [, first, last = first, minute] = /^Mon\.\.Fri \*-\*-\* (\d\d)(?:\.\.(\d\d))?:(\d\d):00 Africa\/Johannesburg$/
      .exec(line)!
      .map((part) => part ?? undefined);
    return Array.from({ length: days }, (_, day) => from + day * dayMs)
      .filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))
      .flatMap((day) =>
        Array.from(
          { length: Number(last) - Number(first) + 1 },
          (_, index) => day + (Number(first) + index) * 3_600_000 + Number(minute) * 60_000 - offsetMs,
        ),
      );
  });
  return found.sort((a, b) => a - b);
}

describe('half a month by the timer', () => {
  const december = Date.parse('2026-12-01T00:00:00Z');
  const calendar = unit('payrun-once.timer').get('OnCalendar')!;
  const root = newFolder();
  const hot = join(root, 'srv/payouts/in');
  let now = december;
  let ahead = 0;
  /** Nobody waits for what the month waits for. */
  const clock: Clock = {
    ...systemClock,
    now: () => now + ahead,
    monotonic: () => performance.now() + ahead,
    uptime: () => ({ boot: 'one', ms: now + ahead }),
    async sleep(ms) {
      ahead += Math.ceil(ms);
      await new Promise((done) => setImmediate(done));
    },
  };
  const env: Record<string, string> = {};
  let service: Awaited<ReturnType<typeof startService>>;

  /** systemd's part: what the unit says, with its folders in a folder of the test. */
  beforeAll(async () => {
    const said = unit('payrun-once.service');
    const inRoot = (path: string) => join(root, path);
    service = await startService({ dataDir: newFolder(), clock, tokensPerMinute: 0 });
    atEnd(() => service.close());
    const { apiKey, apiSecret } = await service.tenants.add('Acme');
    for (const folder of [
      'srv/payouts/in',
      'etc/payrun',
      ...said
        .get('StateDirectory')![0]!
        .split(' ')
        .map((name) => `var/lib/${name}`),
      'run/credentials',
    ])
      mkdirSync(inRoot(folder), { recursive: true });
    writeFileSync(inRoot('etc/payrun/key'), apiKey);
    writeFileSync(inRoot('etc/payrun/secret'), apiSecret);
    writeFileSync(inRoot('etc/payrun/payrun.config.json'), JSON.stringify({ controls: { totals: 'require' } }));
    for (const credential of said.get('LoadCredential')!) {
      const [name, path] = credential.split(':');
      // As systemd does where the file is not there, and SetCredential says so.
      const content = existsSync(inRoot(path!)) ? readFileSync(inRoot(path!), 'utf8') : '\n';
      if (content === '\n') expect(said.get('SetCredential')).toEqual([`${name}:\\n`]);
      writeFileSync(inRoot(`run/credentials/${name}`), content);
    }
    expect(said.get('EnvironmentFile')).toEqual(['/etc/payrun/payrun.env']);
    for (const [name, [value]] of linesOf(textOf('systemd/payrun.env')))
      env[name] = name === 'PAYRUN_BASE_URL' ? service.url : value!.startsWith('/') ? inRoot(value!) : value!;
    env.CREDENTIALS_DIRECTORY = inRoot('run/credentials');
  });

  it('keeps its witness beside no ledger, and cron and the container keep it there too', () => {
    const places = ['systemd/payrun.env', 'cron/payrun', 'container/Containerfile'].map((name) => {
      const [, place] = /XDG_DATA_HOME=(\S+)/.exec(textOf(name))!;
      const [, ledger] = /^(?:ENV )?PAYRUN_LEDGER=(\S+)/m.exec(textOf(name))!;
      return [place, ledger];
    });
    expect(new Set(places.map(([place]) => place))).toEqual(new Set(['/var/lib/payrun-witness']));
    for (const [place, ledger] of places) expect(place!.startsWith(`${dirname(ledger!)}/`)).toBe(false);
  });

  it('keeps to the same settings by each way, and the container is given their file, and a folder that it may write to', () => {
    const named = ['systemd/payrun.env', 'cron/payrun', 'container/Containerfile'].map(
      (name) => /PAYRUN_CONFIG=(\S+)/.exec(textOf(name))?.[1],
    );
    const config = '/etc/payrun/payrun.config.json';
    expect(named).toEqual([config, config, config]);
    const [, section] = page.split('## Run it in a container\n');
    const given = section!.slice(0, section!.indexOf('\n## ')).replaceAll(/\\\n\s*/g, '');
    expect(given).toContain(`--volume ${config}:${config}:ro`);
    const [, user] = /^USER (\d+):\d+$/m.exec(textOf('container/Containerfile'))!;
    expect(textOf('container/Containerfile')).toMatch(
      `install -d -o ${user} -g ${user} -m 0700 /var/lib/payrun /var/lib/payrun-witness`,
    );
    expect(given).toContain(`install -d -o ${user} -g payouts -m 2770 /srv/payouts/in`);
    expect(given).toContain('--group-add "$(getent group payouts | cut -d: -f3)"');
  });

  const tick = async (): Promise<Ran> => {
    const argv = commands['payrun-once.service']!.map((word) => (word.startsWith('/') ? join(root, word) : word));
    return await command({ folder: join(root, 'var/lib/payrun'), env, clock }, argv);
  };
  const put = (name: string, rows: readonly SheetRow[], totals: Record<string, string> | null) => {
    if (totals !== null) writeFileSync(join(hot, `${name}.totals.json`), JSON.stringify({ totals }));
    writeFileSync(join(hot, `${name}.csv`), csvOf(rows));
  };
  const ack = (name: string) =>
    JSON.parse(readFileSync(join(hot, `out/${name}.ACK`), 'utf8')) as Record<string, unknown>;

  it('pays what is handed in, says nothing while all is well, and says once what a person must know', async () => {
    const suppliers = [southAfrican, nigerian];
    const phones = kenyanRows(3);
    const wages = kenyanRows(6).map((row, index) => ({ ...row, row_id: `w${index}`, reference: `Wages ${index}` }));
    const all = (rows: readonly SheetRow[]) => String(rows.reduce((sum, { amount }) => sum + Number(amount), 0));
    /** By the day of the month: what is done before its first look. */
    const done: Readonly<Record<number, () => void>> = {
      2: () => put('suppliers', suppliers, { ZAR: southAfrican.amount!, NGN: nigerian.amount! }),
      // Its totals come on the 8th only.
      4: () => put('phones', phones, null),
      8: () => writeFileSync(join(hot, 'phones.totals.json'), JSON.stringify({ totals: { KES: all(phones) } })),
      // The same sheet once more, by mistake.
      9: () => put('suppliers', suppliers, { ZAR: southAfrican.amount!, NGN: nigerian.amount! }),
      14: () =>
        put(
          'wages',
          wages.map((row, index) => (index === 2 ? { ...row, amount: '1,500' } : row)),
          { KES: all(wages) },
        ),
      15: () => put('wages', wages, { KES: all(wages) }),
    };
    const told: [day: number, exit: number, line: string, code: unknown][] = [];
    const schedule = moments(calendar, december, 16);
    let quietly = 0;
    let lastDay = 0;
    for (const moment of schedule) {
      [now, ahead] = [moment, 0];
      const day = new Date(moment + offsetMs).getUTCDate();
      for (let passed = lastDay + 1; passed <= day; passed += 1) done[passed]?.();
      lastDay = day;
      const { exit, out, err } = await tick();
      if (out + err === '') quietly += 1;
      else {
        const line = (out + err).replace(/^\S+ +/, '').split('\n')[0]!;
        told.push([day, exit, line, ack(line.split(' ')[0]!).code]);
      }
    }
    expect(told).toEqual([
      [4, 26, expect.stringMatching(/^phones \(phones\.csv\) waits; exit 26/), 'TOTALS_MISSING'],
      [9, 26, expect.stringMatching(/^suppliers-2 \(suppliers\.csv\) refused.*paid on 2026-12-02/), 'BATCH_PAID'],
      [14, 20, expect.stringMatching(/^wages \(wages\.csv\) refused, .*exit 20/), 'SHEET_HAS_PROBLEMS'],
    ]);
    expect(quietly).toBe(schedule.length - told.length);
    for (const name of ['suppliers', 'phones', 'wages-2'])
      expect(ack(name), name).toMatchObject({ state: 'ended', exit: 0 });
    expect(existsSync(join(hot, 'out/suppliers-2.DUPS'))).toBe(true);
    const verified = await command({ folder: root, env, clock }, ['audit', 'verify', '--json']);
    expect(verified.exit, verified.out + verified.err).toBe(0);
    const listed = await command({ folder: root, env, clock }, ['payments', 'list', '--all', '--json']);
    const payments = JSON.parse(listed.out) as { reference: string; status: string }[];
    const made = payments.map(({ reference, status }) => `${reference} ${status}`).sort();
    expect(made, listed.out + listed.err).toEqual(
      [...suppliers, ...phones, ...wages].map(({ reference }) => `${reference} success`).sort(),
    );
  });
});
