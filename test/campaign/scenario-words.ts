/** The words of a scenario: places, lines and commands. */
import type { Command, Place } from './commands.ts';
import { type Line, newLine } from './sheet.ts';

export interface Scenario {
  readonly name: string;
  readonly commands: readonly Command[];
  /** How each row of the first ledger ends: `nov k1` is a word of a result. */
  readonly ends: Readonly<Record<string, string>>;
  /** The codes of the refused commands, in their order. */
  readonly refused?: readonly string[];
  /** The codes of the commands that stopped after they opened or continued a batch. */
  readonly stops?: readonly string[];
  readonly payments: number;
  /** True if no drawn list begins with it, because the reference knows no other course of it. */
  readonly isWhole?: true;
  /** True if few drawn lists reach its refusal, so that twice as many begin with it. */
  readonly isRare?: true;
}

export const nov: Place = { ledger: 0, batch: 'nov' };
export const dec: Place = { ledger: 0, batch: 'dec' };
export const [one, two, three, four] = [0, 1, 2, 3].map((debt) => newLine(debt)) as [Line, Line, Line, Line];
export const withoutId = (debt: number, more: Partial<Line> = {}) => newLine(debt, { hasId: false, ...more });
/** The same money for a name in capitals. */
export const renamed = (debt: number) => newLine(debt, { isRenamed: true });
type Run = Extract<Command, { readonly do: 'run' }>;
type PlanSheet = Extract<Command, { readonly do: 'plan' | 'propose' }>;
export const run = (place: Place, lines: readonly Line[], more: Partial<Run> = {}): Run => ({
  do: 'run',
  ...place,
  lines,
  add: false,
  drop: false,
  skips: true,
  confirms: false,
  ...more,
});
export const plan = (place: Place, lines: readonly Line[], more: Partial<PlanSheet> = {}): PlanSheet => ({
  do: 'plan',
  ...place,
  lines,
  add: true,
  drop: true,
  skips: true,
  again: false,
  ...more,
});
type Proposing = Extract<Command, { readonly do: 'propose' }>;
export const propose = (place: Place, lines: readonly Line[]): Proposing => ({ ...plan(place, lines), do: 'propose' });
export const wait = (minutes: number): Command => ({ do: 'wait', minutes });
export const days = (count: number): Command => wait(count * 24 * 60);
export const runPlan: Extract<Command, { readonly do: 'run plan' }> = { do: 'run plan', plan: 0 };
export const secondRefused = { fates: ['made', 'refused'] } as const;
export const both = { add: true, drop: true };
/** A plan of a batch's first version. */
export const first = { add: false, drop: false };
/** Stops before the first request. */
export const stopped = { stops: 30 };
/** The service refuses the request, and makes the payment. The process stops before it reads the list again. */
export const lied = { fates: ['lying'], stops: 46 } as const;
