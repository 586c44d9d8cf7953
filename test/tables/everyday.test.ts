/** Five everyday tasks. Each takes at most two commands or two plans, and a refusal that comes first names the second one. */
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/domain/calendar/johannesburg.ts';
import { deskFor, ownTime } from '../cli/own-time.ts';
import { openOffice } from '../console/office.ts';
import { command, documentOf, newService, pay, type Ran, refusalOf } from '../support.ts';
import { paid, planned, planOf, uploaded } from './at-console.ts';
import { type Started, sheets, start, wordsOf } from './row-in-state.ts';

const officeOf = async ({ desk }: Pick<Started, 'desk'>) => await openOffice(desk.folder, desk.env);
const codeOf = (ran: Ran) => refusalOf(ran).code;

describe('correcting an unpaid row', () => {
  it('takes one command', async () => {
    const at = await start('refused', { hasSent: true });
    expect((await at.run(sheets.other)).exit).toBe(23);
    expect(await at.words()).toBe('pending 999');
    expect(codeOf(await at.run(sheets.mistake)), 'the row may be paid by the correction').toBe('SENT_ROWS_CHANGED');
  });

  it('takes the command that the status prints, which closes no row that the sheet lacks', async () => {
    const { desk, run, words } = await start('refused', { hasSent: true });
    expect(documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code'])).next).toMatchObject([
      { action: 'resume' },
      { action: 'run-sheet', batch: 'nov', add: false, why: 'corrected' },
      { action: 'retry', rows: null, count: 1 },
      { action: 'drop-rows', rows: ['k2'], named: { total: 1, shown: [{ key: 'k2' }] } },
    ]);
    expect(codeOf(await run(sheets.missing))).toBe('ROWS_DROPPED');
    expect((await run(sheets.missing, '--drop')).exit).toBe(23);
    expect(await words()).toBe('closed');
  });

  it('takes one plan at the console', async () => {
    const at = await start('refused', { hasSent: true });
    const office = await officeOf(at);
    const { id, code } = await planned(office, sheets.other, 'add drop');
    expect(code).toBe('plan');
    await paid(office, id);
    expect(await wordsOf(office)).toBe('paid 999');
    await office.close();
  });
});

describe('adding a late row', () => {
  it('takes the command that the refusal names', async () => {
    const at = await start('accepted', { hasSent: true });
    expect(refusalOf(await at.run(sheets.new))).toMatchObject({
      code: 'ROWS_ADDED',
      facts: { added: 1, addition: { action: 'run-sheet', batch: 'nov', add: true } },
    });
    expect((await at.run(sheets.new, '--add')).exit).toBe(23);
    expect(await at.words()).toBe('pending, pending');
  });

  it('takes one choice at the console', async () => {
    const at = await start('accepted', { hasSent: true });
    const office = await officeOf(at);
    expect((await planned(office, sheets.new, '')).code).toBe('ROWS_ADDED');
    const { id } = await planned(office, sheets.new, 'add');
    await paid(office, id);
    expect(await wordsOf(office)).toBe('paid, paid');
    await office.close();
  });
});

describe('dropping a row', () => {
  it('takes the command that the refusal names, and asks for nothing later', async () => {
    const at = await start('ready', { hasSent: true });
    expect(refusalOf(await at.run(sheets.missing))).toMatchObject({
      code: 'ROWS_DROPPED',
      facts: { rows: { total: 1, shown: [{ key: 'k2' }] }, command: { action: 'run-sheet', batch: 'nov', drop: true } },
    });
    expect(documentOf(await at.run(sheets.missing, '--drop')).rows).toMatchObject({ closed: 1, pending: 1 });
    for (const flags of [[], ['--drop']]) expect((await at.run(sheets.missing, ...flags)).exit).toBe(23);
    expect(await at.words()).toBe('closed');
  });

  it('takes one choice at the console', async () => {
    const at = await start('refused', { hasSent: true });
    const office = await officeOf(at);
    expect((await planned(office, sheets.missing, '')).code).toBe('ROWS_DROPPED');
    await paid(office, (await planned(office, sheets.missing, 'drop')).id);
    expect(await wordsOf(office)).toBe('closed');
    expect((await planned(office, sheets.missing, '')).code).toBe('NOTHING_TO_SEND');
    await office.close();
  });
});

describe('submitting the sheet of last month by mistake', () => {
  it('sends nothing, and names the batch that paid it', async () => {
    const at = await start('succeeded', { hasSent: true });
    const ran = await at.run(sheets.same, '--batch', 'dec');
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      26,
      {
        code: 'SHEET_LOOKS_PAID',
        facts: { batch: 'nov', held: 2, of: 2, command: { action: 'repeat-sheet', batch: 'dec' } },
      },
    ]);
  });

  it('sends nothing at the console', async () => {
    const at = await start('succeeded', { hasSent: true });
    const office = await officeOf(at);
    const { id, code } = await planned(office, sheets.same, '');
    expect(code).toBe('NOTHING_TO_SEND');
    expect((await office.settled(id)).sharedWith).toMatchObject([{ batch: 'nov', paid: 2 }]);
    await office.close();
  });

  it('is refused under a new name 30 days later, at the terminal and at the console', async () => {
    const clock = ownTime(Date.now() - 30 * dayMs);
    const service = await newService({ now: () => clock.now() });
    const desk = deskFor(Object.assign(service, { clock }), sheets.same);
    expect((await pay(desk, '--batch', 'nov', '--wait', '20s')).document.rows.paid).toBe(2);
    clock.pass(30 * dayMs);
    const ran = await command(desk, ['run', desk.sheet, '--batch', 'dec', '--json']);
    expect([ran.exit, codeOf(ran)]).toEqual([26, 'SHEET_LOOKS_PAID']);
    const office = await officeOf({ desk });
    const upload = await uploaded(office, sheets.same);
    expect((await planOf(office, upload, '', 'dec')).code).toBe('SHEET_LOOKS_PAID');
    await office.close();
    expect(service.payments.length).toBe(2);
  });
});

it('a batch of which nothing was sent says how many rows the next sheet adds, changes and removes', async () => {
  const at = await start('planned', { hasSent: false });
  const [, changed] = sheets.other;
  const ran = documentOf(await at.run([changed, sheets.new[2]]));
  expect(ran.notes).toContainEqual(
    expect.objectContaining({
      note: 'rows-of-batch',
      batch: 'nov',
      added: 1,
      same: 0,
      differing: 1,
      dropped: 1,
    }),
  );
});

describe('two people who change one batch at once', () => {
  it('do not undo each other: the later plan is refused, and planned again', async () => {
    const at = await start('planned', { hasSent: false });
    const { plan_digest: digest } = documentOf(await at.plan(sheets.new));
    expect((await at.run(sheets.other)).exit).toBe(23);
    const late = await at.run(sheets.new, '--approve', digest ?? '');
    expect([late.exit, codeOf(late)]).toEqual([26, 'SENT_ROWS_CHANGED']);
    expect(await at.words()).toBe('pending 999');
  });

  it('wait for each other at the console', async () => {
    const at = await start('planned', { hasSent: false });
    const office = await officeOf(at);
    const first = await planned(office, sheets.other, '');
    expect([first.code, (await planned(office, sheets.new, '')).code]).toEqual(['plan', 'PROPOSAL_WAITS']);
    await paid(office, first.id);
    expect(await wordsOf(office)).toBe('paid 999');
    await office.close();
  });
});
