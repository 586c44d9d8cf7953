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
  /** The expected SHA-256 of the file. A file with another hash is not paid. */
  readonly sha256?: string;
  /** The id of the ledger's newest sheet when the program took the file; if absent, the newest sheet now counts. */
  readonly base?: number;
  /** The person who runs the batch. Another person has to release the batch's held rows. */
  readonly by?: string | null;
  /** The person who made the sheet, if no plan says so. */
  readonly maker?: string | null;
  /** The only plan that may be run; null runs without a plan. */
  readonly approve?: ApproveOrder | null;
}

export interface AdvanceOrder {
  readonly updateNames: boolean;
  /** True if the person confirmed that the rest belongs to this batch, which another ledger has paid in part. */
  readonly isMeant?: boolean;
  readonly skipInvalid: boolean;
  /** The folder of the result; null for the sheet's folder. */
  readonly outDir: string | null;
  readonly format: 'csv' | 'xlsx' | null;
  /** The path of the policy. Nothing of the batch is sent without the policy's approvals. */
  readonly policy?: string | null;
  readonly payees?: PayeeControl;
  readonly seen?: Seen;
}

export interface Seen {
  /** The text of `Fleet.standsAs` at the decision. If that text has changed since, another process leads the batch. */
  readonly opening?: string;
  /** The pause that this run ends, once Payrun is sure not to refuse the run. */
  readonly pause?: number;
  /** When the sheet arrived. A batch that a person stopped after that is not continued. */
  readonly at?: number;
}
