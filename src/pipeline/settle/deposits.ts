/** Deposit details between two readings: what was told first is kept, and any change is an alarm, since it is how a payer is led to another account. */
import { PayrunError } from '../../base/errors.ts';
import { counted } from '../../base/words.ts';
import { changedDetails, depositIn, isCompletion, wordsUnder } from '../../domain/amounts/deposit.ts';
import type { BatchFacts, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { shellWord } from '../outcome.ts';
import { changeWords, openChanges, shownChanges } from './deposit-changes.ts';
import { keptAnswer, toldIn } from './payment-details.ts';

/** So long after it was made a payment may have been told in part. */
const settlingMs = 10 * 60_000;

/**
 * What the row keeps of an answer about its payment: all that is new in it, and of the deposit details those that were told first. A
 * change of these goes into the trail, with both.
 */
export async function keepTold({ ledger, clock }: Pick<Deps, 'ledger' | 'clock'>, row: LedgerRow, answer: object) {
  const whole = keptAnswer(answer);
  if (row.told === null) return whole;
  const first = toldIn(row.told);
  const before = depositIn(first);
  if (before.length === 0) return whole;
  // As it would be kept: a long text is cut in both.
  const after = depositIn(toldIn(whole));
  const changed = changedDetails(before, after);
  const young = row.submittedAt !== null && clock.now() - row.submittedAt < settlingMs;
  if (young && isCompletion(before, after, changed)) return whole;
  if (changed.length > 0) await tellChange(ledger, row, wordsUnder(before, changed), wordsUnder(after, changed));
  return keptAnswer({ ...answer, ...keptDeposit(first, answer) });
}

/** The fields of the first answer that hold deposit details, in place of those of the newer one. */
function keptDeposit(first: Record<string, unknown>, answer: object): Record<string, unknown> {
  const holds = ([name, value]: [string, unknown]) => depositIn({ [name]: value }).length > 0;
  const gone = Object.fromEntries(
    Object.entries(answer)
      .filter(holds)
      .map(([name]) => [name, null]),
  );
  return { ...gone, ...Object.fromEntries(Object.entries(first).filter(holds)) };
}

/** Once for each new reading: a service that tells the same change again says nothing new. */
async function tellChange(ledger: Ledger, row: LedgerRow, was: string, now: string): Promise<void> {
  const known = (await ledger.changedDeposits(row.batch)).find((one) => one.row === row.id);
  if (known?.now === now) return;
  await ledger.note(row, {}, { said: 'deposit changed', payment: row.paymentId, was, now });
}

/** Nothing is deposited, and nothing more is sent, before a person has asked. */
export async function depositAlarm(
  { ledger, again }: Pick<Deps, 'ledger' | 'again'>,
  { name }: Pick<BatchFacts, 'name'>,
): Promise<PayrunError | null> {
  const changes = await openChanges(ledger, name);
  const [first] = changes;
  if (first === undefined) return null;
  return new PayrunError('DEPOSIT_CHANGED', {
    rows: counted(changes.length, 'payment'),
    shown: `${changes.slice(0, shownChanges).map(changeWords).join(' ')}${changes.length > shownChanges ? ' …' : ''}`,
    command: `payrun resolve ${shellWord(name)} --row ${shellWord(first.key)} --known --reason TEXT${again}`,
  });
}

/** `resolve --known`: a person has asked, and says what came of it. Null for a row whose details did not change. */
export async function knowChange(ledger: Ledger, row: LedgerRow, why: string): Promise<string | null> {
  const change = (await openChanges(ledger, row.batch)).find((one) => one.row === row.id);
  if (change === undefined) return null;
  const { paymentId: payment, now } = change;
  await ledger.note(row, {}, { said: 'deposit known', payment, now, why });
  return `Row ${row.key}: the changed deposit details are known. Both readings stay in sight: payrun funding ${shellWord(row.batch)}`;
}
