/** Caps: how they are got around, and are not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  pay,
  planDiffers,
  refusalOf,
  type SheetRow,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const configured = (desk: Desk, caps: object) =>
  writeFileSync(join(desk.folder, 'payrun.config.json'), JSON.stringify({ caps }));

async function cappedDesk(rows: readonly SheetRow[], caps: object) {
  const service = await newService();
  const desk = deskFor(service, rows);
  configured(desk, caps);
  return { service, desk };
}

const sheetAgain = (desk: Desk, rows: readonly SheetRow[]) => writeFileSync(desk.sheet, csvOf(rows));

async function run(desk: Desk, ...more: string[]) {
  return await command(desk, ['run', desk.sheet, '--json', '--wait', '0', ...more]);
}

/** Expects that the command, which ran with --json, refuses because the money exceeds this cap. */
async function expectOver(running: ReturnType<typeof command>, over: object, dayEnds: number | null = null) {
  const ran = await running;
  expect([ran.exit, refusalOf(ran)]).toMatchObject([26, { code: 'OVER_CAP', facts: { over: [over], dayEnds } }]);
}

const [hour, day] = [3_600_000, 86_400_000];
/** Returns when the day ends in Johannesburg. */
const midnight = ({ clock }: ReturnType<typeof deskFor>) => Math.ceil((clock.now() + 2 * hour) / day) * day - 2 * hour;

const [first, second, third] = kenyanRows(3) as [SheetRow, SheetRow, SheetRow];
const to = (row: SheetRow, payee: SheetRow, more: object = {}): SheetRow => ({
  ...row,
  name: payee.name!,
  contact_number: payee.contact_number!,
  ...more,
});

const twoRows = { of: 'payee', money: 'KES', cap: '200', rows: 2, amount: '201' };

describe.concurrent('a payment over the cap of a row', () => {
  it.each<[what: string, rows: SheetRow[], over: object]>([
    ['as it is', [{ ...first, amount: '151' }], { of: 'row', money: 'KES', cap: '150', row: 2, amount: '151' }],
    ['cut in two', [first, to(second, first)], { ...twoRows, name: 'Payee 1', row: 2, accounts: 1 }],
    [
      'cut in two, to one phone under two networks and names',
      [first, to(second, first, { network_provider: 'AIRTEL', name: 'Somebody Else' })],
      { ...twoRows, accounts: 1 },
    ],
    ['cut in two, to two phones of one person', [first, { ...second, name: 'PAYEE. 1' }], { ...twoRows, accounts: 2 }],
  ])('%s is not sent', async (_, rows, over) => {
    const { service, desk } = await cappedDesk(rows, { KES: { row: 150, payee: '200' } });
    await expectOver(run(desk), over);
    for (const name of ['plan', 'check']) await expectOver(command(desk, [name, desk.sheet, '--json']), over);
    expect(service.payments).toHaveLength(0);
    const trail = join(desk.folder, 'trail.jsonl');
    await command(desk, ['audit', 'export', '--out', trail]);
    expect(readFileSync(trail, 'utf8')).toMatch(/denied.*OVER_CAP/);
  });

  it('cut in two batches of a day is not sent', async () => {
    const { service, desk } = await cappedDesk([first], { KES: { payee: '200', day: '302' } });
    expect((await run(desk, '--batch', 'one')).exit).toBe(23);
    sheetAgain(desk, [to(second, first)]);
    await expectOver(run(desk, '--batch', 'two'), { ...twoRows, rows: 1, accounts: 1 });
    sheetAgain(desk, [second]);
    expect((await run(desk, '--batch', 'two')).exit).toBe(23);
    sheetAgain(desk, [third]);
    const over = { of: 'day', money: 'KES', cap: '302', before: '201', now: '102' };
    await expectOver(run(desk, '--batch', 'three'), over, midnight(desk));
    expect(service.payments).toHaveLength(2);
  });
});

describe.concurrent('a batch that continues', () => {
  it('obeys caps that were lowered, in a sheet, resume and retry; sent payments are followed', async () => {
    const { service, desk } = await cappedDesk([first, second], { KES: { batch: '201' } });
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth === 2 ? { kind: 'answer', status: 422, body: { message: 'no' } } : undefined;
    expect((await run(desk, '--batch', 'nov')).exit).toBe(23);
    configured(desk, { KES: { batch: '200' } });
    const over = { of: 'batch', money: 'KES', cap: '200', before: '100', now: '101' };
    const retry = async () => await command(desk, ['retry', 'nov', '--json', '--wait', '0']);
    await expectOver(retry(), over);
    sheetAgain(desk, [first, { ...second, amount: '102' }]);
    await expectOver(run(desk, '--batch', 'nov'), { ...over, now: '102' });
    // Neither left anything behind that a later command would send.
    configured(desk, { KES: { batch: '201' } });
    expect(documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '0'])).rows).toMatchObject({
      unpaid: 1,
    });
    expect(await retry()).toMatchObject({ exit: 23 });
    configured(desk, { KES: { batch: '0' } });
    const followed = documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '20s']));
    expect([followed.exit, service.payments.length]).toEqual([0, 2]);
  });
});

describe.concurrent('the cap of a batch', () => {
  it('also limits a retry, as a lower one does; the same sheet without the cap removes it', async () => {
    const { service, desk } = await cappedDesk([first, second], { KES: { day: 1000 } });
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth === 2 ? { kind: 'answer', status: 422, body: { message: 'no' } } : undefined;
    expect((await run(desk, '--batch', 'nov', '--cap', 'KES:day=250')).exit).toBe(23);
    sheetAgain(desk, [third]);
    expect((await run(desk, '--batch', 'other')).exit).toBe(23);
    const retry = async (...more: string[]) => await command(desk, ['retry', 'nov', '--json', '--wait', '0', ...more]);
    await expectOver(retry(), { of: 'day', cap: '250' }, midnight(desk));
    await expectOver(retry('--cap', 'KES:day=900'), { of: 'day', cap: '250' }, midnight(desk));
    configured(desk, { KES: { day: 240 } });
    await expectOver(retry(), { of: 'day', cap: '240' }, midnight(desk));
    configured(desk, {});
    expect(service.payments).toHaveLength(2);
    sheetAgain(desk, [first, second]);
    expect((await run(desk, '--batch', 'nov')).exit).toBe(23);
    expect(await retry()).toMatchObject({ exit: 23 });
    expect(service.payments).toHaveLength(3);
  });
});

describe.concurrent('the setting', () => {
  it.each([
    ['{"caps": {"KSH": {"row": 1}}}', 'Unrecognized key: "KSH"'],
    ['{"caps": {"BTC": {"row": 1}}}', 'Unrecognized key: "BTC"'],
    ['{"caps": {"KES": {"month": 1}}}', 'Unrecognized key: "month"'],
    ['{"caps": {"KES": {"row": 1.5}}}', 'caps.KES.row'],
    ['{"caps": {"KES": {"row": 9007199254740993}}}', 'caps.KES.row'],
    ['{"caps": {"KES": {"row": "1,000"}}}', 'caps.KES.row'],
    ['{"caps": {"KES": 5}}', 'caps.KES'],
  ])('%s is refused', async (text, words) => {
    const desk = deskFor(null, [first]);
    writeFileSync(join(desk.folder, 'payrun.config.json'), text);
    const { exit, err } = await command(desk, ['check', desk.sheet]);
    expect([exit, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it('stands in the plan, and a run under the plan keeps to it', async () => {
    const { desk } = await cappedDesk([first], { KES: { batch: '500' } });
    const planned = JSON.parse((await command(desk, ['plan', desk.sheet, '--json'])).out) as Record<string, string>;
    expect(readFileSync(planned.plan!, 'utf8')).toContain('"caps":{"KES":{"batch":"500"}}');
    expect(readFileSync(planned.plan_page!, 'utf8')).toContain('<th scope="row">Caps</th><td>KES batch 500</td>');
    const approve = ['--approve', planned.plan_digest!];
    const caps = (now: object | null) =>
      planDiffers({ fault: 'setting-differs', name: 'caps', was: { KES: { batch: '500' } }, now });
    const lower = await run(desk, ...approve, '--cap', 'KES:batch=400');
    expect([lower.exit, refusalOf(lower)]).toMatchObject([26, caps({ KES: { batch: '400' } })]);
    configured(desk, {});
    expect(refusalOf(await run(desk, ...approve))).toMatchObject(caps(null));
    configured(desk, { KES: { batch: '500' } });
    expect((await pay(desk, ...approve)).exit).toBe(23);
  });
});
