/** A sheet is known by its bytes: whatever was done to the folders, and whatever is done to the file, what is answered is what was paid. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/digest.ts';
import { csvOf, expectOnePaymentEach, kenyanRows } from '../support.ts';
import { type Hot, newHotFolder } from './hot.ts';

const november = kenyanRows(3);
const december = kenyanRows(8).slice(3);

/** As somebody does who keeps house: what is finished in `taken` may go, and whoever reads the answers takes them away. */
function clearedAway({ folder }: Hot): void {
  for (const name of ['taken/payroll', 'out']) rmSync(join(folder, name), { recursive: true });
}

describe.concurrent('a sheet of an old name', () => {
  it.each([
    ['after its folders were cleared', clearedAway],
    ['in a folder that is mounted in place of the old one', ({ folder }: Hot) => renameSync(folder, `${folder}-old`)],
  ])('is a new sheet %s', async (_, happens) => {
    const { service, hot } = await newHotFolder(november);
    hot.put('payroll.csv', csvOf(november));
    expect((await hot.once()).exit).toBe(0);
    happens(hot);
    hot.make();
    hot.put('payroll.csv', csvOf(december));
    const ran = await hot.once();
    expect([ran.exit, ran.err]).toEqual([0, '']);
    expectOnePaymentEach(service, [...november, ...december]);
    expect(hot.answer('payroll.ACK')).toMatchObject({
      sha256: sha256(csvOf(december)),
      state: 'ended',
      rows: { total: 5, paid: 5 },
    });
  });

  const withFault = [december[0]!, { ...december[1]!, amount: '12.50' }];

  it.each([
    [
      'NACK',
      withFault,
      november,
      'ended',
      ['payroll-2.ACK', 'payroll-2.RESULT.csv', 'payroll.CHECKED.xlsx', 'payroll.NACK'],
    ],
    ['CHECKED.xlsx', withFault, november, 'ended', ['payroll-2.ACK', 'payroll-2.RESULT.csv', 'payroll.CHECKED.xlsx']],
    [
      'RESULT.csv',
      november,
      withFault,
      'refused',
      ['payroll-2.ACK', 'payroll-2.CHECKED.xlsx', 'payroll-2.NACK', 'payroll.RESULT.csv'],
    ],
  ])('of which %s is still there gets a name of its own', async (left, first, second, state, answers) => {
    const { hot } = await newHotFolder(november);
    hot.put('payroll.csv', csvOf(first));
    await hot.once();
    rmSync(join(hot.folder, 'taken/payroll'), { recursive: true });
    for (const name of hot.out()) if (!answers.includes(name)) rmSync(join(hot.folder, 'out', name));
    expect(hot.out()).toContain(`payroll.${left}`);
    hot.put('payroll.csv', csvOf(second));
    await hot.once();
    expect(hot.out()).toEqual(answers);
    expect(hot.answer('payroll-2.ACK')).toMatchObject({ sha256: sha256(csvOf(second)), state });
  });

  it('that is the same once more, a month later, is told as such, and not as paid', async () => {
    const { service, hot } = await newHotFolder(november);
    hot.put('payroll.csv', csvOf(november));
    expect((await hot.once()).exit).toBe(0);
    clearedAway(hot);
    const monthMs = 30 * 24 * 3_600_000;
    hot.desk.clock = { ...systemClock, now: () => systemClock.now() + monthMs };
    hot.put('payroll.csv', csvOf(november));
    expect((await hot.once()).exit).toBe(26);
    expect(hot.answer('payroll.NACK')).toMatchObject({ code: 'BATCH_PAID' });
    expect(hot.answer('payroll.DUPS')).toMatchObject({ what: 'batch' });
    expectOnePaymentEach(service, november);
  });
});

it('a sheet that is changed after it was taken is refused, and nothing of it is sent', async () => {
  const { service, hot } = await newHotFolder(november);
  writeFileSync(join(hot.desk.folder, 'payrun.config.json'), '{"controls":{"totals":"require"}}');
  const still = join(hot.desk.folder, 'still-mine.csv');
  linkSync(hot.put('payroll.csv', csvOf(november)), still);
  expect((await hot.once()).exit).toBe(26);
  expect(hot.answer('payroll.ACK')).toMatchObject({ state: 'waits' });
  writeFileSync(still, csvOf(december));
  hot.put('payroll.totals.json', '{"rows":5,"totals":{"KES":"525"}}');
  expect((await hot.once()).exit).toBe(26);
  expect(hot.answer('payroll.NACK')).toMatchObject({
    code: 'SHEET_CHANGED',
    sha256: sha256(csvOf(november)),
  });
  expect(service.payments).toEqual([]);
  expect(readFileSync(still, 'utf8')).toBe(csvOf(december));
});
