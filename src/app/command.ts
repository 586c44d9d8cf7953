/** Commands about a sheet or a batch, as every shell gives them. Settings complete them. */
import type { Refusal } from '../base/refusal.ts';
import type { Secret } from '../base/secret.ts';
import type { Actor } from '../domain/sending/actor.ts';
import type { Progress } from '../pipeline/deps.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import type { Seen } from './run-batch.ts';

/** The service and the ledger. Fields that are absent come from the settings. */
export type PlaceOptions = {
  readonly ledger?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly fresh?: boolean | undefined;
  readonly asUser?: string | undefined;
  readonly webhookUrl?: string | undefined;
};

/** Options for reading a sheet. Paths are absolute or below the folder in which the command is given. */
export type ReadingOptions = {
  readonly file: string;
  readonly sheet?: string | undefined;
  readonly includeHidden?: boolean | undefined;
  readonly map?: string | undefined;
  readonly corrections?: string | undefined;
  /** `COLUMN=VALUE`, as in `status=FAILED`. */
  readonly only?: readonly string[] | undefined;
  readonly ignoreColumn?: readonly string[] | undefined;
  readonly documents?: string | undefined;
  readonly documentsPolicy?: string | undefined;
  readonly numberFormat?: string | undefined;
  readonly fromCountry?: string | undefined;
  readonly accountChecks?: string | undefined;
};

export type ResultOptions = {
  readonly out?: string | undefined;
  readonly format?: string | undefined;
  readonly policy?: string | undefined;
  readonly updateNames?: boolean | undefined;
  readonly skipInvalid?: boolean | undefined;
};

export type LimitOptions = {
  readonly cap?: readonly string[] | undefined;
  readonly canary?: string | undefined;
  readonly payWindow?: string | undefined;
  readonly outside?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly wait?: string | undefined;
  readonly listen?: string | undefined;
};

/** The plan to run. */
export type ApprovedOptions = {
  readonly approve?: string | undefined;
  readonly plan?: string | undefined;
  readonly policy?: string | undefined;
  readonly maker?: string | undefined;
};

/** The batch that the sheet becomes, and the totals that are expected of it. */
export type BatchOptions = {
  readonly batch?: string | undefined;
  readonly batchIfNew?: string | undefined;
  readonly add?: boolean | undefined;
  readonly confirmRepeat?: string | undefined;
  readonly series?: string | undefined;
  readonly variance?: string | undefined;
  readonly confirmVariance?: string | undefined;
  readonly expect?: readonly string[] | undefined;
  readonly allowMomoPush?: string | undefined;
};

export type RunOptions = PlaceOptions & ReadingOptions & ResultOptions & LimitOptions & ApprovedOptions & BatchOptions;

export type PlanOptions = PlaceOptions &
  ReadingOptions &
  ResultOptions &
  LimitOptions &
  BatchOptions & {
    readonly maker?: string | undefined;
    /** The plan's time to live: `24h`. */
    readonly expires?: string | undefined;
    /** The keys of unpaid rows that the plan sends again. */
    readonly retryRow?: readonly string[] | undefined;
  };

/** A batch that the ledger has. */
export type KnownBatch = PlaceOptions &
  ResultOptions &
  LimitOptions & {
    readonly batch: string;
  };

export type RetryOptions = KnownBatch &
  ApprovedOptions & {
    /** Keys of rows, separated by commas. */
    readonly rows?: string | undefined;
    readonly retryRow?: readonly string[] | undefined;
  };

/** A person's decision about rows that no scan settles. `reason` is kept in the trail. */
export type Decision =
  | { readonly way: 'paid'; readonly row: string; readonly payment: string; readonly reason: string }
  | { readonly way: 'not-paid' | 'not-a-repeat' | 'known'; readonly row: string; readonly reason: string }
  /** `sheet` names the sheet of a row that was left out for its mistake. */
  | { readonly way: 'given-up'; readonly row: string; readonly sheet: number | null; readonly reason: string }
  /** `row` is null for all absent rows. */
  | { readonly way: 'release-absent'; readonly row: string | null; readonly reason: string }
  | { readonly way: 'gone'; readonly payment: string; readonly reason: string };

/** Releases a row whose payee's account changed. Without a policy a name is enough. */
export type ReleaseOptions = KnownBatch & {
  readonly row: string;
  readonly reason: string;
  readonly by?: string | undefined;
};

export type Command =
  | ({ readonly do: 'run' } & RunOptions)
  | ({ readonly do: 'plan' } & PlanOptions)
  | ({ readonly do: 'resume' } & KnownBatch)
  | ({ readonly do: 'retry' } & RetryOptions)
  | ({ readonly do: 'reconcile' } & Omit<KnownBatch, 'batch'> & { readonly batch: string | null })
  | ({ readonly do: 'resolve'; readonly decision: Decision } & KnownBatch)
  | ({ readonly do: 'release' } & ReleaseOptions)
  | ({ readonly do: 'rebind'; readonly reason: string } & KnownBatch);

/** Files that are made of a batch, in the folder `out`. They need no service. */
export type FileCommand = { readonly batch: string; readonly out: string } & (
  | { readonly do: 'result'; readonly format: 'xlsx' | 'csv' }
  /** `zone`: the time zone of the page's times. */
  | { readonly do: 'result page'; readonly zone: string }
  | { readonly do: 'evidence' }
);

/** A fault of the program, which no person expects. */
interface ProgramFault {
  readonly code: null;
  readonly message: string;
}

/** The end of a command. `exit` is the exit code of the same command at a terminal. */
export type CommandEnd = { readonly exit: number } & (
  | { readonly outcome: Outcome }
  | { readonly file: string; readonly sha256: string }
  | { readonly error: Refusal | ProgramFault; readonly interrupted: boolean }
);

/** The file of a person's key, and what unlocks it. */
export interface LockedKey {
  readonly file: string;
  readonly passphrase: Secret;
}

/** Performs a command, or makes a file, away from the thread that serves pages. */
export type Perform = (
  command: Command | FileCommand,
  given: {
    readonly actor: Actor;
    /** The state of the batch when somebody decided to continue it. */
    readonly seen?: Seen | undefined;
    readonly key?: LockedKey | undefined;
    readonly onProgress?: ((step: Progress) => void) | undefined;
    /** Reports a sentence for a person, such as where a result lies that cannot go to its own place. */
    readonly say?: ((sentence: string) => void) | undefined;
    /** Like Ctrl-C: calls in flight end, and no new one begins. */
    readonly stop?: AbortSignal | undefined;
  },
) => Promise<CommandEnd>;
