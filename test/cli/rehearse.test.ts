/** `payrun rehearse`: it passes on good code, its judgement can fail, and only a folder of its own is touched. */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HeldPayment, judge, type RehearsedRow, type ResultRow } from '../../src/cli/rehearse/verdict.ts';
import {
  type SheetRow as Cells,
  command,
  type Desk,
  deskFor,
  kenyanRows,
  newFolder,
  newService,
  oneOfEach,
  start,
  until,
} from '../support.ts';

/** A desk whose temporary files have a place of their own, and whose configured service counts its calls. */
async function rehearsalDesk(rows: readonly Cells[]) {
  const service = await newService();
  const desk = deskFor(service, rows);
  const temporary = newFolder();
  // Compiled modules stay where every other test has them: what starts cold starts slowly.
  const env = { ...desk.env, TMPDIR: temporary, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE! };
  return { service, desk: { ...desk, env }, temporary };
}

const rehearse = (desk: Desk, ...more: string[]) => start(desk, ['rehearse', desk.sheet, '--seed', '7', ...more]);

describe.concurrent('payrun rehearse', () => {
  it('pays each row once through kills and faults, and leaves nothing behind', async () => {
    const pdf = { documents: 'invoice.pdf' };
    const [first, ...others] = oneOfEach;
    const { service, desk, temporary } = await rehearsalDesk([{ ...first, ...pdf }, ...others]);
    writeFileSync(join(desk.folder, 'invoice.pdf'), '%PDF-1.4\n%%EOF\n');
    // What binds the person's payments asks nothing of a rehearsal.
    cpSync(
      join(import.meta.dirname, '../golden/cases/approved-by-two/payrun.policy.json'),
      `${desk.folder}/payrun.policy.json`,
    );
    writeFileSync(join(desk.folder, 'payrun.config.json'), '{}');
    const before = readdirSync(desk.folder).sort();
    const below = await rehearse(desk, '--keep', join(desk.folder, 'kept')).ended;
    expect([below.exit, below.err]).toEqual([2, expect.stringContaining(`${desk.folder}/payrun.policy.json`)]);
    const { exit, out, err } = await rehearse(desk, '--kills', '1', '--minutes', '5', '--json').ended;
    const document = JSON.parse(out);
    expect([exit, document.exit, err]).toEqual([0, 0, '']);
    expect(document).toMatchObject({
      seed: '7',
      rows: { total: 4, once: 4, twice: 0, lost: 0, unpaid: 0, in_doubt: 0, not_sent: 0 },
      doubles: [],
      losses: [],
      documents: { named: 1, attached: 1 },
      kept: null,
    });
    for (const { sheet, paid } of document.totals) expect(paid).toBe(sheet);
    expect(document.kills.length).toBeGreaterThan(0);
    expect(document.runs).toBeGreaterThan(document.kills.length);
    expect(service.total(), 'the configured service hears nothing').toBe(0);
    expect(readdirSync(temporary), 'the folder of the rehearsal is gone').toEqual([]);
    expect(readdirSync(desk.folder).sort(), 'nothing stands beside the sheet').toEqual(before);
    expect(readdirSync(join(desk.folder, 'state')), 'no ledger of the person was made').toEqual([]);
  });

  it('refuses a sheet as check does, before anything starts', async () => {
    const { service, desk, temporary } = await rehearsalDesk([{ ...kenyanRows(1)[0], amount: '12.50' }]);
    const { exit, out } = await command(desk, ['rehearse', desk.sheet, '--json']);
    expect([exit, JSON.parse(out).problems[0].code]).toEqual([20, 'AMOUNT_FRACTION']);
    expect([service.total(), readdirSync(temporary)]).toEqual([0, []]);
  });

  it('ends its processes and removes its folder at Ctrl-C', async () => {
    const { desk, temporary } = await rehearsalDesk(kenyanRows(40));
    const rehearsal = rehearse(desk);
    const folder = () => readdirSync(temporary)[0] ?? '';
    await until(
      'a run is at work',
      () => folder() !== '' && readdirSync(join(temporary, folder())).includes('ledger'),
      60_000,
    );
    rehearsal.child.kill('SIGINT');
    const { exit, out } = await rehearsal.ended;
    expect([exit, out, readdirSync(temporary)]).toEqual([130, '', []]);
  });

  it.each([
    ['--kills', 'ten'],
    ['--minutes', '0'],
  ])('takes no %s %s', async (name, value) => {
    const { desk } = await rehearsalDesk(kenyanRows(1));
    expect((await command(desk, ['rehearse', desk.sheet, name, value])).exit).toBe(2);
  });
});

describe('the judgement', () => {
  const rows = [1, 2, 3].map(
    (number): RehearsedRow => ({
      number,
      digest: `digest ${number}`,
      destination: { country: 'Kenya', networkProvider: 'MOMO', contactNumber: `+25471234560${number}` },
      amount: 100 * number,
      unit: 'whole',
      currency: 'KES',
      reference: `Ref ${number}`,
      documents: number === 1 ? 1 : 0,
    }),
  );
  const told = rows.map(({ number, digest }): ResultRow => ({ number, digest, status: 'paid', tag: `q${number}` }));
  const payments = rows.map(
    ({ number, destination, amount, reference, documents }): HeldPayment => ({
      id: `p${number}`,
      merchant: { ...destination, name: 'Payee' },
      amount,
      currency: 'KES',
      reference,
      tag: `Q${number}`,
      living: true,
      documents,
    }),
  );
  const [firstTold, ...otherTold] = told as [ResultRow, ...ResultRow[]];
  const [firstPayment, ...otherPayments] = payments as [HeldPayment, ...HeldPayment[]];
  const said = (...given: Parameters<typeof judge>) => {
    const { rows: counts, doubles, losses, totals } = judge(...given);
    return { once: counts.once, doubles: doubles.length, losses: losses.length, paid: totals[0]?.paid };
  };

  it('finds every row once', () => {
    expect(said(rows, told, payments)).toEqual({ once: 3, doubles: 0, losses: 0, paid: 600 });
    expect(said(rows, told, [...payments, { ...firstPayment, id: 'expired', living: false }])).toMatchObject({
      doubles: 0,
    });
  });

  it('sees a twin, with the tag, without one, and of no row at all', () => {
    for (const tag of ['q1', null, 'q9'])
      expect(said(rows, told, [...payments, { ...firstPayment, id: 'twin', tag }])).toMatchObject({
        doubles: 1,
        paid: 700,
      });
    const foreign = { ...firstPayment, id: 'foreign', tag: null, reference: 'Other' };
    expect(said(rows, told, [...payments, foreign])).toMatchObject({ doubles: 1 });
  });

  it('sees what is lost: at the service, in the result, in what the result says, in what was paid', () => {
    const lost = { losses: 1, doubles: 0 };
    expect(said(rows, told, otherPayments)).toEqual({ once: 2, ...lost, paid: 500 });
    expect(said(rows, otherTold, payments)).toEqual({ once: 2, ...lost, paid: 600 });
    expect(said(rows, [...told, { ...firstTold, number: 9 }], payments)).toMatchObject(lost);
    expect(said(rows, [{ ...firstTold, status: 'unpaid' }, ...otherTold], payments)).toMatchObject(lost);
    expect(said(rows, told, [{ ...firstPayment, amount: 101 }, ...otherPayments])).toMatchObject(lost);
    expect(said(rows, told, [{ ...firstPayment, reference: 'Ref 2' }, ...otherPayments])).toMatchObject(lost);
    expect(said(rows, told, [{ ...firstPayment, documents: 0 }, ...otherPayments])).toMatchObject({ ...lost, once: 3 });
    expect(
      said(rows, [firstTold, { ...firstTold, digest: 'digest 2' }, ...otherTold.slice(1)], payments),
    ).toMatchObject({
      losses: 1,
      doubles: 1,
    });
  });

  it('takes an honest word for what is not paid', () => {
    const statuses = (status: string) => judge(rows, [{ ...firstTold, status }, ...otherTold], otherPayments).rows;
    expect(statuses('unpaid')).toMatchObject({ unpaid: 1, lost: 0 });
    expect(statuses('in doubt')).toMatchObject({ in_doubt: 1, lost: 0 });
    expect(statuses('not sent')).toMatchObject({ not_sent: 1, lost: 0 });
    expect(judge(rows, null, otherPayments).rows).toMatchObject({ not_sent: 1, in_doubt: 2, lost: 0, once: 0 });
  });
});
