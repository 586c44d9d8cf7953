/** What everything in one story shares: its time, its chance, its parameters, and the lines that tell it. */
import { type Chance, chanceFrom } from './chance.ts';
import { newTimeline, type Timeline } from './clock.ts';
import type { Parameters } from './parameters.ts';

/** Protections taken away on purpose: the oracle must then find what they protect from. */
export type Tamper = 'intent-after-send' | 'ready-at-recovery' | 'pass-sees-nothing' | 'pass-sees-own-run-only';

/** What becomes of a payment that is asked for: what the service does, and what the client hears of it. */
export type PaymentFate =
  | 'made'
  /** Made at once, and answered long after that. */
  | 'slow'
  | 'not-sent'
  | 'lost'
  | 'answer-lost'
  | 'late'
  | 'fails-before'
  | 'fails-after'
  | 'cut'
  | 'busy'
  | 'unauthorized'
  | 'forbidden'
  | 'refused'
  | 'lying'
  | 'without-status'
  | 'other-id';

export interface Story {
  readonly parameters: Parameters;
  readonly timeline: Timeline;
  readonly tamper: Tamper | null;
  /** Faults happen until this is set. */
  calm: boolean;
  /** What becomes of the next payments that are asked for, one after the other; then chance decides again. */
  readonly fates: PaymentFate[];
  /** Everything that happened, one line each; the same seed gives the same lines. */
  readonly trace: string[];
  /** What no story may contain, as it was found. */
  readonly violations: Violation[];
  chance(purpose: string): Chance;
  tell(who: string, what: string): void;
  blame(property: Property, what: string): void;
}

export type Property =
  | 'one payment each'
  | 'doubles are told'
  | 'paid means success'
  | 'none is hidden'
  | 'late success is seen'
  | 'every row once'
  | 'sums'
  | 'right end'
  | 'doubt is not failure'
  | 'ends'
  | 'trail'
  | 'no crash'
  | 'no hang';

export interface Violation {
  readonly property: Property;
  readonly what: string;
}

export function newStory(parameters: Parameters, tamper: Tamper | null): Story {
  const timeline = newTimeline();
  const trace: string[] = [];
  const violations: Violation[] = [];
  const tell = (who: string, what: string) => {
    trace.push(`${timeText(timeline.now())}  ${who.padEnd(8)} ${what}`);
  };
  return {
    parameters,
    timeline,
    tamper,
    calm: false,
    fates: [],
    trace,
    violations,
    chance: (purpose) => chanceFrom(`${purpose} ${parameters.seed}`),
    tell,
    blame(property, what) {
      violations.push({ property, what });
      tell('oracle', `VIOLATION (${property}): ${what}`);
    },
  };
}

/** `1d 02:03:04.567` since the story began. */
function timeText(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  return `${String(days).padStart(2)}d ${new Date(ms).toISOString().slice(11, 23)}`;
}
