/** Ways by which a row was once paid twice, shown as unpaid, or lost its document: each stays a test. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alikeRowWords } from '../../src/messages/problems/repeat-problems.ts';
import { command, csvOf, documentOf, kenyanRows, pay, resultOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

it('a new ledger sends nothing while another one may still be at work with the same credentials', async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(1));
  await pay(desk, '--wait', '20s');
  rmSync(join(desk.folder, 'state'), { recursive: true });
  mkdirSync(join(desk.folder, 'state'));
  writeFileSync(desk.sheet, csvOf(kenyanRows(2).slice(1)));
  const early = await pay(desk, '--wait', '20s');
  expect([early.exit, early.document.sent, early.document.stopped?.code]).toEqual([23, 0, 'SENT_ELSEWHERE']);
  // With the witness gone as well, the pass before sending is what is left.
  rmSync(join(desk.folder, 'data'), { recursive: true });
  const late = await pay(desk, '--wait', '20s');
  expect([late.exit, late.document.sent]).toEqual([0, 1]);
});

it('sums beyond what can be counted are refused, and no crash', async () => {
  const desk = deskFor(null, []);
  const most = String(Number.MAX_SAFE_INTEGER);
  writeFileSync(desk.sheet, csvOf(kenyanRows(1100).map((row) => ({ ...row, amount: most }))));
  const checked = await command(desk, ['check', desk.sheet, '--json']);
  expect([checked.exit, JSON.parse(checked.out).problems]).toEqual([
    20,
    expect.arrayContaining([expect.objectContaining({ code: 'SUM_TOO_LARGE' })]),
  ]);
});

describe.concurrent('a result that says paid, where neither the ledger nor the service knows of it', () => {
  async function elsewhere() {
    const paidAt = await newService();
    const first = deskFor(paidAt, kenyanRows(3));
    const { document } = await pay(first, '--batch', 'nov', '--wait', '20s');
    expect(document.rows.paid).toBe(3);
    const service = await newService();
    const other = deskFor(service, kenyanRows(3));
    writeFileSync(other.sheet, readFileSync(document.result ?? ''));
    return { paidAt, result: readFileSync(document.result ?? ''), other, service };
  }

  it('is not paid again, by no command', async () => {
    const { other, service } = await elsewhere();
    for (const line of [
      ['run', other.sheet],
      ['run', other.sheet],
      ['resume', 'nov'],
    ]) {
      const ran = documentOf(await command(other, [...line, '--json', '--wait', '0']));
      expect([ran.exit, ran.stopped?.code, service.payments.length]).toEqual([26, 'CLAIMS_UNKNOWN', 0]);
    }
  });

  it('is paid as the sheet of another month', async () => {
    const { other, service } = await elsewhere();
    const { exit } = await command(other, ['run', other.sheet, '--batch', 'dec', '--wait', '0']);
    expect([exit, service.payments.length]).toEqual([23, 3]);
  });

  it('is not paid with the rows that a later sheet adds', async () => {
    const { other, service } = await elsewhere();
    await command(other, ['run', other.sheet, '--wait', '0']);
    writeFileSync(other.sheet, csvOf(kenyanRows(4).slice(3)));
    const { document } = await pay(other, '--batch', 'nov', '--add', '--wait', '0');
    expect([document.stopped?.code, service.payments.length]).toEqual(['CLAIMS_UNKNOWN', 0]);
  });

  it('is not paid if the newest version has the same rows', async () => {
    const { result, other, service } = await elsewhere();
    const file = join(other.folder, 'result.csv');
    writeFileSync(file, result);
    writeFileSync(other.sheet, csvOf(kenyanRows(3)));
    service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'cut' } : undefined);
    expect((await pay(other, '--batch', 'nov', '--wait', '0')).document.stopped?.code).toBe('PASS_INCOMPLETE');
    service.fault = () => undefined;
    for (const line of [
      ['run', file],
      ['resume', 'nov'],
    ]) {
      const { stopped } = documentOf(await command(other, [...line, '--json', '--wait', '0']));
      expect([stopped?.code, service.payments.length]).toEqual(['CLAIMS_UNKNOWN', 0]);
    }
  });

  it('is paid after the same file without the word', async () => {
    const { other, service } = await elsewhere();
    await command(other, ['run', other.sheet, '--wait', '0']);
    writeFileSync(other.sheet, csvOf(kenyanRows(3)));
    const { exit } = await pay(other, '--batch', 'nov', '--wait', '0');
    expect([exit, service.payments.length]).toEqual([23, 3]);
  });

  it('is not paid though a person confirmed that the first version repeats payments', async () => {
    const { result, other, service } = await elsewhere();
    writeFileSync(other.sheet, csvOf(kenyanRows(1)));
    await pay(other, '--batch', 'nov', '--confirm-repeat', 'because', '--wait', '0');
    writeFileSync(other.sheet, result);
    const { document } = await pay(other, '--add', '--drop', '--wait', '0');
    expect([document.stopped?.code, service.payments.length]).toEqual(['CLAIMS_UNKNOWN', 1]);
  });

  it('is found where only the ledger was lost', async () => {
    const { paidAt, result } = await elsewhere();
    const lost = deskFor(paidAt, kenyanRows(3));
    writeFileSync(lost.sheet, result);
    const { exit, document } = await pay(lost, '--wait', '20s');
    expect([exit, document.sent, document.rows.paid]).toEqual([0, 0, 3]);
  });
});

it.each(['refused', 'expired'])(
  'a result that says paid, of a row that was %s here, sends it with no content',
  async (how) => {
    const service = await newService(how === 'expired' ? { expires: new Set(['Ref 3']) } : {});
    const desk = deskFor(service, kenyanRows(3));
    service.fault = ({ route, body }) =>
      how === 'refused' && route === 'POST /payments' && body.reference === 'Ref 3'
        ? { kind: 'answer', status: 422 }
        : undefined;
    const { document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    service.fault = () => undefined;
    // A payment that this ledger does not know: another ledger made it later.
    const known = String(service.payments.find(({ reference }) => reference === 'Ref 3')?.id);
    const result = readFileSync(document.result ?? '', 'utf8').replace(known, 'of-another-ledger');
    writeFileSync(desk.sheet, result.replaceAll('unpaid', 'Paid').replace('Ref 3', 'Ref 3b'));
    const again = await pay(desk, '--wait', '20s');
    expect([again.document.stopped?.code, again.document.sent]).toEqual(['CLAIMS_UNKNOWN', 0]);
    const retried = documentOf(await command(desk, ['retry', 'nov', '--json', '--wait', '0']));
    expect([retried.stopped?.code, retried.sent]).toEqual(['CLAIMS_UNKNOWN', 0]);
  },
);

describe.concurrent('documents', () => {
  const pdf = (text: string) => `%PDF-1.4\n${text}`;

  it('that vanished and came back are attached by the next run', async () => {
    const service = await newService();
    const rows = kenyanRows(1).map((row) => ({ ...row, documents: 'a.pdf' }));
    const desk = deskFor(service, rows);
    const file = join(desk.folder, 'a.pdf');
    writeFileSync(file, pdf('a'));
    service.fault = ({ route }) => {
      if (route === 'POST /payments') rmSync(file, { force: true });
      return undefined;
    };
    const first = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([first.exit, first.document.documents]).toEqual([21, { attached: 0, open: 1 }]);
    writeFileSync(file, pdf('a'));
    const resumed = await command(desk, ['resume', 'nov', '--json']);
    expect(JSON.parse(resumed.out)).toMatchObject({ exit: 0, documents: { attached: 1, open: 0 } });
  });

  it('whose uploads both lost their answer are sent again unless both arrived', async () => {
    const service = await newService();
    const rows = kenyanRows(1).map((row) => ({ ...row, documents: 'a.pdf;b.pdf' }));
    const desk = deskFor(service, rows);
    for (const name of ['a', 'b'])
      writeFileSync(join(desk.folder, `${name}.pdf`), pdf(name.repeat(name === 'a' ? 10 : 20)));
    service.fault = ({ route, nth }) =>
      route === 'POST /payments/:id/document' ? { kind: 'drop', after: nth === 1 } : undefined;
    await pay(desk, '--batch', 'nov', '--wait', '20s');
    service.fault = () => undefined;
    await command(desk, ['resume', 'nov', '--json']);
    expect(new Set(service.uploads.map(({ bytes }) => bytes)).size, 'both files are there').toBe(2);
  });

  it('that the sheet no longer names never leave', async () => {
    const service = await newService({ refuses: { status: 422, which: () => false } });
    const rows = kenyanRows(1).map((row) => ({ ...row, documents: 'salaries.pdf' }));
    const desk = deskFor(service, rows);
    writeFileSync(join(desk.folder, 'salaries.pdf'), pdf('everybody'));
    writeFileSync(join(desk.folder, 'invoice.pdf'), pdf('one'));
    service.fault = ({ route }) =>
      route === 'POST /payments' ? { kind: 'answer', status: 422, body: { message: 'no' } } : undefined;
    await pay(desk, '--batch', 'nov');
    service.fault = () => undefined;
    writeFileSync(desk.sheet, csvOf(rows.map((row) => ({ ...row, amount: '101', documents: 'invoice.pdf' }))));
    const second = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([second.exit, service.uploads.length]).toEqual([0, 1]);
    expect(resultOf(second.document.result)[0]?.payrun_documents).toBe('1 of 1 attached');
  });
});

it('what a service says of an error shows no secret and commands no terminal', async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(1));
  service.fault = ({ route }) =>
    route === 'POST /payments'
      ? { kind: 'answer', status: 422, body: { message: '\u001b[2J Bearer abc.def.ghi\nFinished: every row is paid.' } }
      : undefined;
  const ran = await pay(desk);
  const reason = resultOf(ran.document.result)[0]?.payrun_reason ?? '';
  expect(reason).toContain('[token]');
  expect(reason).not.toMatch(/[\u001b\n]|abc\.def/);
});

describe('rows of one sheet that look the same, each with a key of its own', () => {
  const [first, ...others] = kenyanRows(5, 1).map((row) => ({ ...row, reference: 'Overtime', amount: '100' }));
  const rows = [first!, ...kenyanRows(5).slice(4), ...others.slice(0, 2)];

  it('are all paid, and each but the first has a warning that names the one above it', async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk, '--wait', '20s');
    expect([exit, document.sent]).toEqual([0, 4]);
    expect(document.problems).toMatchObject([
      { row: 4, code: 'ROW_ALIKE', severity: 'warning', facts: { row: 2 } },
      { row: 5, code: 'ROW_ALIKE', severity: 'warning', facts: { row: 4 } },
    ]);
    const evidence = resultOf(document.result).map(({ payrun_evidence }) => payrun_evidence?.toLowerCase());
    expect(evidence).toEqual(['', '', ...[2, 4].map((row) => `${alikeRowWords(row).toLowerCase()}.`)]);
    const audit = await command(desk, ['audit', 'verify', '--result', document.result ?? '', '--json']);
    expect([audit.exit, audit.out]).toEqual([0, expect.stringContaining('"findings":[]')]);
  });
});

it('a held row names the same payment before a near one, and its release covers no later payment', async () => {
  const service = await newService();
  const [row] = kenyanRows(1);
  const desk = deskFor(service, [{ ...row!, row_id: 'a', reference: 'Rent Nov' }]);
  await pay(desk, '--batch', 'rent-11', '--wait', '20s');
  writeFileSync(desk.sheet, csvOf([{ ...row!, row_id: 'b', reference: 'Rent Dec' }]));
  await pay(desk, '--batch', 'rent-12', '--wait', '20s');
  writeFileSync(desk.sheet, csvOf([{ ...row!, row_id: 'c', reference: 'Rent Nov' }]));
  expect((await pay(desk, '--batch', 'rent-12', '--add', '--wait', '0')).document.rows.held).toBe(1);
  const { out } = await command(desk, ['explain', 'rent-12', 'c']);
  expect(out.indexOf('of batch rent-11')).toBeGreaterThan(0);
  expect(out.indexOf('of batch rent-12, sent')).toBeGreaterThan(out.indexOf('of batch rent-11'));

  const word = ['resolve', 'rent-12', '--row', 'c', '--not-a-repeat', '--reason', 'Paid by hand', '--json'];
  writeFileSync(desk.sheet, csvOf([{ ...row!, row_id: 'd', reference: 'Rent Nov' }]));
  await pay(desk, '--batch', 'rent-13', '--confirm-repeat', 'because', '--wait', '20s');
  expect(service.payments).toHaveLength(3);
  expect(JSON.parse((await command(desk, word)).out).error.code).toBe('ROW_LOOKS_PAID');
  expect((await command(desk, word)).exit).toBe(23);
});
