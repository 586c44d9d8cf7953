/** Two people correct one batch at the terminal. The second is refused once, and two commands later his rows are paid. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, csvOf, documentOf, kenyanRows, type Ran, refusalOf, type SheetRow, wordsOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(4);
const withThird = (reference: string) => rows.map((row) => (row.row_id === 'k3' ? { ...row, reference } : row));
const withFourth = (list: readonly SheetRow[]) =>
  list.map((row) => (row.row_id === 'k4' ? { ...row, reference: 'Ben 4' } : row));

/** The service refused rows 3 and 4. Ann's plan corrects row 3 and runs, after Ben made his plan of the same version. */
async function annRan(hasIds: boolean) {
  const service = await newService();
  const desk = deskFor(service, rows);
  const write = (name: string, list: readonly SheetRow[]) => {
    const path = join(desk.folder, name);
    writeFileSync(path, hasIds ? csvOf(list) : csvOf(list).replaceAll(/^[^,]*,/gm, ''));
    return path;
  };
  const said = async (...argv: string[]) => await command(desk, [...argv, '--json']);
  const plan = async (path: string, maker: string) =>
    documentOf(await said('plan', path, '--batch', 'nov', '--add', '--drop', '--maker', maker)).plan ?? '';
  const run = async (made: string) => await said('run', made, '--wait', '20s');
  service.fault = ({ route, body }) =>
    route === 'POST /payments' && ['Ref 3', 'Ref 4'].includes(String(body.reference))
      ? { kind: 'answer', status: 422 }
      : undefined;
  await said('run', write('november.csv', rows), '--batch', 'nov', '--wait', '20s');
  const ann = await plan(write('ann.csv', withThird('Ann 3')), 'Ann');
  return {
    write,
    said,
    run,
    ann,
    ofBen: async (list: readonly SheetRow[]) => await plan(write('ben.csv', list), 'Ben'),
  };
}

/** Runs the first `payrun plan` command that the refusal prints, and then the plan. */
async function planAgain({ said, run }: Awaited<ReturnType<typeof annRan>>, refused: Ran): Promise<Ran> {
  const { message } = JSON.parse(refused.out).error as { message: string };
  const [, ...words] = wordsOf(/payrun plan [^\n]*/.exec(message)?.[0] ?? '');
  const made = await said(...words);
  expect([made.exit, words]).toEqual([0, expect.arrayContaining(['--maker', 'Ben'])]);
  return await run(documentOf(made).plan ?? '');
}

const newest = { sheet: 'ann.csv', by: 'Ann' };

describe.each([true, false])('of two plans of one version, with row ids: %s', (hasIds) => {
  it('the second is refused for the row that the first one corrected and sent', async () => {
    const at = await annRan(hasIds);
    const ben = await at.ofBen(withFourth(rows));
    expect((await at.run(at.ann)).exit).toBe(21);
    const refused = await at.run(ben);
    expect(refusalOf(refused)).toMatchObject({
      code: hasIds ? 'SENT_ROWS_CHANGED' : 'OLDER_VERSION',
      facts: {
        newest,
        rows: {
          shown: [hasIds ? { row: 4, changes: [{ column: 'reference', was: 'Ann 3', now: 'Ref 3' }] } : { row: 4 }],
          total: 1,
        },
      },
    });
    at.write('ben.csv', withFourth(withThird('Ann 3')));
    expect(documentOf(await planAgain(at, refused))).toMatchObject({ exit: 0, rows: { paid: 4 } });
  });

  it('the second that corrects the same row is refused, and pays it no second time', async () => {
    const at = await annRan(hasIds);
    const ben = await at.ofBen(withFourth(withThird('Ben 3')));
    await at.run(at.ann);
    const refused = await at.run(ben);
    expect(refusalOf(refused)).toMatchObject({
      code: hasIds ? 'SENT_ROWS_CHANGED' : 'ROWS_ADDED',
      facts: { newest, ...(hasIds ? { rows: { total: 1 } } : { added: 2, missing: 2, held: { total: 1 } }) },
    });
    at.write('ben.csv', withFourth(withThird('Ann 3')));
    expect(documentOf(await planAgain(at, refused))).toMatchObject({ exit: 0, rows: { paid: 4 } });
  });
});
