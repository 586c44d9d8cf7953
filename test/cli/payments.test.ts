/** A file of payments (pain.001) from check to answer: paid like any sheet, and answered with a status for each transaction. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { command, documentOf, refusalOf, resultOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const sample = (name: string) => join(import.meta.dirname, `../corpus/payments/${name}.xml`);

it.concurrent('is paid once, and answered in its own ids beside the result', async () => {
  const service = await newService();
  const desk = deskFor(service, []);
  const file = join(desk.folder, 'month.xml');
  copyFileSync(sample('as-a-large-erp-has-it'), file);
  const ran = await command(desk, ['run', file, '--batch', 'nov', '--json', '--wait', '20s']);
  const document = documentOf(ran);
  expect([ran.exit, document.rows.paid, service.payments.length]).toEqual([0, 3, 3]);
  expect(
    resultOf(document.result).map(({ payrun_row, payrun_status, InstrId }) => [payrun_row, payrun_status, InstrId]),
  ).toEqual([
    ['SAL-0001', 'paid', '4711'],
    ['INV-204', 'paid', ''],
    ['TRAVEL-7', 'paid', ''],
  ]);
  expect(document.answer).toBe(join(desk.folder, 'month.pain.002.xml'));
  const answer = readFileSync(document.answer ?? '', 'utf8');
  expect(answer).toContain('<OrgnlMsgId>MSG-2026-11</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>');
  expect(answer).toContain('<DtldNbOfTxs>3</DtldNbOfTxs><DtldSts>ACSC</DtldSts><DtldCtrlSum>265700</DtldCtrlSum>');
  expect(answer).toMatch(/<OrgnlInstrId>4711<\/OrgnlInstrId><OrgnlEndToEndId>SAL-0001<\/OrgnlEndToEndId><TxSts>ACSC</);
  const again = await command(desk, ['run', file, '--batch', 'nov', '--json']);
  expect([again.exit, service.payments.length]).toEqual([0, 3]);
  // The result is a sheet like any other, and goes on with its batch.
  const result = await command(desk, ['run', document.result!, '--json']);
  expect([result.exit, documentOf(result).batch, service.payments.length]).toEqual([0, 'nov', 3]);
});

it.concurrent('sends nothing where its sums do not agree, and says which', async () => {
  const service = await newService();
  const desk = deskFor(service, []);
  const file = join(desk.folder, 'month.xml');
  copyFileSync(sample('sum-differs'), file);
  const ran = await command(desk, ['run', file, '--json', '--batch', 'nov']);
  expect([ran.exit, service.payments.length, existsSync(join(desk.folder, 'month.pain.002.xml'))]).toEqual([
    20,
    0,
    false,
  ]);
  expect(refusalOf(ran)).toMatchObject({
    code: 'PAYMENTS_TOTAL_DIFFERS',
    facts: { group: null, element: 'CtrlSum', says: '14500.01', found: '14500' },
  });
});

it.concurrent('never rejects a transaction that is in doubt', async () => {
  const service = await newService({ created: { status: 500, answer: () => ({}) }, listedAfterMs: 3_600_000 });
  const desk = deskFor(service, []);
  const file = join(desk.folder, 'month.xml');
  writeFileSync(file, readFileSync(sample('minimal')));
  const ran = await command(desk, ['run', file, '--batch', 'nov', '--json']);
  expect(documentOf(ran).rows).toMatchObject({ in_doubt: 1 });
  const answer = readFileSync(join(desk.folder, 'month.pain.002.xml'), 'utf8');
  expect(answer).toContain('<TxSts>PDNG</TxSts><StsRsnInf><Rsn><Prtry>in doubt</Prtry></Rsn>');
  expect(answer).not.toContain('RJCT');
});

it.concurrent.each([
  ['NOTPROVIDED', 1, { code: 'ROW_REPEATED', facts: { row: 2, fix: 'end-to-end-ids' } }],
  ['X-1', 2, { code: 'ROW_ID_REPEATED', facts: { row: 2, id: 'EndToEndId', endToEndId: 'X-1' } }],
])('speaks of its own ids where two transactions cannot be told apart: %s', async (id, factor, problem) => {
  const desk = deskFor(null, []);
  const file = join(desk.folder, 'month.xml');
  const [, head, one, tail] = /^(.*?)(<CdtTrfTxInf>.*<\/CdtTrfTxInf>)(.*)$/s.exec(
    readFileSync(sample('minimal'), 'utf8').replace('SAL-0001', id).replace('<NbOfTxs>1<', '<NbOfTxs>2<'),
  )!;
  writeFileSync(file, `${head}${one}${one!.replace('14500.00', String(14500 * factor))}${tail}`);
  const { exit, problems } = documentOf(await command(desk, ['check', file, '--json']));
  expect([exit, problems[0]]).toMatchObject([20, problem]);
  expect((await command(desk, ['check', file])).out).not.toContain('row_id');
});
