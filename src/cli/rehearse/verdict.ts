/** Judges a rehearsal: compares the service's payments with the sheet and with the result. Does no I/O. */
import type { Each } from '../../base/words.ts';
import { destinationKey, merchantKeys } from '../../domain/accounts/merchant.ts';
import type { Row } from '../../domain/rows/row.ts';
import { foldTag } from '../../domain/rows/tag.ts';
import { counted } from '../../messages/format/numbers.ts';
import type { BookedPayment } from '../../service/service.ts';

export interface RehearsedRow
  extends Pick<Row, 'number' | 'destination' | 'amount' | 'unit' | 'currency' | 'reference'> {
  /** The digest of everything that decides where money goes. The result's row has the same digest. */
  readonly digest: string;
  readonly documents: number;
}

export interface ResultRow extends Each<'digest status tag', string> {
  readonly number: number;
}

export type HeldPayment = Omit<BookedPayment, 'createdAt'>;

export interface Verdict {
  /** The row's number in the sheet; null for a payment that belongs to no row. */
  readonly row: number | null;
  readonly why: string;
  readonly payments: readonly string[];
}

/** `once`: exactly one unexpired payment, and the result agrees. `unpaid`: no such payment, and the result says so. */
type Standing = 'once' | 'twice' | 'lost' | 'unpaid' | 'in_doubt' | 'not_sent';

export type Judgement = ReturnType<typeof judge>;

/** `documentsOpen` counts documents that the last run did not attach. */
export function judge(
  rows: readonly RehearsedRow[],
  results: readonly ResultRow[] | null,
  payments: readonly HeldPayment[],
  documentsOpen = 0,
) {
  const counts: Record<Standing, number> = { once: 0, twice: 0, lost: 0, unpaid: 0, in_doubt: 0, not_sent: 0 };
  const doubles: Verdict[] = [];
  const losses: Verdict[] = [];
  const sums = createSums(rows);
  const resultsByDigest = Map.groupBy(results ?? [], ({ digest }) => digest);
  const living = payments.filter(({ living: lives }) => lives);
  const tags = new Set((results ?? []).map(({ tag }) => foldTag(tag)).filter((tag) => tag !== null));
  const strays = new Set(living.filter((payment) => !tags.has(foldTag(payment.tag) ?? '')));
  const byTag = Map.groupBy(
    living.filter((payment) => !strays.has(payment)),
    ({ tag }) => foldTag(tag) ?? '',
  );
  /** Returns the payments of a tag and removes them, so that a second row with the tag gets none. */
  const paymentsOf = (tag: string): readonly HeldPayment[] => {
    const own = byTag.get(tag) ?? [];
    byTag.delete(tag);
    return own;
  };
  let attached = 0;
  let missing = 0;

  for (const row of rows) {
    const result = resultsByDigest.get(row.digest)?.shift();
    const own = result === undefined ? claimed(strays, row) : paymentsOf(foldTag(result.tag) ?? '');
    for (const payment of own) sums.lineOf(row).paid += payment.amount;
    const { standing, why } = standingOf(row, result, own, results !== null);
    counts[standing] += 1;
    const verdict = { row: row.number, why, payments: own.map(({ id }) => id) };
    if (standing === 'twice') doubles.push(verdict);
    if (standing === 'lost') losses.push(verdict);
    const there = Math.min(row.documents, Math.max(0, ...own.map(({ documents }) => documents)));
    attached += there;
    if (standing === 'once') missing += row.documents - there;
  }
  for (const payment of strays) {
    const like = rows.find((row) => agrees(row, payment));
    doubles.push({
      row: like?.number ?? null,
      why:
        like === undefined
          ? 'a payment that pays no row of the sheet'
          : 'one more payment like this row, without its tag',
      payments: [payment.id],
    });
    sums.lineOf(like ?? { currency: payment.currency, unit: 'whole' }).paid += payment.amount;
  }
  for (const { number, status } of [...resultsByDigest.values()].flat())
    losses.push({ row: null, why: `row ${number} of the result (${status}) is no row of the sheet`, payments: [] });
  const named = rows.reduce((sum, { documents }) => sum + documents, 0);
  if (documentsOpen === 0 && missing > 0)
    losses.push({
      row: null,
      why: `${counted(missing, 'document of paid rows is', 'documents of paid rows are')} not at the service, and none was said to be open`,
      payments: [],
    });
  const documents = { named, attached };
  return { rows: { total: rows.length, ...counts }, doubles, losses, documents, totals: sums.lines() };
}

function standingOf(
  row: RehearsedRow,
  result: ResultRow | undefined,
  own: readonly HeldPayment[],
  resulted: boolean,
): { standing: Standing; why: string } {
  const [payment, ...others] = own;
  if (others.length > 0) return { standing: 'twice', why: `${own.length} living payments bear its tag` };
  if (!resulted) return { standing: payment === undefined ? 'not_sent' : 'in_doubt', why: 'there is no result' };
  if (result === undefined) return { standing: 'lost', why: 'the result does not have the row' };
  const { status } = result;
  if (status === 'in doubt' || status === 'held') return { standing: 'in_doubt', why: status };
  const saidPaid = status === 'paid' || status === 'pending';
  if (payment === undefined) {
    if (saidPaid) return { standing: 'lost', why: `the result says ${status}, and the service has no living payment` };
    return { standing: status === 'unpaid' ? 'unpaid' : 'not_sent', why: status };
  }
  if (!agrees(row, payment)) return { standing: 'lost', why: 'its payment pays another payee, amount or reference' };
  return saidPaid
    ? { standing: 'once', why: status }
    : { standing: 'lost', why: `the result says ${status}, and the service pays it all the same` };
}

function agrees({ destination, amount, reference }: RehearsedRow, payment: HeldPayment): boolean {
  const samePayee = merchantKeys(payment.merchant).includes(destinationKey(destination));
  return samePayee && payment.amount === amount && payment.reference === reference;
}

function claimed(strays: Set<HeldPayment>, row: RehearsedRow): HeldPayment[] {
  const payment = [...strays].find((one) => agrees(row, one));
  if (payment === undefined) return [];
  strays.delete(payment);
  return [payment];
}

function createSums(rows: readonly RehearsedRow[]) {
  const lines = new Map<string, { currency: string; unit: string; sheet: number; paid: number }>();
  const lineOf = ({ currency, unit }: { readonly currency: string; readonly unit: string }) => {
    const key = `${currency} ${unit}`;
    const line = lines.get(key) ?? { currency, unit, sheet: 0, paid: 0 };
    lines.set(key, line);
    return line;
  };
  for (const row of rows) lineOf(row).sheet += row.amount;
  return { lineOf, lines: () => [...lines.keys()].sort().map((key) => lines.get(key)!) };
}
