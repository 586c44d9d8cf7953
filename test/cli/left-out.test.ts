/** Rows that were never sent and that the newest sheet lacks: they stay in every document and result, and ask for no other run. */
import { rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NoteKind } from '../../src/domain/note.ts';
import type { ShownOutcome as Outcome } from '../../src/pipeline/outcome.ts';
import type { Independent } from '../independent/service.ts';
import {
  command,
  csvOf,
  type Desk,
  deskFor,
  documentOf,
  kenyanRows,
  newService,
  noted,
  pay,
  resultOf,
  type SheetRow,
} from '../support.ts';

/** Three rows are taken in while nothing can be sent; then the sheet has only the first `kept`. */
async function leftOut(kept = 2): Promise<{ service: Independent; desk: Desk; rows: ReturnType<typeof kenyanRows> }> {
  const service = await newService();
  const rows = kenyanRows(3);
  const desk = deskFor(service, rows);
  const down = { ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } };
  expect((await pay(down, '--batch', 'nov')).document.rows).toMatchObject({ not_sent: 3 });
  writeFileSync(desk.sheet, csvOf(rows.slice(0, kept)));
  return { service, desk, rows };
}

const named = noted('rows-left-out', { rows: { shown: ['k3'], total: 1 } });

const lost = (sheet: string, row: number, id: string | null = null) => ({ shown: [{ id, row, sheet }], total: 1 });

const statusOf = async (desk: Desk): Promise<Outcome> =>
  documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code']));

/** What was given up is sent under a plan alone. */
async function payUnderPlan(desk: Desk): ReturnType<typeof pay> {
  expect((await command(desk, ['run', desk.sheet, '--batch', 'nov', '--add'])).exit).toBe(26);
  const { plan_digest } = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--add', '--json']));
  return await pay(desk, '--batch', 'nov', '--add', '--approve', plan_digest ?? '', '--wait', '20s');
}

describe.concurrent('a row that was never sent and that the newest sheet lacks', () => {
  it('is counted, named and in the result, and the run that pays the others finishes', async () => {
    const { desk } = await leftOut();
    const { exit, document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([exit, document.sent, document.left_out, document.next]).toEqual([21, 2, 1, []]);
    expect(document.rows).toMatchObject({ total: 3, paid: 2, not_sent: 1 });
    const ofSheet: readonly NoteKind[] = ['rows-left-out', 'mistakes-left-out', 'unpaid-left-out', 'rows-missing'];
    expect(document.notes.filter(({ note }) => ofSheet.includes(note))).toEqual([named]);
    expect(resultOf(document.result)[2]).toMatchObject({
      payrun_row: 'k3',
      payrun_status: 'not sent',
      payrun_reason: 'Not in the newest sheet: nothing is sent for it.',
    });
    expect(await statusOf(desk)).toMatchObject({ exit: 21, left_out: 1, next: [], notes: [named] });
    const { out } = await command(desk, ['status', 'nov']);
    expect(out).toContain('Finished: 2 paid, 1 not paid; the result says why.');
  });

  it('leaves resume to what is still open', async () => {
    const { desk } = await leftOut();
    const { exit, document } = await pay(desk, '--batch', 'nov');
    expect([exit, document.rows.pending, document.next]).toMatchObject([23, 2, [{ action: 'resume', after: null }]]);
    const resumed = await command(desk, ['resume', 'nov', '--json', '--wait', '20s']);
    expect(documentOf(resumed)).toMatchObject({ exit: 21, sent: 0, next: [], notes: [named] });
  });

  it('is told by a plan, and not said to be paid', async () => {
    const { desk } = await leftOut();
    const document = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']));
    expect(document).toMatchObject({ left_out: 1, rows: { total: 3, not_sent: 3 }, exit: 0 });
    expect(document.notes).toContainEqual(named);
    const { out } = await command(desk, ['plan', desk.sheet, '--batch', 'nov']);
    expect(out).toMatch(/can be paid +2\n +not sent +1\n/);
  });

  it('is paid when the sheet has it again', async () => {
    const { service, desk, rows } = await leftOut();
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf(rows));
    const { exit, document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([exit, document.sent, document.left_out, service.payments.length]).toEqual([0, 1, 0, 3]);
  });

  it('does not keep the batch from having ended', { tags: ['long'] }, async () => {
    const { desk } = await leftOut();
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    const { document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect(document.notes).toContainEqual(noted('already-paid'));
  });

  it('does not stop a batch over a list that proves nothing', { tags: ['long'] }, async () => {
    const { service, desk } = await leftOut();
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'cut' } : undefined);
    const resumed = await command(desk, ['resume', 'nov', '--json', '--wait', '0']);
    expect(documentOf(resumed)).toMatchObject({ exit: 21, stopped: null });
  });
});

it('an unpaid row that the newest sheet lacks is not offered to retry', async () => {
  const service = await newService({ expires: new Set(['Ref 2', 'Ref 3']) });
  const rows = kenyanRows(3);
  const desk = deskFor(service, rows);
  await pay(desk, '--batch', 'nov', '--wait', '20s');
  writeFileSync(desk.sheet, csvOf(rows.slice(0, 2)));
  const { document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
  expect(document.rows).toMatchObject({ paid: 1, unpaid: 2 });
  expect(document.next[0]).toMatchObject({ action: 'retry', batch: 'nov', rows: null, count: 1 });
  writeFileSync(desk.sheet, csvOf(rows.slice(0, 1)));
  const last = await pay(desk, '--batch', 'nov', '--wait', '20s');
  expect([last.exit, last.document.next]).toEqual([21, []]);
  expect(last.document.notes).toContainEqual(noted('rows-missing', { batch: 'nov', rows: 2 }));
  expect((await statusOf(desk)).notes).toEqual([noted('unpaid-left-out', { rows: 2 })]);
  const retried = await command(desk, ['retry', 'nov', '--rows', 'k3', '--json', '--wait', '0']);
  expect(documentOf(retried).notes[0]).toEqual(noted('retry-lacks-row', { batch: 'nov', row: 'k3' }));
  const explained = await command(desk, ['explain', 'nov', 'k3']);
  expect(explained.out).toContain(`payrun run ${desk.sheet} --batch nov\n    takes it in, once the sheet has it again`);
  // That way leads there.
  writeFileSync(desk.sheet, csvOf(rows));
  await pay(desk, '--batch', 'nov');
  const sent = documentOf(await command(desk, ['retry', 'nov', '--rows', 'k3', '--json', '--wait', '0']));
  expect([sent.sent, sent.notes[0]]).toEqual([1, noted('retried', { rows: 1, plan: null, also: false })]);
});

describe.concurrent('a row for which a person says that nothing is owed any more', () => {
  const giveUp = async (desk: Desk, row: string) =>
    await command(desk, ['resolve', 'nov', '--row', row, '--given-up', '--reason', 'mended as k9', '--json']);

  it('ends its batch, and stays in every document and result', async () => {
    const service = await newService({ expires: new Set(['Ref 3']) });
    const desk = deskFor(service, kenyanRows(3));
    expect((await pay(desk, '--batch', 'nov', '--wait', '20s')).document.rows).toMatchObject({ paid: 2, unpaid: 1 });
    const kept = await giveUp(desk, 'k3');
    expect([kept.exit, kept.err]).toEqual([2, expect.stringContaining('the newest sheet has it')]);
    writeFileSync(desk.sheet, csvOf(kenyanRows(2)));
    expect((await pay(desk, '--batch', 'nov')).exit).toBe(21);
    const paid = await giveUp(desk, 'k1');
    expect([paid.exit, paid.err]).toEqual([2, expect.stringContaining('it is paid')]);
    const { exit, rows, given_up, result, notes } = documentOf(await giveUp(desk, 'k3'));
    expect([exit, given_up, rows]).toMatchObject([0, 1, { total: 3, paid: 2, unpaid: 1 }]);
    expect(notes).toContainEqual(noted('rows-given-up', { rows: 1 }));
    expect(resultOf(result)[2]).toMatchObject({ payrun_status: 'unpaid', payrun_reason: 'Given up: mended as k9' });
    expect(await statusOf(desk)).toMatchObject({ exit: 0, given_up: 1 });
    const resumed = documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '0']));
    expect(resumed).toMatchObject({ exit: 0, given_up: 1 });
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
    // Back in the sheet it is owed again.
    writeFileSync(desk.sheet, csvOf(kenyanRows(3)));
    expect((await pay(desk, '--batch', 'nov')).exit).toBe(21);
  });

  it('may be one that was never sent, and one whose payment lives is none', { tags: ['long'] }, async () => {
    const { desk } = await leftOut();
    expect((await pay(desk, '--batch', 'nov', '--wait', '20s')).exit).toBe(21);
    expect(documentOf(await giveUp(desk, 'k3'))).toMatchObject({ exit: 0, left_out: 1, given_up: 1 });

    const service = await newService({ expires: new Set(['Ref 3']) });
    const late = deskFor(service, kenyanRows(3));
    await pay(late, '--batch', 'nov', '--wait', '20s');
    writeFileSync(late.sheet, csvOf(kenyanRows(2)));
    await pay(late, '--batch', 'nov');
    Object.assign(service.payments.find(({ reference }) => reference === 'Ref 3')!, { ends: 'success' });
    const { exit, err } = await giveUp(late, 'k3');
    expect([exit, err]).toEqual([2, expect.stringContaining("now says 'success'")]);
  });
});

describe.concurrent('a row that was left out for its mistake, and that a person gives up', () => {
  const bad = { ...kenyanRows(4)[3]!, amount: '12.50' };
  const giveUp = async (desk: Desk, row: string, ...more: string[]) =>
    await command(desk, ['resolve', 'nov', '--row', row, '--given-up', '--reason', 'She has left', ...more]);
  /** Two rows are paid, and one with a mistake is left out. */
  async function skipped(last: SheetRow = bad): Promise<Desk> {
    const desk = deskFor(await newService(), [...kenyanRows(2), last]);
    const { exit, document } = await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    expect([exit, document.rows.skipped, document.given_up]).toEqual([21, 1, undefined]);
    return desk;
  }
  const reasonOf = (result: string | null) =>
    resultOf(result).find((row) => row.payrun_status === 'skipped')?.payrun_reason;
  const words = `Given up by ${userInfo().username}: She has left`;

  it.each([
    ['by its row_id', 'k4'],
    ['by its number', '4'],
    ['by its number, as it is told', 'row 4'],
  ])('ends its batch, and stays in the result (%s)', async (_, name) => {
    const desk = await skipped();
    const { exit, given_up, rows, result, notes, next } = documentOf(await giveUp(desk, name, '--json'));
    expect([exit, given_up, rows.skipped, next]).toEqual([0, 1, 1, []]);
    expect(notes).toContainEqual(noted('rows-given-up', { rows: 1 }));
    expect(reasonOf(result)).toMatch(/12\.50.* Given up by /);
    expect(reasonOf(result)?.endsWith(words)).toBe(true);
    expect(await statusOf(desk)).toMatchObject({ exit: 0, given_up: 1 });
    expect((await command(desk, ['report', 'nov', '--html'])).exit).toBe(0);
    // Said twice it is told once.
    expect((await giveUp(desk, name)).exit).toBe(0);
    const verified = await command(desk, ['audit', 'verify', '--result', result ?? '']);
    expect([verified.exit, verified.err]).toEqual([0, '']);
    // A sheet that has it asks for it again.
    expect((await pay(desk, '--batch', 'nov', '--skip-invalid')).exit).toBe(21);
  });

  it.each([
    ['with a row_id', bad, 'k4'],
    ['without', { ...bad, row_id: '' }, 'row 4 of november.csv'],
  ])(
    'is given up once a newer sheet lacks it, and stays so with the next one (%s)',
    { tags: ['long'] },
    async (_, last, name) => {
      const desk = await skipped(last);
      writeFileSync(desk.sheet, csvOf(kenyanRows(2)));
      expect((await pay(desk, '--batch', 'nov')).exit).toBe(21);
      const { exit, given_up, rows, result, next } = documentOf(await giveUp(desk, name, '--json'));
      expect([exit, given_up, rows.skipped, next]).toEqual([0, 1, 1, []]);
      expect(reasonOf(result)).toContain(words);
      const more = [...kenyanRows(2), kenyanRows(3)[2]!];
      writeFileSync(desk.sheet, csvOf(more));
      const next3 = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
      expect([next3.exit, next3.document.given_up, reasonOf(next3.document.result)]).toEqual([
        0,
        1,
        expect.stringContaining(words),
      ]);
      // The trail alone, as an auditor has it, tells of it too.
      const trail = join(desk.folder, 'trail.jsonl');
      await command(desk, ['audit', 'export', '--out', trail]);
      for (const against of [[], ['--trail', trail]]) {
        const verified = await command(desk, ['audit', 'verify', ...against, '--result', next3.document.result ?? '']);
        expect([verified.exit, verified.err]).toEqual([0, '']);
      }
      // Mended, and planned, it is a row like others.
      writeFileSync(desk.sheet, csvOf([...more, { ...bad, amount: '12' }]));
      const paid = await payUnderPlan(desk);
      expect([paid.exit, paid.document.rows, paid.document.given_up]).toMatchObject([
        0,
        { paid: 4, skipped: 0 },
        undefined,
      ]);
    },
  );

  it('is one that was left out', async () => {
    const desk = await skipped();
    const { exit, err } = await giveUp(desk, 'k9');
    expect([exit, err]).toEqual([2, expect.stringContaining("no row 'k9'")]);
    expect((await giveUp(desk, 'row 3 of november.csv')).exit).toBe(2);
  });

  const reasonsOf = (result: string | null) =>
    resultOf(result).flatMap((row) => (row.payrun_status === 'skipped' ? [row.payrun_reason] : []));
  const verifies = async (desk: Desk, result: string | null) => {
    const trail = join(desk.folder, 'trail.jsonl');
    // None is written over another one.
    rmSync(trail, { force: true });
    expect((await command(desk, ['audit', 'export', '--out', trail])).exit).toBe(0);
    for (const against of [[], ['--trail', trail]]) {
      const verified = await command(desk, ['audit', 'verify', ...against, '--result', result ?? '']);
      expect([verified.exit, verified.err]).toEqual([0, '']);
    }
  };

  it('is the one of that row_id, and not the one of that number', async () => {
    const rows = kenyanRows(5).map((row, nth) => ({
      ...row,
      row_id: String(nth + 1),
      ...(nth < 3 ? {} : { amount: '12.50' }),
    }));
    const desk = deskFor(await newService(), rows);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    const { given_up, result } = documentOf(await giveUp(desk, '5', '--json'));
    expect([given_up, resultOf(result).map(({ payrun_reason }) => payrun_reason?.includes('Given up'))]).toEqual([
      1,
      [false, false, false, false, true],
    ]);
    // Row 4 stands in line 5, and row 3, which is paid, in line 4.
    expect(documentOf(await giveUp(desk, '4', '--json')).given_up).toBe(2);
    const released = await command(desk, ['resolve', 'nov', '--row', '4', '--not-a-repeat', '--reason', 'x']);
    expect([released.exit, released.err]).toEqual([2, expect.stringContaining('row 4 of batch nov was left out')]);
  });

  it('may be none, where two are called so: each is told with what names it alone', { tags: ['long'] }, async () => {
    const bare = (name: string) => ({ ...bad, row_id: '', name });
    const desk = await skipped(bare('Alice Mwangi'));
    for (const rows of [[], [bare('Bob Otieno')], []]) {
      writeFileSync(desk.sheet, csvOf([...kenyanRows(2), ...rows]));
      await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    }
    const place = 'row 4 of november.csv';
    const { exit, err } = await giveUp(desk, place);
    expect([exit, err]).toEqual([
      2,
      expect.stringContaining(
        `'${place}' may mean ${place}, which was left out for its mistake (--row 4 --sheet 1), or ${place}, which was left out for its mistake (--row 4 --sheet 3)`,
      ),
    ]);
    expect(documentOf(await giveUp(desk, '4', '--sheet', '3', '--json'))).toMatchObject({ exit: 21, given_up: 1 });
    expect((await giveUp(desk, '4', '--sheet', '2')).exit).toBe(2);
    expect(documentOf(await giveUp(desk, place, '--json'))).toMatchObject({ exit: 0, given_up: 2 });
  });

  it.each([
    ['with the row_id of another row', { ...kenyanRows(4)[3]!, row_id: 'k2' }],
    ['with neither row_id nor name', { ...bad, row_id: '', name: '' }],
    ['twice, without a row_id', { ...kenyanRows(2)[1]!, row_id: '' }],
  ])(
    'stays in the count and the result once a newer sheet lacks it, whatever its mistake (%s)',
    { tags: ['long'] },
    async (_, last) => {
      const rows = kenyanRows(2).map((row) => (last.row_id === '' ? { ...row, row_id: '' } : row));
      const desk = deskFor(await newService(), [...rows, last]);
      const first = await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
      expect([first.exit, first.document.rows.skipped]).toEqual([21, 1]);
      // The same sheet once more has the same row.
      const same = await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
      expect([same.exit, same.document.rows]).toMatchObject([21, { total: 3, skipped: 1 }]);
      await verifies(desk, same.document.result);
      writeFileSync(desk.sheet, csvOf(rows));
      const next = await pay(desk, '--batch', 'nov', '--wait', '20s');
      expect([next.exit, next.document.rows]).toMatchObject([21, { total: 3, paid: 2, skipped: 1 }]);
      const id = last.row_id || null;
      expect(next.document.notes).toContainEqual(noted('mistakes-left-out', { rows: lost('november.csv', 4, id) }));
      expect(reasonsOf(next.document.result)).toHaveLength(1);
      await verifies(desk, next.document.result);
      const given = documentOf(await giveUp(desk, 'row 4 of november.csv', '--json'));
      expect([given.exit, given.given_up]).toEqual([0, 1]);
      await verifies(desk, given.result);
    },
  );

  it('is no other row that has its row_id', async () => {
    const desk = deskFor(await newService(), [...kenyanRows(2), { ...kenyanRows(4)[3]!, row_id: 'k2' }]);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    const { exit, err } = await giveUp(desk, 'k2');
    expect([exit, err]).toEqual([
      2,
      expect.stringMatching(/may mean row k2, which is paid, or row 4, .*\(--row 4 --sheet 1\)/),
    ]);
    expect(documentOf(await giveUp(desk, '4', '--json'))).toMatchObject({ exit: 0, given_up: 1 });
    // With a row_id of its own it is a row like others.
    writeFileSync(desk.sheet, csvOf([...kenyanRows(2), kenyanRows(4)[3]!]));
    const next = await payUnderPlan(desk);
    expect([next.exit, next.document.rows]).toMatchObject([0, { total: 3, paid: 3 }]);
  });

  it.each([
    ['with row_ids', ['k4', 'k5', 'k6']],
    ['without', ['', '', '']],
  ])('is no other payment to its payee and account (%s)', { tags: ['long'] }, async (_, ids) => {
    const paying = (nth: number, reference: string): SheetRow => {
      return { ...kenyanRows(4)[3]!, row_id: ids[nth]!, amount: `40${nth}`, reference };
    };
    const [bonus, commission, wage] = [paying(0, 'Bonus'), paying(1, 'Commission'), paying(2, 'Wage')];
    const wrong = [bonus, commission].map((row) => ({ ...row, amount: '12.50' }));
    const desk = deskFor(await newService(), [...kenyanRows(2), ...wrong]);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    const comes = async (...sheet: readonly SheetRow[]) => {
      writeFileSync(desk.sheet, csvOf(sheet));
      const { exit, document } = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
      await verifies(desk, document.result);
      return [exit, document.rows];
    };
    expect(await comes(...kenyanRows(2), wage)).toMatchObject([21, { total: 5, paid: 3, skipped: 2 }]);
    expect(await comes(...kenyanRows(2), wage, commission)).toMatchObject([21, { total: 5, paid: 4, skipped: 1 }]);
    expect(await comes(...kenyanRows(2), wage, commission, bonus)).toMatchObject([0, { total: 5, paid: 5 }]);
  });

  it.each<[string, SheetRow, SheetRow, number]>([
    ['the reference alone', { amount: '103', contact_number: '0712' }, { amount: '400' }, 1],
    ['the amount alone', { amount: '103', contact_number: '0712' }, { reference: 'Bonus' }, 1],
    ['the reference, where the amount was its mistake', {}, { amount: '400' }, 0],
    ['both', { amount: '103', contact_number: '0712' }, {}, 0],
  ])(
    'under another row_id, with a row_id of its own, is the payment that has %s',
    { tags: ['long'] },
    async (_, was, now, left) => {
      const desk = await skipped({ ...bad, ...was });
      await giveUp(desk, 'k4');
      writeFileSync(desk.sheet, csvOf([...kenyanRows(2), { ...kenyanRows(4)[3]!, ...now, row_id: 'k9' }]));
      const { exit, document } =
        left === 0 ? await payUnderPlan(desk) : await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
      expect([exit, document.rows, document.given_up]).toMatchObject([
        0,
        { paid: 3, skipped: left },
        left === 0 ? undefined : 1,
      ]);
      expect(document.problems).toMatchObject(left === 0 ? [{ row: 4, code: 'GIVEN_UP' }] : []);
      await verifies(desk, document.result);
    },
  );

  it('is one of each that a sheet had: a row that comes for one of them stands for no other', {
    tags: ['long'],
  }, async () => {
    const bare = { ...bad, row_id: '' };
    const desk = deskFor(await newService(), [...kenyanRows(2), bare, { ...bare, amount: '13.50' }]);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf([...kenyanRows(2), { ...bare, row_id: 'k4', amount: '12' }]));
    const next = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
    expect([next.exit, next.document.rows]).toMatchObject([21, { total: 4, paid: 3, skipped: 1 }]);
  });

  it('is no other one that took its number when the rows were numbered anew', { tags: ['long'] }, async () => {
    const [one, two, three, four] = kenyanRows(4);
    const wrong = { amount: '12.50' };
    const desk = deskFor(await newService(), [one!, two!, { ...three!, ...wrong }, { ...four!, ...wrong }]);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    // The third payee's line is gone.
    writeFileSync(desk.sheet, csvOf([one!, two!, { ...four!, row_id: 'k3' }]));
    const { document } = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
    expect([document.exit, document.rows]).toMatchObject([21, { total: 4, paid: 3, skipped: 1 }]);
    expect(reasonsOf(document.result)).toEqual([expect.stringContaining('row 4 of november.csv')]);
  });

  it('is none that was paid under another number before the rows were numbered anew', { tags: ['long'] }, async () => {
    const [one, two, three, four] = kenyanRows(4);
    const desk = deskFor(await newService(), [one!, two!, { ...three!, amount: '12.50' }, four!]);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf([one!, two!, { ...four!, row_id: 'k3' }]));
    const { document } = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
    expect(document.rows).toMatchObject({ skipped: 1 });
    expect(reasonsOf(document.result)).toEqual([expect.stringContaining('row 4 of november.csv')]);
  });

  const wrongAccount = { contact_number: '0712' };
  it.each([
    ['it was completed', { name: 'Thabo' }, { name: 'Thabo Dlamini' }],
    ['it was turned round', { name: 'Smith John' }, { name: 'John Smith' }],
    ['another one', { name: 'Jane Wanjiku' }, { name: 'Jane Otieno' }],
    ['it was completed with the account', { name: 'T. Dlamini', ...wrongAccount }, { name: 'Thabo Dlamini' }],
    ['it was mended, under a long row_id', { row_id: 'staff20260000004', name: 'Jon Smith' }, { name: 'John Smith' }],
    ['it was completed, without a row_id', { row_id: '', name: 'Thabo' }, { name: 'Thabo Dlamini' }],
  ])(
    'is the one that is paid to its account under its row_id, whatever its name is by then (%s)',
    { tags: ['long'] },
    async (_, was, now) => {
      const desk = await skipped({ ...bad, ...was });
      const { row_id = 'k4' } = was as SheetRow;
      writeFileSync(desk.sheet, csvOf([...kenyanRows(2), { ...kenyanRows(4)[3]!, row_id, ...now }]));
      const { exit, document } = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
      expect([exit, document.rows]).toMatchObject([0, { total: 3, paid: 3, skipped: 0 }]);
    },
  );

  it.each([
    ['John Smith', 'Joan Smith', {}],
    ['Ali', 'Khalid', {}],
    ['John Smith', 'John Smith', { row_id: 'k5' }],
    ['', 'Joan Smith', {}],
  ])(
    'is no other payee with its row_id or name and another account: %s, and %s',
    { tags: ['long'] },
    async (name, next, more) => {
      const desk = await skipped({ ...bad, name });
      await giveUp(desk, 'k4');
      const other = { ...kenyanRows(5)[4]!, row_id: 'k4', name: next, ...more };
      writeFileSync(desk.sheet, csvOf([...kenyanRows(2), other]));
      const { exit, document } = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
      expect([exit, document.problems, document.given_up]).toEqual([0, [], 1]);
      expect(document.rows).toMatchObject({ total: 4, paid: 3, skipped: 1 });
      expect(reasonOf(document.result)).toContain(words);
      await verifies(desk, document.result);
    },
  );

  it('is none on its line that has a row_id of its own', { tags: ['long'] }, async () => {
    const desk = await skipped({ ...bad, name: '', contact_number: '0712' });
    const other = { ...kenyanRows(5)[4]!, row_id: 'k9', name: 'Joan Smith' };
    writeFileSync(desk.sheet, csvOf([...kenyanRows(2), other]));
    const { exit, document } = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
    expect([exit, document.rows]).toMatchObject([21, { paid: 3, skipped: 1 }]);
  });

  it('is no other one with its account that took its number when the rows were numbered anew', {
    tags: ['long'],
  }, async () => {
    const [one, two, three] = kenyanRows(3) as [SheetRow, SheetRow, SheetRow];
    const wife = { ...three, row_id: 'k4', name: 'Joan Smith', amount: '400' };
    const desk = deskFor(await newService(), [one, two, { ...three, name: 'John Smith', amount: '12.50' }, wife]);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf([one, two, { ...wife, row_id: 'k3' }]));
    const { document } = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
    expect(document.rows).toMatchObject({ skipped: 1 });
    expect(reasonsOf(document.result)).toEqual([expect.stringContaining('row 4 of november.csv')]);
  });

  it('may be one of very many, of which none is lost', { tags: ['long'] }, async () => {
    const rows = kenyanRows(1203).map((row, nth) => (nth < 2 ? row : { ...row, amount: '12.50' }));
    const desk = deskFor(await newService(), rows);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    expect(documentOf(await giveUp(desk, 'k1203', '--json')).given_up).toBe(1);
    writeFileSync(desk.sheet, csvOf(rows.slice(0, 2)));
    const { exit, document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([exit, document.rows, document.given_up]).toMatchObject([21, { total: 1203, skipped: 1201 }, 1]);
    expect(reasonsOf(document.result)).toHaveLength(1201);
  });

  it('is told as given up by the plan of a sheet that has it again, and sent under that alone', {
    tags: ['long'],
  }, async () => {
    const desk = await skipped();
    await giveUp(desk, 'k4');
    const told = {
      row: 4,
      code: 'GIVEN_UP',
      severity: 'warning',
      message: `was given up by ${userInfo().username}: She has left`,
    };
    // Also where a sheet between had it with its mistake once more.
    expect((await pay(desk, '--batch', 'nov', '--skip-invalid')).exit).toBe(21);
    writeFileSync(desk.sheet, csvOf([...kenyanRows(2), { ...bad, amount: '12' }]));
    const ran = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--add']);
    expect([ran.exit, ran.err]).toMatchObject([26, expect.stringContaining(`row 4 ${told.message}`)]);
    expect(ran.err).toContain(`payrun plan ${desk.sheet} --batch nov --add`);
    const { exit, document } = await payUnderPlan(desk);
    expect([exit, document.rows, document.problems]).toMatchObject([0, { paid: 3 }, [told]]);
  });

  /** None is sent yet. */
  async function waiting(rows: readonly SheetRow[]): Promise<Desk> {
    const desk = deskFor(await newService(), rows);
    const down = { ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } };
    await pay(down, '--batch', 'nov', '--skip-invalid');
    return desk;
  }
  /** The next sheet, of which nothing is sent either. */
  async function comes(desk: Desk, rows: readonly SheetRow[]): Promise<Outcome> {
    writeFileSync(desk.sheet, csvOf(rows));
    const down = { ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } };
    const { document } = await pay(down, '--batch', 'nov', '--skip-invalid');
    await verifies(desk, document.result);
    return document;
  }
  const bareOf = (rows: readonly SheetRow[]) => rows.map((row) => ({ ...row, row_id: '' }));
  const wrong = (row: SheetRow | undefined): SheetRow => ({ ...row!, amount: '12.50' });

  it.each([
    ['with a row_id', kenyanRows(3), false],
    ['with a row_id, also after a sheet that lacks it', kenyanRows(3), true],
    ['without', bareOf(kenyanRows(3)), false],
    ['without, also after a sheet that lacks it', bareOf(kenyanRows(3)), true],
  ])(
    'is told so where an earlier sheet had it right, and it was not sent (%s)',
    { tags: ['long'] },
    async (_, rows, lacked) => {
      const desk = await waiting(rows);
      await comes(desk, [...rows.slice(0, 2), wrong(rows[2])]);
      expect((await giveUp(desk, '4', '--sheet', '2')).exit).toBe(23);
      if (lacked) await comes(desk, rows.slice(0, 2));
      writeFileSync(desk.sheet, csvOf(rows));
      const told = `was ${words.replace('G', 'g')}`;
      const ran = await command(desk, ['run', desk.sheet, '--batch', 'nov']);
      expect([ran.exit, ran.err]).toEqual([26, expect.stringContaining(`row 4 ${told}`)]);
      const { exit, document } = await payUnderPlan(desk);
      expect([exit, document.rows, document.problems]).toMatchObject([
        0,
        { total: 3, paid: 3 },
        [{ row: 4, code: 'GIVEN_UP', message: told }],
      ]);
      await verifies(desk, document.result);
    },
  );

  it('is not lost where the row of the batch that has its row_id comes with a mistake', {
    tags: ['long'],
  }, async () => {
    const [one, two, three] = kenyanRows(3) as [SheetRow, SheetRow, SheetRow];
    const desk = await waiting([one, two, { ...three, row_id: 'k2' }]);
    expect((await giveUp(desk, '4', '--sheet', '1')).exit).toBe(23);
    const next = await comes(desk, [one, wrong(two)]);
    expect(next.notes).toContainEqual(noted('mistakes-left-out', { rows: lost('november.csv', 4, 'k2') }));
    writeFileSync(desk.sheet, csvOf([one, two]));
    const { exit, document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([exit, document.rows, document.given_up]).toMatchObject([0, { total: 3, paid: 2, skipped: 1 }, 1]);
    expect(reasonOf(document.result)).toContain(words);
    await verifies(desk, document.result);
  });

  it('is the one of that name, where two have its row_id', { tags: ['long'] }, async () => {
    const [one, two, three] = kenyanRows(3) as [SheetRow, SheetRow, SheetRow];
    const desk = deskFor(await newService(), [one, wrong({ ...three, row_id: 'k2' }), wrong(two)]);
    await pay(desk, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    expect((await giveUp(desk, '3', '--sheet', '1')).exit).toBe(21);
    writeFileSync(desk.sheet, csvOf([one, two]));
    const { exit, document } = await pay(desk, '--batch', 'nov', '--add', '--wait', '20s');
    expect([exit, document.rows, document.problems]).toMatchObject([0, { total: 3, paid: 2, skipped: 1 }, []]);
    expect(document.notes).toContainEqual(noted('mistakes-left-out', { rows: lost('november.csv', 3, 'k2') }));
    await verifies(desk, document.result);
  });

  it('is not lost with the row of the batch that it is beside, where both are wrong and have one row_id', {
    tags: ['long'],
  }, async () => {
    const [one, two, three] = kenyanRows(3) as [SheetRow, SheetRow, SheetRow];
    const desk = await waiting([one, two]);
    await comes(desk, [one, wrong({ ...three, row_id: 'k2' }), wrong(two)]);
    expect((await comes(desk, [one])).notes).toContainEqual(
      noted('mistakes-left-out', {
        rows: expect.objectContaining({
          shown: expect.arrayContaining([lost('november.csv', 3, 'k2').shown[0]]),
        }) as never,
      }),
    );
    // Told once: the batch has a row of the other one.
    expect((await comes(desk, [one, two])).rows).toMatchObject({ total: 3, not_sent: 2, skipped: 1 });
  });
});

it('a row of the batch that was given up is told so by the plan of a sheet that has it again', async () => {
  const { desk, rows } = await leftOut();
  await pay(desk, '--batch', 'nov', '--wait', '20s');
  await command(desk, ['resolve', 'nov', '--row', 'k3', '--given-up', '--reason', 'Paid by hand']);
  writeFileSync(desk.sheet, csvOf(rows));
  const { problems } = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']));
  expect(problems).toMatchObject([
    { row: 4, code: 'GIVEN_UP', message: `was given up by ${userInfo().username}: Paid by hand` },
    { row: 4, code: 'TAKES_BACK', message: 'batch nov has it no more: november.csv lacks it' },
  ]);
  const ran = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--json']);
  expect([ran.exit, ran.err]).toMatchObject([26, expect.stringContaining('Paid by hand')]);
});

it('an unpaid row that was given up is sent again by its name alone', { tags: ['long'] }, async () => {
  const service = await newService();
  const rows = kenyanRows(3);
  const desk = deskFor(service, rows);
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 2 ? { kind: 'answer', status: 422 } : undefined;
  await pay(desk, '--batch', 'la', '--concurrency', '1');
  service.fault = () => undefined;
  writeFileSync(desk.sheet, csvOf(rows.slice(0, 2)));
  await pay(desk, '--batch', 'la', '--wait', '20s');
  await command(desk, ['resolve', 'la', '--row', 'k3', '--given-up', '--reason', 'Paid by hand']);
  writeFileSync(desk.sheet, csvOf(rows));
  await pay(desk, '--batch', 'la', '--wait', '20s');
  const all = documentOf(await command(desk, ['retry', 'la', '--json', '--wait', '20s']));
  expect(all.sent).toBe(0);
  expect(all.notes).toContainEqual(
    noted('retry-given-up', { row: 'k3', reason: expect.stringContaining('Paid by hand') as never }),
  );
  const named = documentOf(await command(desk, ['retry', 'la', '--rows', 'k3', '--json', '--wait', '20s']));
  expect(named.rows).toMatchObject({ paid: 3 });
});
