/** What an entry of the trail says, in a sentence for people. */
import type { TrailEntry } from '../audit/chain.ts';
import { timeWords } from '../base/clock.ts';
import { counted, visible } from '../base/words.ts';
import { type RowState, rowMoves, rowStates, wordOf } from '../ledger/ledger.ts';
import { forPage } from './page-words.ts';

type Data = TrailEntry['data'];

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? visible(String(value)) : '';
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const because = ({ reason }: Data): string => (text(reason) === '' ? '' : ` ${forPage(text(reason))}`);
const short = (value: unknown): string =>
  text(value)
    .replace(/^sha256:/, '')
    .slice(0, 12);

export const documentWords: Readonly<Record<string, string>> = {
  due: 'is to be attached',
  uploading: 'is being attached',
  attached: 'is attached',
  in_doubt: 'may or may not be attached',
  missing: 'is missing',
};

const merchantWords: Readonly<Record<string, string>> = {
  creating: 'A payee is being made known to the service.',
  known: 'A payee is known to the service.',
  refused: 'The service refused a payee.',
  in_doubt: 'A payee may or may not be known to the service.',
  held: 'A payee cannot be told from others at the service.',
  wanted: 'A payee is to be made known to the service.',
};

/** By the entry's word; each gets what the entry holds. */
const sentences: Readonly<Record<string, (data: Data) => string>> = {
  person: ({ did }) => text(did),
  sheet: ({ name, rows, added, invalid }) =>
    `The sheet ${text(name)} was taken in: ${counted(number(rows), 'row')}, ${number(added)} of them new${number(invalid) > 0 ? `, ${number(invalid)} that cannot be paid` : ''}.`,
  plan: ({ plan, maker }) => `It is paid under the plan ${short(plan)}, made by ${text(maker)}.`,
  approval: ({ approver, fingerprint, at }) =>
    `As it began, the approval that ${text(approver)} had given at ${text(at).slice(0, 19).replace('T', ' ')} UTC was checked, and is good (key ${text(fingerprint)}).`,
  denied: ({ why }) => `It was not begun: ${forPage(text(why))}`,
  retry: ({ plan }) => `Unpaid rows are sent again under the plan ${short(plan)}.`,
  move: ({ from, to, rows, ...data }) =>
    rows === undefined ? moved(from, to, data) : `${counted(number(rows), 'row')}: ${moved(from, to, {})}`,
  note: (data) => `A note on the row:${noted(data)}`,
  merchant: (data) => `${merchantWords[text(data.to)] ?? `A payee is now ${text(data.to)}.`}${because(data)}`,
  wanted: ({ contents }) =>
    `${counted(Object.keys(typeof contents === 'object' && contents !== null ? contents : {}).length, 'payee')} to be made known to the service.`,
  document: (data) =>
    `The document ${text(data.name)} ${documentWords[text(data.to)] ?? `is now ${text(data.to)}`}.${because(data)}`,
  pass: ({ payments, incomplete }) =>
    typeof incomplete === 'string'
      ? `The list of payments at the service could not be read to its end: ${text(incomplete)}`
      : `The list of payments at the service was read: ${counted(number(payments), 'payment')}.`,
  run: ({ sent, stopped }) =>
    `Sending ended: ${counted(number(sent), 'payment')} sent${text(stopped) === '' ? '' : `, stopped (${text(stopped)})`}.`,
  stop: ({ message }) => `It stopped: ${forPage(text(message))}`,
  totals: () => 'The totals that were told by another way agree.',
  history: () => 'Batches with the same rows or sums were paid before.',
  variance: ({ confirmed }) =>
    text(confirmed) === ''
      ? 'It was compared with the last of its series.'
      : `It differs from the last of its series, and that is meant: ${text(confirmed)}`,
  bound: ({ service }) => `The batch is paid at ${text(service)}.`,
  rebind: ({ from, to, reason }) =>
    `The batch was taken over from ${forPage(text(from))} to ${forPage(text(to))}: ${text(reason)}`,
  listed: ({ at }) =>
    at === null
      ? 'Whether the service lists our payments must be seen again.'
      : 'The service lists payments of the batch.',
  quiet: ({ until }) =>
    `Nothing of the batch is sent before ${typeof until === 'number' ? timeWords(until) : 'later'}.`,
  recovered: () => 'An earlier run had died; what it was doing is in doubt until it is looked for.',
  gone: ({ paymentId, reason }) => `Payment ${text(paymentId)} is gone, as a person says: ${text(reason)}`,
  home: ({ path }) => `The ledger lies at ${text(path)}.`,
  migrated: ({ from, to }) => `A newer version of Payrun changed the ledger's tables (${text(from)} to ${text(to)}).`,
};

/** Of an entry whose word this version does not know, the word itself. */
export function trailWords({ what, data }: Pick<TrailEntry, 'what' | 'data'>): string {
  return sentences[what]?.(data) ?? visible(what);
}

/** Who it was, where the entry says it: an approval was given before, and nobody gives it again as paying begins. */
export function byOf({ data }: Pick<TrailEntry, 'data'>): string | null {
  const { by, maker } = data;
  const name = [by, maker].find((one) => typeof one === 'string');
  return typeof name === 'string' ? visible(name) : null;
}

function moved(from: unknown, to: unknown, data: Data): string {
  const [before, after] = [from, to].map((state) => rowStates.find((one) => one === state));
  if (before === undefined || after === undefined) return `${text(from)} to ${text(to)}.`;
  const person = letGoWords(data.said);
  if (person !== null) return `${person}.${because(data)}`;
  // That a row is being sent needs no reason, and what is told beside it is a better one than what any such move may have.
  const isTold = after === 'sending' || (after === 'held' && text(data.reason) !== '');
  const why = isTold ? '' : (moveReason(before, after, data.said) ?? '');
  const named = typeof data.paymentId === 'string' ? ` Payment ${text(data.paymentId)}.` : '';
  return `${stateWords(after)}${why === '' ? '' : `: ${why}`}.${named}${because(data)}`;
}

/** A person let the row go, wherever it goes on. */
export function letGoWords(said: unknown): string | null {
  if (said === 'release') return 'released, so that it may be sent';
  return said === 'not a repeat' ? 'no repeat, so that it may be sent' : null;
}

/** Why rows move so; where a person said it, nothing else did. */
export function moveReason(from: RowState, to: RowState, said: unknown): string | null {
  return typeof said === 'string' ? 'as a person said' : (rowMoves[from]?.[to] ?? null);
}

/** A row that is being sent is in doubt only if that never ends. */
function stateWords(state: RowState): string {
  return state === 'sending' ? 'being sent' : state === 'ready' ? 'ready to be sent' : wordOf[state];
}

function noted(data: Data): string {
  const parts = [
    text(data.paymentStatus) === '' ? null : `the service says ${text(data.paymentStatus)}`,
    text(data.said) === '' ? null : `a person said: ${text(data.said)}`,
    text(data.why) === '' ? null : text(data.why),
    text(data.released) === '' ? null : 'released by a second person',
    text(data.reason) === '' ? null : text(data.reason),
  ].filter((part) => part !== null);
  return ` ${parts.length === 0 ? 'what the service told' : parts.join('; ')}.`;
}
