/** The words for each move of a row from one state to another. */
import type { RowState, rowMoves } from '../domain/rows/row-states.ts';

const twice = { duplicate: 'two payments, not both paid out yet', duplicate_paid: 'two payments, both paid out' };
const found = 'a list scan finds its payment';
const foundOther = 'a scan finds its payment with other content';
const corrected = 'the sheet is corrected before anything is sent';
const mistaken = 'the newest sheet has it with a mistake';
const single = { succeeded: 'the others ended unpaid', expired: 'all ended unpaid' };

export const moveWords: { readonly [S in RowState]: Readonly<Record<(typeof rowMoves)[S][number], string>> } = {
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
  invalid: { planned: corrected, invalid: mistaken, accepted: found, held: foundOther },
};

/** Returns what makes the move; null for a move that Payrun does not make. */
export const moveWordsOf = (from: RowState, to: RowState): string | null =>
  (moveWords[from] as { readonly [S in RowState]?: string } | undefined)?.[to] ?? null;
