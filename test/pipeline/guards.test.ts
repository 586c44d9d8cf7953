/** Single answers of the sender and the reconciler that no whole run asks for by itself. */

import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { contentOf } from '../../src/domain/rows/digest.ts';
import type { Row } from '../../src/domain/rows/row.ts';
import { because, heldFor } from '../../src/domain/sending/reason.ts';
import { type LedgerRow, type LivingCopy, openLedger } from '../../src/ledger/ledger.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { alarmIn } from '../../src/pipeline/reconcile/reconcile.ts';
import { paymentBody } from '../../src/pipeline/sending/send-row.ts';
import { expectNoDouble, handClock, machine, paymentsOf, runOn, watched } from '../protocol/desk.ts';
import { kenyanRows } from '../support.ts';

it('a funding source for which the service lists no word of its own is sent as ours', () => {
  const row = {
    destination: { country: 'Kenya', networkProvider: 'MOMO', contactNumber: '+254712345678' },
    amount: 100,
    reference: 'Rent',
    type: null,
    fromCountry: 'Europe',
    collectionMethod: null,
    slow: false,
    ownTag: null,
  } as unknown as Row;
  const sent = { content: contentOf(row), number: 2, merchantId: 'm1', tag: 'q0' } as unknown as LedgerRow;
  expect(paymentBody(sent, new Map())).toMatchObject({ fromCountry: 'Europe' });
  expect(paymentBody(sent, new Map([['Europe', 'EU']]))).toMatchObject({ fromCountry: 'EU' });
});

const alone = {
  ledger: { rows: { changedDeposits: async () => [] }, duplicates: { livingCopies: async () => [] } },
} as unknown as Deps;

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it('of many rows with two payments the first ten are named', async () => {
  const doubles = upTo(11).map((n) => ({ batch: 'nov', key: `k${n}` }) as LedgerRow);
  const rows = { shown: doubles.slice(0, 10).map(({ batch, key }) => ({ row: key, batch })), total: 11 };
  expect(await alarmIn(alone, { doubles, undone: [], copied: [] })).toMatchObject({
    code: 'PAID_TWICE',
    facts: { rows },
  });
});

it('of many rows that were paid as corrected copies the first ten are named', async () => {
  const paid = (number: number, batch: string, payment: string) =>
    ({
      id: number,
      number,
      key: payment,
      batch,
      paymentId: payment,
      amount: 100,
      currency: 'KES',
      reason: null,
    }) as LedgerRow;
  const copied: LivingCopy[] = upTo(11).map((n) => ({
    row: paid(n, 'nov', `p${n}`),
    copy: paid(n + 20, 'dec', `q${n}`),
  }));
  const shown = upTo(10).map((n) => ({ copy: { batch: 'dec', payment: `q${n}` } }));
  for (const total of [11, 10])
    expect(await alarmIn(alone, { doubles: [], undone: [], copied: copied.slice(0, total) })).toMatchObject({
      code: 'COPIES_PAID',
      facts: { copies: { shown, total } },
    });
});

it('the alarm about a corrected row names the old payment that was made, and its amount', async () => {
  const difference = { what: 'amount', found: 100, expected: 150 } as const;
  const { reason } = heldFor({ kind: 'payment-differs', paymentId: 'p1', differences: [difference] });
  const row = { id: 1, number: 2, key: 'k1', batch: 'nov', paymentId: null, amount: 150, currency: 'KES', reason };
  const copied = [{ row: row as LedgerRow, copy: row as LedgerRow }];
  expect(await alarmIn(alone, { doubles: [], undone: [], copied })).toMatchObject({
    facts: { copies: { shown: [{ row: { payment: 'p1', amount: '100' }, copy: null }] } },
  });
});

it('where nobody says how many refusals are too many, the tenth in a row ends the run', async () => {
  const { service } = await watched();
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 422 } : undefined;
  const { stopped, rows } = await runOn(machine(service, kenyanRows(13)), handClock(), 1);
  expect([stopped?.code, rows]).toMatchObject(['REFUSED_IN_A_ROW', { pending: 1, unpaid: 10, not_sent: 2 }]);
});

const machineFails = new Error('the machine failed');

describe.concurrent('a machine that fails in the middle of a run', () => {
  const rows = kenyanRows(6);
  const failing = (nth: number) => {
    let calls = 0;
    return () => {
      calls += 1;
      if (calls === nth) throw machineFails;
    };
  };

  it.each<[string, () => (deps: Deps) => Deps]>([
    [
      'before the call has an answer',
      () => {
        const fail = failing(3);
        return (deps) => ({
          ...deps,
          client: {
            ...deps.client,
            createPayment: async (body) => {
              fail();
              return await deps.client.createPayment(body);
            },
          },
        });
      },
    ],
    [
      'before the answer is on the disk',
      () => {
        const fail = failing(3);
        return (deps) => ({
          ...deps,
          ledger: {
            ...deps.ledger,
            rows: {
              ...deps.ledger.rows,
              move: async (move) => {
                if (move.to === 'accepted') fail();
                await deps.ledger.rows.move(move);
              },
            },
          },
        });
      },
    ],
  ])('%s ends it, and the next one pays each row once', async (_title, change) => {
    const { service } = await watched();
    const desk = machine(service, rows);
    const clock = handClock();
    await expect(runOn(desk, clock, 2, change())).rejects.toBe(machineFails);
    clock.moved += 24 * 3600_000;
    await runOn(desk, clock);
    expectNoDouble(service);
    expect(service.payments.length).toBeGreaterThanOrEqual(5);
  });

  it('at one answer while another row waits for a token takes that row’s intent back, and the next one pays it', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    const clock = handClock();
    const asked = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<void>();
    seen.fault = ({ route, nth }) => {
      if (route === 'POST /payments' && nth === 2) return { kind: 'hold', after: true, until: asked.promise };
      // The token ends.
      if (route === 'POST /payments' && nth === 3) clock.moved += 2 * 3600_000;
      if (route !== 'POST /token' || nth !== 2) return undefined;
      asked.resolve();
      return { kind: 'hold', until: failed.promise };
    };
    const change = (deps: Deps): Deps => ({
      ...deps,
      ledger: {
        ...deps.ledger,
        rows: {
          ...deps.ledger.rows,
          move: async (move) => {
            if (move.to === 'accepted' && move.row.key === 'k2') {
              failed.resolve();
              throw machineFails;
            }
            await deps.ledger.rows.move(move);
          },
        },
      },
    });
    await expect(runOn(desk, clock, 2, change)).rejects.toBe(machineFails);
    expect(paymentsOf(seen.service)).toEqual({ 'Ref 1': 1, 'Ref 2': 1, 'Ref 3': 1 });
    const ledger = openLedger(desk.ledger, systemClock, { readOnly: true });
    const row = await ledger.rows.rowByKey('nov', 'k4');
    await ledger.close();
    expect(row).toMatchObject({ state: 'ready', attempts: 1, reason: because({ kind: 'ended-before-sending' }) });
    clock.moved += 24 * 3600_000;
    const { rows: counts, sent } = await runOn(desk, clock);
    expect([counts, sent]).toMatchObject([{ pending: 6, in_doubt: 0 }, 3]);
    expectNoDouble(seen.service);
  });

  it('while payments are followed ends it, and nothing of them is lost', async () => {
    const { service } = await watched({ settleAfterMs: 3_600_000 });
    const fail = failing(3);
    const outcome = runOn(machine(service, rows), handClock(), 2, (deps) => ({
      ...deps,
      limits: { ...deps.limits, waitMs: 60_000 },
      client: {
        ...deps.client,
        payment: async (id) => {
          fail();
          return await deps.client.payment(id);
        },
      },
    }));
    await expect(outcome).rejects.toBe(machineFails);
    expect(service.payments).toHaveLength(6);
  });
});
