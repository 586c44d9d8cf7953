/** Declares the options with which commands start and continue runs. */
import type { RowRules } from '../domain/rows/line.ts';
import type { SheetOptions } from '../sheet/sheet.ts';
import type { TotalsOrder } from './controls/control-totals.ts';
import type { ApproveOrder } from './plans/approved.ts';
import type { PlanOrder } from './plans/plan.ts';
import type { Seen } from './seen.ts';

export interface RunOrder extends PlanOrder, AdvanceOrder {
  readonly controls?: TotalsOrder | null;
  readonly sheet: SheetOptions;
  readonly rules: Omit<RowRules, 'banks'>;
  readonly documentsFolder: string;
  readonly sha256?: string;
  /** The person who made the sheet. A run under a plan takes the plan's maker instead. */
  readonly maker?: string | null;
  readonly approve?: ApproveOrder | null;
}

export interface AdvanceOrder {
  readonly updateNames: boolean;
  readonly skipInvalid: boolean;
  readonly outDir: string | null;
  readonly format: 'csv' | 'xlsx' | null;
  readonly seen?: Seen | undefined;
}

export interface BatchOrder extends AdvanceOrder {
  readonly batch: string;
}
