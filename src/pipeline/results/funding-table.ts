/** Builds the sheet of a result that lists the deposits to make. */
import { accountOf, detailWords } from '../../domain/amounts/deposit.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import { fundingWords } from '../../messages/files/result.ts';
import type { Table } from '../../sheet/sheet.ts';
import { type FundingRow, fundingOf } from '../settle/funding.ts';

/** Returns null if no row has a funding source. Amounts to deposit are text, so that no program rounds them. */
export async function fundingTable(ledger: Ledger, batch: BatchFacts): Promise<Table | null> {
  const funding = await fundingOf(ledger, batch);
  if (funding === null) return null;
  return {
    title: fundingWords.title,
    header: fundingWords.header,
    rows: funding.groups.flatMap((group) => [
      ...group.rows.map(cellsOf),
      ...(group.waiting > 1
        ? [[`${group.waiting} waiting`, group.from, 'together', group.to_deposit, group.currency, ...noCells]]
        : []),
    ]),
  };
}

const cellsOf = (row: FundingRow) => [
  row.status,
  row.from,
  row.details.length === 0 ? null : detailWords(accountOf(row.details)),
  row.amount,
  row.currency,
  row.reference,
  row.pays.amount,
  row.pays.currency,
  row.pays.unit,
  row.row,
  row.payment_id,
  row.changed === null ? null : fundingWords.changed(row.changed),
];

const noCells = fundingWords.header.slice(5).map(() => null);
