/** What a person is told who lets a row go: that one like it was paid, or waits, in another batch (design 4.1). */
import { payeeOf } from '../../domain/accounts/payee.ts';
import type { NoteOf } from '../../domain/note.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { type Ledger, type LedgerRow, wordOf } from '../../ledger/ledger.ts';
import { addressOf, perhapsRepeatMs } from './repeats.ts';

type LikeNote = NoteOf<'like-elsewhere'>;

/** Of the payee, the newest: who is paid more often than that within a month is told of what is near. */
const newestRows = 500;

/** The newest that was sent, and the newest that waits; nothing where there is neither. */
export async function likeElsewhere(
  ledger: Pick<Ledger, 'pages' | 'batch'>,
  row: LedgerRow,
  now: number,
): Promise<LikeNote[]> {
  const own = rowOfContent(row.content, row.number);
  const address = await addressAt(ledger, row.batch);
  let sent: LikeNote | null = null;
  let waits: LikeNote | null = null;
  for (const other of ledger.pages.payeeRows(payeeOf(own).name, newestRows)) {
    if (other.batch === row.batch || rowOfContent(other.content, other.number).reference !== own.reference) continue;
    const differs = differenceOf(row, other);
    if (differs === null || (await addressAt(ledger, other.batch)) !== address) continue;
    const { submittedAt: at, amount, unit, currency } = other;
    const word = wordOf[other.state];
    const alike = { batch: other.batch, row: other.number, differs, money: { amount, unit, currency } } as const;
    if (at === null && (word === 'not sent' || word === 'held'))
      waits ??= { note: 'like-elsewhere', ...alike, is: word === 'held' ? 'held' : 'waits', at };
    else if (at !== null && at >= now - perhapsRepeatMs && !unsent.includes(word))
      sent ??= { note: 'like-elsewhere', ...alike, is: word === 'paid' ? 'paid' : 'sent', at };
  }
  return [sent, waits].filter((one) => one !== null);
}

const unsent: readonly string[] = ['not sent', 'unpaid'];

/** Null where they are two payments. */
function differenceOf(row: LedgerRow, other: LedgerRow): LikeNote['differs'] | null {
  const { amount, currency, unit } = other;
  const sameMoney = row.amount === amount && row.currency === currency && row.unit === unit;
  const sameAccount = row.destination === other.destination;
  if (!sameMoney) return sameAccount ? 'amount' : null;
  return sameAccount ? 'nothing' : 'account';
}

async function addressAt(ledger: Pick<Ledger, 'batch'>, batch: string): Promise<string> {
  return addressOf((await ledger.batch(batch))?.identity ?? '');
}
