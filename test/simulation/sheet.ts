/** The sheet of a story, as the person's CSV file; which row a payment is for stands in its reference. */
import type { Parameters, SheetRow } from './parameters.ts';

/** The words after a row's number in its reference: one more for each correction. */
export type Corrections = ReadonlyMap<number, number>;

export function referenceOf(index: number, corrections: Corrections): string {
  const times = corrections.get(index) ?? 0;
  return `R${String(index + 1).padStart(2, '0')}${times === 0 ? '' : ` c${times}`}`;
}

/** The row of a payment or of a line in a result; null for anything else. */
export function rowOfReference(reference: unknown): number | null {
  const found = typeof reference === 'string' ? /^R(\d\d)\b/.exec(reference) : null;
  return found === null ? null : Number(found[1]) - 1;
}

export const timesCorrected = (reference: string): number => Number(/ c(\d+)$/.exec(reference)?.[1] ?? 0);

const columns = [
  'row_id',
  'name',
  'country',
  'bank_name',
  'account_number',
  'contact_number',
  'lnurl',
  'amount',
  'amount_unit',
  'reference',
  'from_country',
  'documents',
] as const;

const accounts = {
  Kenya: (payee: number) => ({ contact_number: `+25471234561${payee}` }),
  SouthAfrica: () => ({ bank_name: 'Standard Bank', account_number: '10004291601' }),
  Nigeria: () => ({ bank_name: 'Guaranty Trust Bank', account_number: '0123456785' }),
  BTC: () => ({ lnurl: 'satoshi@bitcoin.org', amount_unit: 'sat' }),
};

export function sheetText({ rows, rowIds }: Parameters, corrections: Corrections): string {
  const lines = rows.map((row) => {
    const cells = cellsOf(row, corrections, rowIds);
    return columns.map((column) => cells[column] ?? '').join(',');
  });
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

function cellsOf(row: SheetRow, corrections: Corrections, rowIds: boolean): Partial<Record<string, string>> {
  return {
    ...(rowIds ? { row_id: `k${row.index + 1}` } : {}),
    name: `Payee ${row.country === 'Kenya' ? row.payee + 1 : row.country}`,
    country: row.country,
    ...accounts[row.country](row.payee),
    amount: String(row.amount),
    reference: referenceOf(row.index, corrections),
    from_country: row.fromCountry ?? '',
    documents: row.document ? 'proof.pdf' : '',
  };
}
