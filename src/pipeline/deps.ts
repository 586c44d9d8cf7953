/** Declares the dependencies and limits that the stages of a run get. `cli/compose` creates them. */
import type { Clock } from '../base/clock.ts';
import type { Breaker, PayWindow } from '../base/faults/limits.ts';
import type { Secret } from '../base/secret.ts';
import type { PayoutClient } from '../client/client.ts';
import type { Caps } from '../domain/amounts/cap.ts';
import type { Note } from '../domain/note.ts';
import type { DocumentLimits } from '../domain/rows/document.ts';
import type { Actor } from '../domain/sending/actor.ts';
import { matchedDays } from '../domain/sending/match.ts';
import type { Statuses } from '../domain/sending/payment.ts';
import type { Ledger, Witness } from '../ledger/ledger.ts';
import type { Hints } from './webhooks/receiver.ts';

export interface ServiceFacts {
  readonly label: string;
  /** The base URL or `sandbox`, a hash of the API key, and the user. It identifies the tenant. */
  readonly identity: string;
  readonly embedded: boolean;
  /** True if payments are made with a user's token (interface 5.7). */
  readonly asUser: boolean;
}

export interface Limits {
  readonly concurrency: number;
  readonly callMs: number;
  /** How long a run polls open payments after it has sent the last one; 0 polls none. */
  readonly waitMs: number;
  /** The first pause before a poll. The pause grows while no payment ends. */
  readonly firstPollMs: number;
  /** How long Payrun waits at most for a probe's tag, and for the probe's payment in the list. */
  readonly probeMs: number;
  readonly doubt: DoubtSettings;
  readonly documents: DocumentLimits;
  readonly caps: Caps;
  readonly breaker: Breaker;
  /** `hold`: rows outside their rail's limits wait. `warn`: Payrun warns and sends them. `off`: it sends them. */
  readonly rails: 'hold' | 'warn' | 'off';
  /** `hold`: rows of payees with a changed account are held. `warn`: they are paid. `off`: accounts are not compared. */
  readonly payees: 'hold' | 'warn' | 'off';
  /** For how many days after a payment Payrun holds a row that repeats it. */
  readonly duplicatesWindow: number;
  /** The number of canaries. If absent, the batch keeps its number. */
  readonly canary?: number;
  /** Payments may be sent while all of these windows are open; at any time without one. */
  readonly payWindow: { readonly windows: readonly PayWindow[]; readonly outside: 'wait' | 'stop' };
  /** The caps and pay window of the command line, which the batch keeps. The limits above include them. */
  readonly said?: { readonly caps: Caps; readonly payWindow: string | null };
}

/** The limits of a command without settings and flags. */
export const usualLimits = {
  caps: {},
  breaker: { refusals: 10, doubts: { rows: 5, percent: 2 } },
  rails: 'warn',
  payees: 'hold',
  duplicatesWindow: matchedDays,
  payWindow: { windows: [], outside: 'stop' },
} as const satisfies Partial<Limits>;

export interface DoubtSettings {
  /** How long after the call's time limit a payment may still appear. */
  readonly horizonMs: number;
  /** The shortest time between the two scans that prove a payment absent. */
  readonly confirmMs: number;
  /** How long the service's lists may lack a new payment or merchant. */
  readonly visibleMs: number;
  /** `hold`: an absent row waits for a release. `resend`: Payrun releases it if the list shows a younger payment, or in the sandbox. */
  readonly policy: 'hold' | 'resend';
  /** `always`: a run scans before it sends. `suspect`: it scans only if its ledger may lack payments. */
  readonly presend: 'always' | 'suspect';
  /** The time limit of one call. The horizon begins when it is over. */
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
  /** The policy in force. `ofConsole` is true if the console made the policy from its settings. */
  readonly policy?: { readonly path: string; readonly ofConsole: boolean };
  readonly webhook?: Webhook;
  /** Payments that webhook calls named, and that Payrun then reads at the service. If absent, Payrun only polls. */
  readonly hints?: Hints;
  /** The file that records when any ledger last sent with these credentials; absent for the sandbox. */
  readonly witness?: Witness;
  /** Aborted when a person or the system stops the run. Payrun then sends nothing new, and calls under way finish. */
  readonly stop: AbortSignal;
  readonly actor: Actor;
  progress(step: Progress): void;
  say(note: Note): void;
}
