/** Caps: how they are got around, and are not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, csvOf, type Desk, documentOf, kenyanRows, pay, type SheetRow } from '../support.ts';
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
  const { exit, err } = await command(desk, ['run', desk.sheet, '--wait', '0', ...more]);
  return [exit, err] as const;
}

const [first, second, third] = kenyanRows(3) as [SheetRow, SheetRow, SheetRow];
const to = (row: SheetRow, payee: SheetRow, more: object = {}): SheetRow => ({
  ...row,
  name: payee.name!,
  contact_number: payee.contact_number!,
  ...more,
});

describe.concurrent('a payment over the cap of a row', () => {
  it.each<[what: string, rows: SheetRow[], words: string]>([
    ['as it is', [{ ...first, amount: '151' }], 'row cap of 150 KES: row 2 pays 151 KES'],
    ['cut in two', [first, to(second, first)], "'Payee 1' (row 2 and 1 more) gets 201 KES to one account"],
    [
      'cut in two, to one phone under two networks and names',
      [first, to(second, first, { network_provider: 'AIRTEL', name: 'Somebody Else' })],
      'gets 201 KES to one account',
    ],
    [
      'cut in two, to two phones of one person',
      [first, { ...second, name: 'PAYEE. 1' }],
      'gets 201 KES to 2 accounts under this name',
    ],
  ])('%s is not sent', async (_, rows, words) => {
    const { service, desk } = await cappedDesk(rows, { KES: { row: 150, payee: '200' } });
    expect(await run(desk)).toEqual([26, expect.stringContaining(words)]);
    for (const name of ['plan', 'check'])
      expect(await command(desk, [name, desk.sheet])).toMatchObject({ exit: 26, err: expect.stringContaining(words) });
    expect(service.payments).toHaveLength(0);
    const trail = join(desk.folder, 'trail.jsonl');
    await command(desk, ['audit', 'export', '--out', trail]);
    expect(readFileSync(trail, 'utf8')).toMatch(/denied.*OVER_CAP/);
  });

  it('cut in two batches of a day is not sent', async () => {
    const { service, desk } = await cappedDesk([first], { KES: { payee: '200', day: '302' } });
    expect((await run(desk, '--batch', 'one'))[0]).toBe(23);
    sheetAgain(desk, [to(second, first)]);
    expect(await run(desk, '--batch', 'two')).toEqual([26, expect.stringContaining('gets 201 KES to one account')]);
    sheetAgain(desk, [second]);
    expect((await run(desk, '--batch', 'two'))[0]).toBe(23);
    sheetAgain(desk, [third]);
    expect(await run(desk, '--batch', 'three')).toEqual([
      26,
      expect.stringMatching(
        /day cap of 302 KES: on \S+, 201 KES was sent already, and 102 KES would be sent now[\s\S]*A new day begins at/,
      ),
    ]);
    expect(service.payments).toHaveLength(2);
  });
});

describe.concurrent('a batch that goes on', () => {
  it('is held to caps that are lower by then, in sheet, resume and retry; what was sent is followed', async () => {
    const { service, desk } = await cappedDesk([first, second], { KES: { batch: '201' } });
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth === 2 ? { kind: 'answer', status: 422, body: { message: 'no' } } : undefined;
    expect((await run(desk, '--batch', 'nov'))[0]).toBe(23);
    configured(desk, { KES: { batch: '200' } });
    const over = expect.stringContaining(
      'batch cap of 200 KES: 100 KES was sent of it before, and 101 KES would be sent now',
    );
    const retry = async () => await command(desk, ['retry', 'nov', '--wait', '0']);
    expect(await retry()).toMatchObject({ exit: 26, err: over });
    sheetAgain(desk, [first, { ...second, amount: '102' }]);
    expect((await run(desk, '--batch', 'nov'))[1]).toContain('102 KES would be sent now');
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

describe.concurrent('a cap that was said of a batch', () => {
  it('holds for whoever goes on, as does a lower one; the sheet handed in again says anew', async () => {
    const { service, desk } = await cappedDesk([first, second], { KES: { day: 1000 } });
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth === 2 ? { kind: 'answer', status: 422, body: { message: 'no' } } : undefined;
    expect((await run(desk, '--batch', 'nov', '--cap', 'KES:day=250'))[0]).toBe(23);
    sheetAgain(desk, [third]);
    expect((await run(desk, '--batch', 'other'))[0]).toBe(23);
    const retry = async (...more: string[]) => await command(desk, ['retry', 'nov', '--wait', '0', ...more]);
    expect(await retry()).toMatchObject({ exit: 26, err: expect.stringContaining('day cap of 250 KES') });
    expect(await retry('--cap', 'KES:day=900')).toMatchObject({ exit: 26 });
    configured(desk, { KES: { day: 240 } });
    expect(await retry()).toMatchObject({ exit: 26, err: expect.stringContaining('day cap of 240 KES') });
    configured(desk, {});
    expect(service.payments).toHaveLength(2);
    sheetAgain(desk, [first, second]);
    expect((await run(desk, '--batch', 'nov'))[0]).toBe(23);
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
    expect(readFileSync(planned.plan!, 'utf8')).toContain('"caps":"KES batch 500"');
    expect(readFileSync(planned.plan_page!, 'utf8')).toContain('<th scope="row">Caps</th><td>KES batch 500</td>');
    const approve = ['--approve', planned.plan_digest!];
    expect(await run(desk, ...approve, '--cap', 'KES:batch=400')).toEqual([
      26,
      expect.stringContaining("limit caps was 'KES batch 500', is 'KES batch 400'"),
    ]);
    configured(desk, {});
    expect((await run(desk, ...approve))[1]).toContain("limit caps was 'KES batch 500', is empty");
    configured(desk, { KES: { batch: '500' } });
    expect((await pay(desk, ...approve)).exit).toBe(23);
  });
});
