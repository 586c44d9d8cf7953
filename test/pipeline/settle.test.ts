/** Following payments to their end, where the service says little of them, nothing, or something else by their ids. */
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { command, csvOf, deskFor, kenyanRows, newService, pay, resultOf, until } from '../support.ts';

const byId = 'GET /payments/:id';

describe.concurrent('open payments', () => {
  it('are known by a list with anybody’s items in it, though their ids cannot be read for a while', async () => {
    const other = { id: 'odd-1', tag: null, amount: 1 };
    const service = await newService({
      settleAfterMs: 1500,
      listLacks: ['statusLog'],
      foreign: ['a text', other, other],
    });
    const desk = deskFor(
      service,
      kenyanRows(1).map((row) => ({ ...row, reference: 'Before' })),
    );
    await pay(desk, '--batch', 'oct');
    const tried = new Set<string>();
    service.fault = ({ route, path }) => {
      if (route !== byId || path.includes('odd') || tried.has(path)) return undefined;
      tried.add(path);
      return { kind: 'answer', status: 409 };
    };
    writeFileSync(desk.sheet, csvOf(kenyanRows(60)));
    const { exit, document } = await pay(desk, '--batch', 'nov', '--wait', '30s', '--concurrency', '32');
    expect([exit, document.rows.paid]).toEqual([0, 60]);
  });

  it('that are forgotten for a moment are told as that, and no longer once they are known', async () => {
    const service = await newService({ settleAfterMs: 3_600_000 });
    const answers = [404, 404, 200];
    service.fault = ({ route, nth, path }) => {
      // The first payment goes alone, and is read once.
      const status = route === byId && nth > 1 ? (answers.shift() ?? 200) : null;
      const id = path.split('/').at(-1);
      return status === null ? undefined : { kind: 'answer', status, ...(status === 200 ? { body: { id } } : {}) };
    };
    const desk = deskFor(service, kenyanRows(1));
    const reasons: (string | undefined)[] = [];
    for (const wait of ['6s', '6s']) {
      const { document } = await pay(desk, '--wait', wait);
      reasons.push(resultOf(document.result)[0]?.payrun_reason);
    }
    expect(answers).toEqual([]);
    expect(reasons.at(-1)).toBe('');
  });

  it.each([
    ['not at all', undefined],
    ['in part', { account: 'DE00 1234' }],
  ])('whose deposit details are asked for by their ids, where a list tells them %s', async (_title, listed) => {
    const service = await newService({ settleAfterMs: 3_600_000 });
    service.fault = ({ route }) => {
      if (route !== 'GET /payments' || service.payments.length === 0) return undefined;
      const items = service.payments.map((payment) => ({
        ...payment,
        status: 'processing',
        depositBankDetails: listed,
      }));
      return { kind: 'answer', status: 200, body: { items, offsetMarker: null } };
    };
    const rows = kenyanRows(21);
    const desk = deskFor(
      service,
      rows.map((row) => ({ ...row, from_country: 'Europe' })),
    );
    const { exit } = await pay(desk, '--batch', 'nov', '--wait', '2s', '--concurrency', '32');
    expect(exit).toBe(23);
    const funding = await command(desk, ['funding', 'nov', '--offline', '--json']);
    const groups = JSON.parse(funding.out).groups as { rows: { reference: string | null }[] }[];
    expect(groups.flatMap((group) => group.rows.map(({ reference }) => reference))).toEqual(
      rows.map(({ reference }) => reference),
    );
  });

  it('are left as they are by a signal between two looks', async () => {
    const service = await newService({ settleAfterMs: 3_600_000 });
    const desk = deskFor(service, kenyanRows(1));
    const keyboard = new EventEmitter();
    const run = command(desk, ['run', desk.sheet, '--json', '--wait', '1h'], keyboard);
    await until('it was listed after it was sent', () => (service.calls.get(byId) ?? 0) > 1);
    const looks = service.calls.get(byId);
    setTimeout(() => keyboard.emit('SIGTERM'), 100);
    const { exit, out } = await run;
    expect([exit, service.calls.get(byId), JSON.parse(out).rows.pending]).toEqual([143, looks, 1]);
  });
});
