/** The words of the problems of rows, files and batch compared: what each code means, and what is said of each problem. */
import type { BatchProblems } from '../../domain/problems/batch-problems.ts';
import { asSaid, type ProblemTable } from './table.ts';

export const batchProblems: ProblemTable<BatchProblems> = {
  SHEET_WITHOUT_ROWS: { means: 'The sheet has no rows to pay.', says: asSaid },
  ROW_REPEATED: {
    means: 'Two rows say the same: the same payee, amount and reference, and no row_id tells them apart.',
    says: asSaid,
  },
  ROW_ALIKE: {
    means:
      'Two rows pay the same payee the same amount with the same reference. Both are paid: each has a row_id of its own.',
    says: asSaid,
  },
  ROW_RESPELT: {
    means: 'Two rows pay the same payee the same amount, with references that differ in spaces or capitals alone.',
    says: asSaid,
  },
  ROW_ID_REPEATED: { means: 'Two rows have the same row_id.', says: asSaid },
  DOCUMENT_OUTSIDE: { means: 'The document does not lie under the documents folder.', says: asSaid },
  DOCUMENT_MISSING: { means: 'The document was not found.', says: asSaid },
  DOCUMENT_AMBIGUOUS: { means: 'The document may be that of several rows by its name.', says: asSaid },
  DOCUMENT_UNREADABLE: { means: 'The document cannot be opened.', says: asSaid },
  DOCUMENT_TYPE: {
    means: 'The document is of no kind that the setting documents.kinds takes: PDF, PNG or JPEG by default.',
    says: asSaid,
  },
  DOCUMENT_AGAIN: { means: 'The file went with a payment of another batch already.', says: asSaid },
  DOCUMENT_TOO_LARGE: {
    means: 'The document is larger than the setting documents.maxSize takes: 10 MB by default.',
    says: asSaid,
  },
  RAIL_LIMIT: {
    means: 'The amount is beyond what the rail takes in one payment at this hour, as far as is known here.',
    says: asSaid,
  },
  SUM_TOO_LARGE: { means: 'The amounts of one currency add up to more than can be counted exactly.', says: asSaid },
  CURRENCY_UNREAD: {
    means: 'A column that is not read holds currencies, and not those in which its rows would be paid.',
    says: asSaid,
  },
  UNIT_UNREAD: { means: 'A column that is not read says that the amounts count cents or thousands.', says: asSaid },
  EXECUTION_DATE: {
    means:
      'A file of payments, or a column of payment dates, asks for another day than today; Payrun pays when it is run.',
    says: asSaid,
  },
  CHOICE_UNREAD: {
    means: 'A column that is not read divides the rows, so that a person has to say which rows are meant.',
    says: asSaid,
  },
  ROW_MARKED: {
    means: 'A cell of the row says that it is not to be paid: do not pay, on hold, cancelled, resigned.',
    says: asSaid,
  },
  TOTAL_DIFFERS: { means: "The sheet's own totals row does not agree with the rows above it.", says: asSaid },
  COLLECTION_PROMPTS: {
    means: 'More rows would each ask a phone for money than may: five, unless said otherwise.',
    says: asSaid,
  },
  COLLECTION_NEEDS_USER: {
    means: 'Collecting from a phone needs the token of a user whose profile has a default account.',
    says: asSaid,
  },
  LOOKS_PAID: {
    means: 'A row with this payee, amount and reference, or with two of them, was sent before.',
    says: asSaid,
  },
  LOOKS_WAITING: {
    means: 'A row with this payee, amount and reference, or with two of them, waits or is held in another batch.',
    says: asSaid,
  },
  GIVEN_UP: {
    means: 'A person said of the row, as an earlier sheet had it, that nothing is owed for it.',
    says: asSaid,
  },
  TAKES_BACK: {
    means:
      'The batch has the row otherwise by now, or under another `row_id`, or no more: the plan would change what came in, or bring it back.',
    says: asSaid,
  },
  SENT_OTHERWISE: {
    means: 'The row was sent before with another amount, reference or account, among others of the sheet.',
    says: asSaid,
  },
  SENT_ALREADY: { means: 'The row was sent before, as a row of a batch.', says: asSaid },
  BATCH_REPEATED: { means: 'An earlier batch had the same rows.', says: asSaid },
  TOTALS_REPEATED: { means: 'An earlier batch came to the same in every currency.', says: asSaid },
  APPROVAL_SPLIT: {
    means: 'With what was sent today in other batches, more approvals would be needed if it were one batch.',
    says: asSaid,
  },
  VARIES: { means: 'A payee is new in its series, is gone, or its amount changed.', says: asSaid },
  PAYEE_CHANGED: {
    means: 'The payee was last paid to another account: the row is held until a second person releases it.',
    says: asSaid,
  },
  PAYEE_TWICE: {
    means: 'The payee was last paid to another account, and another row of its name pays that: not held.',
    says: asSaid,
  },
  PAYEE_ELSEWHERE: { means: 'A payee of this name was paid in another country.', says: asSaid },
  PAYEE_SHARES: { means: 'Another row pays the same account under another name or id.', says: asSaid },
  PAYEE_KNOWN_OTHERWISE: { means: 'The account was last paid under another name.', says: asSaid },
  MERCHANT_REFUSED: { means: 'The service refused the payee.', says: asSaid },
  MERCHANT_UNCLEAR: { means: 'The service gave no clear answer when the payee was created.', says: asSaid },
  MERCHANT_AMBIGUOUS: {
    means: 'The service has several merchants for this destination, and none is the one to use.',
    says: asSaid,
  },
};
