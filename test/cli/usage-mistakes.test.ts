/** Slips of a person in a hurry: a wrong key first, a reader that goes away, a template over a filled sheet, names that a shell would eat. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programOf } from '../../src/cli/args/program.ts';
import { mainFile, sourceFile } from '../program.ts';
import {
  command,
  csvOf,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  newFolder,
  pay,
  refusalOf,
  start,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

/** As the tests' own processes are started. */
const here = { argv0: process.execPath, npmScript: undefined };

describe.concurrent('a wrong first configuration', () => {
  it('does not lock the batch: with the right key the same command pays', async () => {
    const service = await newService();
    const rows = kenyanRows(2);
    const wrong = deskFor(service, rows, { PAYRUN_API_KEY: 'another' });
    const first = await pay(wrong, '--batch', 'nov');
    expect([first.exit, first.document.sent, first.document.rows.not_sent]).toEqual([25, 0, 2]);
    const right = { ...wrong, env: { ...wrong.env, PAYRUN_API_KEY: service.apiKey } };
    const second = await pay(right, '--batch', 'nov');
    expect([second.exit, second.document.sent]).toEqual([23, 2]);
    expectOnePaymentEach(service, rows);
  });

  it('resume too goes on with the right key while nothing was sent', async () => {
    const service = await newService();
    const wrong = deskFor(service, kenyanRows(2), { PAYRUN_API_KEY: 'another' });
    await pay(wrong, '--batch', 'nov');
    const env = { ...wrong.env, PAYRUN_API_KEY: service.apiKey };
    const resumed = await command({ ...wrong, env }, ['resume', 'nov', '--json', '--wait', '0']);
    expect(JSON.parse(resumed.out)).toMatchObject({ sent: 2, exit: 23 });
  });

  it('once something was sent, another key is refused, and the message tells the two apart', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    await pay(desk, '--batch', 'nov');
    const other = { ...desk, env: { ...desk.env, PAYRUN_API_KEY: 'another' } };
    const ran = await command(other, ['run', desk.sheet, '--batch', 'nov', '--wait', '0', '--json']);
    const { code, facts } = refusalOf(ran) as { code: string; facts: { was: string; now: string } };
    expect([ran.exit, code]).toEqual([26, 'IDENTITY_CHANGED']);
    expect(facts.was).not.toBe(facts.now);
  });
});

describe.concurrent('what is printed', () => {
  it('can be pasted, whatever the batch and the file are called', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    const file = join(desk.folder, "it's $HOME.csv");
    writeFileSync(file, csvOf(kenyanRows(2)));
    await command(desk, ['run', file, '--batch', 'a b;c', '--wait', '0']);
    writeFileSync(file, csvOf(kenyanRows(3)));
    const again = await command(desk, ['run', file, '--batch', 'other', '--wait', '0']);
    expect(again.exit).toBe(26);
    expect(again.err).toContain(`payrun run '${file.replace("'", "'\\''")}' --batch 'a b;c' --add`);
  });

  it('may have lost its reader: the run ends as it would have', async () => {
    const service = await newService();
    const rows = kenyanRows(30);
    const desk = deskFor(service, rows);
    const child = spawn(process.execPath, [mainFile, 'run', desk.sheet, '--wait', '0'], {
      env: { ...process.env, ...desk.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const code = await new Promise((done) => child.once('exit', done));
    expect([code, err]).toEqual([23, '']);
    expectOnePaymentEach(service, rows);
  });
});

describe.concurrent('a repeat', () => {
  it('that was begun with its reason goes on without it', async () => {
    const service = await newService();
    const rows = kenyanRows(3);
    const desk = deskFor(service, rows);
    await pay(desk, '--batch', 'nov');
    await pay(desk, '--batch', 'again', '--confirm-repeat', 'a correction');
    const further = await pay(desk, '--batch', 'again');
    expect([further.document.sent, further.exit]).toEqual([0, 23]);
  });
});

it('template never writes over a file that is there', async () => {
  const desk = deskFor(null, []);
  const first = await command(desk, ['template', '--out', 'mine.xlsx']);
  const second = await command(desk, ['template', '--out', 'mine.xlsx']);
  expect([first.exit, second.exit]).toEqual([0, 2]);
});

it('check refuses what run would refuse: a BTC amount without its unit', async () => {
  const desk = deskFor(null, []);
  writeFileSync(
    join(desk.folder, 'btc.csv'),
    'Payee,Country,LN Address,Amount,Reference\nSat,BTC,a@example.com,100,TIP\n',
  );
  expect((await command(desk, ['check', 'btc.csv'])).exit).toBe(20);
});

describe.concurrent('how it was started', () => {
  it.each([
    ['/opt/payrun/src/cli/main.ts', 'start', 'npm start --'],
    ['/opt/pay run/src/cli/main.ts', 'test', "node '/opt/pay run/src/cli/main.ts'"],
    ['/opt/payrun/src/cli/main.ts', undefined, 'node /opt/payrun/src/cli/main.ts'],
    ['/usr/lib/node_modules/payrun/dist/program/main.mjs', undefined, 'payrun'],
  ])('%s (npm: %s) is started again by %s', (file, npmScript, program) => {
    expect(programOf(file, { argv0: 'node', npmScript })).toBe(program);
  });

  it('by npm, from a folder within the project: paths are meant from there', async () => {
    const desk = deskFor(null, kenyanRows(2));
    const env = { ...desk.env, npm_lifecycle_event: 'start', INIT_CWD: desk.folder };
    const { exit, out } = await start(
      { ...desk, env, folder: newFolder() },
      ['check', basename(desk.sheet)],
      sourceFile,
    ).ended;
    expect([exit, out]).toEqual([0, expect.stringContaining('2 rows')]);
  });

  it('is how printed commands start it again', async () => {
    const desk = deskFor(await newService(), kenyanRows(2));
    const name = 'the payrun run';
    const run = ['run', desk.sheet, '--batch', name, '--wait', '0'];
    const shown = await start(desk, run, sourceFile).ended;
    expect([shown.exit, shown.out]).toEqual([
      23,
      expect.stringContaining(`  next: ${programOf(sourceFile, here)} resume '${name}'\n`),
    ]);
  });
});

it('a file name with spaces stands in quotes', async () => {
  const desk = deskFor(await newService(), kenyanRows(1));
  const { exit, err } = await command(desk, ['run', 'november', 'pay.csv']);
  expect([exit, err]).toEqual([2, expect.stringContaining('with spaces')]);
});

describe.concurrent('the other ledger, of the sandbox or not', () => {
  it('is named where the one that is asked is not there', async () => {
    const { env, ...desk } = deskFor(await newService(), kenyanRows(1));
    const { PAYRUN_LEDGER: _, ...without } = env;
    const own = { ...desk, env: without };
    const status = async (...more: string[]) => (await command(own, ['status', ...more])).err;
    expect(await status()).toMatch(/ no ledger at \S+ [^;]*\n/);
    await command(own, ['run', desk.sheet, '--batch', 'nov', '--sandbox', '--wait', '20s']);
    expect(await status()).toMatch(/ no ledger at \S+ .*; .* --sandbox\n/);
    await command(own, ['run', desk.sheet, '--batch', 'dec', '--wait', '0']);
    expect(await status('nov')).toContain('`payrun list`');
  });

  it('is where the next step leads, also from a ledger that was named', async () => {
    const desk = deskFor(null, kenyanRows(1));
    await command(desk, ['run', desk.sheet, '--batch', 'nov', '--sandbox', '--wait', '0']);
    expect(documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code'])).next).toMatchObject([
      { action: 'resume', batch: 'nov', command: 'payrun resume nov --sandbox' },
    ]);
  });
});
