/** The words of the problems of a payment's reference, type and documents. */
import { quoted } from '../../base/words.ts';
import type { PaymentProblems } from '../../domain/problems/row-problems.ts';
import type { ProblemTable } from '../audience.ts';
import { grouped } from '../format/numbers.ts';
import { doubtOf, strangerWords } from './strangers.ts';

export const paymentProblems: ProblemTable<PaymentProblems> = {
  REFERENCE_MISSING: () => `reference is empty; ${plainAdvice}`,
  REFERENCE_CHARACTERS: ({ reference, suggestion, ...found }) =>
    `reference ${quoted(reference)} has ${strangerWords(found)}; ${doubtOf(found) ?? 'only letters A to Z, digits and spaces are allowed'}; ${advice(suggestion)}`,
  REFERENCE_TOO_LONG: ({ reference, most, suggestion }) =>
    `reference ${quoted(reference)} has ${reference.length} characters; at most ${most} are allowed; ${suggestion === null ? 'shorten it' : advice(suggestion)}`,
  REFERENCE_SPACES: ({ reference, suggestion }) =>
    `reference ${quoted(reference)} has outer or doubled spaces, which banks drop; ${advice(suggestion)}`,
  REFERENCE_FROM_NUMBER: ({ reference, date }) =>
    `reference is stored as the number ${quoted(reference)}; it is sent in these digits, so check that no leading zeros are lost${date === null ? '' : ` (as a date it would be ${date})`}`,
  TYPE_INVALID: ({ type, known }) =>
    `type ${quoted(type)} is not a type of payment that the service is known to accept (${known.join(', ')}); empty the column, or rename it if it says something else; add a type that the service accepts to the setting payments.types`,
  SLOW_INVALID: ({ slow }) => `slow ${quoted(slow)} is neither yes nor no; write yes, no, or nothing`,
  DOCUMENT_MISSING_FOR_AMOUNT: ({ amount, above }) =>
    `documents is empty, and a payment of ${grouped(amount)} ZAR, above ${grouped(above)}, should have supporting documents; name the files, with ; between them`,
  DOCUMENT_MISSING_TOGETHER: ({ rows, total, above }) =>
    `documents is empty, and ${grouped(rows)} rows without documents pay ${grouped(total)} ZAR to this account, above ${grouped(above)} together; name the files; several rows may name the same file`,
  DOCUMENT_AMOUNT_UNKNOWN: ({ above }) =>
    `documents is empty; the ZAR amount of a USDT-funded payment is not known, and above ${grouped(above)} ZAR it should have supporting documents`,
};

const plainAdvice = 'write 1 to 20 letters, digits and spaces';
const advice = (suggestion: string | null) => (suggestion === null ? plainAdvice : `write ${quoted(suggestion)}`);
