/** A run that stops before its end: the result says of each row that is not sent why it is not. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Independent } from '../independent/service.ts';
import { command, csvOf, type Desk, documentOf, kenyanRows, pay, resultOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const reasonsOf = (path: string | null) => resultOf(path).map(({ payrun_reason }) => payrun_reason);

/** Somebody pays the second row by hand. */
async function paidByHand(): Promise<{ service: Independent; desk: Desk; id: string }> {
  const service = await newService();
  const rows = kenyanRows(3);
  await pay(deskFor(service, rows.slice(1, 2)), '--batch', 'elsewhere', '--wait', '20s');
  const [payment] = service.payments;
  const id = randomUUID();
  service.payments.splice(0, 1, { ...payment!, id, tag: 'by hand' });
  return { service, desk: deskFor(service, rows), id };
}

/** What an auditor says of the result, with the ledger and with the exported trail alone. */
async function expectWhole(desk: Desk, result: string | null): Promise<void> {
  const trail = join(desk.folder, 'trail.jsonl');
  await command(desk, ['audit', 'export', '--out', trail]);
  for (const more of [[], ['--trail', trail]]) {
    const { exit, out } = await command(desk, ['audit', 'verify', '--result', result ?? '', ...more]);
    expect([exit, out]).toEqual([0, expect.stringContaining('Whole')]);
  }
}

describe.concurrent('a first run that finds rows that look paid', () => {
  it('says of each such row which payment it looks like, and of the others why nothing was sent', async () => {
    const { desk, id } = await paidByHand();
    const { exit, document } = await pay(desk, '--batch', 'nov');
    expect([exit, document.sent]).toEqual([26, 0]);
    const [first, second, third] = reasonsOf(document.result);
    expect(second).toMatch(
      new RegExp(
        `^Looks like payment ${id} of [0-9-]{10} [0-9:]{8} UTC: the same payee, amount and reference\\. If it is meant`,
      ),
    );
    expect(first).toMatch(
      new RegExp(`^The run stopped before it was sent: 1 row looks like .*row 3 like payment ${id}`),
    );
    expect(third).toBe(first);
    await expectWhole(desk, document.result);
    const again = await command(desk, ['report', 'nov', '--json']);
    expect(reasonsOf(JSON.parse(again.out).result), 'written again, it says the same').toEqual([first, second, third]);
  });

  it('offers the sheet without them, where going on would stop again; that leads to the end', async () => {
    const { service, desk } = await paidByHand();
    const { document } = await pay(desk, '--batch', 'nov');
    expect(document.next).toMatchObject([
      { action: 'run-sheet', file: desk.sheet, batch: 'nov', why: 'repeats-removed', after: null },
      { action: 'give-up-row', batch: 'nov', row: null, after: null },
    ]);
    const status = documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code']));
    expect(status.next).toEqual(document.next);
    const explained = async (key: string) =>
      JSON.parse((await command(desk, ['explain', 'nov', key, '--json'])).out).next;
    expect(await explained('k1')).toMatchObject({ action: 'run-sheet', effect: 'sends-once-removed' });
    expect(await explained('k2')).toMatchObject({ action: 'give-up-row', row: 'k2', effect: 'closes-repeat' });
    const rows = kenyanRows(3);
    writeFileSync(desk.sheet, csvOf([rows[0]!, rows[2]!]));
    const paid = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([paid.exit, paid.document.next, service.payments.length]).toEqual([21, [], 3]);
    await command(desk, ['resolve', 'nov', '--row', 'k2', '--given-up', '--reason', 'paid by hand']);
    expect((await command(desk, ['status', 'nov', '--exit-code'])).exit).toBe(0);
  });

  it('goes on with the others once a person says that nothing is owed for it', async () => {
    const { service, desk } = await paidByHand();
    await pay(desk, '--batch', 'nov');
    const word = ['--given-up', '--reason', 'paid by hand'];
    const other = await command(desk, ['resolve', 'nov', '--row', 'k1', ...word]);
    expect([other.exit, other.err]).toEqual([2, expect.stringContaining('the newest sheet has it')]);
    expect((await command(desk, ['resolve', 'nov', '--row', 'k2', ...word])).out).toContain('Row k2 stays held');
    const document = documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '20s']));
    expect([document.exit, document.rows, service.payments.length]).toMatchObject([21, { paid: 2, held: 1 }, 3]);
    expect(reasonsOf(document.result)[1]).toMatch(/^Looks like payment .* Given up: paid by hand$/);
    await expectWhole(desk, document.result);
    // The same sheet once more, as cron has it, pays nothing of it.
    const again = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([again.exit, again.document.sent, again.document.next]).toEqual([21, 0, []]);
    // Until somebody says otherwise.
    await command(desk, ['resolve', 'nov', '--row', 'k2', '--not-a-repeat', '--reason', 'it is owed twice']);
    const all = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([all.exit, service.payments.length]).toEqual([0, 4]);
  });

  it('and stops as before for what looks paid but for its amount', async () => {
    const { service, desk } = await paidByHand();
    const [first, ...others] = kenyanRows(3);
    await pay(deskFor(service, [{ ...first!, reference: 'Inv 9' }], desk.env), '--batch', 'oct', '--wait', '20s');
    writeFileSync(desk.sheet, csvOf([{ ...first!, reference: 'Inv 10', amount: '500' }, ...others]));
    const { batch } = (await pay(desk)).document;
    await command(desk, ['resolve', batch!, '--row', 'k2', '--given-up', '--reason', 'paid by hand']);
    writeFileSync(desk.sheet, csvOf([{ ...first!, reference: 'Inv 9', amount: '150' }, ...others]));
    const { exit, err } = await command(desk, ['run', desk.sheet, '--wait', '0']);
    expect([exit, service.payments.length], err).toEqual([26, 2]);
  });

  it('says of a sheet that has the row otherwise that it is held, and not that it was sent', async () => {
    const { desk } = await paidByHand();
    await pay(desk, '--batch', 'nov');
    await command(desk, ['resolve', 'nov', '--row', 'k2', '--given-up', '--reason', 'paid by hand']);
    const [first, second, third] = kenyanRows(3);
    for (const [amount, words] of [
      ['999', 'Batch nov holds rows back, and 1 of its rows was changed since'],
      ['x', 'Batch nov holds back 1 row that this sheet now has with mistakes'],
    ] as const) {
      writeFileSync(desk.sheet, csvOf([first!, { ...second!, amount }, third!]));
      const { exit, err } = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--skip-invalid']);
      expect([exit, err]).toEqual([26, expect.stringContaining(words)]);
    }
  });

  it('ends where nothing is owed for any of them', async () => {
    const { service, desk } = await paidByHand();
    writeFileSync(desk.sheet, csvOf(kenyanRows(3).slice(1, 2)));
    await pay(desk, '--batch', 'nov');
    await command(desk, ['resolve', 'nov', '--row', 'k2', '--given-up', '--reason', 'paid by hand']);
    const { exit, document } = await pay(desk, '--batch', 'nov');
    expect([exit, document.next, service.payments.length]).toEqual([21, [], 1]);
  });

  it('offers the same where they were paid in another batch meanwhile', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2));
    service.fault = ({ route }) => (route === 'POST /merchants' ? { kind: 'answer', status: 401 } : undefined);
    await pay(desk, '--batch', 'waits');
    service.fault = () => undefined;
    const status = async () =>
      documentOf(await command(desk, ['status', 'waits', '--json', '--exit-code'])).next[0]?.command;
    expect(await status()).toBe('payrun resume waits');
    await pay(desk, '--batch', 'nov');
    expect(await status()).toMatch(/^payrun run \S+ --batch waits {3}# pays what does not look paid/);
    const word = ['--given-up', '--reason', 'paid as nov'];
    await command(desk, ['resolve', 'waits', '--row', 'k1', ...word]);
    // The other one stops it still: nothing of the batch was sent.
    expect((await command(desk, ['resume', 'waits'])).exit).toBe(26);
    await command(desk, ['resolve', 'waits', '--row', 'k2', ...word]);
    const ended = documentOf(await command(desk, ['resume', 'waits', '--json']));
    expect([ended.exit, service.payments.length]).toEqual([21, 2]);
    expect(reasonsOf(ended.result)[0]).toMatch(/^Looks like row 2 of batch nov, sent on .* Given up: paid as nov$/);
  });

  it('says nothing of it once the rows are sent', async () => {
    const { service, desk } = await paidByHand();
    await pay(desk, '--batch', 'nov');
    service.payments.splice(0, 1);
    const { exit, document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([exit, reasonsOf(document.result)]).toEqual([0, ['', '', '']]);
  });
});

describe.concurrent('a run that must wait for what another ledger may still be doing', () => {
  /** The message ends at the second, and `next` has its milliseconds. */
  const untilIn = (message: string | undefined) => {
    const [, day, time] = /sent before (\d{4}-\S+) (\S+) UTC/.exec(message ?? '') ?? [];
    return expect.stringMatching(`^${day}T${time}\\.\\d{3}Z$`);
  };

  it('says in `next` from when on it goes on: a new ledger beside its witness', async () => {
    const service = await newService();
    const first = deskFor(service, kenyanRows(1));
    await pay(first, '--wait', '20s');
    const desk = deskFor(service, kenyanRows(2).slice(1), { XDG_DATA_HOME: first.env.XDG_DATA_HOME ?? '' });
    const { exit, document } = await pay(desk, '--batch', 'nov');
    expect([exit, document.stopped?.code]).toEqual([23, 'OTHER_LEDGER']);
    const after = untilIn(document.stopped?.message);
    expect(document.next).toMatchObject([{ action: 'resume', batch: 'nov', after }]);
    const status = documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code']));
    expect(status.next, 'and status says so too').toEqual(document.next);
  });

  it('says so where rows of its own were paid from elsewhere, and of every command that sends', async () => {
    const service = await newService({ expires: new Set(['Ref 1']) });
    const rows = kenyanRows(3);
    await pay(deskFor(service, rows.slice(0, 2)), '--batch', 'nov', '--wait', '20s');
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect([exit, document.stopped?.code, document.rows]).toMatchObject([
      23,
      'OTHER_LEDGER',
      { unpaid: 1, not_sent: 1 },
    ]);
    const after = untilIn(document.stopped?.message);
    expect(document.next.map(({ command: text, after: from }) => [text.split(' ')[1], from])).toEqual([
      ['resume', after],
      ['retry', after],
      ['run', after],
    ]);
  });
});

describe.concurrent('a run that stops otherwise', () => {
  it('says so of every row that is not sent, and the next one no longer', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(3));
    service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'cut' } : undefined);
    const { exit, document } = await pay(desk, '--batch', 'nov');
    expect([exit, document.stopped?.code]).toEqual([25, 'PASS_INCOMPLETE']);
    const [reason, ...others] = reasonsOf(document.result);
    expect(reason).toMatch(/^The run stopped before it was sent: The service's list of payments cannot be relied on/);
    expect(new Set([reason, ...others]).size).toBe(1);
    await expectWhole(desk, document.result);
    service.fault = () => undefined;
    const later = await pay(desk, '--batch', 'nov', '--wait', '20s');
    expect(reasonsOf(later.document.result)).toEqual(['', '', '']);
  });

  it('says so also of a row that a person let go', async () => {
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
    expect([resumed.exit, reasonsOf(resumed.result)]).toEqual([
      25,
      ['', expect.stringMatching(/^The run stopped before it was sent/)],
    ]);
    await expectWhole(again, resumed.result);
  });
});

describe.concurrent('a result of rows that neither this ledger nor the service knows', () => {
  it('is paid only without what it claims, and no next step says otherwise', async () => {
    const elsewhere = deskFor(await newService(), kenyanRows(2));
    const { result } = (await pay(elsewhere, '--batch', 'nov', '--wait', '20s')).document;
    const desk = deskFor(await newService(), kenyanRows(2));
    writeFileSync(desk.sheet, readFileSync(result!));
    const refused = await pay(desk);
    expect([refused.exit, refused.document.stopped?.message]).toEqual([
      26,
      expect.stringContaining('know that of none'),
    ]);
    const next = [
      `payrun run ${desk.sheet} --batch nov   # pays the rows all the same, once the column payrun_status is taken out of the file`,
    ];
    for (const document of [refused.document, documentOf(await command(desk, ['status', '--json', '--exit-code']))])
      expect(document.next.map(({ command: line }) => line)).toEqual(next);
    writeFileSync(desk.sheet, readFileSync(desk.sheet, 'utf8').replace('payrun_status,', 'said,'));
    expect((await pay(desk, '--batch', 'nov', '--ignore-column', 'said', '--wait', '20s')).exit).toBe(0);
  });
});
