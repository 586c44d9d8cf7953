/** What every stage works with, made once where the program is put together and closed in reverse. */
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
  /** For people: `sandbox`, or the base URL. */
  readonly label: string;
  /** Base URL, hash of the API key, kind of token, user: whose payments these are (design 4.1). */
  readonly identity: string;
  readonly embedded: boolean;
  /** Whether payments are made with a user's token (interface 5.7). */
  readonly asUser: boolean;
}

export interface Limits {
  readonly concurrency: number;
  /** The whole call's deadline. */
  readonly callMs: number;
  /** How long a run follows payments after the last was sent; 0 for not at all. */
  readonly waitMs: number;
  /** The pause before the first look at open payments; it grows from there. */
  readonly firstPollMs: number;
  /** How long the first payment of a kind may take to be readable (design 4.4). */
  readonly canaryMs: number;
  readonly doubt: DoubtSettings;
  /** What is sent as a supporting document. */
  readonly documents: DocumentLimits;
  /** The most that may be sent; absent: any sum. */
  readonly caps?: Caps;
  /** When sending stops by itself; absent: `defaultBreaker`. */
  readonly breaker?: Breaker;
  /** What becomes of rows above what their rail takes now; absent: they are sent, and the service decides. */
  readonly rails?: 'hold' | 'warn' | 'off';
  /** So many rows are paid before any other is sent; absent: as the batch began. */
  readonly canary?: number;
  /** When payments may be sent: while all of the windows are open; absent: at any time. */
  readonly payWindow?: { readonly windows: readonly PayWindow[]; readonly outside: 'wait' | 'stop' };
  /** What the command line said of caps and window; they are within the limits above. */
  readonly said?: { readonly caps: Caps; readonly payWindow: string | null };
}

export interface Breaker {
  /** Refused one after another. */
  readonly refusals: number;
  /** In doubt and not settled yet: more than so many rows, and more than so much of the batch. */
  readonly doubts: { readonly rows: number; readonly percent: number };
}

export const defaultBreaker: Breaker = { refusals: 10, doubts: { rows: 5, percent: 2 } };

/** When a doubt may be settled by absence, and what happens then (design 4.4). */
export interface DoubtSettings {
  /** How long after its request's deadline a payment may still come to light. */
  readonly horizonMs: number;
  /** How far apart the two passes are that show an absence. */
  readonly confirmMs: number;
  /** How long a payment may take from its answer until the list holds it. */
  readonly visibleMs: number;
  /** What an absent row waits for: a person's release, or nothing. */
  readonly policy: 'hold' | 'resend';
  /** Whether every run that sends begins with a pass, or only one whose ledger may not know all that was sent. */
  readonly presend: 'always' | 'suspect';
  /** The whole call's deadline: the horizon counts from its end. */
  readonly deadlineMs: number;
}

export type Stage = 'reading' | 'enrolling' | 'reconciling' | 'paying' | 'attaching' | 'settling' | 'reporting';

export interface Progress {
  readonly stage: Stage;
  readonly done: number;
  /** null while it is not known. */
  readonly total: number | null;
}

/** What new payments name to be told of their changes (interface 6). */
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
  /** What the service's words for a payment mean. */
  readonly statuses: Statuses;
  /** The policy in force; absent where none is named or found. `isKept`: the ledger remembers it, which holds for all but the console's own. */
  readonly policy?: { readonly path: string; readonly isKept: boolean };
  /** Absent: payments are only asked about. */
  readonly webhook?: Webhook;
  /** What webhooks name while payments are followed; absent: payments are only asked about, by the clock. */
  readonly hints?: Hints;
  /** What was last sent with these credentials, by whichever ledger; absent where nothing can come late. */
  readonly witness?: Witness;
  /** Aborted when a person or the system asks the run to stop: nothing new is sent, what is in flight ends. */
  readonly stop: AbortSignal;
  /** A worker leads: asked to stop, it leaves the batch to another one of its fleet, and nothing of it waits for a person. */
  readonly handsOver?: true;
  /** The watcher of a hot folder goes on by itself, and not with what a person stopped; its own signal stops it for others alone. */
  readonly watches?: true;
  /** Told when a batch is led as far as it goes: what is left is its result, which no signal stops. */
  readonly led?: () => void;
  /** The flags that lead a later command back to this service and ledger. */
  readonly again: string;
  progress(step: Progress): void;
  /** One plain sentence for the person, on stderr. */
  say(sentence: string): void;
}
