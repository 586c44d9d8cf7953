/** The words of problems of payees: changed accounts, names or countries, and the service's answers about payees. */
import type { BatchProblems } from '../../domain/problems/batch-problems.ts';
import type { StoredReasons } from '../../domain/sending/reason.ts';
import type { ProblemTable } from '../audience.ts';
import { fieldName } from '../field-words.ts';
import { grouped } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import { accountChangeWords, reasonWords } from '../reasons.ts';

const merchantWords = ({ reason }: { readonly reason: StoredReasons | null }) =>
  reasonWords(reason) ?? 'the service refused the payee';

export const payeeControlProblems = {
  PAYEE_CHANGED: ({ isHeld, ...change }) =>
    `account changed: ${accountChangeWords(change)}; ${isHeld ? 'the row is held until a second person releases it' : 'check that this is intended'}`,
  PAYEE_TWICE: (change, to) =>
    `account changed: ${accountChangeWords(change)}; IT IS NOT HELD, because the sheet has two payees of this name, and one is paid as before: check that they are two people, and tell them apart by a ${fieldName('payee_id', to)} column`,
  PAYEE_ELSEWHERE: (change) =>
    `a payee of this name is known in another country: ${accountChangeWords(change)}; check that it is another payee`,
  PAYEE_SHARES: (facts) =>
    'row' in facts
      ? `row ${facts.row} pays the same account under another name or id`
      : `more than ${grouped(facts.moreThan)} rows pay an account that another row pays under another name or id`,
  PAYEE_KNOWN_OTHERWISE: (facts) =>
    'moreThan' in facts
      ? `more than ${grouped(facts.moreThan)} rows pay accounts that were last paid under another name`
      : `the account (${facts.account}) was last paid as ${facts.was}'s (row ${facts.row} of batch ${facts.batch}, on ${timeWords(facts.paidAt)}), and this row pays it as ${facts.now}'s; check that this is intended`,
  PAYEE_NEW: (facts) =>
    'moreThan' in facts
      ? `more than ${grouped(facts.moreThan)} payees are new`
      : facts.which === 'all'
        ? 'none of the payees was paid from this ledger before'
        : 'the payee was never paid from this ledger',
  MERCHANT_REFUSED: merchantWords,
  MERCHANT_UNCLEAR: merchantWords,
  MERCHANT_AMBIGUOUS: merchantWords,
} satisfies Partial<ProblemTable<BatchProblems>>;
