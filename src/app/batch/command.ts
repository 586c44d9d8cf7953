/** Commands about a sheet or a batch, from the terminal or the console. The settings supply what a command leaves out. */
import type { Secret } from '../../base/secret.ts';
import type { Each } from '../../base/words.ts';
import type { RepeatedOptions } from '../../domain/next-action.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import type { Progress } from '../../pipeline/deps.ts';
import type { Ending } from '../../pipeline/outcome.ts';
import type { Seen } from '../../pipeline/seen.ts';

/** Paths are absolute, or relative to the folder in which the command is given. */
interface GivenOptions
  extends Omit<RepeatedOptions, 'concurrency' | 'listen'>,
    Each<'ledger asUser policy approve plan batch confirmRepeat confirmVariance', string>,
    Each<'sandbox fresh add drop', boolean> {
  readonly expiresMs: number;
  readonly closes: number;
  /** Unpaid rows to send again. Without it, `plan` sends none of them, and `retry` sends all. */
  readonly rows: 'all' | readonly NamedRows[];
  readonly concurrency: number;
  readonly waitMs: number;
  readonly listen: { readonly host: string; readonly port: number };
}

/** A row's key or number. A `list` has several of them with commas, unless it is a row's key itself. */
export type NamedRows = { readonly row: string } | { readonly list: string };

export type Options = { readonly [O in keyof GivenOptions]?: GivenOptions[O] | undefined };
export type PlaceOptions = Pick<Options, 'ledger' | 'sandbox' | 'asUser'>;
export type SheetCommand = Options & { readonly file: string };
export type KnownBatch = Options & { readonly batch: string };

export type Decision =
  | { readonly way: 'paid'; readonly row: string; readonly payment: string; readonly reason: string }
  | { readonly way: 'not-paid' | 'not-a-repeat' | 'known'; readonly row: string; readonly reason: string }
  | { readonly way: 'release-absent'; readonly row: string | null; readonly reason: string }
  | { readonly way: 'gone'; readonly payment: string; readonly reason: string };

/** Releases a row whose payee's account changed. If no policy is in force, the name of a second person (`by`) is enough. */
export type Release = { readonly row: string; readonly reason: string; readonly by?: string | undefined };

export type RowsToClose = { readonly named: readonly NamedRows[]; readonly reason: string };

/** `seen`: the state of the batch when the person or the worker decided on the command. */
export type Command = { readonly seen?: Seen } & (
  | ({ readonly do: 'run' } & SheetCommand)
  | ({ readonly do: 'plan' } & SheetCommand)
  /** `upload` is the sheet at the console, and `base` the ledger's newest sheet when the console took it. */
  | ({ readonly do: 'propose'; readonly upload?: string; readonly base?: number } & SheetCommand & KnownBatch)
  | ({ readonly do: 'resume' | 'retry' } & KnownBatch)
  /** A command without a batch reconciles the newest one. */
  | ({ readonly do: 'reconcile' } & Options)
  | ({ readonly do: 'resolve'; readonly decision: Decision } & KnownBatch)
  | ({ readonly do: 'release' } & Release & KnownBatch)
  | ({ readonly do: 'drop' | 'reopen' } & RowsToClose & KnownBatch)
  | ({ readonly do: 'rebind'; readonly reason: string } & KnownBatch)
);

type WithoutOptions<C> = C extends unknown ? Omit<C, Exclude<keyof Options, 'batch'>> : never;
/** A command without its options: what to do, and with which sheet or batch. */
export type BareCommand = WithoutOptions<Command>;

/** Files about a batch, which are written to the folder `out`. They need no service. */
export type FileCommand = { readonly batch: string; readonly out: string } & (
  | { readonly do: 'result'; readonly format: 'xlsx' | 'csv' }
  | { readonly do: 'result page'; readonly zone: string }
  | { readonly do: 'evidence' }
);

export interface LockedKey {
  readonly file: string;
  readonly passphrase: Secret;
}

/** Performs a command, or writes a file, outside the thread that serves pages. */
export type Perform = (
  command: Command | FileCommand,
  given: {
    readonly actor: Actor;
    readonly key?: LockedKey | undefined;
    readonly onProgress?: ((step: Progress) => void) | undefined;
    readonly say?: ((sentence: string) => void) | undefined;
    /** Aborted to stop the command, as Ctrl-C does: calls under way end, and no new call begins. */
    readonly stop?: AbortSignal | undefined;
  },
) => Promise<Ending>;
