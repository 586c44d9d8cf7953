/** The rules for reading rows, where nothing is set. */
import type { RowRules } from '../src/domain/rows/line.ts';

export const plainRules: Omit<RowRules, 'banks'> = {
  numberFormat: null,
  accountChecks: 'by-rule',
  documents: 'require',
  btcUnit: null,
  networkProvider: 'MOMO',
  defaults: {},
};
