/** The console's words on a sheet: its corrections, its documents, its plan and the plan's approval. */
import type { Fault } from '../../base/faults/fault.ts';
import type { FoundProblem } from '../../base/problem.ts';
import type { Note } from '../../domain/note.ts';
import type { DocumentFileFault } from '../../domain/problems/document-problems.ts';
import { faultOnPage } from '../faults/fault-words.ts';
import { counted, grouped } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import { noteOnPage } from '../notes.ts';
import type { Texts } from '../passage.ts';
import { documentFileWords } from '../problems/document-problems.ts';
import { problemWords } from '../problems.ts';

type InBatch = Texts<'batch'>;
type ColumnChoiceFacts = Texts<'wanted'> & { readonly kept: string | null };

const sheetNamed = (name: string | null) => (name === null ? 'this sheet' : `the sheet '${name}'`);

export const sheetMessages = {
  SHEET_UNKNOWN: () => 'There is no such sheet here. Perhaps somebody discarded it.',
  NO_SHEET: ({ endings }: { readonly endings: readonly string[] }) =>
    `A sheet is a file that ends in ${endings.join(' or ')}.`,
  NOT_READ_YET: () => 'Payrun is still checking the sheet. Wait a moment.',
  READING_FAILED: () => 'The check of the sheet failed. Upload it again, or ask the person who runs the console.',
  SHEET_UNREADABLE: ({ why }: { readonly why: Fault }) => `The sheet could not be read: ${faultOnPage(why)}`,
  SHEET_PROBLEM: ({ problem }: { readonly problem: FoundProblem }) => problemWords(problem, 'page'),
  SHEET_NOTE: ({ note }: { readonly note: Note }) => noteOnPage(note),
  SHEET_IS_BATCH: ({ batch }: InBatch) => `This sheet is already batch ${batch}. Upload a fixed sheet to change it.`,
  SHEET_MOVED: () => 'The sheet changed after this page showed it. Nothing was done. Load the page again, then decide.',
  CHECKED_UNWRITTEN: () => 'The checked workbook could not be written. Try again.',

  COLUMN_OF_PAYRUN: () => 'This column was written by Payrun and is not fixed here.',
  FIX_SAYS_THE_SAME: () => 'The cell has this value already.',
  TOO_MANY_FIXES: () => 'So many fixes are easier in the spreadsheet program. Fix the file, and upload it again.',
  CELL_CHANGED: ({ row, text }: { readonly row: number; readonly text: string }) =>
    `Row ${row} says ${text === '' ? 'nothing' : `'${text}'`} there now. Check it again.`,
  ROW_TO_FIX_MISSING: ({ row }: { readonly row: number }) => `The sheet has no row ${row} to fix. Check it again.`,
  MISTAKE_MOVED: () =>
    'The rows with this mistake changed after this page showed them. Nothing was fixed. Check the mistakes again.',
  FIXED_SINCE: ({ row }: { readonly row: number | null }) =>
    `${row === null ? 'Some of these rows were' : `Row ${row} was`} fixed again later. Undo that fix first.`,
  OTHER_SHEET_FIXED: ({ kept, wanted }: ColumnChoiceFacts) =>
    `Cells of ${sheetNamed(kept)} were fixed here, and '${wanted}' is another sheet. Undo these fixes first, or upload the file again and choose '${wanted}' there.`,
  OTHER_SHEET_PLANNED: ({ kept, wanted }: ColumnChoiceFacts) =>
    `There is already a plan of ${sheetNamed(kept)}. Upload the file again, and choose '${wanted}' there.`,

  TOO_MANY_DOCUMENTS: ({ most }: { readonly most: number }) => `A sheet has at most ${grouped(most)} documents here.`,
  DOCUMENT_MOVED: ({ name }: { readonly name: string }) =>
    `The document ${name} changed after this page showed it. Nothing was done. Load the page again, then decide.`,
  DOCUMENT_UNSOUND: ({ name, fault }: { readonly name: string; readonly fault: DocumentFileFault }) =>
    `${name} was not added: it ${documentFileWords(fault)}.`,
  DOCUMENT_AMBIGUOUS: ({ name, paths }: { readonly name: string; readonly paths: readonly string[] }) =>
    `The sheet names ${paths.length} documents called ${name}: ${paths.join(', ')}. Give each its own name, in the sheet and as a file. If they are one document, write it the same way in each row.`,

  BATCH_OF_TERMINAL: () => 'The newest sheet of these rows came from a terminal: send them again from there.',
  UNPAID_IN_SHEETS: () => 'The unpaid rows are in several sheets. Try each of them again on its own page.',
  BATCH_NAME_UNFIT: () => 'A batch’s name begins with a letter or a number. Give it another one.',
  SHEET_UNPLANNABLE: () => 'No plan can be made of this sheet yet.',
  ROWS_TO_FIX: ({ rows }: { readonly rows: number }) => `${counted(rows, 'row')} must be fixed first, or left out.`,
  NO_ROW_PAYABLE: () => 'No row of it can be paid as it is.',
  SHEET_FAULT: ({ problem }: { readonly problem: FoundProblem }) =>
    `This mistake is in the whole sheet, so leaving rows out does not help: ${problemWords(problem, 'page')}`,
  TOTAL_UNREADABLE: ({
    currency,
    typed,
    problem,
  }: Texts<'currency' | 'typed'> & { readonly problem: FoundProblem | null }) =>
    `The control total for ${currency}, '${typed}', cannot be read: ${problem === null ? 'it is no amount' : problemWords(problem)}`,
  ROWS_TOTAL_UNREADABLE: ({ typed }: { readonly typed: string }) =>
    `The number of rows, '${typed}', must be a whole number such as 212.`,
  PLAN_MISSING: () => 'This sheet has no valid plan: something changed after planning. A preparer makes a new plan.',
  SAME_FILE: ({ by, at, batch }: { readonly by: string; readonly at: number; readonly batch: string | null }) =>
    `${by} uploaded the same file on ${timeWords(at)}${batch === null ? '' : `: batch ${batch}`}`,
  APPROVER_NEEDED: () => 'Only an approver can do this.',
};
