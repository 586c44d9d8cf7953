/** A sheet against the last of its series: what is shown, what stops a run, and how it would be kept from being compared. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { percentWords } from '../../src/messages/format/numbers.ts';
import { isBeyond } from '../../src/pipeline/controls/variance.ts';
import { deskFor, newService } from '../cli/own-time.ts';
import { command, csvOf, documentOf, noted, planDiffers, refusalOf, resultOf, type SheetRow } from '../support.ts';

describe('how far', () => {
  it.each<[was: bigint, now: bigint, percent: number, beyond: boolean, words: string]>([
    [100n, 110n, 10, false, '+10.0 %'],
    [100n, 111n, 10, true, '+11.0 %'],
    [100n, 90n, 10, false, '-10.0 %'],
    [100n, 89n, 10, true, '-11.0 %'],
    [1000n, 1005n, 0.5, false, '+0.5 %'],
    [1000n, 1006n, 0.5, true, '+0.6 %'],
    [100n, 100n, 0, false, '+0.0 %'],
    [100n, 101n, 0, true, '+1.0 %'],
    [0n, 1n, 10, true, 'new'],
    [9007199254740991n, 9007199254740992n, 0, true, '+0.0 %'],
    [100n, 0n, 10, true, '-100.0 %'],
    [3n, 100003n, 10, true, '+3,333,333.3 %'],
  ])('from %d to %d, %d %%: %s', (was, now, percent, beyond, words) => {
    expect([isBeyond(was, now, percent), percentWords(was, now)]).toEqual([beyond, words]);
  });
});

const kes = { unit: 'whole', currency: 'KES' };
const payee = (at: number, amount: number, change: SheetRow = {}): SheetRow => ({
  row_id: `${at}`,
  name: `Payee ${at}`,
  country: 'Kenya',
  contact_number: `+25471234560${at}`,
  amount: String(amount),
  reference: 'Pay Oct',
  ...change,
});
const november = (row: SheetRow, change: SheetRow = {}) => ({
  ...row,
  row_id: `n${row.row_id}`,
  reference: 'Pay Nov',
  ...change,
});

it('who is new, gone or paid otherwise is shown; it stops where the setting says so, until a reason is given', async () => {
  const service = await newService();
  const october = [payee(1, 1000), payee(2, 2000), payee(3, 3000)];
  const desk = deskFor(service, october);
  const settings = (stop: boolean) =>
    writeFileSync(join(desk.folder, 'payrun.config.json'), JSON.stringify({ controls: { variance: { stop } } }));
  const said = async (...more: string[]) => {
    const ran = await command(desk, [...more, '--json']);
    return { exit: ran.exit, ran };
  };
  const run = async (...more: string[]) => await said('run', desk.sheet, '--batch', 'nov', ...more);
  const varies = (ran: Parameters<typeof documentOf>[0]) =>
    documentOf(ran)
      .problems.filter(({ code }) => code === 'VARIES')
      .map(({ row, facts }) => [row, facts]);
  const first = await said('run', desk.sheet, '--batch', 'oct', '--series', 'Payroll');
  expect([first.exit, documentOf(first.ran).notes]).toEqual([
    0,
    expect.arrayContaining([noted('series-first', { series: 'payroll' })]),
  ]);

  // A respelt name, another order and 1 % more are no other payee and no word.
  const same = [november(payee(2, 2000)), november(payee(1, 1010), { name: 'Mr PAYEE 1' }), november(payee(3, 3000))];
  writeFileSync(desk.sheet, csvOf(same));
  const calm = await said('plan', desk.sheet, '--batch', 'nov', '--series', 'payroll');
  expect(varies(calm.ran)).toEqual([]);
  const compared = { payees: { added: 0, gone: 0, changed: 0 }, totals: [{ was: '6000', now: '6010', ...kes }] };
  expect(documentOf(calm.ran).notes).toContainEqual(
    noted('series-compared', { series: 'payroll', batch: 'oct', percent: 10, ...compared }),
  );

  const moved = [november(payee(1, 1000)), november(payee(2, 20000)), november(payee(4, 500))];
  writeFileSync(desk.sheet, csvOf(moved));
  const planned = await said('plan', desk.sheet, '--batch', 'nov', '--series', 'payroll');
  expect(varies(planned.ran)).toEqual([
    [null, { name: 'Payee 3', batch: 'oct', ...kes, was: '3000', now: null }],
    [3, { name: 'Payee 2', batch: 'oct', ...kes, was: '2000', now: '20000' }],
    [4, { name: 'Payee 4', batch: 'oct', ...kes, was: null, now: '500' }],
  ]);

  settings(true);
  // Neither a wider part of a hundred, nor no series, nor a series of its own lets it through.
  for (const more of [
    ['--series', 'payroll'],
    ['--series', 'payroll', '--variance', '1000%'],
    ['--series', 'bonus'],
    [],
  ])
    expect([more, (await run(...more)).exit]).toEqual([more, 26]);
  const stopped = await run('--series', 'payroll');
  const beyond = [
    { of: 'total', ...kes, was: '6000', now: '21500' },
    { of: 'payees', payees: 1, percent: 10 },
  ];
  expect(refusalOf(stopped.ran)).toMatchObject({ code: 'VARIANCE', facts: { beyond } });
  expect(service.payments).toHaveLength(3);
  const paid = await run('--series', 'payroll', '--confirm-variance', 'Back pay', '--format', 'csv');
  expect([paid.exit, service.payments.length]).toEqual([0, 6]);
  expect(resultOf(documentOf(paid.ran).result)).toHaveLength(3);
  // What was confirmed goes on by the same line; what is added to it is compared again, in the batch's own series.
  expect((await run()).exit).toBe(0);
  writeFileSync(desk.sheet, csvOf([...moved, november(payee(5, 500))]));
  expect([(await run('--add')).exit, service.payments.length]).toEqual([26, 6]);
  expect((await said('resume', 'nov')).exit).toBe(0);
  const trail = join(desk.folder, 'trail.jsonl');
  await command(desk, ['audit', 'export', '--out', trail]);
  expect(readFileSync(trail, 'utf8')).toMatch(/denied.*VARIANCE[\s\S]*confirmed[\\":]+Back pay/);
  expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
});

it('a plan carries series and reason to whoever approves it, and its run takes both from it', async () => {
  const service = await newService();
  const desk = deskFor(service, [payee(1, 1000)]);
  const settings = { controls: { variance: { stop: true } } };
  writeFileSync(join(desk.folder, 'payrun.config.json'), JSON.stringify(settings));
  const said = async (...words: string[]) => await command(desk, [...words, '--json']);
  const made = async (...more: string[]) => documentOf(await said('plan', desk.sheet, '--maker', 'Ama', ...more));
  const run = async (digest: string | null, ...more: string[]) =>
    await said('run', desk.sheet, '--approve', digest ?? '', ...more);
  for (const [more, beyond] of [
    [[], { of: 'no-series' }],
    [['--series', 'payroll'], { of: 'first-of-series', series: 'payroll' }],
  ] as const) {
    const { exit, notes, next } = await made(...more);
    expect([exit, notes]).toEqual([0, expect.arrayContaining([noted('plan-stops', { unconfirmed: [beyond] })])]);
    expect(next[0]?.command).toContain('--confirm-variance REASON');
  }
  const first = ['--batch', 'oct', '--series', 'payroll', '--confirm-variance', 'The first'];
  expect((await run((await made(...first)).plan_digest)).exit).toBe(0);

  writeFileSync(desk.sheet, csvOf([november(payee(1, 9000))]));
  const plan = await made('--batch', 'nov', '--series', 'payroll', '--confirm-variance', 'Back pay');
  const page = readFileSync(plan.plan_page ?? '', 'utf8');
  for (const word of ['payroll', 'Back pay']) expect(page).toContain(word);
  for (const [more, difference] of [
    [['--series', 'bonus'], { name: 'series', was: 'payroll', now: 'bonus' }],
    [['--confirm-variance', 'Else'], { name: 'confirm_variance', was: 'Back pay', now: 'Else' }],
  ] as const) {
    const ran = await run(plan.plan_digest, ...more);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([26, planDiffers({ fault: 'setting-differs', ...difference })]);
  }
  expect([(await run(plan.plan_digest)).exit, service.payments.length]).toEqual([0, 2]);
  expect((await run(plan.plan_digest)).exit, 'the same line again').toBe(0);

  writeFileSync(desk.sheet, csvOf([november(payee(1, 9000), { row_id: 'd1', reference: 'Pay Dec' })]));
  const none = await made('--batch', 'dec', '--confirm-variance', 'Once');
  const other = await run(none.plan_digest, '--series', 'payroll');
  const difference = { fault: 'setting-differs', name: 'series', was: null, now: 'payroll' };
  expect([other.exit, refusalOf(other)]).toMatchObject([26, planDiffers(difference)]);
  expect((await made('--batch', 'dec', '--series', 'payroll')).notes).toContainEqual(
    noted('series-compared', { batch: 'nov', series: 'payroll' }),
  );
});
