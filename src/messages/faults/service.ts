/** The words of reasons why an answer of the service cannot be relied on. */
import type { FaultFacts, ServiceFault } from '../../base/faults/fault.ts';
import { visible } from '../../base/words.ts';
import type { FaultWords } from '../audience.ts';
import { counted, grouped } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';

/** The service's own text may contain single quotes and invisible characters. */
const cited = (text: string) => `“${visible(text)}”`;
const reasonWords = (reason: string | null) => (reason === null ? ', with no reason' : `: ${cited(reason)}`);
const more = (count: number) => (count === 0 ? '' : ` (and ${count} more)`);

export const answerWords = ({ what, why }: { readonly what: string | null; readonly why: string }) =>
  `Payrun cannot use ${what === null ? 'an answer of the payout service' : `the payout service's answer to ${what}`}: ${why}`;

const connectionWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'the host cannot be reached',
  EPROTO: 'no TLS can be agreed on there (is it http, and not https?)',
  ENETUNREACH: 'the network cannot be reached',
};

export const serviceFaults = {
  'call-was-answered': ({ call, status, reason }) => `${call} answered ${status}${reasonWords(reason)}`,
  'call-has-no-answer': ({ call, phase }) => `${call}: no answer in time (${phase})`,
  'call-was-cut': ({ call }) => `${call}: the connection was cut`,
  'call-failed': ({ call, code, detail }) => `${call}: ${connectionWords[code ?? ''] ?? detail}`,
  'answer-is-too-large': ({ call, mostBytes }) => `${call}: the answer is larger than ${grouped(mostBytes)} bytes`,
  'answer-has-no-id': ({ call, status }) => `${call} answered ${status} without a readable id`,
  'answer-has-other-form': 'it does not have the form that the interface describes',
  'answer-repeats-pages': 'the list repeats its pages, and has no end',
  'answer-has-odd-status': ({ status, reason }) => `status ${status}${reasonWords(reason)}; is the base URL right?`,
  'answer-has-no-token': ({ fields }) => `no token was found among its fields (${fields})`,
  'source-is-not-listed': ({ source }) => `it does not list ${source}, which rows of this sheet are funded from`,
  'list-cannot-be-read': ({ why }) => why,
  'list-is-unusable': answerWords,
  'list-items-lack-ids': ({ items }) => `it lists ${counted(items, 'payment')} of Payrun without an id`,
  'list-shows-other-tag': ({ payment, seenTag, tag, more: others }) =>
    `payment ${payment} of Payrun is listed with the tag ${cited(seenTag)} instead of ${cited(tag)}${more(others)}`,
  'list-lacks-payment': ({ payment, sentAt, more: others }) =>
    `it lacks payment ${payment}, which the service accepted on ${timeWords(sentAt)}${more(others)}`,
  'list-lacks-new-payment': ({ payment, seconds }) =>
    `payment ${payment}, which the service had just accepted, did not appear in the list within ${seconds} s`,
  'list-lost-payment': ({ payment }) => `it no longer contains payment ${payment}, which it contained a moment ago`,
} satisfies Partial<FaultWords<FaultFacts>>;

export function callWords({ fault, ...facts }: ServiceFault): string {
  const words = serviceFaults[fault];
  return typeof words === 'string' ? words : (words as (facts: unknown) => string)(facts);
}
