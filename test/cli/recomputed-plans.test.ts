/** A plan opens a version only if it still does to each row what it showed. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { ShownOutcome } from '../../src/cli/render/outcome-document.ts';
import { command, csvOf, type Desk, documentOf, kenyanRows, newFolder, refusalOf, type SheetRow } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(3);
const [first, second, third] = rows as [SheetRow, SheetRow, SheetRow];

const said = async (desk: Desk, ...argv: string[]) => await command(desk, [...argv, '--json']);

async function planned(desk: Desk, sheet: readonly SheetRow[], ...more: string[]): Promise<ShownOutcome> {
  writeFileSync(desk.sheet, csvOf(sheet));
  return documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov', ...more));
}

function versionsIn(desk: Desk): unknown {
  const ledger = new DatabaseSync(desk.ledger, { readOnly: true });
  const { versions } = ledger.prepare('SELECT count(*) AS versions FROM sheet').get() ?? {};
  ledger.close();
  return versions;
}

const approved = async (desk: Desk, { plan_digest: digest }: ShownOutcome, ...more: string[]) =>
  await said(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s', '--approve', digest ?? '', ...more);

/** Batch nov is open, and the service refuses each payment that `refuses` names. */
async function openDesk(refuses: (body: unknown) => number | null) {
  const service = await newService();
  service.fault = ({ route, body }) => {
    const status = route === 'POST /payments' ? refuses(body) : null;
    return status === null ? undefined : { kind: 'answer', status };
  };
  const desk = deskFor(service, rows);
  const run = async (...argv: string[]) => await said(desk, ...argv, '--wait', '20s');
  await run('run', desk.sheet, '--batch', 'nov');
  return { service, desk, run, posts: () => service.calls.get('POST /payments') ?? 0 };
}

it('a row that was to be sent, and was paid meanwhile, voids the plan', async () => {
  const { service, desk, run, posts } = await openDesk(() => 401);
  const made = await planned(desk, [first, second, { ...third, amount: '900' }]);
  expect(made.rows.not_sent).toBe(3);
  service.fault = () => undefined;
  expect(documentOf(await run('resume', 'nov')).rows.paid).toBe(3);
  const before = posts();
  const ran = await approved(desk, made);
  expect([ran.exit, posts() - before]).toEqual([26, 0]);
});

it('a row that the plan closes, and that was paid meanwhile, voids the plan', async () => {
  const { service, desk, run, posts } = await openDesk(() => 401);
  const made = await planned(desk, [first, second], '--drop');
  service.fault = () => undefined;
  await run('resume', 'nov');
  const before = posts();
  const ran = await approved(desk, made, '--drop');
  expect([ran.exit, posts() - before]).toEqual([26, 0]);
  const gone = { fault: 'warning-is-gone', problem: { code: 'ROW_DROPPED' } };
  const effect = (row: number) => ({ fault: 'effect-differs', row, was: 'not sent', now: 'paid' });
  expect(refusalOf(ran)).toMatchObject({ facts: { differences: { shown: [effect(2), effect(3), gone] } } });
});

it('a row that the plan opens again, and that was opened and closed again meanwhile, voids the plan', async () => {
  const { desk, posts } = await openDesk(() => 401);
  const drop = async (reason: string) => await said(desk, 'drop', 'nov', '--row', 'k3', '--reason', reason);
  await drop('Not owed');
  const made = await planned(desk, rows);
  await said(desk, 'reopen', 'nov', '--row', 'k3', '--reason', 'It is owed');
  await drop('Paid by hand');
  const before = posts();
  const ran = await approved(desk, made);
  expect([ran.exit, posts() - before]).toEqual([26, 0]);
  const isNew = { fault: 'warning-is-new', problem: { code: 'ROW_CLOSED', facts: { why: 'Paid by hand' } } };
  expect(refusalOf(ran)).toMatchObject({ facts: { differences: { shown: [isNew] } } });
});

it.each(['unpaid', 'paid'] as const)(
  'a row that the plan sends again, and that is %s meanwhile, voids the plan',
  async (word) => {
    const { service, desk, run, posts } = await openDesk((body) =>
      JSON.stringify(body).includes(String(third.reference)) ? 422 : null,
    );
    const made = await planned(desk, rows, '--retry');
    expect(made.rows).toMatchObject({ paid: 2, not_sent: 1 });
    if (word === 'paid') service.fault = () => undefined;
    expect(documentOf(await run('retry', 'nov')).rows[word]).toBe(word === 'paid' ? 3 : 1);
    const before = posts();
    const ran = await approved(desk, made);
    expect([ran.exit, posts() - before]).toEqual([26, 0]);
    const newest = { sheet: 'november.csv', by: expect.any(String), at: expect.any(Number) };
    expect(refusalOf(ran)).toMatchObject({ code: 'VERSION_CONFLICT', facts: { newest, command: { retry: ['k3'] } } });
  },
);

it('a plan that opened the newest version opens no other, and the same command continues the batch', async () => {
  const { service, desk, run } = await openDesk(() => 401);
  const made = await planned(desk, [first, second], '--drop');
  expect((await approved(desk, made, '--drop')).exit).toBe(25);
  service.fault = () => undefined;
  await run('resume', 'nov');
  const versions = versionsIn(desk);
  const ran = await approved(desk, made, '--drop');
  expect([ran.exit, documentOf(ran).rows.paid, versionsIn(desk)]).toEqual([0, 2, versions]);
});

it('a begun plan continues without the copy of its sheet, as long as the file is the same', async () => {
  const { service, desk, run } = await openDesk(() => 401);
  const made = await planned(desk, [first, second], '--drop');
  expect((await approved(desk, made, '--drop')).exit).toBe(25);
  rmSync(join(dirname(desk.ledger), 'sheets'), { recursive: true });
  service.fault = () => undefined;
  expect(documentOf(await run('resume', 'nov')).stopped).toMatchObject({ code: 'SHEET_COPY_GONE' });
  const versions = versionsIn(desk);
  const ran = await approved(desk, made, '--drop');
  expect([ran.exit, documentOf(ran).rows.paid, versionsIn(desk)]).toEqual([0, 2, versions]);
});

it('of two plans of one version, the second is refused as a new plan of its sheet would be', async () => {
  const service = await newService();
  const desk = deskFor(service, rows);
  const own = ['--out', newFolder(), '--maker', 'Ama'];
  const made = await planned(desk, rows, ...own);
  const other = await planned(desk, [first, second]);
  expect((await approved(desk, other)).exit).toBe(0);
  writeFileSync(desk.sheet, csvOf(rows));
  const refusal = refusalOf(await said(desk, 'run', made.plan ?? '', '--wait', '20s'));
  expect(refusal).toMatchObject({
    code: 'ROWS_ADDED',
    facts: {
      command: {
        action: 'plan-sheet',
        file: desk.sheet,
        batch: 'nov',
        add: true,
        drop: true,
        options: { maker: 'Ama' },
      },
    },
  });
  expect(refusalOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov', ...own))).toMatchObject({
    code: refusal.code,
    facts: refusal.facts,
  });
  const again = await planned(desk, rows, '--add', '--drop');
  expect(documentOf(await approved(desk, again, '--add', '--drop'))).toMatchObject({ exit: 0, rows: { paid: 3 } });
});
