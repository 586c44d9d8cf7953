/** The dependencies of every stage, made once in cli/compose and closed in reverse. */
import type { Clock } from '../base/clock.ts';
import type { Secret } from '../base/secret.ts';
import type { PayoutClient } from '../client/client.ts';
import type { Caps } from '../domain/amounts/cap.ts';
import type { PayWindow } from '../domain/calendar/pay-window.ts';
import type { DocumentLimits } from '../domain/rows/document.ts';
import type { Statuses } from '../domain/sending/payment.ts';
import type { Ledger, Witness } from '../ledger/ledger.ts';
import type { Hints } from './webhooks/receiver.ts';

export interface ServiceFacts {
  /** `sandbox` or the base URL, for people. */
  readonly label: string;
  /** Base URL, hash of the API key, kind of token and user: whose payments these are. */
  readonly identity: string;
  readonly embedded: boolean;
  /** True when payments are made with a user's token (interface 5.7). */
  readonly asUser: boolean;
}

export interface Limits {
  readonly concurrency: number;
  /** The deadline of a whole call. */
  readonly callMs: number;
  /** How long a run follows payments after the last was sent; 0 follows none. */
  readonly waitMs: number;
  /** The first pause between polls; pauses grow. */
  readonly firstPollMs: number;
  /** How long the first payment of a kind may take to be readable. */
  readonly canaryMs: number;
  readonly doubt: DoubtSettings;
  /** Limits of supporting documents. */
  readonly documents: DocumentLimits;
  /** The most that may be sent; absent for any sum. */
  readonly caps?: Caps;
  /** When sending stops by itself; `defaultBreaker` if absent. */
  readonly breaker?: Breaker;
  /** How rows above their rail's limit are handled; if absent they are sent, and the service decides. */
  readonly rails?: 'hold' | 'warn' | 'off';
  /** How many rows are paid before any other is sent; if absent, as the batch began. */
  readonly canary?: number;
  /** When payments may be sent: while all windows are open; absent for any time. */
  readonly payWindow?: { readonly windows: readonly PayWindow[]; readonly outside: 'wait' | 'stop' };
  /** Caps and window of the command line; the limits above include them. */
  readonly said?: { readonly caps: Caps; readonly payWindow: string | null };
}

export interface Breaker {
  /** Refusals in a row. */
  readonly refusals: number;
  /** Unsettled doubts: more than this many rows, and more than this share of the batch. */
  readonly doubts: { readonly rows: number; readonly percent: number };
}

export const defaultBreaker: Breaker = { refusals: 10, doubts: { rows: 5, percent: 2 } };

/** When an absence settles a doubt, and what follows. */
export interface DoubtSettings {
  /** How long after its request's deadline a payment may still come to light. */
  readonly horizonMs: number;
  /** The least time between the two scans that prove an absence. */
  readonly confirmMs: number;
  /** How long the list may take to show a payment after its answer. */
  readonly visibleMs: number;
  /** `hold` waits for a person's release of an absent row. */
  readonly policy: 'hold' | 'resend';
  /** Whether every sending run begins with a scan, or only one whose ledger may lack payments. */
  readonly presend: 'always' | 'suspect';
  /** The deadline of a whole call, after which the horizon begins. */
  readonly deadlineMs: number;
}

export type Stage = 'reading' | 'enrolling' | 'reconciling' | 'paying' | 'attaching' | 'settling' | 'reporting';

export interface Progress {
  readonly stage: Stage;
  readonly done: number;
  /** Null while unknown. */
  readonly total: number | null;
}

/** The webhook that new payments name (interface 6). */
export interface Webhook {
  readonly url: string;
  readonly secret: Secret | null;
}

export interface Deps {
  readonly ledger: Ledger;
  readonly client: PayoutClient;
  readonly clock: Clock;
  readonly service: ServiceFacts;
  readonly limits: Limits;
  /** The meaning of the service's payment statuses. */
  readonly statuses: Statuses;
  /** The policy in force, if one is named or found. `isKept`: the ledger records it; only the console's own is not recorded. */
  readonly policy?: { readonly path: string; readonly isKept: boolean };
  /** If absent, payments are only polled. */
  readonly webhook?: Webhook;
  /** Payments that webhooks name meanwhile; if absent, payments are only polled. */
  readonly hints?: Hints;
  /** When payments were last sent with these credentials, by any ledger; absent where nothing can come late. */
  readonly witness?: Witness;
  /** Aborted when a person or the system stops the run: nothing new is sent, and calls under way end. */
  readonly stop: AbortSignal;
  /** True for a worker: on a signal it leaves the batch to another worker, and nothing waits for a person. */
  readonly handsOver?: true;
  /** True for a hot folder: it continues by itself, but not a batch that a person stopped. Its signal stops nothing for others. */
  readonly watches?: true;
  /** Called when sending has finished. Only the result remains, and signals no longer stop the run. */
  readonly led?: () => void;
  /** Flags of printed commands, which lead to this service and ledger. */
  readonly again: string;
  progress(step: Progress): void;
  /** Prints one sentence for a person on stderr. */
  say(sentence: string): void;
}
