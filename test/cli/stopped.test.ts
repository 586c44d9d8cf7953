/** A run that stops before its end: the result gives the reason for each row that was not sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ShownOutcome } from '../../src/cli/render/outcome-document.ts';
import { command, documentOf, kenyanRows, pay, resultOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';
import { expectWhole } from './whole-result.ts';

const reasonsOf = (path: string | null) => resultOf(path).map(({ payrun_reason }) => payrun_reason);

describe.concurrent('a run that must wait for another ledger', () => {
  /** The time until which the stop forbids sending. */
  const untilIn = ({ stopped }: ShownOutcome) =>
    new Date((stopped!.facts as { readonly until: number }).until).toISOString();

  it('names the time of its next step, if a new ledger finds its witness', async () => {
    const service = await newService();
    const first = deskFor(service, kenyanRows(1));
    await pay(first, '--wait', '20s');
    const desk = deskFor(service, kenyanRows(2).slice(1), { XDG_DATA_HOME: first.env.XDG_DATA_HOME ?? '' });
    const { exit, document } = await pay(desk, '--batch', 'nov');
    expect([exit, document.stopped?.code]).toEqual([23, 'SENT_ELSEWHERE']);
    const after = untilIn(document);
    expect(document.next).toMatchObject([{ action: 'resume', batch: 'nov', after }]);
    const status = documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code']));
    expect(status.next, 'status names the same steps').toEqual(document.next);
  });

  it('names the time of each command that sends, if another ledger paid rows of the batch', async () => {
    const service = await newService({ expires: new Set(['Ref 1']) });
    const rows = kenyanRows(3);
    await pay(deskFor(service, rows.slice(0, 2)), '--batch', 'nov', '--wait', '20s');
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([exit, document.stopped?.code, document.rows]).toMatchObject([
      23,
      'PAID_ELSEWHERE',
      { unpaid: 1, not_sent: 1 },
    ]);
    const after = untilIn(document);
    expect(document.next.map(({ command: text, after: from }) => [text.split(' ')[1], from])).toEqual([
      ['resume', after],
      ['retry', after],
      ['run', after],
      ['drop', null],
    ]);
  });
});

describe.concurrent('a run that cannot read the list of payments', () => {
  it('gives the reason for every row that it does not send, and the next run clears it', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(3));
    service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'cut' } : undefined);
    const { exit, document } = await pay(desk, '--batch', 'nov');
    expect([exit, document.stopped?.code]).toEqual([25, 'PASS_INCOMPLETE']);
    expect(document.stopped).toMatchObject({ facts: { why: { fault: 'list-cannot-be-read' } } });
    const reason = expect.stringContaining(document.stopped!.message) as string;
    expect(reasonsOf(document.result)).toEqual([reason, reason, reason]);
    await expectWhole(desk, document.result);
    service.fault = () => undefined;
    const later = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect(reasonsOf(later.document.result)).toEqual(['', '', '']);
  });

  it('gives the reason for a row that a person released', async () => {
    const service = await newService();
    const rows = kenyanRows(2);
    const desk = deskFor(service, rows.slice(0, 1));
    await pay(desk, '--batch', 'oct', '--wait', '20s');
    const other = kenyanRows(3).slice(2);
    const november = deskFor(service, other, desk.env);
    const { document: first } = await pay(november, '--batch', 'nov', '--wait', '20s');
    expect(first.rows.paid).toBe(1);
    const again = deskFor(service, [...other, { ...rows[0]!, row_id: 'x' }], desk.env);
    const held = await pay(again, '--batch', 'nov', '--add');
    expect(held.document.rows).toMatchObject({ paid: 1, held: 1 });
    await command(again, ['resolve', 'nov', '--row', 'x', '--not-a-repeat', '--reason', 'it is another one']);
    service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'cut' } : undefined);
    const resumed = documentOf(await command(again, ['resume', 'nov', '--json', '--wait', '0']));
    expect([resumed.exit, resumed.stopped?.code]).toEqual([25, 'PASS_INCOMPLETE']);
    expect(reasonsOf(resumed.result)).toEqual(['', expect.stringContaining(resumed.stopped!.message)]);
    await expectWhole(again, resumed.result);
  });
});

describe.concurrent('a result of rows that neither this ledger nor the service knows', () => {
  it('is paid only after its status column is removed, and each next step says so', async () => {
    const elsewhere = deskFor(await newService(), kenyanRows(2));
    const { result } = (await pay(elsewhere, '--batch', 'nov', '--wait', '20s')).document;
    const desk = deskFor(await newService(), kenyanRows(2));
    writeFileSync(desk.sheet, readFileSync(result!));
    const refused = await pay(desk);
    expect(refused.exit).toBe(26);
    expect(refused.document.stopped).toMatchObject({ code: 'CLAIMS_UNKNOWN', facts: { rows: 2 } });
    for (const document of [refused.document, documentOf(await command(desk, ['status', '--json', '--exit-code']))])
      expect(document.next).toMatchObject([{ action: 'resume', batch: 'nov' }]);
    writeFileSync(desk.sheet, readFileSync(desk.sheet, 'utf8').replace('payrun_status,', 'said,'));
    expect((await pay(desk, '--batch', 'nov', '--ignore-column', 'said', '--wait', '20s')).exit).toBe(0);
  });
});
