/** What a person is told who lets a row go: that one like it was paid, or waits, in another batch (design 4.1). */
import { timeWords } from '../../base/clock.ts';
import { moneyOf } from '../../base/words.ts';
import { payeeOf } from '../../domain/accounts/payee.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { type Ledger, type LedgerRow, wordOf } from '../../ledger/ledger.ts';
import { addressOf, perhapsRepeatMs } from './repeats.ts';

/** Of the payee, the newest: who is paid more often than that within a month is told of what is near. */
const newestRows = 500;

/** The newest that was sent, and the newest that waits; nothing where there is neither. */
export async function likeElsewhere(
  ledger: Pick<Ledger, 'pages' | 'batch'>,
  row: LedgerRow,
  now: number,
): Promise<string[]> {
  const own = rowOfContent(row.content, row.number);
  const address = await addressAt(ledger, row.batch);
  let sent: string | null = null;
  let waits: string | null = null;
  for (const other of ledger.pages.payeeRows(payeeOf(own).name, newestRows)) {
    if (other.batch === row.batch || rowOfContent(other.content, other.number).reference !== own.reference) continue;
    const differs = differenceOf(row, other);
    if (differs === null || (await addressAt(ledger, other.batch)) !== address) continue;
    const { submittedAt } = other;
    const word = wordOf[other.state];
    const where = `in batch ${other.batch} (row ${other.number})`;
    const all = differs.includes('amount') ? 'The same payee and reference' : 'The same payee, amount and reference';
    if (submittedAt === null && (word === 'not sent' || word === 'held'))
      waits ??= `${all} ${word === 'held' ? 'is held' : 'waits'} ${where}${differs}.`;
    else if (submittedAt !== null && submittedAt >= now - perhapsRepeatMs && !unsent.includes(word))
      sent ??= `${all} was ${word === 'paid' ? 'paid' : 'sent'} ${where} on ${timeWords(submittedAt)}${differs}.`;
  }
  return [sent, waits].filter((one) => one !== null);
}

const unsent: readonly string[] = ['not sent', 'unpaid'];

/** Empty where they are wholly alike; null where they are two payments. */
function differenceOf(row: LedgerRow, other: LedgerRow): string | null {
  const { amount, currency, unit } = other;
  const sameMoney = row.amount === amount && row.currency === currency && row.unit === unit;
  const sameAccount = row.destination === other.destination;
  if (!sameMoney) return sameAccount ? `, of another amount (${moneyOf(other)})` : null;
  return sameAccount ? '' : ', to another account';
}

async function addressAt(ledger: Pick<Ledger, 'batch'>, batch: string): Promise<string> {
  return addressOf((await ledger.batch(batch))?.identity ?? '');
}
