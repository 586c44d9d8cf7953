/** Problems that appear only when rows, files and batch are compared, with one sentence for each. */
import { newProblem, type ProblemMaker } from '../base/problem.ts';

export const pipelineProblemCodes = {
  SHEET_WITHOUT_ROWS: 'The sheet has no rows to pay.',
  ROW_REPEATED: 'Two rows say the same: the same payee, amount and reference, and no row_id tells them apart.',
  ROW_ALIKE:
    'Two rows pay the same payee the same amount with the same reference. Both are paid: each has a row_id of its own.',
  ROW_RESPELT: 'Two rows pay the same payee the same amount, with references that differ in spaces or capitals alone.',
  ROW_ID_REPEATED: 'Two rows have the same row_id.',
  DOCUMENT_OUTSIDE: 'The document does not lie under the documents folder.',
  DOCUMENT_MISSING: 'The document was not found.',
  DOCUMENT_AMBIGUOUS: 'The document may be that of several rows by its name.',
  DOCUMENT_UNREADABLE: 'The document cannot be opened.',
  DOCUMENT_TYPE: 'The document is of no kind that the setting documents.kinds takes: PDF, PNG or JPEG by default.',
  DOCUMENT_AGAIN: 'The file went with a payment of another batch already.',
  DOCUMENT_TOO_LARGE: 'The document is larger than the setting documents.maxSize takes: 10 MB by default.',
  RAIL_LIMIT: 'The amount is beyond what the rail takes in one payment at this hour, as far as is known here.',
  SUM_TOO_LARGE: 'The amounts of one currency add up to more than can be counted exactly.',
  CURRENCY_UNREAD: 'A column that is not read holds currencies, and not those in which its rows would be paid.',
  UNIT_UNREAD: 'A column that is not read says that the amounts count cents or thousands.',
  EXECUTION_DATE:
    'A file of payments, or a column of payment dates, asks for another day than today; Payrun pays when it is run.',
  CHOICE_UNREAD: 'A column that is not read divides the rows, so that a person has to say which rows are meant.',
  ROW_MARKED: 'A cell of the row says that it is not to be paid: do not pay, on hold, cancelled, resigned.',
  TOTAL_DIFFERS: "The sheet's own totals row does not agree with the rows above it.",
  COLLECTION_PROMPTS: 'More rows would each ask a phone for money than may: five, unless said otherwise.',
  COLLECTION_NEEDS_USER: 'Collecting from a phone needs the token of a user whose profile has a default account.',
  LOOKS_PAID: 'A row with this payee, amount and reference, or with two of them, was sent before.',
  LOOKS_WAITING: 'A row with this payee, amount and reference, or with two of them, waits or is held in another batch.',
  GIVEN_UP: 'A person said of the row, as an earlier sheet had it, that nothing is owed for it.',
  TAKES_BACK:
    'The batch has the row otherwise by now, or under another `row_id`, or no more: the plan would change what came in, or bring it back.',
  SENT_OTHERWISE: 'The row was sent before with another amount, reference or account, among others of the sheet.',
  SENT_ALREADY: 'The row was sent before, as a row of a batch.',
  BATCH_REPEATED: 'An earlier batch had the same rows.',
  TOTALS_REPEATED: 'An earlier batch came to the same in every currency.',
  APPROVAL_SPLIT: 'With what was sent today in other batches, more approvals would be needed if it were one batch.',
  VARIES: 'A payee is new in its series, is gone, or its amount changed.',
  PAYEE_CHANGED: 'The payee was last paid to another account: the row is held until a second person releases it.',
  PAYEE_TWICE: 'The payee was last paid to another account, and another row of its name pays that: not held.',
  PAYEE_ELSEWHERE: 'A payee of this name was paid in another country.',
  PAYEE_SHARES: 'Another row pays the same account under another name or id.',
  PAYEE_KNOWN_OTHERWISE: 'The account was last paid under another name.',
  MERCHANT_REFUSED: 'The service refused the payee.',
  MERCHANT_UNCLEAR: 'The service gave no clear answer when the payee was created.',
  MERCHANT_AMBIGUOUS: 'The service has several merchants for this destination, and none is the one to use.',
} as const;

export type PipelineProblemCode = keyof typeof pipelineProblemCodes;

export const batchProblem: ProblemMaker<PipelineProblemCode> = newProblem;
