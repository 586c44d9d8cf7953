/** Following payments to their end, where the service says little of them, nothing, or something else by their ids. */
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deskFor, newService } from '../held-clock.ts';
import {
  command,
  csvOf,
  documentOf,
  kenyanRows,
  noted,
  pay,
  refusalOf,
  resultOf,
  type SheetRow,
  wordsOf,
} from '../support.ts';

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
    let looks: number | undefined;
    service.clock.onSleep = () => {
      if (looks !== undefined || (service.calls.get(byId) ?? 0) < 2) return;
      looks = service.calls.get(byId);
      keyboard.emit('SIGTERM');
    };
    const { exit, out } = await command(desk, ['run', desk.sheet, '--json', '--wait', '1h'], keyboard);
    expect([exit, service.calls.get(byId), JSON.parse(out).rows.pending]).toEqual([143, looks, 1]);
  });
});

describe.concurrent('what has to be deposited', () => {
  const funded: readonly SheetRow[] = kenyanRows(2).map((row) => ({ ...row, from_country: 'Europe' }));
  async function waiting() {
    const service = await newService({ settleAfterMs: 3_600_000 });
    const desk = deskFor(service, funded);
    expect((await pay(desk, '--batch', 'nov')).document.rows.pending).toBe(2);
    expect((await command(desk, ['funding', 'nov'])).exit).toBe(0);
    return { service, desk };
  }

  it('is shown as it was told, where a payment cannot be read now', async () => {
    const { service, desk } = await waiting();
    const path = `/payments/${service.payments[0]!.id}`;
    service.fault = (call) => (call.path === path ? { kind: 'answer', status: 409 } : undefined);
    const { exit, out } = await command(desk, ['funding', 'nov', '--json']);
    expect([exit, JSON.parse(out).notes]).toEqual([0, [noted('deposits-unasked', { payments: 1 })]]);
    for (const { reference } of funded) expect(out).toContain(`"${reference}"`);
  });

  it('is not asked with a key that is refused', async () => {
    const { service, desk } = await waiting();
    let isRefused = false;
    service.fault = ({ route }) => {
      isRefused ||= route === byId;
      return isRefused ? { kind: 'answer', status: 401 } : undefined;
    };
    const { exit, out, err } = await command(desk, ['funding', 'nov']);
    expect([exit, out, err]).toEqual([25, '', expect.stringContaining('401')]);
  });

  it('and is told otherwise by the list is asked for by its id, and holds the batch', async () => {
    const { service, desk } = await waiting();
    Object.assign(service.payments[0]!, { depositBankDetails: { account: 'GB99 0666', holder: 'Deposits' } });
    const { exit, out } = await command(desk, ['resume', 'nov', '--wait', '1s', '--json']);
    expect([exit, JSON.parse(out).stopped?.code]).toEqual([27, 'DEPOSIT_CHANGED']);
  });

  it('and is told otherwise than before holds the batch until a person says to know of it', async () => {
    const { service, desk } = await waiting();
    Object.assign(service.payments[0]!, { depositBankDetails: { account: 'GB99 0666', holder: 'Deposits' } });
    expect(await command(desk, ['funding', 'nov'])).toMatchObject({ exit: 27, out: expect.stringContaining('GB99') });
    const held = await command(desk, ['resume', 'nov', '--wait', '0', '--json']);
    expect([held.exit, JSON.parse(held.out).stopped?.code]).toEqual([27, 'DEPOSIT_CHANGED']);
    const knows = /payrun resolve .*$/.exec(documentOf(held).stopped?.message ?? '')?.[0] ?? '';
    Object.assign(service.payments[0]!, { depositBankDetails: { account: 'GB99 0777', holder: 'Deposits' } });
    await command(desk, ['funding', 'nov']);
    const stale = await command(desk, [...wordsOf(knows.replace('TEXT', 'confirmed')).slice(1), '--json']);
    expect(refusalOf(stale), 'the command is of the change before').toMatchObject({ code: 'ROW_MOVED' });
    const said = await command(desk, ['resolve', 'nov', '--row', 'k1', '--known', '--reason', 'confirmed', '--json']);
    const known = noted('deposit-known', { batch: 'nov', row: 'k1' });
    const waits = noted('deposits-wait', { batch: 'nov', sources: ['Europe'] });
    expect([said.exit, documentOf(said).notes], said.err).toEqual([23, [known, waits]]);
    expect((await command(desk, ['funding', 'nov'])).exit).toBe(0);
    expect((await command(desk, ['resume', 'nov', '--wait', '0'])).exit).toBe(23);
  });
});
