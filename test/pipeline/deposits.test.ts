/** What a row keeps of its payment's deposit details from one reading to the next. */
import { expect, it } from 'vitest';
import type { DepositChange, Ledger, LedgerRow } from '../../src/ledger/ledger.ts';
import { answerToStore } from '../../src/pipeline/settle/deposits.ts';
import { readDetails } from '../../src/pipeline/settle/payment-details.ts';

const minute = 60_000;
const first = { id: 'p', status: 'pending', depositBankDetails: { accountNumber: '0012', reference: 'R' } };
const row = {
  id: 1,
  batch: 'nov',
  key: 'k',
  paymentId: 'p',
  submittedAt: 0,
  serviceDetails: JSON.stringify(first),
} as LedgerRow;

async function read(answer: object, afterMs: number, known: Partial<DepositChange>[] = []) {
  const notes: unknown[] = [];
  const ledger = {
    rows: {
      changedDeposits: async () => known,
      note: async (_row: unknown, _facts: unknown, data: unknown) => notes.push(data),
    },
  } as unknown as Ledger;
  const kept = await answerToStore({ ledger, clock: { now: () => afterMs } as never }, row, answer);
  return { deposit: readDetails(kept).deposit, status: (JSON.parse(kept) as { status: string }).status, notes };
}

const changed = (details: object) => ({ id: 'p', status: 'success', depositBankDetails: details });
const details = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));
const told = (was: Record<string, string>, now: Record<string, string>) => [
  { said: 'deposit changed', payment: 'p', was: details(was), now: details(now) },
];

it('the first details stay, whatever comes; the rest is as it is now; the change is told once', async () => {
  const other = changed({ accountNumber: '6666', reference: 'R' });
  const notes = told({ accountNumber: '0012' }, { accountNumber: '6666' });
  expect(await read(other, 60 * minute)).toEqual({
    deposit: 'accountNumber: 0012; reference: R',
    status: 'success',
    notes,
  });
  expect((await read(other, 0)).notes).toEqual(notes);
  expect((await read(other, 0, [{ row: 1, now: details({ accountNumber: '6666' }) }])).notes).toEqual([]);
  expect((await read(changed({ reference: 'R' }), 0)).notes).toEqual(told({ accountNumber: '0012' }, {}));
});

it('a change that a person knows is no new change if the service gives its fields in another order', async () => {
  const [one, other] = [changed({ iban: 'A', swift: 'B' }), changed({ swift: 'B', iban: 'A' })];
  const [note] = (await read(one, 60 * minute)).notes as Pick<DepositChange, 'now'>[];
  expect((await read(other, 60 * minute, [{ row: 1, now: note!.now }])).notes).toEqual([]);
});

it('details that are told under another field do not stand beside the first', async () => {
  const { deposit, notes } = await read({ id: 'p', status: 'pending', depositTo: { accountNumber: '6666' } }, 0);
  expect([deposit, notes]).toEqual(['accountNumber: 0012; reference: R', [expect.anything()]]);
});

it('an answer without any leaves them as they were, and tells nothing', async () =>
  expect(await read({ id: 'p', status: 'expired' }, 60 * minute)).toEqual({
    deposit: 'accountNumber: 0012; reference: R',
    status: 'expired',
    notes: [],
  }));

it('right after the payment was made a fuller reading is taken in; later it is a change like any other', async () => {
  const fuller = changed({ accountNumber: '0012', reference: 'R', iban: 'GB00' });
  expect(await read(fuller, minute)).toMatchObject({
    deposit: 'accountNumber: 0012; reference: R; iban: GB00',
    notes: [],
  });
  expect(await read(fuller, 60 * minute)).toMatchObject({
    deposit: 'accountNumber: 0012; reference: R',
    notes: told({}, { iban: 'GB00' }),
  });
});
