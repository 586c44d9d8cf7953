/** What hints lead to, at a service that answers as the test says: which payments are asked about, how often, and what is told of them. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { CallFailure, type ReadPayment } from '../../src/client/client.ts';
import type { Note } from '../../src/domain/note.ts';
import { statusesOf } from '../../src/domain/sending/payment.ts';
import type { Ledger, LedgerRow } from '../../src/ledger/ledger.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { openHearing } from '../../src/pipeline/webhooks/handle-hint.ts';

/** `rows`: what the ledger has, by payment; `answers`: what the service says of a payment, one after the other, the last one for ever. */
function hearing(
  rows: Readonly<Record<string, { state?: string; batch?: string }>>,
  answers: Readonly<Record<string, readonly (string | Error | null)[]>>,
) {
  const asked: string[] = [];
  const told: string[] = [];
  const said: Note[] = [];
  const ledger: {
    readonly rows: Pick<Ledger['rows'], 'rowByPayment'>;
    readonly batches: Pick<Ledger['batches'], 'batch'>;
  } = {
    rows: {
      rowByPayment: async (id) =>
        Object.hasOwn(rows, id)
          ? ({ key: id, batch: 'nov', state: 'accepted', ...rows[id] } as unknown as LedgerRow)
          : null,
    },
    batches: {
      batch: async (name) =>
        ({ identity: name === 'nov' ? 'we' : 'others' }) as unknown as Awaited<ReturnType<Ledger['batches']['batch']>>,
    },
  };
  const payment = async (id: string): Promise<ReadPayment | null> => {
    const turn = asked.filter((one) => one === id).length;
    asked.push(id);
    const answer = answers[id]?.[Math.min(turn, answers[id].length - 1)] ?? null;
    if (answer instanceof Error) throw answer;
    return answer === null ? null : ({ id, status: answer } as ReadPayment);
  };
  const deps = {
    ledger,
    client: { payment },
    clock: { ...systemClock, sleep: async () => await systemClock.sleep(1) },
    service: { identity: 'we' },
    statuses: statusesOf(),
    stop: new AbortController().signal,
    say: (note: Note) => said.push(note),
  } as unknown as Deps;
  const open = openHearing(deps, ({ payment: { id, status }, row }) => told.push(`${id} ${status} ${row?.key ?? '-'}`));
  const hear = async (signed: boolean, ...calls: (readonly string[])[]) => {
    for (const ids of calls) open.take({ ids, signed });
    await open.close();
  };
  return { hear, open, asked, told, said };
}

describe('hints', () => {
  it('for one payment at one moment are one question, and one line', async () => {
    const { hear, asked, told } = hearing({ p1: {} }, { p1: ['processing', 'success'] });
    await hear(true, ['p1', 'e1'], ['p1', 'e2'], ['e3', 'p1']);
    expect([asked, told]).toEqual([['p1'], ['p1 processing p1']]);
    await hear(true, ['p1', 'e4']);
    expect(told.at(-1)).toBe('p1 success p1');
    // Its end is known.
    await hear(true, ['p1', 'e5']);
    expect(asked).toEqual(['p1', 'p1']);
  });

  it('for one that had expired are asked about: it may have been paid late', async () => {
    const { hear, told } = hearing({ p1: {} }, { p1: ['expired', 'success'] });
    await hear(true, ['p1', 'e1']);
    await hear(true, ['p1', 'e2']);
    expect(told).toEqual(['p1 expired p1', 'p1 success p1']);
  });

  it('are kept where the service cannot be asked, and asked about again', async () => {
    const down = new CallFailure('not-sent', { fault: 'call-was-cut', call: 'GET /payments' });
    const { hear, told, said } = hearing({ p1: {}, p2: {} }, { p1: [down, down, 'success'], p2: ['success'] });
    await hear(false, ['p1'], ['p2']);
    expect(told).toEqual(['p2 success p2', 'p1 success p1']);
    expect(said).toEqual([{ note: 'webhook-unasked', why: { code: null, why: down.fault } }]);
  });

  it('that anybody may have made are good enough for one that had expired', async () => {
    const { hear, told } = hearing({ p1: { state: 'expired' } }, { p1: ['success'] });
    await hear(false, ['p1']);
    expect(told).toEqual(['p1 success p1']);
  });

  it('that anybody may have made lead to open payments of this ledger and caller alone', async () => {
    const rows = { paid: { state: 'succeeded' }, theirs: { batch: 'other' } };
    const { hear, open, asked } = hearing(rows, { paid: ['success'], theirs: ['success'], unknown: ['success'] });
    await hear(false, ['paid'], ['theirs'], ['unknown']);
    expect([asked, open.ignored()]).toEqual([[], 3]);
  });

  it('that are signed lead to any payment that the service knows, by one of three ids', async () => {
    const { hear, open, asked, told } = hearing({}, { b: ['processing'] });
    await hear(true, ['a', 'b', 'c']);
    expect([asked, told]).toEqual([['a', 'b'], ['b processing -']]);
    await hear(true, ['v', 'w', 'x', 'y', 'z']);
    expect([asked.slice(2), open.ignored()]).toEqual([['v', 'w', 'x'], 1]);
  });

  it('for which there is no room are said to be none', () => {
    const { open } = hearing({}, {});
    const taken = Array.from({ length: 10_001 }, (_, at) => open.take({ ids: [`p${at}`], signed: false }));
    expect([taken.filter(Boolean).length, taken.at(-1)]).toEqual([10_000, false]);
  });
});
