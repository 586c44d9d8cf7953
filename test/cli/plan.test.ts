/** A plan, or a refused run, of a batch that this ledger knows: what stands is told as it stands, and only what would be sent as not sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import { command, csvOf, type Desk, documentOf, kenyanRows, noted, pay, refusalOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

async function plan(desk: Desk, ...more: string[]): Promise<Outcome> {
  return documentOf(await command(desk, ['plan', desk.sheet, '--json', ...more]));
}

/** The first row expires, the second is refused, the third is paid, the fourth has not ended yet. */
async function fourFates() {
  const service = await newService({ expires: new Set(['Ref 1']) });
  service.fault = ({ route, body }) =>
    route === 'POST /payments' && body.amount === 101
      ? { kind: 'answer', status: 422, body: { message: 'over the limit' } }
      : undefined;
  const rows = kenyanRows(4);
  const desk = deskFor(service, rows.slice(0, 3));
  await pay(desk, '--batch', 'nov', '--wait', '20s');
  writeFileSync(desk.sheet, csvOf(rows));
  const { document } = await pay(desk, '--batch', 'nov', '--add');
  expect(document.rows).toMatchObject({ total: 4, paid: 1, pending: 1, unpaid: 2 });
  return { service, desk, rows, document };
}

describe.concurrent('a plan', () => {
  it('of a paid batch shows it as paid', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    const { document } = await pay(desk, '--wait', '20s');
    const planned = await plan(desk);
    expect(planned).toMatchObject({ batch: document.batch, rows: document.rows, totals: document.totals, exit: 0 });
    expect(planned.notes).toContainEqual(noted('already-paid', { batch: document.batch! }));
    expect(planned.next, 'a run of it would change nothing').toEqual([]);
    expect((await command(desk, ['plan', desk.sheet])).out).not.toMatch(/can be paid/);
  });

  it('of a first version advises ids to a sheet without any, as a check does, and a run does not', async () => {
    const advice = noted('row-ids-missing');
    const desk = deskFor(
      await newService(),
      kenyanRows(2).map(({ row_id: _id, ...row }) => row),
    );
    const checked = async (file: string) => documentOf(await command(desk, ['check', file, '--json']));
    const planned = await plan(desk);
    expect((await checked(desk.sheet)).notes).toContainEqual(advice);
    const wrong = kenyanRows(1).map(({ row_id: _id, ...row }) => ({ ...row, amount: 'x' }));
    const mistaken = deskFor(null, wrong);
    expect((await checked(mistaken.sheet)).notes, 'with a mistake too').toContainEqual(advice);
    expect(planned.notes.filter(({ note }) => note === 'row-ids-missing')).toHaveLength(1);
    const { document } = await pay(desk);
    expect(document.notes).not.toContainEqual(advice);
    expect((await plan(desk)).notes).not.toContainEqual(advice);
    expect((await checked(document.result!)).notes, 'its rows have the ids of Payrun').not.toContainEqual(advice);
    const withIds = deskFor(await newService(), kenyanRows(2));
    expect((await plan(withIds)).notes).not.toContainEqual(advice);
  });

  it('tells what stands as it stands, and only what would be sent as not sent', async () => {
    const { desk, rows, document } = await fourFates();
    expect(await plan(desk)).toMatchObject({ rows: document.rows, totals: document.totals });
    const mended = rows.map((row) => (row.row_id === 'k2' ? { ...row, amount: '1000' } : row));
    writeFileSync(desk.sheet, csvOf([...mended, { ...kenyanRows(5)[4], amount: '7' }]));
    const planned = await plan(desk, '--batch', 'nov', '--add', '--drop');
    expect(planned.rows).toMatchObject({ total: 5, paid: 1, pending: 1, unpaid: 1, not_sent: 2 });
    expect(planned.totals).toMatchObject([{ planned: 1312, paid: 102, pending: 103, unpaid: 100, not_sent: 1007 }]);
    const { document: paid } = await pay(desk, '--batch', 'nov', '--add', '--drop');
    expect(paid.sent, 'the run sends what the plan said').toBe(2);
  });

  it('names the payee and the amount of each row that it closes', async () => {
    const { desk, rows } = await fourFates();
    const mended = rows.map((row) => (row.row_id === 'k2' ? { ...row, amount: '1000' } : row));
    writeFileSync(desk.sheet, csvOf(mended.slice(1)));
    const made = await plan(desk, '--batch', 'nov', '--drop');
    expect(made.next).toMatchObject([{ action: 'run-plan' }]);
    const dropped = ({ code }: { code: string }) => code === 'ROW_DROPPED';
    expect(made.problems.filter(dropped)).toMatchObject([{ row: null, severity: 'warning' }]);
    const { warnings } = JSON.parse(readFileSync(made.plan!, 'utf8')) as { warnings: { code: string }[] };
    const was = { amount: '100', currency: 'KES', reference: 'Ref 1' };
    expect(warnings.filter(dropped)).toMatchObject([{ row: null, facts: { batch: 'nov', was } }]);
  });

  it('counts the rows that it closes as its result does, and an addition closes none', async () => {
    const service = await newService({ expires: new Set(['Ref 2']) });
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.amount === 102 ? { kind: 'answer', status: 422, body: {} } : undefined;
    const rows = kenyanRows(5);
    const desk = deskFor(service, rows.slice(3, 4));
    await pay(desk, '--batch', 'oct', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf(rows.slice(0, 4)));
    const first = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect(first.document.rows).toMatchObject({ total: 4, paid: 1, unpaid: 2, held: 1 });
    for (const [sheet, flags] of [
      [rows.slice(4), ['--add']],
      [[rows[0]!, rows[4]!], ['--drop']],
    ] as const) {
      writeFileSync(desk.sheet, csvOf(sheet));
      const planned = await plan(desk, '--batch', 'nov', ...flags);
      const { document } = await pay(desk, '--batch', 'nov', '--wait', '20s', ...flags);
      const { paid, not_sent } = planned.rows;
      expect({ ...planned.rows, paid: paid + not_sent, not_sent: 0 }).toEqual(document.rows);
    }
  });

  it('of an addition counts a row that it brings back as not sent', async () => {
    const service = await newService();
    service.fault = ({ route }) => (route === 'POST /merchants' ? { kind: 'answer', status: 400 } : undefined);
    const rows = kenyanRows(2);
    const desk = deskFor(service, rows);
    await pay(desk, '--batch', 'nov');
    writeFileSync(desk.sheet, csvOf(rows.slice(0, 1)));
    await pay(desk, '--batch', 'nov');
    writeFileSync(desk.sheet, csvOf(rows.slice(1)));
    const { rows: counts, next } = await plan(desk, '--batch', 'nov', '--add');
    expect(counts).toMatchObject({ total: 2, not_sent: 2, closed: 0 });
    expect(next).toHaveLength(1);
  });

  it('that is refused leads to a plan', async () => {
    const { desk, rows } = await fourFates();
    for (const [code, sheet, flags] of [
      ['ROWS_ADDED', kenyanRows(5), { add: true, drop: true }],
      ['ROWS_DROPPED', rows.slice(1), { add: false, drop: true }],
    ] as const) {
      writeFileSync(desk.sheet, csvOf(sheet));
      const refused = await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']);
      const next = { action: 'plan-sheet', file: desk.sheet, batch: 'nov', signs: 'no' };
      expect(refusalOf(refused)).toMatchObject({ code, facts: { command: { ...next, ...flags } } });
    }
  });

  it('that adds rows of an earlier batch names the rows that it repeats', async () => {
    const { desk, rows } = await fourFates();
    const other = kenyanRows(6).slice(4);
    writeFileSync(desk.sheet, csvOf(other));
    expect((await pay(desk, '--batch', 'oct', '--wait', '20s')).exit).toBe(0);
    writeFileSync(desk.sheet, csvOf([...rows, ...other]));
    const refused = await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']);
    const like = [6, 7].map((row, nth) => ({ row, batch: 'oct', sentRow: nth + 2, differs: null }));
    expect(refusalOf(refused)).toMatchObject({ code: 'ROWS_ADDED', facts: { held: { shown: like, total: 2 } } });
  });

  it('counts the documents that are not attached yet', async () => {
    const service = await newService();
    const rows = kenyanRows(2).map((row, at) => ({ ...row, documents: `${at}.pdf` }));
    const desk = deskFor(service, rows.slice(0, 1));
    for (const name of ['0.pdf', '1.pdf']) writeFileSync(`${desk.folder}/${name}`, `%PDF-1.4\n${name}`);
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf(rows));
    expect((await plan(desk, '--batch', 'nov', '--add')).documents).toEqual({ attached: 1, open: 1 });
  });
});

describe.concurrent('a refused run', () => {
  it('tells what stands, and its own bad rows beside it', async () => {
    const { service, desk, rows } = await fourFates();
    const posts = service.calls.get('POST /payments');
    writeFileSync(
      desk.sheet,
      csvOf([
        ...rows,
        ...kenyanRows(6)
          .slice(4)
          .map((row, at) => ({ ...row, amount: at === 0 ? '12.50' : '7' })),
      ]),
    );
    const { exit, document } = await pay(desk, '--batch', 'nov', '--add');
    expect([exit, document.batch, service.calls.get('POST /payments')]).toEqual([20, 'nov', posts]);
    expect(document.rows).toMatchObject({ total: 6, paid: 1, pending: 1, unpaid: 2, not_sent: 1, invalid: 1 });
    expect(document.totals).toMatchObject([{ planned: 413, paid: 102, pending: 103, unpaid: 201, not_sent: 7 }]);
  });

  it('names a row that was sent, and that the sheet now has with a mistake', async () => {
    const service = await newService();
    const rows = kenyanRows(2).map((row) => ({ ...row, documents: 'a.pdf' }));
    const desk = deskFor(service, rows);
    writeFileSync(`${desk.folder}/a.pdf`, '%PDF-1.4\na');
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    for (const bad of [{ amount: '12.50' }, { documents: 'gone.pdf' }]) {
      writeFileSync(desk.sheet, csvOf([rows[0]!, { ...rows[1]!, ...bad }]));
      for (const skipping of [[], ['--skip-invalid']]) {
        const refused = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--json', ...skipping]);
        const facts = { rows: { shown: [{ row: 3, changes: [] }], total: 1 } };
        expect([refused.exit, refusalOf(refused)]).toMatchObject([26, { code: 'SENT_ROWS_CHANGED', facts }]);
      }
    }
  });

  it('says how many rows of the batch can still be sent without the sheet', async () => {
    const service = await newService();
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.amount === 101 ? { kind: 'answer', status: 429 } : undefined;
    const [paid, unsent] = kenyanRows(2);
    const desk = deskFor(service, [paid!, unsent!]);
    await pay(desk, '--batch', 'nov');
    writeFileSync(desk.sheet, csvOf([{ ...paid!, amount: '12.50' }, unsent!]));
    const refused = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--json']);
    expect(refusalOf(refused)).toMatchObject({ code: 'SENT_ROWS_CHANGED', facts: { unsent: 1 } });
  });

  it('counts all its good rows as not sent where the ledger knows none of them', async () => {
    const service = await newService();
    const desk = deskFor(
      service,
      kenyanRows(3).map((row, at) => (at === 0 ? { ...row, amount: '0' } : row)),
    );
    const { document } = await pay(desk);
    expect(document.rows).toMatchObject({ total: 3, not_sent: 2, invalid: 1 });
    expect(document.totals).toMatchObject([{ planned: 203, not_sent: 203, paid: 0 }]);
  });
});
