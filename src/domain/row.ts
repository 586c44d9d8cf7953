/** A row: one valid line of the sheet, in canonical values. */
import type { Problem } from '../base/problem.ts';
import type { Cells } from './cell.ts';
import type { Currency, SourceCountry } from './country.ts';
import type { Destination } from './merchant.ts';

/** whole: units of the destination currency; hundredths: USDT-funded (interface 2.8); sat: Lightning. */
export type AmountUnit = 'whole' | 'hundredths' | 'sat';

export interface Row {
  /** The row number that the spreadsheet shows. */
  readonly number: number;
  /** The person's `row_id`, or null. */
  readonly rowId: string | null;
  readonly name: string;
  readonly destination: Destination;
  /** A whole number of `unit`s, 1 to 2^53 - 1. */
  readonly amount: number;
  readonly unit: AmountUnit;
  /** The currency that `amount` counts: the destination's, or USDT for a USDT-funded row. */
  readonly currency: Currency | 'USDT';
  readonly reference: string;
  readonly fromCountry: SourceCountry | null;
  readonly collectionMethod: 'MOMO' | 'BANK_TRANSFER' | null;
  readonly type: string | null;
  readonly slow: boolean;
  /** The person's own tag; travels in meta, never as the payment's tag. */
  readonly ownTag: string | null;
  readonly merchantId: string | null;
  /** File names as the sheet has them. */
  readonly documents: readonly string[];
}

export type Parsed = { readonly row: Row | null; readonly problems: readonly Problem[] };
export type { Cells };
