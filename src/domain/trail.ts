/** The kinds of entries in a ledger's trail. `messages/web/trail.ts` has their sentences. */

export type RunEntry = 'opened' | 'pass' | 'run' | 'stop' | 'result' | 'scheduled' | 'hour' | 'hour missed';
export type ControlEntry = 'totals' | 'history' | 'variance';
type SheetEntry = 'sheet' | 'plan' | 'approval' | 'denied' | 'corrected' | ControlEntry;
type BatchEntry = 'bound' | 'rebind' | 'listed' | 'quiet' | 'paused' | 'pause ended' | 'schedule ended' | RunEntry;
type RowEntry = 'move' | 'note' | 'orphan' | 'document' | 'merchant' | 'wanted';
export type EntryKind = SheetEntry | BatchEntry | RowEntry | 'person' | 'recovered' | 'gone' | 'policy' | 'home';

/** The place of a ledger's last sending, or of the ledger that it was copied to or from. */
export type Home =
  | { readonly at: string }
  | { readonly copiedTo: string }
  | { readonly copyOf: string }
  | { readonly copiedFrom: string };
