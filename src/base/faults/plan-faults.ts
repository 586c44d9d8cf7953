/** How a payment run would differ from its plan. */
import type { FoundProblem } from '../problem.ts';
import type { Money, ShownIdentity } from '../words.ts';
import type { Breaker, PayWindow } from './limits.ts';

type Value = string | number | boolean | null;
type Change = { was: Value; now: Value };
/** A setting of a plan. Some settings are more than one value. */
export type PlanSetting =
  | Value
  | { readonly [money: string]: { readonly [kind: string]: string } }
  | readonly PayWindow[]
  | Breaker;

export interface NamedMerchant {
  readonly use: 'create' | 'reuse' | 'rename' | 'unclear';
  readonly id: string | null;
  readonly service_name: string | null;
  readonly name: string;
}

type NamedRow = Money & { row: number; name: string; reference: string };

export interface PlanFaults {
  /** A setting that must be the same in a run and in its plan. */
  'setting-differs': { name: string; was: PlanSetting; now: PlanSetting };
  'identity-differs': { was: ShownIdentity; now: ShownIdentity };
  'cell-differs': { row: number; column: string } & Change;
  'effect-differs': { row: number; was: string; now: string };
  'sheet-lacks-row': NamedRow;
  'plan-lacks-row': NamedRow;
  'payee-differs': { row: number; was: NamedMerchant | null; now: NamedMerchant };
  'warning-is-new': { row: number | null; problem: FoundProblem };
  'warning-is-gone': { problem: FoundProblem };
  'plan-is-from-future': { madeAt: number; now: number };
  'plan-is-over': { expiredAt: number; now: number };
}
