/** The states of rows, merchants and documents, and every move between them. Payrun makes no other moves. */
import { eachOf, wordsIn } from '../../base/words.ts';

export const rowStates = wordsIn(
  'planned ready withheld sending in_doubt absent held accepted succeeded expired refused duplicate duplicate_paid invalid',
);
export type RowState = (typeof rowStates)[number];

export const rowMoves = {
  planned: ['ready', 'withheld', 'accepted', 'held', 'refused', 'planned', 'invalid'],
  ready: ['sending', 'withheld', 'accepted', 'held', 'planned', 'invalid'],
  withheld: ['ready', 'planned', 'accepted', 'held', 'invalid'],
  sending: ['accepted', 'refused', 'ready', 'in_doubt'],
  in_doubt: ['accepted', 'absent', 'held'],
  absent: ['ready', 'accepted', 'held'],
  held: ['accepted', 'absent'],
  accepted: ['succeeded', 'expired', 'held', 'duplicate', 'duplicate_paid'],
  succeeded: ['held', 'duplicate', 'duplicate_paid'],
  expired: ['accepted', 'succeeded', 'held', 'ready', 'planned', 'duplicate', 'duplicate_paid'],
  refused: ['ready', 'planned', 'accepted', 'held', 'duplicate', 'duplicate_paid'],
  duplicate: ['duplicate_paid', 'succeeded', 'expired', 'held'],
  duplicate_paid: ['succeeded', 'expired', 'held'],
  invalid: ['planned', 'invalid', 'accepted', 'held'],
} as const satisfies { readonly [S in RowState]: readonly RowState[] };

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

export const mayMoveRow = (from: RowState, to: RowState): boolean =>
  (rowMoves[from] as readonly RowState[]).includes(to);

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
  ...eachOf('not sent' as const, 'planned ready'),
  accepted: 'pending',
  succeeded: 'paid',
  ...eachOf('unpaid' as const, 'expired refused'),
  ...eachOf('in doubt' as const, 'sending in_doubt absent duplicate'),
  ...eachOf('held' as const, 'withheld held'),
  duplicate_paid: 'paid twice',
  invalid: 'invalid',
};

/** Payrun may have paid a row in these states. Absence of its payment does not prove that no payment comes later. */
export const sentStates: readonly RowState[] = wordsIn(
  'sending in_doubt absent held accepted succeeded duplicate duplicate_paid',
);

export const closableStates: readonly RowState[] = wordsIn('planned ready withheld absent expired refused invalid');

/** Ignores `closed` outside the closable states, because a payment of a closed row may appear later. */
export const wordOfRow = ({ state, closed }: { readonly state: RowState; readonly closed: string | boolean | null }) =>
  closed && closableStates.includes(state) ? 'closed' : wordOf[state];

/** A person's decision not to pay a row. `at` is in milliseconds since 1970. */
export interface Closed {
  readonly by: string | null;
  /** The person's reason, or the name of the sheet that lacks the row. */
  readonly why: string | { readonly sheet: string };
  readonly at: number;
}

export const readClosed = (stored: string) => JSON.parse(stored) as Closed;

/** Why Payrun planned a row again. A person's words never stand in its place, because rules read this code. */
export type RowChange = 'corrected' | 'retry';
