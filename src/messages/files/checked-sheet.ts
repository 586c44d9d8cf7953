/** The words on the first sheet of a checked workbook: the verdict, and what to do. */
import type { Audience } from '../audience.ts';
import { counted, grouped } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';

interface CheckedMarks {
  readonly marks: Readonly<Record<'FIX' | 'LOOK' | 'OK', number>>;
  /** True if a row or the sheet as a whole has to be fixed. */
  readonly isToFix: boolean;
  /** The number of rows in the workbook, if it cannot have all rows of the sheet; null if it has them all. */
  readonly partOf: number | null;
}

export function verdictWords({ marks: { FIX, LOOK }, isToFix }: CheckedMarks): string {
  if (FIX > 0) return `${counted(FIX, 'row')} to fix`;
  if (isToFix) return 'to fix';
  return LOOK > 0 ? `can be paid, ${counted(LOOK, 'row')} to look at` : 'can be paid';
}

export function checkedWords(now: number, service: string): string {
  const asked = { none: 'without asking a service', sandbox: 'with the sandbox' }[service] ?? `with ${service}`;
  return `${timeWords(now)}, ${asked}`;
}

export function fixingSteps(name: string, { marks, isToFix, partOf }: CheckedMarks, to: Audience): readonly string[] {
  if (!isToFix) return ['Nothing has to be fixed. Look at the rows marked LOOK, if there are any, and pay the sheet.'];
  if (partOf !== null)
    return [
      `The sheet is too long for this workbook, which has only ${partWords(partOf, marks)}.`,
      `Fix them in ${name} itself (payrun_sheet_row has their numbers there), and submit that file.`,
    ];
  return [
    'On the next sheet fix what is red: payrun_what_to_do, and the notes on the cells, say how.',
    `Save this file and submit it${to === 'page' ? '' : ', with the same command as before'}. Our columns may stay.`,
  ];
}

function partWords(rows: number, { FIX, LOOK }: CheckedMarks['marks']): string {
  if (rows === FIX + LOOK) return `its ${counted(rows, 'row')} with problems`;
  const first = rows < FIX ? `the first ${grouped(rows)} of ` : '';
  return `${first}its ${counted(FIX, 'row')} to fix; the list of problems has all`;
}

export const checkedFacts = {
  steps: 'What to do',
  unused: 'Not used',
  formulas: ['Formulas', 'stand here as their last results'],
} as const;

export const markMeanings = { FIX: 'must be fixed', LOOK: 'can be paid; look at it first', OK: 'can be paid' } as const;

export const checkedTables = {
  rows: { title: 'Rows', header: ['Mark', 'Rows', ''] },
  whole: { title: 'The sheet as a whole', header: ['Mark', 'Row', '', 'Column', 'What to do'] },
  totals: { title: 'Totals of the rows that can be read', header: ['Currency', 'Amount', 'Unit', 'From'] },
  kinds: { title: 'Top problems', header: ['Mark', 'How many', 'First row', 'What it means'] },
} as const;
