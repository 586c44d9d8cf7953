/** The hot folder on real files and in real processes: what is taken and what is not, what is answered, and who dies where. */
import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeKey, publicLine, publicOf, sign, signatureText } from '../../src/approval/approval.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/digest.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { faultWords } from '../../src/messages/faults/fault-words.ts';
import { faults } from '../kill/faults.ts';
import { newWatcher } from '../kill/seams.ts';
import { newWorld, run, runHere } from '../kill/world.ts';
import {
  command,
  csvOf,
  deskFor,
  documentOf,
  expectNoTwins,
  expectOnePaymentEach,
  kenyanRows,
  newService,
  refusalOf,
  resultOf,
  type SheetRow,
  start,
  until,
} from '../support.ts';
import { hotClock, hotFolder, newHotFolder } from './hot.ts';

const rows = kenyanRows(3);

const lookAsNobody = `
  const [folder] = process.argv.slice(1);
  const { openHotFolder } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/watch/hot-folder.ts'))});
  const { systemClock } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/base/clock.ts'))});
  if (process.getuid() === 0) process.setuid(65534);
  const hot = await openHotFolder(folder, { out: null, stillMs: 0, clock: systemClock, isNew: true });
  console.log(JSON.stringify(await hot.look()));
`;

const newHot = async () => await newHotFolder(rows);

describe.concurrent('a hot folder', () => {
  it('takes a sheet with its documents and totals, pays it, and answers; the same sheet again is told as such', async () => {
    const { service, hot } = await newHot();
    const invoiced = rows.map((row, index) => ({ ...row, documents: index === 0 ? 'invoice.pdf' : '' }));
    hot.put('invoice.pdf', '%PDF-1.7\n%%EOF\n');
    hot.put('november.totals.json', JSON.stringify({ rows: 3 }));
    const text = csvOf(invoiced);
    hot.put('november.csv', text);
    const ran = await hot.once();
    expect([ran.exit, ran.err]).toEqual([0, '']);
    expectOnePaymentEach(service, rows);
    expect(hot.out()).toEqual(['november.ACK', 'november.RESULT.csv']);
    expect(hot.answer('november.ACK')).toMatchObject({
      file: 'november.csv',
      sha256: sha256(text),
      bytes: text.length,
      state: 'ended',
      exit: 0,
      rows: { total: 3, paid: 3 },
      files: ['november.RESULT.csv'],
    });
    const result = resultOf(join(hot.folder, 'out/november.RESULT.csv'));
    expect(result.map((row) => [row.payrun_status, row.payrun_documents])).toEqual([
      ['paid', '1 of 1 attached'],
      ['paid', ''],
      ['paid', ''],
    ]);
    expect(readdirSync(hot.folder).sort()).toEqual(['invoice.pdf', 'out', 'taken']);

    hot.put('november.csv', text);
    const again = await hot.once('--quiet');
    expect([again.exit, again.out, again.err]).toEqual([0, '', '']);
    expectOnePaymentEach(service, rows);
    expect(hot.answer('november-2.DUPS')).toMatchObject({ what: 'sheet', same_file: [{ name: 'november' }] });
    // With other rows beside the paid ones it is refused, and nothing is sent.
    hot.put('december.csv', csvOf([...rows, ...kenyanRows(5).slice(3)]));
    expect((await hot.once()).exit).toBe(26);
    expect(hot.answer('december.NACK')).toMatchObject({
      code: 'SHEET_LOOKS_PAID',
      what_to_do: expect.stringContaining('same sheet'),
    });
    expect(hot.answer('december.DUPS')).toMatchObject({
      what: 'batch',
      why: hot.answer('december.NACK')?.why,
    });
    expectOnePaymentEach(service, rows);
  });

  it('refuses a sheet with each problem, and takes the mended one under a name of its own', async () => {
    const { service, hot } = await newHot();
    hot.put('november.csv', csvOf([rows[0]!, { ...rows[1]!, amount: '12.50' }]));
    const ran = await hot.once('--json');
    expect(JSON.parse(ran.out)).toMatchObject({ exit: 20, sheets: [{ what: 'taken' }, { what: 'refused', exit: 20 }] });
    expect(hot.answer('november.NACK')).toMatchObject({
      code: 'SHEET_HAS_PROBLEMS',
      problems: [{ row: 3, column: 'amount', code: 'AMOUNT_FRACTION' }],
      files: ['november.CHECKED.xlsx'],
    });
    expect(service.payments).toEqual([]);
    hot.put('november.csv', csvOf(rows.slice(0, 2)));
    expect((await hot.once()).exit).toBe(0);
    expect(hot.answer('november-2.ACK')).toMatchObject({ state: 'ended', rows: { paid: 2 } });
    expect(hot.out()).toContain('november.NACK');
  });

  it('a sheet that is open goes on with its batch, and does not bring back what a newer sheet of it has corrected', async () => {
    const { service, hot } = await newHot();
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 2' ? { kind: 'answer', status: 400 } : undefined;
    hot.put('november.csv', csvOf(rows));
    expect((await hot.once('--wait', '0')).exit).toBe(23);
    const corrected = readFileSync(join(hot.folder, 'out/november.RESULT.csv'), 'utf8').replace('Ref 2', 'Ref 2b');
    hot.put('corrected.csv', corrected);
    expect((await hot.once('--wait', '5s')).exit).toBe(23);
    hot.later('november');
    const again = await hot.once('--wait', '5s');
    expect([again.exit, again.err]).toEqual([0, '']);
    expect(hot.answer('november.ACK')).toMatchObject({ state: 'ended', rows: { total: 3, paid: 3 } });
    expect(service.payments.map(({ reference }) => reference).sort()).toEqual(['Ref 1', 'Ref 2b', 'Ref 3']);
    expect(hot.out().filter((name) => name.endsWith('.DUPS'))).toEqual([]);
  });

  it('keeps an answer that somebody changed, and says where the newer one is', async () => {
    const { service, hot } = await newHot();
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 2' ? { kind: 'answer', status: 400 } : undefined;
    hot.put('november.csv', csvOf(rows));
    expect((await hot.once('--wait', '0')).exit).toBe(23);
    const result = join(hot.folder, 'out/november.RESULT.csv');
    const noted = `${readFileSync(result, 'utf8')},a note\n`;
    writeFileSync(result, noted);
    hot.later('november');
    const again = await hot.once('--wait', '5s');
    expect(again.out + again.err).toContain('Payrun kept november.RESULT.csv');
    expect(hot.out()).toEqual(['november.ACK', 'november.RESULT-2.csv', 'november.RESULT.csv']);
    expect(readFileSync(result, 'utf8')).toBe(noted);
    expect(hot.answer('november.ACK')).toMatchObject({ files: ['november.RESULT-2.csv'] });
  });

  it('keeps an answer that somebody submitted as it is', async () => {
    const { service, hot } = await newHot();
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 2' ? { kind: 'answer', status: 400 } : undefined;
    hot.put('november.csv', csvOf(rows));
    expect((await hot.once('--wait', '0')).exit).toBe(23);
    const result = join(hot.folder, 'out/november.RESULT.csv');
    const submitted = readFileSync(result, 'utf8');
    hot.put('submitted.csv', submitted);
    await hot.once('--wait', '0');
    hot.later('november');
    await hot.once('--wait', '5s');
    expect(readFileSync(result, 'utf8')).toBe(submitted);
    expect(hot.answer('november.ACK')).toMatchObject({ files: ['november.RESULT-2.csv'] });
  });

  const to = (contact_number: string) => rows.map((row) => (row.row_id === 'k3' ? { ...row, contact_number } : row));
  const named = (sheet: readonly SheetRow[]) =>
    csvOf(sheet).replaceAll(/.$/gm, '$&,november').replace('november', 'payrun_batch');

  it('of two sheets of one batch that were taken together, the second is refused: nobody has compared the two', async () => {
    const { service, hot } = await newHot();
    for (const [name, sheet, ago] of [
      ['first.csv', rows, 120_000],
      ['second.csv', to('+254799000222'), 60_000],
    ] as const) {
      const written = new Date(Date.now() - ago);
      utimesSync(hot.put(name, named(sheet)), written, written);
    }
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    expect((await hot.once('--wait', '0', '--concurrency', '1')).exit).toBe(25);
    expect(hot.answer('second.NACK')).toMatchObject({ code: 'VERSION_CONFLICT' });
    service.fault = () => undefined;
    hot.put('third.csv', named(to('+254799000222')));
    await hot.once();
    const third = service.payments.find(({ reference }) => reference === 'Ref 3');
    expect(JSON.stringify(service.merchants.get(String(third?.merchantId)))).toContain('+254799000222');
    expect(service.payments).toHaveLength(3);
  });

  it('leaves what is not complete, is no sheet, or leads elsewhere, and says so', async () => {
    const { service, hot } = await newHot();
    hot.put('half.csv.part', csvOf(rows));
    hot.put('empty.csv', '');
    hot.put('notes.docx', 'x');
    mkdirSync(join(hot.folder, 'folder.csv'));
    symlinkSync(hot.desk.sheet, join(hot.folder, 'link.csv'));
    const growing = hot.put('growing.csv', csvOf(rows.slice(0, 1)));
    const writer = setInterval(() => writeFileSync(growing, ' \n', { flag: 'a' }), 5);
    const ran = await hot.once();
    clearInterval(writer);
    expect(ran.exit).toBe(2);
    expect(ran.err.trim().split('\n').sort()).toEqual([
      `payrun: empty.csv: ${faultWords({ fault: 'hot-file-is-empty' })}`,
      `payrun: folder.csv: ${faultWords({ fault: 'not-a-file' })}`,
      `payrun: link.csv: ${faultWords({ fault: 'is-link' })}`,
      `payrun: notes.docx: ${faultWords({ fault: 'hot-file-is-strange' })}`,
    ]);
    expect(hot.out()).toEqual([]);
    expect(service.payments).toEqual([]);
    expect(existsSync(growing)).toBe(true);
  });

  it('a sheet lies until the watcher may read it, and what goes with it; it is told, and nothing goes without its totals', async () => {
    const { service, hot } = await newHot();
    hot.put('november.csv', csvOf(rows));
    hot.put('november.done', '');
    const totals = hot.put('november.totals.json', '{"totals":{"KES":"1"}}');
    chmodSync(totals, 0o200);
    // As another user: nothing is closed to root, which tests may be run by.
    for (const path of [dirname(hot.desk.folder), hot.desk.folder]) chmodSync(path, 0o711);
    chmodSync(hot.folder, 0o777);
    const look = (): unknown =>
      JSON.parse(
        execFileSync(process.execPath, ['--input-type=module', '-e', lookAsNobody, hot.folder], { encoding: 'utf8' }),
      );
    expect(look()).toEqual({
      sheets: [],
      unsettled: false,
      left: [{ name: 'november.totals.json', why: { fault: 'hot-file-is-unreadable' } }],
    });
    chmodSync(totals, 0o644);
    expect(look()).toEqual({ sheets: ['november.csv'], unsettled: false, left: [] });
    expect(service.payments).toEqual([]);
  });

  it('a mark says that a file is complete, and none that is older than the file', async () => {
    const { hot } = await newHot();
    const before = new Date(Date.now() - 60_000);
    utimesSync(hot.put('old.csv.done', ''), before, before);
    const old = hot.put('old.csv', csvOf(rows));
    // Within each time that it would have to rest.
    const writer = setInterval(() => writeFileSync(old, ' \n', { flag: 'a' }), 5);
    hot.put('marked.csv', csvOf(rows.slice(0, 1)));
    hot.put('marked.ready', '');
    expect((await hot.once()).exit).toBe(0);
    clearInterval(writer);
    expect(hot.out()).toEqual(['marked.ACK', 'marked.RESULT.csv']);
    expect(readdirSync(hot.folder).sort()).toEqual(['old.csv', 'old.csv.done', 'out', 'taken']);
  });

  it('who hands in reads the answers, also where the watcher is one whose files nobody else reads', async () => {
    const { hot } = await newHot();
    chmodSync(hot.folder, 0o2770);
    hot.put('november.csv', csvOf(rows));
    const umask = process.umask(0o077);
    const { ended } = start(hot.desk, ['watch', hot.folder, '--once', '--still', '20ms']);
    process.umask(umask);
    expect(await ended).toMatchObject({ exit: 0 });
    const modeOf = (...names: string[]) => (statSync(join(hot.folder, ...names)).mode & 0o7777).toString(8);
    expect([modeOf('out'), modeOf('out', 'november.ACK'), modeOf('taken')]).toEqual(['2770', '640', '2700']);
  });

  it('a name that is too long, or not one to be shown, is refused and harms nothing', async () => {
    const { service, hot } = await newHot();
    const long = `${'x'.repeat(240)}.csv`;
    hot.put(long, csvOf(rows));
    hot.put('a\u001b[31m\nb.csv', csvOf(rows));
    const ran = await hot.once();
    expect(ran.out + ran.err).not.toContain('\u001b');
    expect(hot.answer(`${'x'.repeat(120)}.NACK`)).toMatchObject({
      code: 'FILE_UNREADABLE',
      why: expect.stringContaining('too long'),
    });
    expectOnePaymentEach(service, rows);
  });

  it('a sheet waits for its approval, is told at each pass, and is paid when plan and signature come', async () => {
    const clock = hotClock();
    const service = await newService(clock);
    // The watcher runs under the name of an approver, who pays nothing in person.
    const actor = { driver: 'terminal', name: 'kofi boateng' } as const;
    const desk = { ...deskFor(service, rows), clock, actor };
    const hot = hotFolder(desk);
    const key = makeKey();
    const kofi = { name: 'Kofi Boateng', keys: [publicLine(publicOf('Kofi Boateng', key))] };
    writeFileSync(
      join(desk.folder, 'payrun.policy.json'),
      JSON.stringify({ version: 1, approvers: [kofi], otherwise: 1, currencies: [] }),
    );
    const made = await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--maker', 'Ama', '--json']);
    const { plan, plan_digest } = JSON.parse(made.out) as { plan: string; plan_digest: string };
    copyFileSync(desk.sheet, join(hot.folder, 'november.csv'));
    const first = await hot.once();
    expect([first.exit, first.out]).toEqual([26, expect.stringMatching(/waits.*exit 26/)]);
    expect(hot.answer('november.ACK')).toMatchObject({ state: 'waits', code: 'SIGNED_PLAN_MISSING' });
    const record = JSON.parse(readFileSync(join(hot.folder, 'taken', 'november', 'taken.json'), 'utf8'));
    expect(record.report).toMatchObject({ end: 'rule', failure: { code: 'SIGNED_PLAN_MISSING', facts: {} } });
    const second = await hot.once();
    expect([second.exit, second.out, second.err]).toEqual([
      26,
      // Which service, ledger and folder it is, and the sheet.
      expect.stringMatching(
        /^payrun · http:.* · ledger .*\n.*\n\S+ {2}november \(november.csv\) waits; .*\n(?: {2}.*\n)*$/,
      ),
      '',
    ]);
    expect(hot.answer('november.ACK')).toMatchObject({ state: 'waits', code: 'SIGNED_PLAN_MISSING' });
    copyFileSync(plan, join(hot.folder, 'november.plan.json'));
    const signed = signatureText(
      sign(key, {
        purpose: 'approve plan',
        digest: plan_digest,
        approver: 'Kofi Boateng',
        at: new Date().toISOString(),
      }),
    );
    hot.put('november.plan.Kofi Boateng.sig.json', signed);
    const paid = await hot.once();
    expect([paid.exit, paid.err]).toEqual([0, '']);
    expect(hot.answer('november.ACK')).toMatchObject({ state: 'ended', batch: 'nov' });
    expectOnePaymentEach(service, rows);
  });

  it('a look tells of each sheet that somebody has to see to, also before that is run again; a quiet one by its exit code', async () => {
    const { service, hot } = await newHotFolder(rows, { PAYRUN_DOUBT_HORIZON: '30m' });
    service.fault = ({ route, nth }) => (route === 'POST /payments' && nth === 3 ? { kind: 'drop' } : undefined);
    hot.put('november.csv', csvOf(rows));
    expect((await hot.once('--quiet')).exit).toBe(22);
    const told = /^\S+ {2}november \(november\.csv\) continues .*exit 22/;
    const again = await hot.once();
    expect([again.exit, again.out.split('\n')[2]]).toEqual([22, expect.stringMatching(told)]);
    const quiet = await hot.once('--quiet');
    expect([quiet.exit, quiet.out + quiet.err]).toEqual([22, '']);
    const { sheets, exit } = JSON.parse((await hot.once('--json')).out) as { sheets: unknown[]; exit: number };
    expect([exit, sheets]).toEqual([22, [expect.objectContaining({ what: 'open', name: 'november', exit: 22 })]]);
    // What only waits for the service is at its end neither, and needs nobody.
    service.fault = () => undefined;
    hot.put('december.csv', csvOf(kenyanRows(4).slice(3)));
    expect((await hot.once('--wait', '0')).exit).toBe(22);
    const both = await hot.once();
    expect([both.exit, both.out.trim().split('\n').slice(2)]).toEqual([22, [expect.stringMatching(told)]]);
  });

  it('a folder in which the watcher cannot keep its own files is refused', async () => {
    const { hot } = await newHot();
    mkdirSync(join(hot.folder, 'taken/.watch.db'), { recursive: true });
    const ran = await hot.once('--json');
    const facts = { path: join(hot.folder, 'taken/.watch.db') };
    expect([ran.exit, refusalOf(ran)]).toMatchObject([2, { code: 'FOLDER_UNUSABLE', facts }]);
  });

  it('reports once that its folder is gone, and watches it again when it is back', async () => {
    const { service, hot, clock } = await newHot();
    const keyboard = new EventEmitter();
    let printed = '';
    keyboard.on('told', (text: string) => (printed = text));
    const watching = command(
      hot.desk,
      ['watch', hot.folder, '--every', '50ms', '--still', '20ms', '--wait', '5s'],
      keyboard,
    );
    hot.put('october.csv', csvOf(kenyanRows(4).slice(3)));
    await until('it watches', () => hot.answer('october.ACK')?.state === 'ended');
    // That of the answers alone is made again.
    rmSync(join(hot.folder, 'out'), { recursive: true });
    await until('it is made again', () => existsSync(join(hot.folder, 'out')));
    const away = `${hot.folder}-away`;
    renameSync(hot.folder, away);
    // Where it was mounted there is an empty folder now, which is another one.
    mkdirSync(hot.folder);
    await until('the watcher reports it', () => printed.includes("subfolder 'taken'"));
    const { sleeps } = clock;
    await until('it has looked several times more', () => clock.sleeps > sleeps + 5);
    expect(readdirSync(hot.folder)).toEqual([]);
    rmSync(hot.folder, { recursive: true });
    renameSync(away, hot.folder);
    hot.put('november.csv', csvOf(rows));
    await until('it is paid', () => hot.answer('november.ACK')?.state === 'ended');
    keyboard.emit('SIGTERM');
    const { exit, err } = await watching;
    expect([exit, err.match(/subfolder 'taken'/g)?.length]).toEqual([0, 1]);
    expect(err.match(/^payrun: .*hot\/out was missing/gm)).toHaveLength(1);
    expectOnePaymentEach(service, kenyanRows(4));
  });

  it('continues a batch by itself after the service refused its key', async () => {
    const { service, hot } = await newHot();
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    hot.put('november.csv', csvOf(rows));
    expect((await hot.once()).exit).toBe(25);
    service.fault = () => undefined;
    hot.later('november');
    expect((await hot.once()).exit).toBe(0);
    expectOnePaymentEach(service, rows);
  });

  it('leaves open a batch that a person stopped, until a person continues it', async () => {
    const { service, hot } = await newHot();
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    hot.put('november.csv', csvOf(rows));
    expect((await hot.once()).exit).toBe(25);
    service.fault = () => undefined;
    const batch = String(hot.answer('november.ACK')?.batch);
    const ledger = openLedger(hot.desk.env.PAYRUN_LEDGER!, systemClock);
    await ledger.leads.stop(batch, { by: 'Ada', why: { code: 'STOPPED', facts: { signal: null, hasEnded: true } } });
    await ledger.close();
    hot.later('november');
    const left = await hot.once();
    expect([left.exit, left.out]).toEqual([23, expect.stringContaining(`payrun resume ${batch}`)]);
    expect([service.payments.length, hot.answer('november.ACK')]).toMatchObject([
      0,
      { state: 'open', code: 'STOPPED_BEFORE', rows: { not_sent: 3 } },
    ]);
    await command(hot.desk, ['resume', batch, '--wait', '20s']);
    hot.later('november');
    expect((await hot.once()).exit).toBe(0);
    expectOnePaymentEach(service, rows);
  });

  it('opens no version of a batch that a person stopped', async () => {
    const { service, hot } = await newHot();
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    const { batch } = documentOf(await command(hot.desk, ['run', hot.desk.sheet, '--json', '--wait', '0']));
    service.fault = () => undefined;
    const ledger = openLedger(hot.desk.env.PAYRUN_LEDGER!, systemClock);
    await ledger.leads.stop(batch!, { by: 'Ada', why: { code: 'STOPPED', facts: { signal: null, hasEnded: true } } });
    await ledger.close();
    hot.put('november.csv', csvOf(rows));
    expect((await hot.once()).exit).toBe(23);
    expect([service.payments.length, hot.answer('november.ACK')]).toMatchObject([0, { code: 'STOPPED_BEFORE' }]);
  });

  it('two watchers: one works, the other takes over when it dies; no sheet is lost, and none taken twice', async () => {
    const { service, hot } = await newHot();
    const argv = ['watch', hot.folder, '--every', '50ms', '--still', '50ms', '--wait', '5s'];
    const watchers = [start(hot.desk, argv), start(hot.desk, argv)];
    await until('one watches', () => existsSync(join(hot.folder, 'taken')));
    const sheets = Array.from({ length: 4 }, (_, sheet) =>
      kenyanRows(12)
        .slice(sheet * 3, sheet * 3 + 3)
        .map((row): SheetRow => ({ ...row, row_id: `s${sheet}-${row.row_id}` })),
    );
    sheets.slice(0, 2).forEach((sheet, index) => {
      hot.put(`sheet${index}.csv`, csvOf(sheet));
    });
    await until('payments are made', () => service.payments.length > 1);
    const ran = await hot.once('--json');
    const holder = { fault: 'held-by-process' };
    expect([ran.exit, refusalOf(ran)]).toMatchObject([24, { code: 'FOLDER_BUSY', facts: { holder } }]);
    const dying = watchers.find(({ child }) => ran.out.includes(`"process":${child.pid},`))!;
    dying.child.kill('SIGKILL');
    await dying.ended;
    sheets.slice(2).forEach((sheet, index) => {
      hot.put(`sheet${index + 2}.csv`, csvOf(sheet));
    });
    await until('all are paid', () => sheets.every((_, index) => hot.answer(`sheet${index}.ACK`)?.state === 'ended'));
    const living = watchers.find((one) => one !== dying)!;
    living.child.kill('SIGTERM');
    expect((await living.ended).exit).toBe(0);
    expectOnePaymentEach(service, sheets.flat());
    expect(hot.out().filter((name) => name.endsWith('.ACK'))).toHaveLength(4);
  });

  it.each(['after mkdir of folder:1', 'after rename of sheet:1', 'after POST /payments:2', 'after rename of RESULT:1'])(
    'killed %s, the next watcher goes on, and pays nothing twice',
    async (point) => {
      const world = await newWorld({ rows: 3, concurrency: 1, documents: 0 });
      try {
        const folder = join(world.folder, 'hot');
        mkdirSync(folder);
        copyFileSync(world.sheet, join(folder, 'november.csv'));
        const words = ['watch', folder, '--once', '--still', '20ms', '--wait', '5s', '--concurrency', '1'];
        const killed = await run(world, { POINT: point }, words);
        expect([killed.signal, killed.err]).toEqual(['SIGKILL', '']);
        const next = await run(world, {}, words);
        expect([next.exit, next.err]).toEqual([0, '']);
        expect(world.service.payments.map(({ reference }) => reference).sort()).toEqual(['Ref 1', 'Ref 2', 'Ref 3']);
        expectNoTwins(world.service);
        expect(readdirSync(folder).sort()).toEqual(['out', 'taken']);
        const answers = readdirSync(join(folder, 'out')).filter((name) => !name.startsWith('.'));
        expect(answers.sort()).toEqual(['november.ACK', 'november.RESULT.csv']);
        expect(JSON.parse(readFileSync(join(folder, 'out/november.ACK'), 'utf8'))).toMatchObject({
          state: 'ended',
          rows: { paid: 3 },
        });
        expect(readdirSync(join(folder, 'taken/november')).sort()).toEqual([
          '.payrun-files.jsonl',
          'november.csv',
          'november.result.csv',
          'taken.json',
        ]);
      } finally {
        await world.close();
      }
    },
  );

  it.each(['write ENOSPC', 'rename EACCES'] as const)(
    '%s at one call after another: it is told, and nothing is lost',
    async (fault) => {
      const world = await newWorld({ rows: 1, concurrency: 1, documents: 0 });
      try {
        const folder = join(world.folder, 'hot');
        mkdirSync(folder);
        const words = ['watch', folder, '--once', '--still', '5ms', '--wait', '5s'];
        for (let n = 1; ; n += fault.startsWith('rename') ? 3 : 7) {
          writeFileSync(
            join(folder, 'sheet.csv'),
            readFileSync(world.sheet, 'utf8').replaceAll('k1', `k${n}`).replaceAll('Ref 1', `Ref ${n}`),
          );
          const watcher = newWatcher(world.folder, [{ name: faults[fault].at, k: n, act: faults[fault].act }]);
          const failed = await runHere(world, watcher, words);
          if (!watcher.fired()) break;
          if (failed.exit !== 0) expect(failed.out + failed.err, `${fault}:${n}`).toMatch(/ENO|EAC|EIO|exit \d|cannot/);
          for (let tries = 0; tries < 3; tries += 1) {
            for (const name of existsSync(join(folder, 'taken')) ? readdirSync(join(folder, 'taken')) : []) {
              // Time passes.
              const record = join(folder, 'taken', name, 'taken.json');
              if (existsSync(record))
                writeFileSync(record, readFileSync(record, 'utf8').replace(/"again_at": ".*"/, '"again_at": null'));
            }
            await run(world, {}, words);
          }
          const made = world.service.payments.map(({ reference }) => reference);
          expect(
            made.filter((reference) => reference === `Ref ${n}`),
            `${fault}:${n}`,
          ).toHaveLength(1);
          expect(existsSync(join(folder, 'sheet.csv')), `${fault}:${n}: ${failed.out}${failed.err}`).toBe(false);
        }
        const answers = readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.ACK'));
        const states = answers.map(
          (name) => (JSON.parse(readFileSync(join(folder, 'out', name), 'utf8')) as { state: string }).state,
        );
        expect(new Set(states)).toEqual(new Set(['ended']));
      } finally {
        await world.close();
      }
    },
  );
});
