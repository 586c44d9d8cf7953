/** The states of rows, merchants and documents, and every move between them. Nothing outside this table changes a state. */

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
] as const;
export type RowState = (typeof rowStates)[number];

const twice = { duplicate: 'two payments, not both paid out yet', duplicate_paid: 'two payments, both paid out' };
const single = { succeeded: 'the others ended unpaid', expired: 'all ended unpaid' };

/** Every move of a row, and its cause. */
export const rowMoves: { readonly [S in RowState]: { readonly [T in RowState]?: string } } = {
  planned: {
    ready: 'its merchant is known',
    accepted: 'found by a pass',
    held: "its merchant is not certain, its payee's account changed, or it looks paid, and is not owed",
    refused: 'the service refused its merchant',
    planned: 'corrected in the sheet before anything was sent',
  },
  ready: {
    sending: 'intent',
    accepted: 'found by a pass',
    held: "found with other content, a look-alike, or its payee's account changed",
    planned: 'corrected in the sheet, or its merchant is no longer the one it was',
  },
  sending: {
    accepted: 'the service named the payment',
    refused: 'the service refused the payment',
    ready: 'not sent, abandoned, 401 or 429',
    in_doubt: 'sent, and not known whether it arrived',
  },
  in_doubt: { accepted: 'found by a pass', absent: 'proven absent', held: 'found with other content' },
  absent: { ready: 'released', accepted: 'found by a pass', held: 'found with other content' },
  held: {
    accepted: 'resolved as paid, or found under its own tag',
    absent: 'resolved as not paid',
    ready: 'released, never sent',
    held: "found with other content, while held for its payee's account alone",
    planned: "released without a merchant, or another sheet came in: held for its payee's account alone",
  },
  accepted: {
    succeeded: 'the payment succeeded',
    expired: 'the payment expired',
    held: "its payment is another row's, or, as a person said, forgotten by the service",
    ...twice,
  },
  succeeded: { held: "no longer said to be paid out, or its payment is another row's", ...twice },
  expired: {
    accepted: 'a later payment of it was found, which lives',
    succeeded: 'the payment succeeded after all',
    held: "a later payment was found, with other content, or its payment is another row's",
    ready: 'sent again as a new revision',
    planned: 'corrected in the sheet: a new revision, whose merchant may be another',
    ...twice,
  },
  refused: {
    ready: 'sent again under the same tag',
    planned: 'corrected in the sheet: the same tag, but the merchant may be another',
    accepted: 'found after all',
    held: 'found after all, with other content',
    ...twice,
  },
  duplicate: { duplicate_paid: 'both were paid out', ...single },
  duplicate_paid: single,
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

/** The words for a row in summaries, results and messages. */
export const rowWords = [
  'paid',
  'pending',
  'not sent',
  'unpaid',
  'in doubt',
  'held',
  'paid twice',
  'invalid',
  'skipped',
] as const;
export type RowWord = (typeof rowWords)[number];

/** Maps each state to its word; `invalid` and `skipped` are for rows that became no payment. */
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
};
