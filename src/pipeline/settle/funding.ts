/** Lists the deposits to make, by account and currency, for rows with a funding source. */
import type { Each } from '../../base/words.ts';
import {
  accountOf,
  amountOf,
  currencyIn,
  type Detail,
  detailWords,
  referenceOf,
  sumOf,
} from '../../domain/amounts/deposit.ts';
import type { Note } from '../../domain/note.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import {
  type BatchFacts,
  type DepositChange,
  eachRow,
  type Ledger,
  type LedgerRow,
  wordOf,
} from '../../ledger/ledger.ts';
import { readDetails } from './payment-details.ts';

/** `funded` means that the payment was paid out, because the service does not report the deposit itself. */
type FundingWord = 'waiting' | 'funded' | 'expired' | 'collected by phone' | 'not due';

export interface FundingRow
  extends Each<'key name from row_status', string>,
    Each<'payment_id currency reference', string | null> {
  readonly row: number;
  readonly pays: { readonly amount: number; readonly currency: string; readonly unit: string };
  readonly status: FundingWord;
  readonly amount: string | null;
  readonly details: readonly Detail[];
  readonly changed: Pick<DepositChange, 'was' | 'now' | 'known'> | null;
}

export interface FundingGroup {
  readonly from: string;
  readonly currency: string | null;
  /** The deposit details that all rows of the group share; empty if the service gave none. */
  readonly account: readonly Detail[];
  readonly waiting: number;
  /** The exact sum of the waiting rows' amounts; null if no row waits or an amount is unreadable. */
  readonly to_deposit: string | null;
  readonly rows: readonly FundingRow[];
}

export interface Funding extends Each<'batch service ledger', string> {
  readonly groups: readonly FundingGroup[];
  /** The number of rows with a funding source. The groups list at most 20,000 rows. */
  readonly rows_total: number;
  readonly notes: readonly Note[];
}

/** The list ends after this many rows, because a workbook with formats has no room for more. */
const listedRows = 20_000;

export async function fundingOf(ledger: Ledger, batch: BatchFacts): Promise<Funding | null> {
  const changes = new Map((await ledger.rows.changedDeposits(batch.name)).map((change) => [change.row, change]));
  const listed: FundingRow[] = [];
  let rows = 0;
  for await (const row of eachRow(ledger, { batch: batch.name })) {
    if (row.fromCountry === null) continue;
    rows += 1;
    if (rows <= listedRows) listed.push(fundingRow(row, changes.get(row.id)));
  }
  if (rows === 0) return null;
  const { name, service } = batch;
  const accountKey = ({ from, currency, details }: FundingRow) => JSON.stringify([from, currency, accountOf(details)]);
  const groups = Array.from(Map.groupBy(listed, accountKey).values(), groupOf);
  return { batch: name, service, ledger: ledger.path, groups, rows_total: rows, notes: notesOf(groups, rows) };
}

function fundingRow(row: LedgerRow, change: DepositChange | undefined): FundingRow {
  const { name, collectionMethod } = rowOfContent(row.content, row.number);
  const details = row.serviceDetails === null || row.paymentId === null ? [] : readDetails(row.serviceDetails).details;
  return {
    row: row.number,
    key: row.key,
    name,
    from: row.fromCountry!,
    pays: { amount: row.paidAmount ?? row.amount, currency: row.currency, unit: row.unit },
    payment_id: row.paymentId,
    status: statusOf(row, collectionMethod, details),
    row_status: wordOf[row.state],
    amount: amountOf(details),
    currency: currencyIn(details),
    reference: referenceOf(details),
    details,
    changed: change === undefined ? null : { was: change.was, now: change.now, known: change.known },
  };
}

/** Only an accepted payment waits for a deposit, because a deposit for a row in doubt could be lost. */
function statusOf({ state, fromCountry }: LedgerRow, method: string | null, details: readonly Detail[]): FundingWord {
  if (state === 'succeeded') return 'funded';
  if (state === 'expired') return 'expired';
  if (state !== 'accepted') return 'not due';
  return fromCountry === 'Kenya' && method !== 'BANK_TRANSFER' && details.length === 0
    ? 'collected by phone'
    : 'waiting';
}

function groupOf(rows: readonly FundingRow[]): FundingGroup {
  const { from, currency, details } = rows[0]!;
  const waiting = rows.filter(({ status }) => status === 'waiting');
  return {
    from,
    currency,
    account: accountOf(details),
    waiting: waiting.length,
    to_deposit: waiting.length === 0 ? null : sumOf(waiting.map(({ amount }) => amount)),
    rows,
  };
}

function notesOf(groups: readonly FundingGroup[], rows: number): Note[] {
  const all = groups.flatMap((group) => group.rows);
  const lacking = all.filter(({ status, details }) => status === 'waiting' && details.length === 0).length;
  return [
    ...all.flatMap(({ key: row, changed }): Note[] => {
      if (changed === null) return [];
      const { known, ...change } = changed;
      if (known === null) return [{ note: 'deposit-alarm', row, ...change }];
      return [{ note: 'deposit-change-known', row, ...change, known }];
    }),
    ...sharedAddresses(groups),
    ...(lacking === 0 ? [] : [{ note: 'deposits-untold', rows: lacking } as const]),
    ...(rows > listedRows ? [{ note: 'deposits-cut', shown: listedRows, rows } as const] : []),
  ];
}

/** Warns when payments have the same USDT address, because each address serves one payment (interface 4.20). */
const sharedAddresses = (groups: readonly FundingGroup[]): Note[] =>
  groups
    .filter(({ from, account, rows }) => from === 'USDT' && account.length > 0 && rows.length > 1)
    .map(({ rows, account }) => ({
      note: 'address-shared',
      rows: rows.map(({ key }) => key),
      address: detailWords(account),
    }));
