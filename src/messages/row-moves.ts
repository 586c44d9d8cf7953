/** The words for each move of a row from one state to another. */
import type { RowState, rowMoves } from '../domain/rows/row-states.ts';

const twice = { duplicate: 'it has two payments, not both paid out', duplicate_paid: 'both its payments are paid out' };
const found = 'a list scan finds its payment';
const foundOther = 'a list scan finds its payment with other content';
const corrected = 'the sheet is corrected before anything is sent';
const mistaken = 'its line in the newest sheet has a mistake';
const single = {
  succeeded: 'only one of its payments is paid',
  expired: 'all its payments expired',
  held: 'the one payment that is paid has other content',
};

export const moveWords: { readonly [S in RowState]: Readonly<Record<(typeof rowMoves)[S][number], string>> } = {
  planned: {
    ready: 'its merchant is known',
    accepted: found,
    withheld: "its payee's account changed, or it looks paid",
    held: foundOther,
    refused: 'the service refuses its merchant',
    planned: corrected,
    invalid: mistaken,
  },
  ready: {
    sending: 'the intent is written',
    accepted: found,
    withheld: "it looks paid, or its payee's account changed",
    held: foundOther,
    planned: 'the sheet is corrected, or its merchant changes',
    invalid: mistaken,
  },
  withheld: {
    ready: 'a person releases it',
    planned: 'a person releases it before its merchant is known, or the sheet is corrected',
    accepted: 'a person says that it is paid, or a list scan finds its payment',
    held: foundOther,
    invalid: mistaken,
  },
  sending: {
    accepted: 'the answer of the service names its payment',
    refused: 'the service refuses its payment',
    ready: 'its request did not leave, or the service answered 401, 403 or 429',
    in_doubt: 'its request left, and the outcome is unknown',
  },
  in_doubt: { accepted: found, absent: 'list scans prove that it has no payment', held: foundOther },
  absent: { ready: 'a person or the setting doubt.policy releases it', accepted: found, held: foundOther },
  held: {
    accepted: 'a person says that it is paid, or a list scan finds its payment',
    absent: 'a person says that it is not paid',
  },
  accepted: {
    succeeded: 'the service reports success',
    expired: 'the service reports expired',
    held: 'its payment belongs to another row, or a person says that the service forgot the payment',
    ...twice,
  },
  succeeded: { held: 'the service no longer reports it as paid, or its payment belongs to another row', ...twice },
  expired: {
    accepted: 'a list scan finds a later payment that is pending',
    succeeded: 'its payment is paid after all',
    held: 'a scan finds a payment with other content, or its payment belongs to another row',
    ready: 'a retry prepares it for a new payment, as a new revision',
    planned: 'the sheet is corrected, and the row gets a new revision and perhaps another merchant',
    ...twice,
  },
  refused: {
    ready: 'a retry prepares it for a new payment, under the same tag',
    planned: 'the sheet is corrected, and the row keeps its tag and perhaps gets another merchant',
    accepted: found,
    held: foundOther,
    ...twice,
  },
  duplicate: { duplicate_paid: twice.duplicate_paid, ...single },
  duplicate_paid: single,
  invalid: { planned: corrected, invalid: mistaken, accepted: found, held: foundOther },
};

/** Returns what makes the move; null for a move that Payrun does not make. */
export const moveWordsOf = (from: RowState, to: RowState): string | null =>
  (moveWords[from] as { readonly [S in RowState]?: string } | undefined)?.[to] ?? null;
