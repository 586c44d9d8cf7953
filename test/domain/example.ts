/** A valid line for each country, and rules without a service, for the tests of the domain. */

import { offlineBanks } from '../../src/domain/accounts/bank.ts';
import type { Cell, Cells, TypedCell } from '../../src/domain/rows/cell.ts';
import { parseRow, type RowRules } from '../../src/domain/rows/row.ts';
import { messageOf } from '../problem-words.ts';

export const rules: RowRules = {
  banks: offlineBanks(),
  numberFormat: null,
  accountChecks: 'by-rule',
  documents: 'require',
  btcUnit: null,
  networkProvider: 'MOMO',
  defaults: {},
};

export const southAfrica: Cells = {
  name: 'Thandi Mokoena',
  country: 'SouthAfrica',
  bank_name: 'Standard Bank',
  account_number: '10004291601',
  amount: '4500',
  reference: 'Salary Nov',
};

export const nigeria: Cells = {
  name: 'Ade Bello',
  country: 'Nigeria',
  bank_name: 'Guaranty Trust Bank',
  account_number: '0123456785',
  amount: '250000',
  reference: 'INV 204',
};

export const kenya: Cells = {
  name: 'Wanjiru Kamau',
  country: 'Kenya',
  contact_number: '+254712345678',
  amount: '1200',
  reference: 'Stipend',
};

export const lightning: Cells = {
  name: 'Satoshi',
  country: 'BTC',
  lnurl: 'satoshi@bitcoin.org',
  amount: '21000',
  amount_unit: 'sat',
  reference: 'Tip',
};

export function numberCell(text: string, shown = text): TypedCell {
  return { kind: 'number', text, shown, formula: false };
}

export function formulaCell(text: string, kind: TypedCell['kind'] = 'number'): TypedCell {
  return { kind, text, shown: text, formula: true };
}

export function typedCell(kind: TypedCell['kind'], text: string): TypedCell {
  return { kind, text, shown: text, formula: false };
}

/** Codes of the problems, each with its severity's first letter: `e AMOUNT_ZERO`. */
export function codesOf(cells: Cells, changed: Partial<RowRules> = {}): string[] {
  return parseRow(cells, 2, { ...rules, ...changed }).problems.map(({ severity, code }) => `${severity[0]} ${code}`);
}

export function rowOf(cells: Cells, changed: Partial<RowRules> = {}) {
  const { row, problems } = parseRow(cells, 2, { ...rules, ...changed });
  if (row === null) throw new Error(`no row: ${problems.map((one) => messageOf(one)).join('; ')}`);
  return row;
}

export function withCell(cells: Cells, field: keyof Cells, cell: Cell | undefined): Cells {
  const changed: { [F in keyof Cells]?: Cell | undefined } = { ...cells, [field]: cell };
  if (cell === undefined) delete changed[field];
  return changed as Cells;
}
