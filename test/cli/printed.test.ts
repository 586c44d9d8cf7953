/** Commands that are printed are pasted: each leads back to the same sheet, read in the same way, at the same service and ledger. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpOf } from '../../src/cli/args/command-line.ts';
import { repeatedNames } from '../../src/cli/args/options.ts';
import { daysAgo } from '../protocol/desk.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  newFolder,
  pay,
  type Ran,
  refusalOf,
  type SheetRow,
  wordsOf,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

/** From elsewhere, with nothing in the environment that names the ledger. */
async function pasted(desk: Desk, line: string, ...more: string[]): Promise<Ran> {
  const [payrun, ...words] = wordsOf(line);
  expect(payrun).toBe('payrun');
  const { PAYRUN_LEDGER: _, ...env } = desk.env;
  return await command({ env, folder: newFolder() }, [...words, '--json', ...more]);
}

const printedRun = (text: string): string => /payrun run [^\n(]*/.exec(text)?.[0].trim() ?? '';

const odd = [
  ['--number-format', '1,234.56'],
  ['--account-checks', 'warn'],
  ['--documents', 'papers of "Nov"'],
  ['--documents-policy', 'warn'],
  ['--from-country', 'Europe'],
  ['--out', "o'results"],
  ['--concurrency', '2'],
  ['--include-hidden'],
  ['--skip-invalid'],
  ['--allow-momo-push'],
  ['--update-names'],
].flat();

/** Rows that only these options make payable. */
async function oddDesk() {
  const service = await newService();
  const rows = kenyanRows(3).map((row) => ({ ...row, amount: `1,${row.amount}` }));
  const desk = deskFor(service, rows.slice(0, 2));
  for (const folder of ['papers of "Nov"', "o'results"]) mkdirSync(join(desk.folder, folder));
  const run = (...more: string[]) =>
    command(desk, ['run', desk.sheet, '--ledger', desk.ledger, '--batch', 'nov', '--wait', '20s', ...odd, ...more]);
  return { service, desk, rows, run };
}

it('every option of run is repeated, or is one that a printed command must not repeat', async () => {
  const help = await helpOf('run');
  const options = [...help.matchAll(/^ +--([a-z-]+)/gm)].map(([, name]) => name);
  const others = ['help', 'version', 'json', 'quiet', 'fresh', 'wait', 'approve', 'policy', 'log'];
  const repeated = repeatedNames.map((name) => name.replaceAll(/[A-Z]/g, (big) => `-${big.toLowerCase()}`));
  // These stand in each printed command by themselves.
  const own = [
    'ledger',
    'as-user',
    'sandbox',
    'batch',
    'add',
    'drop',
    'confirm-repeat',
    'confirm-variance',
    'map',
    'only',
    'ignore-column',
  ];
  expect(new Set(options)).toEqual(new Set([...repeated, ...others, ...own]));
});

describe.concurrent('a printed run', () => {
  it('for rows to be mended reads the sheet as it was read', async () => {
    const { service, desk, run } = await oddDesk();
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 2'
        ? { kind: 'answer', status: 422, body: { message: 'no' } }
        : undefined;
    const first = documentOf(await run('--json'));
    expect([first.exit, first.rows]).toMatchObject([21, { paid: 1, unpaid: 1 }]);
    const status = documentOf(await command(desk, ['status', 'nov', '--ledger', desk.ledger, '--json', '--exit-code']));
    expect(status.next).toEqual(first.next);
    const line = first.next.find(({ command: text }) => text.includes(' run '))?.command ?? '';
    expect(line).toContain(` --documents '${join(desk.folder, 'papers of "Nov"')}' --documents-policy warn `);
    service.fault = () => undefined;
    writeFileSync(
      desk.sheet,
      csvOf(
        kenyanRows(2).map((row) => ({
          ...row,
          amount: `1,${row.amount}`,
          reference: row.reference === 'Ref 2' ? 'Ref 22' : (row.reference ?? ''),
        })),
      ),
    );
    const again = documentOf(await pasted(desk, line, '--wait', '20s'));
    expect([again.exit, again.rows.paid, again.result]).toEqual([0, 2, first.result]);
  });

  it('for a new row does so too', async () => {
    const { service, desk, rows, run } = await oddDesk();
    await run();
    writeFileSync(desk.sheet, csvOf(rows));
    const refused = await run();
    expect(refused.exit).toBe(26);
    const added = documentOf(await pasted(desk, printedRun(refused.err), '--wait', '20s'));
    expect([added.exit, added.sent, service.payments.map(({ amount }) => amount)]).toEqual([0, 1, [1100, 1101, 1102]]);
  });

  it('for rows that look paid does so too', async () => {
    const { desk, rows, run } = await oddDesk();
    await run();
    writeFileSync(desk.sheet, csvOf(rows));
    const refused = await command(desk, ['run', desk.sheet, '--ledger', desk.ledger, '--batch', 'dec', ...odd]);
    expect(refused.exit).toBe(26);
    const again = documentOf(await pasted(desk, printedRun(refused.err), '--wait', '20s'));
    expect([again.batch, again.sent, again.rows.paid]).toEqual(['nov', 1, rows.length]);
  });

  it('says nothing that was not said', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    await command(desk, ['run', desk.sheet, '--batch', 'nov']);
    writeFileSync(desk.sheet, csvOf(kenyanRows(3)));
    const refused = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--concurrency', '8']);
    expect(printedRun(refused.err)).toBe(`payrun run ${desk.sheet} --batch nov --add`);
  });
});

describe.concurrent('other printed commands', () => {
  it('lead back to the ledger: the alarm of two payments', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(1));
    const argv = ['run', desk.sheet, '--ledger', desk.ledger, '--batch', "ann's nov", '--wait', '0', '--json'];
    await command(desk, argv);
    const [payment] = service.payments;
    service.payments.push({ ...payment!, id: 'a-second-one' });
    const look = ['reconcile', "ann's nov", '--ledger', desk.ledger, '--json'];
    const document = documentOf(await command(desk, look));
    expect([document.exit, document.stopped?.code]).toEqual([27, 'PAID_TWICE']);
    const line = /payrun resolve .*TEXT\S*( --ledger \S+)?/.exec(document.stopped?.message ?? '')?.[0] ?? '';
    expect((await pasted(desk, line.replace('TEXT', 'returned'))).exit, line).not.toBe(2);
  });

  it('lead back to the ledger from another folder', async () => {
    const desk = deskFor(await newService(), kenyanRows(1));
    const argv = ['--ledger', join('state', 'own.db'), '--json'];
    const { next } = documentOf(await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0', ...argv]));
    const named = `payrun resume nov --ledger ${join(desk.folder, 'state', 'own.db')}`;
    expect(next).toMatchObject([{ action: 'resume', command: named, after: null }]);
    const status = await command(desk, ['status', 'nov', ...argv]);
    expect(JSON.parse(status.out)).toMatchObject({ next });
  });

  it('lead back to the ledger: another key', async () => {
    const [service, other] = [await newService(), await newService()];
    const desk = deskFor(service, kenyanRows(1));
    const argv = ['run', desk.sheet, '--ledger', desk.ledger, '--batch', "ann's nov", '--wait', '0'];
    await command(desk, argv);
    const elsewhere = {
      ...desk,
      env: {
        ...desk.env,
        PAYRUN_BASE_URL: other.url,
        PAYRUN_API_KEY: other.apiKey,
        PAYRUN_API_SECRET: other.apiSecret,
      },
    };
    const ran = await command(elsewhere, [...argv, '--json']);
    expect(ran.exit).toBe(26);
    expect(refusalOf(ran)).toMatchObject({
      code: 'IDENTITY_CHANGED',
      facts: { batch: "ann's nov", command: { action: 'rebind', batch: "ann's nov" } },
    });
    expect(ran.err).toContain(`payrun ledger rebind 'ann'\\''s nov' --reason TEXT --ledger ${desk.ledger}.`);
  });

  it('lead back to the ledger: a payment with other content under a tag', async () => {
    const service = await newService();
    await pay(deskFor(service, [{ ...kenyanRows(1)[0], amount: '7' }]), '--batch', "ann's nov");
    const desk = deskFor(service, kenyanRows(1));
    const argv = ['run', desk.sheet, '--ledger', desk.ledger, '--batch', "ann's nov", '--wait', '0', '--json'];
    const document = documentOf(await command(desk, argv));
    expect(document.rows.held).toBe(1);
    const explained = await command(desk, ['explain', "ann's nov", 'k1', '--ledger', desk.ledger, '--json']);
    expect(JSON.parse(explained.out).next.command).toMatch(
      new RegExp(`^payrun resolve 'ann'\\\\''s nov' --row k1 --seen [0-9a-f]{12} --paid \\S+ --ledger ${desk.ledger}$`),
    );
  });
});

/** November's row has a new account, and is held. The row's next account is …0333. */
async function withNewAccount() {
  const [row] = kenyanRows(1);
  const desk = deskFor(await newService(), [row!]);
  await pay(desk, '--batch', 'oct');
  const changed = (digits: string) => [
    { ...row, row_id: 'L1', reference: 'Ref Nov', contact_number: `0722000${digits}` },
  ];
  return { desk, sheet: changed('111'), next: changed('333'), flags: [] };
}

/** Row L1 repeats a paid row, and is held. It then repeats another paid row. */
async function withRepeat() {
  const rows = kenyanRows(2);
  const desk = deskFor(await newService(), rows);
  await pay(desk, '--batch', 'nov');
  const twin = (nth: number) => [...rows, { ...rows[nth], row_id: 'L1' }];
  return { desk, sheet: twin(0), next: twin(1), flags: ['--add'] };
}

describe.concurrent('a printed decision is refused after its row changed, and done under the state as it is now', () => {
  it.for([
    ['release-row', withNewAccount],
    ['allow-repeat', withRepeat],
    ['drop-rows', withRepeat],
  ] as const)('%s', async ([action, begin]) => {
    const { desk, sheet, next, flags } = await begin();
    const run = async (rows: readonly SheetRow[], more: readonly string[]) => {
      writeFileSync(desk.sheet, csvOf(rows));
      const argv = ['run', desk.sheet, '--ledger', desk.ledger, '--batch', 'nov', ...more, '--wait', '0', '--json'];
      const { next: steps } = documentOf(await command(desk, argv));
      return (
        steps
          .find((step) => step.action === action)
          ?.command.replace('NAME', 'Kofi')
          .replace('TEXT', 'asked') ?? ''
      );
    };
    const [before, now] = [await run(sheet, flags), await run(next, [])];
    const refused = await pasted(desk, before);
    expect(refusalOf(refused)).toMatchObject({ code: 'ROW_MOVED', facts: { batch: 'nov', row: 'L1' } });
    expect(documentOf(await pasted(desk, now))).toMatchObject({ stopped: null });
  });

  it('reopen-rows, of a row that was closed again', async () => {
    const { desk, sheet } = await withRepeat();
    writeFileSync(desk.sheet, csvOf(sheet));
    const argv = ['--ledger', desk.ledger, '--json'];
    await command(desk, ['run', desk.sheet, '--batch', 'nov', '--add', ...argv]);
    const close = async (reason: string) => {
      await command(desk, ['drop', 'nov', '--row', 'L1', '--reason', reason, ...argv]);
      const { next } = JSON.parse((await command(desk, ['explain', 'nov', 'L1', ...argv])).out);
      return next.command.replace('TEXT', 'owed');
    };
    const before = await close('a repeat');
    await command(desk, ['reopen', 'nov', '--row', 'L1', '--reason', 'owed', ...argv]);
    const now = await close('paid by hand');
    expect(refusalOf(await pasted(desk, before))).toMatchObject({ code: 'ROW_MOVED', facts: { row: 'L1' } });
    expect(documentOf(await pasted(desk, now)).rows.closed).toBe(0);
  });
});

describe('a ledger whose copies of the sheets are gone', () => {
  it('says so, that nothing is lost, and how to go on', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    await pay(desk, '--batch', 'nov');
    rmSync(join(desk.folder, 'state', 'sheets'), { recursive: true });
    const on = await command(desk, ['resume', 'nov', '--wait', '20s', '--json', '--ledger', desk.ledger]);
    expect([on.exit, documentOf(on).result, documentOf(on).notes]).toEqual([2, null, []]);
    const gone = { code: 'SHEET_COPY_GONE', facts: { folder: join(desk.folder, 'state', 'sheets'), batch: 'nov' } };
    expect(documentOf(on).stopped).toMatchObject(gone);
    const report = await command(desk, ['report', 'nov', '--json', '--ledger', desk.ledger]);
    expect(report.exit).toBe(2);
    expect(refusalOf(report)).toMatchObject(gone);
    expect((await pasted(desk, /payrun list nov[^\n]*? --ledger \S+/.exec(report.err)?.[0] ?? '')).exit).toBe(0);
    const again = await pasted(desk, printedRun(report.err));
    expect([again.exit, documentOf(again).sent]).toEqual([0, 0]);
    expect((await command(desk, ['report', 'nov', '--ledger', desk.ledger])).exit).toBe(0);
  });

  it('gets the copy back from the same sheet, also when the batch was paid more than a day ago', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    await daysAgo(service, [desk], 2);
    rmSync(join(desk.folder, 'state', 'sheets'), { recursive: true });
    const refused = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--json']);
    expect([refused.exit, refusalOf(refused).code]).toEqual([26, 'BATCH_PAID']);
    expect((await command(desk, ['report', 'nov', '--ledger', desk.ledger])).exit).toBe(0);
  });
});
