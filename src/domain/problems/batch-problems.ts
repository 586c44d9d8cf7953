/** The facts of the problems of rows, files and batch compared, for each code. */
import { newProblem, type ProblemMaker, type Said } from '../../base/problem.ts';

export interface BatchProblems {
  SHEET_WITHOUT_ROWS: Said;
  ROW_REPEATED: Said;
  ROW_ALIKE: Said;
  ROW_RESPELT: Said;
  ROW_ID_REPEATED: Said;
  DOCUMENT_OUTSIDE: Said;
  DOCUMENT_MISSING: Said;
  DOCUMENT_AMBIGUOUS: Said;
  DOCUMENT_UNREADABLE: Said;
  DOCUMENT_TYPE: Said;
  DOCUMENT_AGAIN: Said;
  DOCUMENT_TOO_LARGE: Said;
  RAIL_LIMIT: Said;
  SUM_TOO_LARGE: Said;
  CURRENCY_UNREAD: Said;
  UNIT_UNREAD: Said;
  EXECUTION_DATE: Said;
  CHOICE_UNREAD: Said;
  ROW_MARKED: Said;
  TOTAL_DIFFERS: Said;
  COLLECTION_PROMPTS: Said;
  COLLECTION_NEEDS_USER: Said;
  LOOKS_PAID: Said;
  LOOKS_WAITING: Said;
  GIVEN_UP: Said;
  TAKES_BACK: Said;
  SENT_OTHERWISE: Said;
  SENT_ALREADY: Said;
  BATCH_REPEATED: Said;
  TOTALS_REPEATED: Said;
  APPROVAL_SPLIT: Said;
  VARIES: Said;
  PAYEE_CHANGED: Said;
  PAYEE_TWICE: Said;
  PAYEE_ELSEWHERE: Said;
  PAYEE_SHARES: Said;
  PAYEE_KNOWN_OTHERWISE: Said;
  MERCHANT_REFUSED: Said;
  MERCHANT_UNCLEAR: Said;
  MERCHANT_AMBIGUOUS: Said;
}

export const batchProblem: ProblemMaker<BatchProblems> = newProblem;
