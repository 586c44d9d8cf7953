/** The states of rows, merchants and documents, and every move between them. Payrun makes no other moves. */

export const rowStates = [
  'planned',
  'ready',
  'sending',
  'in_doubt',
  'absent',
  'held',
  'accepted',
  'succeeded',
  'expired',
  'refused',
  'duplicate',
  'duplicate_paid',
  'invalid',
] as const;
export type RowState = (typeof rowStates)[number];

const twice = { duplicate: 'two payments, not both paid out yet', duplicate_paid: 'two payments, both paid out' };
const found = 'a list scan finds its payment';
const foundOther = 'a scan finds its payment with other content';
const corrected = 'the sheet is corrected before anything is sent';
const mistaken = 'the newest sheet has it with a mistake';
const single = { succeeded: 'the others ended unpaid', expired: 'all ended unpaid' };

export const rowMoves: { readonly [S in RowState]: { readonly [T in RowState]?: string } } = {
  planned: {
    ready: 'its merchant is known',
    accepted: found,
    held: "its merchant is not certain, its payee's account changed, or it looks paid",
    refused: 'the service refuses its merchant',
    planned: corrected,
    invalid: mistaken,
  },
  ready: {
    sending: 'the intent is written',
    accepted: found,
    held: "a scan finds its payment with other content, it looks paid, or its payee's account changed",
    planned: 'the sheet is corrected, or its merchant changes',
    invalid: mistaken,
  },
  sending: {
    accepted: 'the service names the payment',
    refused: 'the service refuses the payment',
    ready: 'not sent, abandoned, 401 or 429',
    in_doubt: 'sent, and nobody knows whether it arrived',
  },
  in_doubt: { accepted: found, absent: 'proven absent', held: foundOther },
  absent: { ready: 'a person releases it', accepted: found, held: foundOther },
  held: {
    accepted: 'a person says that it is paid, or a scan finds its payment',
    absent: 'a person says that it is not paid',
    ready: 'a person releases it; nothing was sent',
    held: 'held for its account, and a scan finds its payment with other content',
    planned: 'released without a merchant, or a new sheet came that corrects it or checks its account',
    invalid: mistaken,
  },
  accepted: {
    succeeded: 'the service says success',
    expired: 'the service says expired',
    held: "its payment is another row's, or a person says that the service forgot it",
    ...twice,
  },
  succeeded: { held: "the service no longer calls it paid, or its payment is another row's", ...twice },
  expired: {
    accepted: 'a scan finds a later payment that is open',
    succeeded: 'its payment is paid after all',
    held: "a scan finds a later payment with other content, or its payment is another row's",
    ready: 'sent again as a new revision',
    planned: 'the sheet is corrected: a new revision, perhaps with another merchant',
    ...twice,
  },
  refused: {
    ready: 'sent again under the same tag',
    planned: 'the sheet is corrected: the same tag, perhaps with another merchant',
    accepted: found,
    held: foundOther,
    ...twice,
  },
  duplicate: { duplicate_paid: 'both are paid out', ...single },
  duplicate_paid: single,
  invalid: {
    planned: corrected,
    invalid: mistaken,
    accepted: found,
    held: foundOther,
  },
};

export const merchantStates = ['wanted', 'creating', 'known', 'refused', 'in_doubt', 'held'] as const;
export type MerchantState = (typeof merchantStates)[number];

export const merchantMoves: { readonly [S in MerchantState]: readonly MerchantState[] } = {
  wanted: ['creating', 'known', 'held'],
  creating: ['known', 'refused', 'in_doubt', 'wanted'],
  known: ['wanted', 'known', 'held'],
  refused: ['wanted', 'known'],
  in_doubt: ['known', 'wanted', 'held'],
  held: ['known', 'wanted'],
};

export const documentStates = ['due', 'uploading', 'attached', 'in_doubt', 'missing'] as const;
export type DocumentState = (typeof documentStates)[number];

export const documentMoves: { readonly [S in DocumentState]: readonly DocumentState[] } = {
  due: ['uploading', 'missing'],
  uploading: ['attached', 'in_doubt', 'due', 'missing'],
  in_doubt: ['attached', 'due'],
  attached: [],
  missing: ['due'],
};

export function mayMoveRow(from: RowState, to: RowState): boolean {
  return rowMoves[from][to] !== undefined;
}

export const rowWords = [
  'paid',
  'pending',
  'not sent',
  'unpaid',
  'in doubt',
  'held',
  'paid twice',
  'invalid',
  'closed',
] as const;
export type RowWord = (typeof rowWords)[number];

export const wordOf: { readonly [S in RowState]: RowWord } = {
  planned: 'not sent',
  ready: 'not sent',
  accepted: 'pending',
  succeeded: 'paid',
  expired: 'unpaid',
  refused: 'unpaid',
  sending: 'in doubt',
  in_doubt: 'in doubt',
  absent: 'in doubt',
  held: 'held',
  duplicate: 'in doubt',
  duplicate_paid: 'paid twice',
  invalid: 'invalid',
};

/** The states in which a person may close a row. A held row must also be known to be unpaid. */
export const closableStates: readonly RowState[] = [
  'planned',
  'ready',
  'absent',
  'held',
  'expired',
  'refused',
  'invalid',
];

/** A closed row whose payment appears later gets the word of its state, so that the payment is not hidden. */
export const wordOfRow = ({ state, closed }: { readonly state: RowState; readonly closed: string | boolean | null }) =>
  closed && closableStates.includes(state) ? 'closed' : wordOf[state];

/** A person's decision not to pay a row. `at` is in milliseconds since 1970. */
export interface Closed {
  readonly by: string | null;
  /** The person's reason, or the name of the sheet that closed the row by leaving it out. */
  readonly why: string | { readonly sheet: string };
  readonly at: number;
}

export const readClosed = (stored: string) => JSON.parse(stored) as Closed;

export const correctedWhy = 'corrected in the sheet';
