/** Slips of a person in a hurry: a wrong key first, a reader that goes away, a template over a filled sheet, names that a shell would eat. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, csvOf, deskFor, expectOnePaymentEach, kenyanRows, mainFile, newService, pay } from '../support.ts';

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
    const ran = await command(other, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
    expect(ran.exit).toBe(26);
    const [, was, now] = /was sent from as (.*?); this run is (.*?), which/.exec(ran.err) ?? [];
    expect(was).not.toBe(now);
  });
});

describe.concurrent('what is printed', () => {
  it('can be pasted, whatever the batch and the file are called', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(1));
    const file = join(desk.folder, "it's $HOME.csv");
    writeFileSync(file, csvOf(kenyanRows(1)));
    await command(desk, ['run', file, '--batch', 'a b;c', '--wait', '0']);
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
