/** The words for how a command ended, by its exit code. */

const kinds = {
  0: 'done',
  20: 'refused',
  21: 'unpaid',
  22: 'doubt',
  23: 'open',
  24: 'busy',
  27: 'alarm',
  130: 'stopped',
} as const;

/** `refused`: the sheet has problems. `busy`: another run holds the ledger. `failed`: any other failure. */
export type EndKind = (typeof kinds)[keyof typeof kinds] | 'failed';

export const endKindOf = (exit: number): EndKind => (kinds as { readonly [exit: number]: EndKind })[exit] ?? 'failed';
