/** The kinds of entries in a ledger's trail. `messages/web/trail.ts` has their sentences. */

export type EntryKind =
  | 'alike'
  | 'approval'
  | 'bound'
  | 'denied'
  | 'document'
  | 'gone'
  | 'history'
  | 'home'
  | 'hour'
  | 'hour missed'
  | 'listed'
  | 'meant'
  | 'merchant'
  | 'move'
  | 'note'
  | 'opened'
  | 'orphan'
  | 'pass'
  | 'pause ended'
  | 'paused'
  | 'person'
  | 'plan'
  | 'policy'
  | 'quiet'
  | 'rebind'
  | 'recovered'
  | 'result'
  | 'retry'
  | 'run'
  | 'schedule ended'
  | 'scheduled'
  | 'sheet'
  | 'stop'
  | 'totals'
  | 'variance'
  | 'wanted';

/** Where a ledger last sent from (`at`), or which copy it is. Only the newest of the copies may send. */
export type Home =
  | { readonly at: string }
  | { readonly copiedTo: string }
  | { readonly copyOf: string }
  | { readonly copiedFrom: string };
