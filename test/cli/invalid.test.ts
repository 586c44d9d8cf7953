/** Rows with mistakes at the command line: a line with an id is a row of the batch, and any other belongs to its sheet alone. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { command, csvOf, type Desk, documentOf, kenyanRows, refusalOf, resultOf, type SheetRow } from '../support.ts';
import { deskFor, newService } from './own-time.ts';
import { expectWhole } from './whole-result.ts';

const rows = kenyanRows(3);
const withWrong = (at: number) => rows.map((row, nth) => (nth === at ? { ...row, amount: '12.50' } : row));
const withoutId = (row: SheetRow): SheetRow =>
  Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'row_id'));

const said = async (desk: Desk, ...argv: string[]) => await command(desk, [...argv, '--json']);
const run = async (desk: Desk, sheet: readonly SheetRow[], ...more: string[]) => {
  writeFileSync(desk.sheet, csvOf(sheet));
  return await said(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s', '--skip-invalid', ...more);
};
const codeOf = ({ exit, out }: { readonly exit: number; readonly out: string }) => [exit, JSON.parse(out).error?.code];
const audited = async (desk: Desk) => (await command(desk, ['audit', 'verify'])).exit;

async function skipped(sheet: readonly SheetRow[]) {
  const service = await newService();
  const desk = deskFor(service, sheet);
  const ran = documentOf(await run(desk, sheet));
  return { service, desk, ran };
}

describe.concurrent('a line with a mistake and an id', () => {
  it('is a row of the batch, and is paid once a later sheet has it without the mistake', async () => {
    const { service, desk, ran } = await skipped(withWrong(1));
    expect(ran).toMatchObject({ exit: 21, rows: { total: 3, paid: 2, invalid: 1 } });
    expect(ran.totals).toHaveLength(1);
    expect(resultOf(ran.result)[1]).toMatchObject({
      row_id: 'k2',
      payrun_status: 'invalid',
      payrun_row: 'k2',
      payrun_reason: expect.stringContaining('12.50'),
    });
    await expectWhole(desk, ran.result);
    expect(ran.next).toMatchObject([{ action: 'run-sheet' }, { action: 'drop-rows', rows: ['k2'] }]);
    expect((await command(desk, ['status', 'nov'])).out).toMatch(/Payee 2: .*12\.50/);
    const explained = (await command(desk, ['explain', 'nov', 'k2'])).out.split('\n');
    expect(explained[1]).toBe("  Payee 2, …5611, 'Ref 2'");
    expect(explained[2]).toMatch(/^ {2}tag \w+, payment none$/);
    expect(explained.join()).toContain('12.50');
    expect(await audited(desk)).toBe(0);

    // No new row came, so nothing is added.
    const mended = documentOf(await run(desk, rows));
    expect(mended).toMatchObject({ exit: 0, sent: 1, rows: { total: 3, paid: 3, invalid: 0 } });
    expect([await audited(desk), service.payments.length]).toEqual([0, 3]);
  });

  it('changes its row, so no older sheet gives the row back, unless a plan shows it', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const unsent = { ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } };
    for (const sheet of [rows, withWrong(1)]) await run(unsent, sheet);
    const older = await run(desk, rows);
    const facts = { rows: { total: 1, shown: [{ row: 3, gone: 'mistake' }] } };
    expect([older.exit, refusalOf(older)]).toMatchObject([26, { code: 'OLDER_VERSION', facts }]);
    const plan = await said(desk, 'plan', desk.sheet, '--batch', 'nov', '--skip-invalid');
    const { plan_digest: digest, problems } = documentOf(plan);
    expect(problems).toContainEqual(expect.objectContaining({ code: 'TAKES_BACK', row: 3 }));
    expect(service.payments).toEqual([]);
    expect(documentOf(await run(desk, rows, '--approve', digest ?? '')).rows).toMatchObject({ total: 3, paid: 3 });
    expect(await audited(desk)).toBe(0);
  });

  it('leaves a refused row unpaid, which no retry sends', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 400 } : undefined);
    expect(documentOf(await run(desk, rows.slice(0, 1))).rows.unpaid).toBe(1);
    service.fault = () => undefined;
    const ran = documentOf(await run(desk, withWrong(0), '--add', '--drop'));
    expect(ran).toMatchObject({ exit: 21, rows: { total: 3, paid: 2, unpaid: 1, invalid: 0 } });
    expect(resultOf(ran.result)[0]).toMatchObject({ payrun_status: 'unpaid', payrun_row: 'k1' });
    await expectWhole(desk, ran.result);
    expect(ran.next.map(({ action }: { action: string }) => action)).toEqual(['run-sheet', 'drop-rows']);
    expect(documentOf(await said(desk, 'retry', 'nov'))).toMatchObject({ sent: 0, rows: { unpaid: 1 } });
    expect(codeOf(await said(desk, 'retry', 'nov', '--rows', 'k1'))).toEqual([2, 'ROW_HAS_MISTAKE']);
    expect(await audited(desk)).toBe(0);
  });
});

describe.concurrent('a line with a mistake and no id', () => {
  it.each([
    ['an amount in cents', { amount: '12.50' }],
    ['a document that is not there', { documents: 'gone.pdf' }],
  ])('belongs to its sheet, and is gone with it (%s)', async (_name, mistake) => {
    const sheet = rows.map((row, nth) => withoutId({ ...row, documents: '', ...(nth === 1 ? mistake : {}) }));
    const { desk, ran } = await skipped(sheet);
    expect(ran).toMatchObject({ exit: 21, rows: { total: 3, paid: 2, invalid: 1 } });
    expect(resultOf(ran.result)[1]).toMatchObject({ payrun_status: 'invalid', payrun_row: '' });
    await expectWhole(desk, ran.result);
    expect(await audited(desk)).toBe(0);
    const added = await run(desk, [withoutId({ ...rows[0]!, reference: 'Late' })], '--add');
    expect(codeOf(added)).toEqual([26, 'ADDITION_ENDS_MISTAKES']);
    writeFileSync(desk.sheet, csvOf([sheet[0]!, sheet[2]!]));
    const { problems } = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov'));
    expect(problems).toMatchObject([{ code: 'MISTAKES_END', row: null, severity: 'warning' }]);
    const later = documentOf(await run(desk, [sheet[0]!, sheet[2]!]));
    expect(later).toMatchObject({ exit: 0, rows: { total: 2, paid: 2, invalid: 0 } });
    const mended = documentOf(await run(desk, rows.map(withoutId), '--add'));
    expect(mended).toMatchObject({ exit: 0, rows: { total: 3, paid: 3 } });
    expect(await audited(desk)).toBe(0);
  });
});
