/** The sentences for the reasons of a row's, a merchant's or a document's state. */
import { timeWords } from '../base/clock.ts';
import { counted, grouped, quoted, sumWords } from '../base/words.ts';
import type { AccountChange } from '../domain/problems/batch-problems.ts';
import {
  type AbsenceProof,
  type Difference,
  type NearDifference,
  type Reason,
  type ReasonKind,
  type ReasonOf,
  reasonsIn,
  type ScanNamed,
  type StoredReasons,
} from '../domain/sending/reason.ts';
import { faultWords } from './faults/fault-words.ts';
import { documentFileWords } from './problems/document-problems.ts';

export const reasonWords = (stored: StoredReasons | null): string | null =>
  stored === null ? null : wordsOfReasons(reasonsIn(stored));

/** Returns why the first reason arose: the failed call, or the reason itself. The text has no full stop. */
export function causeWords(stored: StoredReasons | null): string {
  const [reason] = reasonsIn(stored);
  if (reason === undefined) return '';
  return 'failure' in reason ? faultWords(reason.failure) : wordsOfReason(reason).replace(/\.$/, '');
}

const wordsOfReasons = (reasons: readonly Reason[]): string => reasons.map(wordsOfReason).join(' ');

export const trailReasonWords = (reason: unknown): string | null =>
  Array.isArray(reason) ? wordsOfReasons(reason as Reason[]) : null;

const proofWords: { readonly [P in AbsenceProof]: string } = {
  'younger payment': 'a younger payment of ours was listed',
  'twice the horizon': 'twice the horizon had passed',
};

type Words = { readonly [K in ReasonKind]: (reason: ReasonOf<K>) => string };

const words: Words = {
  'not-sent': ({ failure }) => `Not sent: ${faultWords(failure)}.`,
  'paused-before-sending': () => 'Not sent: the machine paused between the decision and the sending.',
  'ended-before-sending': () => 'Not sent: the run ended at the same moment.',
  'claim-returned': () => 'Not sent: it was claimed, and given back.',
  'answer-lost': ({ failure }) => `Sent, and not known whether it arrived: ${faultWords(failure)}.`,
  'worker-lost': ({ worker }) =>
    `Sent, and not known whether it arrived: worker ${worker} ended, or did not tell in time.`,
  'run-died': () => 'The run ended while this payment was being sent.',
  'answered-with-other-payment': ({ paymentId, row, batch }) =>
    `The service answered with payment ${paymentId}, which belongs to row ${row} of batch ${batch}.`,
  'not-listed': ({ payments, at }) =>
    `Not among the payments (${grouped(payments)}) that the service listed on ${timeWords(at)}. It may still come: do not pay it elsewhere.`,
  'older-payment': ({ payments, sentAt, settledAfter }) =>
    `Payment ${payments.join(', ')} bears its tag, and is older than its last attempt of ${timeWords(sentAt)}, which may still become another: it is settled after ${timeWords(settledAfter)}.`,
  absent: ({ sentAt, scannedAt, payments, proof, alike }) =>
    `Sent on ${timeWords(sentAt)}, and not among the service's payments in two complete readings after the horizon (the last on ${timeWords(scannedAt)}, ${counted(payments, 'payment')}; ${proofWords[proof]}).${strangerWords(alike)}`,
  forgotten: ({ paymentId }) => `The service no longer knows payment ${paymentId} by its id.`,
  'other-amount': ({ paid, planned }) =>
    `Its payment is of ${grouped(paid)}, where the sheet says ${grouped(planned)}.`,
  'settled-amount': ({ settled, amount }) =>
    `The service says that ${grouped(settled)} was settled, of ${grouped(amount)}.`,
  'two-payments': ({ payments }) =>
    `The service has ${payments.length} payments for this row: ${payments.join(', ')}. Ask the service to stop or return one of these payments.`,
  refused: ({ failure }) => `The service refused the payment: ${faultWords(failure)}.`,
  expired: ({ status }) =>
    status === null
      ? 'The payment expired: it was never paid out.'
      : `The service says '${status}' of the payment, which the setting payments.statuses takes for expired: it was not paid out.`,
  'paid-after-expiry': () => 'The payment had expired, and was paid out after all.',
  'account-changed': (change) =>
    `Account changed: ${accountChangeWords(change)}. Ask the payee by a telephone number or address that you already had; a second person then releases it for payment.`,
  'has-mistakes': () => 'The newest sheet that has the row has a mistake in it.',
  'looks-paid': ({ to, differs }) =>
    `${likeWords(to, alikeWords(differs))} If it is meant all the same, a person says so.`,
  'payment-differs': ({ paymentId, differences }) =>
    `Payment ${paymentId} bears this row's tag, but ${differences === null ? "its merchant is not known to be the row's" : `pays another merchant, amount or reference (${differences.map(differenceWords).join('; ')})`}. Nothing is sent for the row until a person has looked at it; if it pays the row all the same, a person says so.`,
  'payment-of-other-row': ({ paymentId, row, batch }) =>
    `Payment ${paymentId} bears this row's tag, but the service named it as that of row ${row} of batch ${batch}. Ask the service which of the two it pays.`,
  'wrong-payment': ({ paymentId, tag }) =>
    `The service named payment ${paymentId} for this row, and shows it with the tag ${tag}, which is not this row's: it pays something else. Whether the row has a payment of its own only the service can say.`,
  'no-longer-paid': ({ paymentId, status, bySetting }) =>
    `${
      bySetting
        ? `Payment ${paymentId} was taken as paid out, since the setting payments.statuses said that '${status}' means it; it says so no longer.`
        : `The service said that payment ${paymentId} was paid out, and now says '${status ?? 'nothing'}' of it.`
    } Ask the service whether the money left; nothing is sent for the row until it is clear.`,
  'merchant-not-listed': ({ merchantId }) =>
    `The service has no merchant ${merchantId} with this destination; correct or empty merchant_id.`,
  'merchant-unreadable': () =>
    'The service lists a merchant for this destination whose id cannot be read; ask the service for it, and name it in a merchant_id column.',
  'merchant-ambiguous': ({ merchants }) =>
    `The service has ${merchants.length} merchants for this destination (${merchants.join(', ')}); name one in a merchant_id column.`,
  'merchant-failed': ({ failure }) => `Registering the payee failed: ${faultWords(failure)}.`,
  'said-not-paid': ({ why }) =>
    `A person said that it was not paid (${why}), and two complete readings of the service's payments did not hold it.`,
  'said-released': ({ why }) => `Released by a person: ${why}`,
  'said-gone': ({ paymentId, why }) =>
    `The service accepted payment ${paymentId}, and has forgotten it: a person said so (${why}). If it was never paid out, a person says that it was not paid.`,
  'said-paid-elsewhere': () => 'A person said that this payment, which was made elsewhere, pays the row.',
  'said-paid': ({ amount, reference, planned, plannedReference }) =>
    `A person said that this payment pays the row: it was made for it when the row said something else (amount ${amount === null ? 'unknown' : grouped(amount)}, reference '${reference ?? 'unknown'}'; the sheet says ${grouped(planned)}, '${plannedReference}').`,
  'upload-ended': () => 'The run ended during the upload.',
  unverified: () => 'not verified: the service does not list its documents where Payrun asks',
  'found-listed': () => 'found among its documents after a lost answer',
  'not-found-listed': () => 'sent before, and not found among its documents',
  'file-unusable': ({ fault }) =>
    `The file ${fault === null ? 'was changed after it was checked' : documentFileWords(fault)}.`,
  'document-refused': ({ failure, limits }) =>
    `The service refused it: ${faultWords(failure)}. It was sent because ${limits} take it: set them to what the service takes.`,
  'found-in-scan': ({ scan, tag }) => `Found under ${tag === 'own' ? 'its' : 'another'} tag in ${scanWords(scan)}.`,
  'missing-in-scans': ({ scan, firstAt, proof }) =>
    `Not in ${scanWords(scan)}${firstAt === null ? '' : `, nor in one begun on ${timeWords(firstAt)}`}; ${proofWords[proof]}.`,
  'late-answer': ({ worker }) =>
    `The service answered worker ${worker} after the lease of the worker's claim had ended.`,
  'said-known': ({ why }) => `A person knows of both payments: ${why}`,
  'released-by': ({ by, why, change }) =>
    `${change === null ? '' : `Account changed: ${accountChangeWords(change)}. `}Released by ${by}: ${why}`,
  'like-payment': ({ to, differs }) => likeWords(to, alikeWords(differs)),
};

const scanWords = ({ at, payments, pages, isComplete }: ScanNamed) =>
  `${isComplete ? 'a complete reading' : 'a reading'} of the service's payments, begun on ${timeWords(at)} (${counted(payments, 'payment')} on ${counted(pages, 'page')})`;

const wordsOfReason = (reason: Reason) => (words[reason.kind] as (one: Reason) => string)(reason);

export const accountChangeWords = ({ name, was, now, row, batch, paidAt }: AccountChange) =>
  `${name} was last paid to ${was} (row ${row} of batch ${batch}, on ${timeWords(paidAt)}), and this row pays ${now}`;

export const sameThing = 'the same payee, amount and reference';

export const paymentWords = (to: ReasonOf<'looks-paid'>['to']) =>
  'sentAt' in to
    ? `row ${to.row} of batch ${to.batch}, ${to.sentAt === null ? 'which a person closed' : `sent on ${timeWords(to.sentAt)}`}`
    : `payment ${to.paymentId}${to.at === null ? '' : ` of ${timeWords(to.at)}`}`;

const likeWords = (to: ReasonOf<'looks-paid'>['to'], why: string) => `Looks like ${paymentWords(to)}: ${why}.`;

export const alikeWords = (differs: NearDifference | null) => (differs === null ? sameThing : nearWords(differs));

export function nearWords(near: NearDifference): string {
  if (near.what === 'account') return 'only the account differs';
  const then = near.what === 'amount' ? sumWords(near.currency, near.amount) : quoted(near.reference);
  return `only the ${near.what} differs (${then} then)`;
}

const differenceWords = (difference: Difference) =>
  difference.what === 'amount'
    ? `amount ${grouped(difference.found)} instead of ${grouped(difference.expected)}`
    : difference.what === 'reference'
      ? `reference '${difference.found}' instead of '${difference.expected}'`
      : `merchant ${difference.found} instead of ${difference.expected}`;

function strangerWords([first, ...others]: readonly string[]): string {
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return ` But payment ${first}${more}, which is of no row, looks the same: the same payee, amount and reference. It may have paid the row.`;
}
