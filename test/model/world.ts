/** The world of the grown model: ledgers, requests under way, payments at the service, and what may still go wrong. */
import { type RowState, rowStates } from '../../src/domain/rows/row-states.ts';

/** What a ledger knows of one row. */
export interface Entry {
  readonly state: RowState;
  readonly revision: number;
  /** How often the content was corrected. */
  readonly content: number;
  /** Ticks since the last intent. */
  readonly age: number;
  /** A complete pass of this run was made since the row may be sent. */
  readonly cleared: boolean;
  /** Its intent was written when every doubt, open or possible, was past its horizon. */
  readonly probe: boolean;
  /** Passes that count towards absence: none, one just now, one before. */
  readonly proof: 0 | 1 | 2;
  /** Complete passes after the horizon without the row, for a person's word: none, one just now, one before, two. */
  readonly misses: 0 | 1 | 2 | 3;
  /** The row's payments that this ledger has heard of, a bit for each. */
  readonly known: number;
  /** On a ledger that has no trust yet: not the canary, the canary, the canary and seen in the list. */
  readonly canary: 0 | 1 | 2;
}

export interface Request {
  readonly revision: number;
  readonly content: number;
  readonly age: number;
  /** The process still waits for the answer. */
  readonly open: boolean;
  /** Another ledger than the one at work sent it. */
  readonly foreign: boolean;
}

export interface Payment {
  readonly revision: number;
  readonly content: number;
  readonly status: 'pending' | 'success' | 'expired';
  readonly age: number;
  readonly open: boolean;
  readonly listed: boolean;
  /** The last pass showed it expired. */
  readonly seenExpired: boolean;
  /** A later revision was sent in good faith, since the last pass showed this one expired. */
  readonly excused: boolean;
}

export interface Row {
  readonly entry: Entry;
  /** The same row in the ledger that is not at work: a backup, or another person's. */
  readonly shelf: Entry | null;
  readonly requests: readonly Request[];
  readonly payments: readonly Payment[];
  /**
   * It may be paid twice under a limit that the README declares, and then must only be reported: it was under way when
   * another ledger saw nothing of it, or it is the one canary of a ledger whose list hid what was there.
   */
  readonly declared: 'under way' | 'canary' | null;
  /** The last pass did not show a payment of it that was there. */
  readonly overlooked: boolean;
}

/** What a ledger knows apart from its rows. */
export interface Book {
  /** A canary was seen to come back in the list. */
  readonly trusted: boolean;
  /** It is behind its witness, or new where there is one. */
  readonly behind: boolean;
  /** Ticks until it may send, since another ledger's young payment was seen; null when none ever was. */
  readonly ban: number | null;
}

/** How often each thing may still happen. */
export interface Budget {
  readonly timeouts: number;
  readonly kills: number;
  readonly refusals: number;
  /** Answers 400 although the payment was made. */
  readonly lies: number;
  /** Answers 400 although the payment will yet be made. */
  readonly earlyLies: number;
  /** Answers that say that nothing was sent: 401, 429, no connection. */
  readonly unsent: number;
  readonly expiries: number;
  /** Expired payments that turn to success. */
  readonly flips: number;
  readonly retries: number;
  /** Retries bring corrected content. */
  readonly corrections: number;
  /** Lists that come back empty. */
  readonly blind: number;
  /** Lists that lack one payment. */
  readonly hidden: number;
  readonly losses: number;
  readonly restores: number;
  /** How often the work passes between two ledgers. */
  readonly turns: number;
  readonly lookalikes: number;
  /** A person's word that a row in doubt was not paid. */
  readonly verdicts: number;
}

export interface World {
  readonly rows: readonly Row[];
  readonly book: Book;
  readonly shelf: Book | null;
  /** A process runs. */
  readonly on: boolean;
  /** Ticks since it began. */
  readonly runAge: number;
  /** Ticks since the witness was last told of an intent. */
  readonly idle: number;
  readonly left: Budget;
}

export interface Bounds extends Budget {
  readonly rows: number;
  /** Ticks in which a request may still become a payment. */
  readonly late: number;
  /** Ticks after which a payment is listed for certain. */
  readonly lag: number;
  /** The ticks that the client allows for that. */
  readonly visible: number;
  readonly horizon: number;
  readonly policy: 'hold' | 'resend';
  /** The ledger has made a first run on this batch before. */
  readonly trusted: boolean;
  /** A lost ledger leaves its witness. */
  readonly witness: boolean;
}

export const calmBounds: Bounds = {
  rows: 2,
  late: 1,
  lag: 0,
  visible: 0,
  horizon: 2,
  policy: 'hold',
  trusted: true,
  witness: true,
  timeouts: 0,
  kills: 0,
  refusals: 0,
  lies: 0,
  earlyLies: 0,
  unsent: 0,
  expiries: 0,
  flips: 0,
  retries: 0,
  corrections: 0,
  blind: 0,
  hidden: 0,
  losses: 0,
  restores: 0,
  turns: 0,
  lookalikes: 0,
  verdicts: 0,
};

export const newEntry: Entry = {
  state: 'ready',
  revision: 0,
  content: 0,
  age: 0,
  cleared: false,
  probe: false,
  proof: 0,
  misses: 0,
  known: 0,
  canary: 0,
};

export const newBook: Book = { trusted: false, behind: false, ban: null };

export function newWorld({ rows, trusted, ...left }: Bounds): World {
  const row: Row = { entry: newEntry, shelf: null, requests: [], payments: [], declared: null, overlooked: false };
  return {
    rows: Array.from({ length: rows }, () => row),
    book: { ...newBook, trusted },
    shelf: null,
    on: false,
    runAge: 0,
    idle: left.horizon,
    left,
  };
}

export const living = ({ status }: Payment): boolean => status !== 'expired';

export const knows = (entry: Entry, index: number): boolean => (entry.known & (1 << index)) !== 0;

/** A doubt, or what will be one if no answer comes. */
export const isDoubt = ({ state }: Entry): boolean => state === 'in_doubt' || state === 'sending';

/** The process waits for an answer about it. */
export const isOpen = ({ requests, payments }: Row): boolean =>
  requests.some(({ open }) => open) || payments.some(({ open }) => open);

/** Two payments are known of, whether or not both were paid out. */
export const isTwice = ({ state }: Entry): boolean => state === 'duplicate' || state === 'duplicate_paid';

export const alarmed = (rows: readonly Row[]): boolean => rows.some(({ entry }) => isTwice(entry));

/** Worlds that differ only in the order of their rows are one, and so are those that differ in what no rule reads. */
export function keyOf(world: World): string {
  const { book, shelf, left } = world;
  const doubts = world.rows.some(({ entry, shelf }) => isDoubt(entry) || (shelf !== null && isDoubt(shelf)));
  const rows = world.rows.map((row) => rowKey(row, doubts)).sort();
  const remembersIntent = book.behind || left.losses > 0 || left.restores > 0;
  const run = [
    bookKey(book),
    shelf === null ? '-' : bookKey(shelf),
    world.on ? 1 : 0,
    world.on && !book.trusted ? world.runAge : 0,
    remembersIntent ? world.idle : 0,
  ];
  return `${rows.join('/')}|${run.join(',')}|${budgetKey(left)}`;
}

const bookKey = ({ trusted, behind, ban }: Book) => `${trusted ? 1 : 0}${behind ? 1 : 0}${ban ?? 'n'}`;

function budgetKey(left: Budget): string {
  const { timeouts, kills, refusals, lies, unsent, expiries, flips, retries, blind, hidden } = left;
  const { losses, restores, turns, lookalikes, verdicts, earlyLies, corrections } = left;
  return packed(
    packBits([timeouts, kills, refusals, lies, unsent], 3),
    packBits([expiries, flips, retries, blind, hidden], 3),
    packBits([losses, restores, turns, lookalikes, verdicts], 3),
    packBits([earlyLies, corrections], 3),
  );
}

function rowKey({ entry, shelf, requests, payments, declared, overlooked }: Row, doubts: boolean): string {
  const sent = requests.map((request) => requestKey(request)).sort();
  return [
    entryKey(entry, doubts),
    shelf === null ? '' : entryKey(shelf, doubts),
    sent.join(','),
    payments.map(paymentKey).join(','),
    `${declared?.[0] ?? ''}${overlooked ? '?' : ''}`,
  ].join('.');
}

const ageMatters: readonly RowState[] = ['sending', 'in_doubt', 'held'];

function entryKey(entry: Entry, doubts: boolean): string {
  const timed = ageMatters.includes(entry.state);
  return packed(
    packBits([rowStates.indexOf(entry.state), entry.revision, entry.content], 4),
    packBits([timed ? entry.age : 0, timed ? entry.proof : 0, timed ? entry.misses : 0], 4),
    packBits([entry.known, entry.canary, entry.cleared ? 1 : 0, doubts && entry.probe ? 1 : 0], 4),
  );
}

function requestKey({ revision, content, age, open, foreign }: Request): string {
  return packed(packBits([revision, content, age, (open ? 2 : 0) + (foreign ? 1 : 0)], 4));
}

const statuses: readonly Payment['status'][] = ['pending', 'success', 'expired'];

function paymentKey(payment: Payment): string {
  const { open, listed, seenExpired, excused } = payment;
  const flags = (open ? 1 : 0) + (listed ? 2 : 0);
  const shown = (seenExpired ? 1 : 0) + (excused ? 2 : 0);
  return packed(
    packBits([payment.revision, payment.content, statuses.indexOf(payment.status)], 4),
    packBits([payment.age, flags, shown], 4),
  );
}

/** Small numbers, put together into one. */
function packBits(values: readonly number[], bits: number): number {
  let packedValue = 0;
  for (const value of values) {
    if (value >= 1 << bits) throw new Error(`the model counts further than its key: ${value}`);
    packedValue = (packedValue << bits) | value;
  }
  return packedValue;
}

/** Told apart by a space; base 36 keeps keys short. */
const packed = (...values: readonly number[]): string => values.map((value) => value.toString(36)).join(' ');
