/** `--corrections`: one overlay for check, plan, run and result, kept with the batch and told in the trail. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import { correctionWords } from '../../src/messages/notes/sheet-notes.ts';
import { messageOf } from '../problem-words.ts';
import { command, type Desk, documentOf, kenyanRows, noted, planDiffers, refusalOf, resultOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(3).map((row, index) => (index === 1 ? { ...row, amount: '12.50' } : row));
/** Columns of the sheet: row_id, name, country, contact_number, amount, reference. */
const mended = { row: 3, column: 4, from: '12.50', to: '13', by: 'Nomsa Dlamini', at: '2026-11-21T09:30:00.000Z' };
const moved = { ...mended, row: 4, column: 3, from: '+254712345612', to: '+254712345699' };

function correct(desk: Desk, ...corrections: object[]): string[] {
  writeFileSync(join(desk.folder, 'corrections.json'), JSON.stringify({ corrections }));
  return ['--corrections', 'corrections.json'];
}

async function trail(desk: Desk): Promise<unknown[][]> {
  const out = join(desk.folder, 'trail.jsonl');
  await command(desk, ['audit', 'export', '--out', out]);
  const lines = readFileSync(out, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse((JSON.parse(line) as { text: string }).text) as unknown[]);
}

describe.concurrent('--corrections', () => {
  it('corrects a sheet for check, plan, run, result and report, and each of them shows the corrections', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const flags = correct(desk, mended, moved);
    expect((await command(desk, ['check', desk.sheet])).exit).toBe(20);
    const checked = documentOf(await command(desk, ['check', desk.sheet, '--json', ...flags]));
    expect(checked).toMatchObject({ exit: 0, rows: { invalid: 0, not_sent: 3 } });
    expect(checked.notes).toContainEqual(noted('corrections-read', { corrections: 2, by: ['Nomsa Dlamini'] }));

    const planned = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json', ...flags]));
    const { plan, plan_page: page, plan_digest: digest } = planned as Outcome & Record<string, string>;
    const { warnings } = JSON.parse(readFileSync(plan!, 'utf8'));
    expect(warnings).toMatchObject([
      { row: 3, code: 'CELL_CORRECTED', facts: { header: 'amount', from: '12.50', to: '13' } },
      { row: 4, code: 'CELL_CORRECTED', facts: { header: 'contact_number', from: moved.from, to: moved.to } },
    ]);
    for (const warning of warnings)
      expect(readFileSync(page!, 'utf8')).toContain(messageOf(warning).replaceAll("'", '&#39;'));
    const without = await command(desk, ['run', desk.sheet, '--wait', '0', '--approve', digest!]);
    expect(without.exit, 'the plan is of the corrected sheet').toBe(20);

    const ran = documentOf(await command(desk, ['run', plan!, '--json', '--wait', '20s', '--approve', digest!]));
    expect(ran).toMatchObject({ exit: 0, rows: { paid: 3 } });
    expect(service.payments.map(({ amount }) => amount)).toEqual([100, 13, 102]);
    expect(resultOf(ran.result).map(({ amount, contact_number: phone }) => [amount, phone])).toEqual([
      ['100', '+254712345610'],
      ['13', '+254712345611'],
      ['102', '+254712345699'],
    ]);
    expect(readFileSync(desk.sheet, 'utf8'), 'the file stays as it is').toContain('12.50');

    const told = (await trail(desk)).find(([, , , what]) => what === 'corrected');
    expect(told?.[4]).toEqual({
      cells: [
        { cell: 'E3', header: 'amount', from: '12.50', to: '13', by: 'Nomsa Dlamini', at: mended.at },
        { cell: 'D4', header: 'contact_number', from: '…5612', to: '…5699', by: 'Nomsa Dlamini', at: mended.at },
      ],
    });
    expect((await command(desk, ['audit', 'export', 'nov', '--out', join(desk.folder, 'pack.zip')])).exit).toBe(0);
    expect((await command(desk, ['audit', 'verify', join(desk.folder, 'pack.zip')])).exit).toBe(0);
    const pack = readFileSync(join(desk.folder, 'pack.zip'), 'latin1');
    for (const cells of [
      /&#39;12\.50&#39;.*&#39;13&#39;.*<td>Nomsa Dlamini<\/td>/,
      Buffer.from('…5612').toString('latin1'),
    ])
      expect(pack, 'the evidence shows why the result differs from the sheet').toMatch(cells);
    const report = await command(desk, ['report', 'nov', '--html', '--out', desk.folder]);
    expect(readFileSync(report.out.trim(), 'utf8')).toContain(
      correctionWords({ corrections: 2, by: ['Nomsa Dlamini'] }),
    );
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
    // The result has the corrected cells: handed in again it needs no file beside it.
    const again = documentOf(await command(desk, ['run', ran.result!, '--json', '--wait', '0']));
    expect([again.exit, again.sent, service.payments.length]).toEqual([0, 0, 3]);
  });

  it('under a plan must be the approved ones: other cells, another person or time differ; a sheet that has the values needs none', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const planned = documentOf(
      await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json', ...correct(desk, mended)]),
    );
    const run = async (...more: string[]) =>
      await command(desk, ['run', desk.sheet, '--json', '--wait', '0', '--approve', planned.plan_digest!, ...more]);
    const corrected = { fault: 'warning-is-new', row: 3, problem: expect.objectContaining({ code: 'CELL_CORRECTED' }) };
    for (const [change, fault] of [
      [{ by: 'Eve' }, corrected],
      [{ at: '2026-11-20T09:30:00.000Z' }, corrected],
      [{ to: '14' }, { fault: 'cell-differs', row: 3, column: 'amount', was: '13', now: '14' }],
      [
        { row: 4, column: 0, from: 'k3', to: 'other' },
        { fault: 'cell-differs', row: 4, column: 'row_id', was: 'k3', now: 'other' },
      ],
    ] as const) {
      const others =
        'to' in change && 'row' in change ? [mended, { ...mended, ...change }] : [{ ...mended, ...change }];
      const ran = await run(...correct(desk, ...others));
      expect([ran.exit, refusalOf(ran)]).toMatchObject([26, planDiffers(fault)]);
    }
    expect(service.payments).toHaveLength(0);
    writeFileSync(desk.sheet, readFileSync(desk.sheet, 'utf8').replace('12.50', '13'));
    expect((await run()).exit).toBe(23);
    expect(service.payments.map(({ amount }) => amount)).toEqual([100, 13, 102]);
  });

  it('refuses a sheet in which a corrected cell has changed, and sends nothing', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const ran = documentOf(
      await command(desk, [
        'run',
        desk.sheet,
        '--json',
        '--skip-invalid',
        '--wait',
        '0',
        ...correct(desk, { ...mended, from: '12.51' }),
      ]),
    );
    expect([ran.exit, service.payments.length]).toEqual([20, 0]);
    expect(ran.problems.map(({ code }) => code)).toContain('CORRECTION_LOST');
  });

  it('refuses a file that is none, before anything is opened', async () => {
    const desk = deskFor(null, rows);
    writeFileSync(join(desk.folder, 'corrections.json'), '{"corrections": [{"row": 1}]}');
    const ran = await command(desk, ['run', desk.sheet, '--corrections', 'corrections.json', '--sandbox', '--json']);
    const why = { fault: 'wrong-shape', place: 'corrections[0].column' };
    expect(JSON.parse(ran.out)).toMatchObject({ exit: 2, error: { code: 'CORRECTIONS_UNUSABLE', facts: { why } } });
  });
});
