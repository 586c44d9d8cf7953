/** The orders that a command gives to a run. */
import type { RowRules } from '../domain/rows/line.ts';
import type { SheetOptions } from '../sheet/sheet.ts';
import type { TotalsOrder } from './controls/control-totals.ts';
import type { PayeeControl } from './controls/payee-control.ts';
import type { ApproveOrder } from './plans/approved.ts';
import type { PlanOrder } from './plans/plan.ts';

export interface RunOrder extends PlanOrder, AdvanceOrder {
  readonly controls?: TotalsOrder;
  readonly sheet: SheetOptions;
  /** The rules for rows, except for the banks, which the service lists. */
  readonly rules: Omit<RowRules, 'banks'>;
  readonly documentsFolder: string;
  /** A file with another digest is not paid. */
  readonly sha256?: string;
  /** The ledger's newest sheet when the file was taken; absent takes the newest one now. */
  readonly base?: number;
  /** A different person has to release the held rows. */
  readonly by?: string | null;
  /** The person who made the sheet, if no plan says so. */
  readonly maker?: string | null;
  /** The only plan that may be run; null runs without a plan. */
  readonly approve?: ApproveOrder | null;
}

export interface AdvanceOrder {
  readonly updateNames: boolean;
  /** The person says that what is left belongs to a batch which another ledger paid in part. */
  readonly isMeant?: boolean;
  readonly skipInvalid: boolean;
  /** The folder of the result; null for the sheet's folder. */
  readonly outDir: string | null;
  readonly format: 'csv' | 'xlsx' | null;
  /** Nothing of the batch is sent without this policy's approvals. */
  readonly policy?: string | null;
  readonly payees?: PayeeControl;
  readonly seen?: Seen;
}

export interface Seen {
  /** The opening's version (Fleet.standsAs). If it is another one now, somebody else leads. */
  readonly opening?: string;
  /** The pause that this run ends, once nothing refuses it. */
  readonly pause?: number;
  /** The time at which the sheet came. A batch that a person stopped after that is not continued. */
  readonly at?: number;
}
