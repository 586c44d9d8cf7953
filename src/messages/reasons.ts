/** The sentences for the reasons of a row's, a merchant's or a document's state. */
import { quoted } from '../base/words.ts';
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
import { callWords } from './faults/service.ts';
import { counted, grouped, sumWords } from './format/numbers.ts';
import { timeWords } from './format/times.ts';
import { documentFileWords } from './problems/document-problems.ts';

export const reasonWords = (stored: StoredReasons | null): string | null =>
  stored === null ? null : wordsOfReasons(reasonsIn(stored));

/** Returns why the first reason arose: the failed call, or the reason itself. */
export function causeWords(stored: StoredReasons | null): string {
  const [reason] = reasonsIn(stored);
  if (reason === undefined) return 'no reason given';
  return 'failure' in reason ? callWords(reason.failure) : wordsOfReason(reason);
}

const wordsOfReasons = (reasons: readonly Reason[]): string => reasons.map(wordsOfReason).join(' ');

const wordsOfReason = (one: Reason): string => (words[one.kind] as (reason: Reason) => string)(one);

export const trailReasonWords = (reason: unknown): string | null =>
  Array.isArray(reason) ? wordsOfReasons(reason as Reason[]) : null;

const proofWords: { readonly [P in AbsenceProof]: string } = {
  'younger payment': 'a younger payment of Payrun was listed',
  'twice the horizon': 'twice the horizon had passed',
};

type Words = { readonly [K in ReasonKind]: (reason: ReasonOf<K>) => string };

const words: Words = {
  'not-sent': ({ failure }) => `Not sent: ${callWords(failure)}.`,
  'paused-before-sending': () => 'Not sent: the machine paused between the decision and the sending.',
  'ended-before-sending': () => 'Not sent: the run ended at the same moment.',
  'claim-returned': () => 'Not sent: a worker claimed it, and returned it.',
  'answer-lost': ({ failure }) => `Payrun sent it, but does not know whether it arrived: ${callWords(failure)}.`,
  'worker-lost': ({ worker }) =>
    `Payrun sent it, but does not know whether it arrived: worker ${worker} ended, or did not report in time.`,
  'run-died': () => 'The run ended while this payment was being sent.',
  'answered-with-other-payment': ({ paymentId, row, batch }) =>
    `The service answered with payment ${paymentId}, which belongs to row ${row} of batch ${batch}.`,
  'not-listed': ({ payments, at }) =>
    `The service's list of ${timeWords(at)} has no payment of it (${counted(payments, 'payment')} listed). A payment may still appear: do not pay it elsewhere.`,
  'older-payment': ({ payments, sentAt, settledAfter }) =>
    `The service has ${counted(payments.length, 'payment')} with its tag (${payments.join(', ')}) from before the last attempt of ${timeWords(sentAt)}. This attempt may still become another payment, so the row is settled only after ${timeWords(settledAfter)}.`,
  absent: ({ sentAt, scannedAt, payments, proof, alike }) =>
    `Payrun sent it on ${timeWords(sentAt)}, and two complete scans after the horizon found no payment of it (the last on ${timeWords(scannedAt)}, ${counted(payments, 'payment')}; ${proofWords[proof]}).${strangerWords(alike)}`,
  forgotten: ({ paymentId }) => `The service no longer knows payment ${paymentId} by its id.`,
  'settled-amount': ({ settled, amount }) =>
    `The service reports that ${grouped(settled)} was settled, not ${grouped(amount)}.`,
  'two-payments': ({ payments }) =>
    `The service has ${payments.length} payments for this row: ${payments.join(', ')}. Ask the service to stop or return one of these payments.`,
  refused: ({ failure }) => `The service refused the payment: ${callWords(failure)}.`,
  expired: ({ status }) =>
    status === null
      ? 'The payment expired: it was never paid out.'
      : `The service reports '${status}', which the setting payments.statuses counts as expired: the payment was not paid out.`,
  'paid-after-expiry': () => 'The payment had expired, and was paid out after all.',
  'account-changed': (change) =>
    `Account changed: ${accountChangeWords(change)}. Ask the payee by a telephone number or address that you already had. Then a second person releases the row for payment.`,
  'has-mistakes': () => 'The newest sheet that has the row has a mistake in it.',
  'looks-paid': (one) => `${likeWords(one)} If the payment is owed as well, a person releases the row.`,
  'payment-differs': ({ paymentId, differences }) =>
    `Payment ${paymentId} has this row's tag, but ${differences === null ? "its merchant is not known to be the row's" : `pays another merchant, amount or reference (${differences.map(differenceWords).join('; ')})`}. Payrun sends nothing for the row until a person decides whether this payment pays it.`,
  'payment-of-other-row': ({ paymentId, row, batch }) =>
    `Payment ${paymentId} has this row's tag, but the service named it for row ${row} of batch ${batch}. Ask the service which of the two rows it pays.`,
  'wrong-payment': ({ paymentId, tag }) =>
    `The service named payment ${paymentId} for this row, but this payment has the tag ${tag} of something else. Ask the service whether the row has a payment of its own.`,
  'no-longer-paid': ({ paymentId, status, bySetting }) =>
    `${
      bySetting
        ? `Payment ${paymentId} counted as paid, because the setting payments.statuses said that '${status}' means success. The setting no longer says so.`
        : `The service said that payment ${paymentId} was paid out, and now gives it ${status === null ? 'no status' : `the status '${status}'`}.`
    } Ask the service whether the money left. Payrun sends nothing for the row until this is clear.`,
  'merchant-not-listed': ({ merchantId }) =>
    `The service has no merchant ${merchantId} with this destination. Correct or empty merchant_id.`,
  'merchant-unreadable': () =>
    'The service lists a merchant for this destination whose id cannot be read. Ask the service for the id, and write it into a column merchant_id.',
  'merchant-ambiguous': ({ merchants }) =>
    `The service has ${merchants.length} merchants for this destination (${merchants.join(', ')}). Write one of them into a column merchant_id.`,
  'merchant-failed': ({ failure }) => `Registering the payee failed: ${callWords(failure)}.`,
  'said-not-paid': ({ why }) =>
    `A person said that it was not paid (${why}), and two complete scans of the service's payments found no payment of it.`,
  'said-released': ({ why }) => `Released by a person: ${why}`,
  'said-gone': ({ paymentId, why }) =>
    `A person said that the service has forgotten payment ${paymentId}, which it had accepted (${why}). If the payment was never paid out, a person says that the row was not paid.`,
  'said-paid-elsewhere': () => 'A person said that this payment, which was made elsewhere, pays the row.',
  'said-paid': ({ amount, reference, planned, plannedReference }) =>
    `A person said that this payment pays the row. The payment was made for earlier values of the row (amount ${amount === null ? 'unknown' : grouped(amount)}, reference '${reference ?? 'unknown'}'; the sheet says ${grouped(planned)}, '${plannedReference}').`,
  'upload-ended': () => 'The run ended during the upload.',
  unverified: () => 'not verified: the service does not list its documents where Payrun asks',
  'found-listed': () => 'found among its documents after a lost answer',
  'not-found-listed': () => 'sent before, and not found among its documents',
  'file-unusable': ({ fault }) =>
    `The file ${fault === null ? 'was changed after it was checked' : documentFileWords(fault)}.`,
  'document-refused': ({ failure, limits }) =>
    `The service refused it: ${callWords(failure)}. Payrun sent it within the limits of ${limits}. Set these limits to what the service accepts.`,
  'found-in-scan': ({ scan, tag }) => `Found under ${tag === 'own' ? 'its' : 'another'} tag in ${scanWords(scan)}.`,
  'missing-in-scans': ({ scan, firstAt, proof }) =>
    `Not in ${scanWords(scan)}${firstAt === null ? '' : `, nor in one begun on ${timeWords(firstAt)}`}; ${proofWords[proof]}.`,
  'late-answer': ({ worker }) =>
    `The service answered worker ${worker} after the lease of the worker's claim had ended.`,
  'said-known': ({ why }) => `A person knows of both payments: ${why}`,
  'released-by': ({ by, why, change }) =>
    `${change === null ? '' : `Account changed: ${accountChangeWords(change)}. `}Released by ${by}: ${why}`,
  'like-payment': (one) => likeWords(one),
};

const scanWords = ({ at, payments, pages, isComplete }: ScanNamed) =>
  `${isComplete ? 'a complete scan' : 'a scan'} of the service's payments, begun on ${timeWords(at)} (${counted(payments, 'payment')} on ${counted(pages, 'page')})`;

export const accountChangeWords = ({ name, was, now, row, batch, paidAt }: AccountChange) =>
  `${name} was last paid to ${was} (row ${row} of batch ${batch}, on ${timeWords(paidAt)}), and this row pays ${was === now ? `another account with the same end, ${now}: compare the whole numbers` : now}`;

export const sameThing = 'the same payee, amount and reference';

export const paymentWords = (to: ReasonOf<'looks-paid'>['to']) =>
  'sentAt' in to
    ? `row ${to.row} of batch ${to.batch}, ${to.sentAt === null ? 'which waits, or which a person closed' : `sent on ${timeWords(to.sentAt)}`}`
    : `payment ${to.paymentId}${to.at === null ? '' : ` of ${timeWords(to.at)}`}`;

const likeWords = ({ to, differs }: Pick<ReasonOf<'looks-paid'>, 'to' | 'differs'>) =>
  `Looks like ${paymentWords(to)}: ${alikeWords(differs)}.`;

export function alikeWords(near: NearDifference | null): string {
  if (near === null) return sameThing;
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
  return ` But payment ${first}${more}, which belongs to no row, looks the same: the same payee, amount and reference. It may have paid the row.`;
}
