/** The words of the trail's entries on the page. */
import type { PayrunError } from '../../base/errors.ts';
import type { Fault } from '../../base/faults/fault.ts';
import { capital, ended, type ShownIdentity, visible } from '../../base/words.ts';
import type { HourEnd, NoteOf } from '../../domain/note.ts';
import type { DocumentState, MerchantState, RowState } from '../../domain/rows/row-states.ts';
import type { Reason } from '../../domain/sending/reason.ts';
import type { EntryKind, Home } from '../../domain/trail.ts';
import { faultOnPage } from '../faults/fault-words.ts';
import { identityWords } from '../format/identity.ts';
import { counted, joined, named } from '../format/numbers.ts';
import { isoTimeWords, timeWords } from '../format/times.ts';
import { hourWords } from '../notes/batch-notes.ts';
import { noteOnPage } from '../notes.ts';
import { trailReasonWords } from '../reasons.ts';
import { refusalOnPage } from '../refusals.ts';
import { moveWordsOf } from '../row-moves.ts';
import { deedWords, isDeed } from './deeds.ts';

type Data = Readonly<Record<string, unknown>>;

interface Entry {
  readonly what: EntryKind;
  readonly data: Data;
}

const isFault = (value: unknown): value is Fault => typeof value === 'object' && value !== null && 'fault' in value;

const refused = (refusal: Data) => refusalOnPage(refusal as unknown as PayrunError);

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? visible(String(value)) : '';
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const because = ({ reason }: Data): string => {
  const words = trailReasonWords(reason);
  return words === null ? '' : ` ${words}`;
};
const short = (value: unknown): string =>
  text(value)
    .replace(/^sha256:/, '')
    .slice(0, 12);

export const documentWords: { readonly [S in DocumentState]: string } = {
  due: 'is to be attached',
  uploading: 'is being attached',
  attached: 'is attached',
  in_doubt: 'may or may not be attached',
  missing: 'is missing',
};

const merchantWords: { readonly [S in MerchantState]: string } = {
  creating: 'is being made known to the service.',
  known: 'is known to the service.',
  refused: 'was refused by the service.',
  in_doubt: 'may or may not be known to the service.',
  held: 'cannot be distinguished from others at the service.',
  wanted: 'is to be made known to the service.',
};

/** Everybody may read the trail, so it shows only the last four digits of an account. */
function whichPayee(destination: unknown): string {
  const end = /\|(?:…|\+?\d*)(\d{4})$/.exec(text(destination))?.[1];
  return end === undefined ? 'A payee' : `The payee with …${end}`;
}

const byWhom = (by: unknown): string => (text(by) === '' ? '' : ` by ${text(by)}`);

const sentences: { readonly [K in EntryKind]: (data: Data) => string } = {
  person: ({ did, ...data }) => visible(isDeed(did) ? deedWords(did, data) : text(did)),
  sheet: ({ name, rows, added, retried, invalid }) =>
    [
      `A version was opened from the sheet ${text(name)}: ${counted(number(rows), 'row')}, ${number(added)} of them new`,
      ...(number(retried) > 0 ? [`${number(retried)} that are sent again`] : []),
      ...(number(invalid) > 0 ? [`${number(invalid)} that cannot be paid`] : []),
    ]
      .join(', ')
      .concat('.'),
  plan: ({ plan, maker }) => `It is paid under the plan ${short(plan)}. Its maker is ${text(maker)}.`,
  approval: ({ approver, fingerprint, at }) =>
    `Payrun checked the approval that ${text(approver)} gave at ${isoTimeWords(text(at))}. It is good (key ${text(fingerprint)}).`,
  denied: (refusal) => `It did not begin: ${refused(refusal)}`,
  move: ({ rows, paymentId, ...data }) => {
    if (rows !== undefined) return ended(`${counted(number(rows), 'row')}: ${moved({ from: data.from, to: data.to })}`);
    return `${ended(capital(moved(data)))}${text(paymentId) === '' ? '' : ` Payment ${text(paymentId)}.`}`;
  },
  note: (data) => `A note on the row${noted(data)}`,
  merchant: (data) => `${whichPayee(data.destination)} ${merchantWords[data.to as MerchantState]}${because(data)}`,
  wanted: ({ contents }) =>
    `Payrun has to make ${counted(Object.keys(typeof contents === 'object' && contents !== null ? contents : {}).length, 'payee')} known to the service.`,
  document: (data) => `The document ${text(data.name)} ${documentWords[data.to as DocumentState]}.${because(data)}`,
  pass: ({ payments, incomplete }) =>
    isFault(incomplete)
      ? `The list of payments at the service could not be read to its end: ${visible(faultOnPage(incomplete))}`
      : `The list of payments at the service was read: ${counted(number(payments), 'payment')}.`,
  run: ({ sent, stopped }) =>
    `Sending ended: ${counted(number(sent), 'payment')} sent${stopped === null ? '' : ', and then a refusal stopped it'}.`,
  stop: (refusal) => `It stopped: ${refused(refusal)}`,
  result: ({ away }) =>
    away === null
      ? 'The result was written in its own place again.'
      : noteOnPage({ note: 'result-away', ...(away as object) } as NoteOf<'result-away'>),
  totals: () => 'The control totals agree with the sheet.',
  history: () => 'Batches with the same rows or sums were paid before.',
  variance: ({ confirmed }) =>
    text(confirmed) === ''
      ? 'Payrun compared it with the last batch of its series.'
      : `It differs from the last batch of its series, and a person confirmed it: ${text(confirmed)}`,
  bound: ({ service }) => `The batch is paid at ${text(service)}.`,
  rebind: ({ was, now, reason }) =>
    `The batch moved from ${visible(identityWords(was as ShownIdentity))} to ${visible(identityWords(now as ShownIdentity))}: ${text(reason)}`,
  paused: ({ by, reason }) => `Sending was paused${byWhom(by)}: ${text(reason)}`,
  'pause ended': ({ by, reason }) =>
    `The pause was ended${byWhom(by)}${text(reason) === '' ? '.' : `: ${text(reason)}`}`,
  scheduled: ({ by, cron, zone }) =>
    `The fleet continues it at '${text(cron)}' (${text(zone)}): scheduled${byWhom(by)}.`,
  'schedule ended': ({ by }) => `The schedule was ended${byWhom(by)}.`,
  hour: ({ hour }) => `Its ${hourWords({ hour: text(hour), end: 'begun' })}`,
  opened: ({ leader }) => `It is open for workers. Its leader is ${text(leader)}.`,
  orphan: ({ worker }) => `An answer of the service arrived after the worker ${text(worker)} lost the row.`,
  corrected: ({ cells }) => `${counted((cells as readonly object[]).length, 'cell was', 'cells were')} corrected.`,
  'hour missed': ({ hour, why }) => `Its ${hourWords({ hour: text(hour), end: why as HourEnd })}`,
  listed: ({ at }) =>
    at === null
      ? 'Payrun checks again whether the service lists the payments.'
      : 'The service lists payments of the batch.',
  quiet: ({ until }) => `Nothing of the batch is sent before ${timeWords(number(until))}.`,
  recovered: () => 'An earlier run died. Its open payments are in doubt until Payrun searches for them.',
  gone: ({ paymentId, reason }) =>
    reason === null
      ? `Payment ${text(paymentId)} was made elsewhere, so no scan has to show a tag of Payrun on it`
      : `Payment ${text(paymentId)} is gone, as a person says: ${text(reason)}`,
  policy: ({ path }) => `The policy ${text(path)} now applies. Payrun sends nothing if it cannot find the policy.`,
  home: ({ home }) => homeWords(home as Home),
};

function homeWords(home: Home): string {
  if ('at' in home) return `The ledger lies at ${visible(home.at)}.`;
  if ('copiedTo' in home) return `The ledger was copied to ${visible(home.copiedTo)}.`;
  return 'copyOf' in home
    ? `Copying of the ledger ${visible(home.copyOf)} to this place began.`
    : `The ledger was copied here from ${visible(home.copiedFrom)}.`;
}

export const trailWords = ({ what, data }: Entry): string => sentences[what](data);

export function decisionWords(entry: Entry): string {
  const { cell, header, from, to, repeat } = entry.data;
  if (entry.what === 'corrected')
    return `The cell ${text(cell)} '${text(header)}' says '${text(from)}', and was read as '${text(to)}'.`;
  if (entry.what === 'sheet') return noteOnPage({ note: 'pays-again', reason: text(repeat) });
  return trailWords(entry);
}

/** Returns the person who acted; null for none. Approvers are left out, because they signed before the run began. */
export function byOf({ data }: Pick<Entry, 'data'>): string | null {
  const { by, maker } = data;
  const name = [by, maker].find((one) => typeof one === 'string');
  return typeof name === 'string' ? visible(name) : null;
}

/** Returns the new state of a row, with the cause of the move or its reasons. */
function moved({ from, to, ...data }: Data): string {
  const { said, reason, why: word } = data;
  const cause = moveReason(from as RowState, to as RowState, data);
  const person = letGoWords(said);
  const reasons = trailReasonWords(reason) || null;
  const more = reasons ?? (typeof said === 'string' ? text(word) : '');
  // The cause says more than the state of a planned row, and the reasons of a decision say more than its cause.
  const isSaid = to === 'planned' || person !== null || (reasons !== null && typeof said === 'string');
  return [
    person ?? (to === 'planned' ? cause : null) ?? storyWords[to as RowState] ?? text(to),
    ...(cause === null || isSaid ? [] : [`(${cause})`]),
    ...(more === '' ? [] : [`– ${more}`]),
  ].join(' ');
}

function letGoWords(said: unknown): string | null {
  if (said === 'release') return 'released, so that it may be sent';
  return said === 'not a repeat' ? 'no repeat, so that it may be sent' : null;
}

function moveReason(from: RowState, to: RowState, data: Data): string | null {
  const { said, change, policy } = data;
  if (typeof said === 'string') return 'as a person said';
  if (change === 'retry') return 'to be sent again';
  if (change === 'corrected') return correctedWords(data.changed);
  if (to === 'sending' || Array.isArray(data.reason))
    return typeof policy === 'string' ? 'no payment of it exists, and the settings say that it is sent again' : null;
  if ((data.evidence as readonly Reason[] | undefined)?.some(({ kind }) => kind === 'late-answer'))
    return 'the answer of the service came late';
  return moveWordsOf(from, to);
}

const corrected: Readonly<Record<string, string>> = {
  destination: 'account',
  fromCountry: 'funding country',
  type: 'type of payment',
  unit: 'unit of the amount',
};
const shownFields = ['name', 'destination', 'amount', 'unit', 'currency', 'reference', 'fromCountry', 'type'];

export function correctedWords(changed: unknown): string {
  const names = text(changed).split(' ');
  const shown = shownFields.filter((name) => names.includes(name)).map((name) => `the ${corrected[name] ?? name}`);
  return shown.length === 0 ? 'it was corrected' : `${joined(shown)} ${named(shown.length).was} corrected`;
}

/** The codes in `said`, which are decisions about a row. */
const decisions = {
  paid: 'a person named the payment of the row',
  'not paid': 'a person said that the row was not paid',
  release: 'a person released the row',
  'not a repeat': 'a person said that the row repeats no payment',
  gone: 'a person said that the service lost the payment',
  known: 'a person knows of both payments',
  dropped: 'a person closed the row',
  closed: 'the newest sheet lacks the row, so Payrun closed it',
  reopened: 'the row was opened again',
  'deposit changed': 'the service changed the deposit details of the payment',
  'deposit known': 'a person checked the changed deposit details',
};

const saidWords = (said: unknown): string | null =>
  typeof said === 'string' && said in decisions ? decisions[said as keyof typeof decisions] : null;

function noted(data: Data): string {
  const parts = [
    text(data.paymentStatus) === '' ? null : `the service says ${text(data.paymentStatus)}`,
    saidWords(data.said),
    text(data.why) === '' ? null : text(data.why),
    text(data.released) === '' ? null : 'released by a second person',
  ].filter((part) => part !== null);
  return `${parts.length === 0 ? '' : `: ${parts.join('; ')}`}.${because(data)}`;
}

/** Returns the sentence about a change for the row's page; null if the page leaves the entry out. */
export function rowStoryWords(what: EntryKind, data: Data): string | null {
  const { said, change, why } = data;
  // The entry of the sheet that corrected the row says the same.
  if (what === 'move') return change === 'corrected' ? null : capital(moved(data));
  if (what === 'note')
    return typeof said === 'string'
      ? `${capital(saidWords(said) ?? '')}${typeof why === 'string' ? ` – ${why}` : ''}`
      : null;
  if (what === 'document') return `Document ${text(data.name)} ${documentWords[data.to as DocumentState]}`;
  return null;
}

/** Returns the sentences about an entry for `explain`. Evidence with a person's reason replaces the reason. */
export function storyLine({ what, data }: Entry): string {
  const { evidence, paymentId, earlier } = data;
  const before = (earlier ?? {}) as Data;
  const isReasoned = Array.isArray(evidence) && (evidence as readonly Reason[]).some((one) => 'why' in one);
  const told = isReasoned ? { ...data, why: null } : data;
  const named = (label: string, value: unknown) => (text(value) === '' ? '' : `${label} ${text(value)}`);
  return [
    rowStoryWords(what, told) ?? trailWords({ what, data: told }),
    named('Payment', paymentId),
    named('Earlier tag', before.tag),
    named('Earlier payment', before.paymentId),
    trailReasonWords(evidence) ?? '',
    named('By', byOf({ data })),
  ]
    .flatMap((one) => (one === '' ? [] : ended(one)))
    .join(' ');
}

const storyWords: { readonly [S in RowState]: string } = {
  invalid: 'imported with a mistake',
  planned: 'imported',
  ready: 'ready to be sent',
  sending: 'sent to the service',
  in_doubt: 'in doubt',
  absent: 'proven not to exist at the service',
  withheld: 'held for a person',
  held: 'held for a person',
  accepted: 'accepted by the service, not paid out yet',
  succeeded: 'paid',
  expired: 'ended unpaid',
  refused: 'refused by the service',
  duplicate: 'two payments were found',
  duplicate_paid: 'paid twice',
};
