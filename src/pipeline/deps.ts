/** The dependencies of every stage. `cli/compose` creates them once, and closes them in reverse order. */
import type { Clock } from '../base/clock.ts';
import type { Secret } from '../base/secret.ts';
import type { PayoutClient } from '../client/client.ts';
import type { Caps } from '../domain/amounts/cap.ts';
import type { PayWindow } from '../domain/calendar/pay-window.ts';
import type { Note } from '../domain/note.ts';
import type { DocumentLimits } from '../domain/rows/document.ts';
import type { Actor } from '../domain/sending/actor.ts';
import type { Statuses } from '../domain/sending/payment.ts';
import type { Ledger, Witness } from '../ledger/ledger.ts';
import type { Hints } from './webhooks/receiver.ts';

export interface ServiceFacts {
  /** `sandbox` or the base URL, as people see it. */
  readonly label: string;
  /** Base URL, hash of the API key, kind of token and user: they identify the owner of the payments. */
  readonly identity: string;
  readonly embedded: boolean;
  /** True if payments are made with a user's token (interface 5.7). */
  readonly asUser: boolean;
}

export interface Limits {
  readonly concurrency: number;
  /** The deadline of a whole call, in milliseconds. */
  readonly callMs: number;
  /** How long a run follows payments after the last one was sent; 0 follows none. */
  readonly waitMs: number;
  /** The first pause between two polls. Later pauses are longer. */
  readonly firstPollMs: number;
  /** The longest wait until the service shows the first payment of a country and funding source. */
  readonly canaryMs: number;
  readonly doubt: DoubtSettings;
  readonly documents: DocumentLimits;
  readonly caps?: Caps;
  /** When sending stops by itself; if absent, `defaultBreaker`. */
  readonly breaker?: Breaker;
  /** The handling of rows above their rail's limit. If absent, they are sent and the service decides. */
  readonly rails?: 'hold' | 'warn' | 'off';
  /** For how many days after a payment Payrun holds a row that repeats it; if absent, `defaultWindowDays`. */
  readonly duplicatesWindow?: number;
  /** How many rows must be paid before any other is sent. If absent, the batch keeps the number that it has. */
  readonly canary?: number;
  /** Payments may be sent while all of these windows are open. If absent, they may be sent at any time. */
  readonly payWindow?: { readonly windows: readonly PayWindow[]; readonly outside: 'wait' | 'stop' };
  /** The caps and the pay window from the command line. The limits above already include them. */
  readonly said?: { readonly caps: Caps; readonly payWindow: string | null };
}

export interface Breaker {
  readonly refusals: number;
  /** Sending stops when the rows in doubt exceed both limits: a number of rows, and a share of the batch. */
  readonly doubts: { readonly rows: number; readonly percent: number };
}

export const defaultBreaker: Breaker = { refusals: 10, doubts: { rows: 5, percent: 2 } };

export interface DoubtSettings {
  /** How long after its request's deadline a payment may still appear. */
  readonly horizonMs: number;
  /** The shortest time between the two scans that prove a payment absent. */
  readonly confirmMs: number;
  /** How long after its answer a payment may still be missing from the list. */
  readonly visibleMs: number;
  /** `hold`: an absent row waits until a person releases it. `resend`: an absent row may be sent again without a person. */
  readonly policy: 'hold' | 'resend';
  /** `always`: every sending run begins with a scan. `suspect`: a run begins with a scan only if its ledger may lack payments. */
  readonly presend: 'always' | 'suspect';
  /** The deadline of a whole call, after which the horizon begins. */
  readonly deadlineMs: number;
}

export type Stage = 'reading' | 'enrolling' | 'reconciling' | 'paying' | 'attaching' | 'settling' | 'reporting';

export interface Progress {
  readonly stage: Stage;
  readonly done: number;
  readonly total: number | null;
}

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
  readonly statuses: Statuses;
  /** The policy in force. `ofConsole` is true if the console made the policy from the console's settings. */
  readonly policy?: { readonly path: string; readonly ofConsole: boolean };
  /** The webhook for new payments. If absent, Payrun only polls. */
  readonly webhook?: Webhook;
  /** Webhook calls that name payments, which Payrun then reads at the service. If absent, Payrun only polls. */
  readonly hints?: Hints;
  /** The file that records when any ledger last sent with these credentials. Absent if no payment can appear late. */
  readonly witness?: Witness;
  /** Aborted when a person or the system stops the run. Payrun then sends nothing new, and calls under way end. */
  readonly stop: AbortSignal;
  readonly actor: Actor;
  progress(step: Progress): void;
  say(note: Note): void;
}
