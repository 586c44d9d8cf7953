/** How a payment run would differ from its plan. */
import type { FoundProblem } from '../problem.ts';
import type { Money, ShownIdentity, Words } from '../words.ts';
import type { Breaker, PayWindow } from './limits.ts';

type Value = string | number | boolean | null;
/** The limits of a plan that are more than one value. */
type LimitFacts =
  | { readonly caps: { readonly [money: string]: { readonly [kind: string]: string } } }
  | { readonly windows: readonly PayWindow[] }
  | Breaker;
type Change = { was: Value; now: Value };

/** A setting that must be the same in a run and in its plan. A changed limit has its own fault, `limit-differs`. */
export type PlanSetting =
  Words<'batch add drop skip_invalid update_names repeat series confirm_variance choices skipped canary'>;

export interface NamedMerchant {
  readonly use: 'create' | 'reuse' | 'rename' | 'unclear';
  readonly id: string | null;
  readonly service_name: string | null;
  readonly name: string;
}

type NamedRow = Money & { row: number; name: string; reference: string };

export interface PlanFaults {
  'setting-differs': { name: PlanSetting } & Change;
  'identity-differs': { was: ShownIdentity; now: ShownIdentity };
  'limit-differs': { name: string; was: Value | LimitFacts; now: Value | LimitFacts };
  'cell-differs': { row: number; column: string } & Change;
  'effect-differs': { row: number; was: string; now: string };
  'sheet-lacks-row': NamedRow;
  'plan-lacks-row': NamedRow;
  'rows-moved': { rows: number; row: number; was: number };
  'payee-is-twice': { row: number };
  'payee-is-unnamed': { row: number; name: string };
  'payee-differs': { row: number; was: NamedMerchant; now: NamedMerchant };
  'warning-is-new': { row: number | null; problem: FoundProblem };
  'warning-is-gone': { problem: FoundProblem };
  'plan-is-from-future': { madeAt: number; now: number };
  'plan-is-over': { expiredAt: number; now: number };
}
