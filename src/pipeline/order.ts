/** Declares the options with which commands start and continue runs. */
import type { RowRules } from '../domain/rows/line.ts';
import type { SheetOptions } from '../sheet/sheet.ts';
import type { TotalsOrder } from './controls/control-totals.ts';
import type { ApproveOrder } from './plans/approved.ts';
import type { PlanOrder } from './plans/plan.ts';

export interface RunOrder extends PlanOrder, AdvanceOrder {
  readonly controls?: TotalsOrder;
  readonly sheet: SheetOptions;
  readonly rules: Omit<RowRules, 'banks'>;
  readonly documentsFolder: string;
  readonly sha256?: string;
  /** The id of the ledger's newest sheet when the program took the file. If absent, the newest sheet at the start of the run counts. */
  readonly base?: number;
  /** The person who made the sheet. A run under a plan takes the plan's maker instead. */
  readonly maker?: string | null;
  readonly approve?: ApproveOrder | null;
}

export interface AdvanceOrder {
  readonly updateNames: boolean;
  readonly skipInvalid: boolean;
  readonly outDir: string | null;
  readonly format: 'csv' | 'xlsx' | null;
  readonly seen?: Seen;
}

/** An order about one batch of the ledger. */
export interface BatchOrder extends AdvanceOrder {
  readonly batch: string;
}

/** The state of the batch when a person or a worker decided on the command. If it differs later, the command is refused. */
export interface Seen {
  /** The text of `Fleet.standsAs` when the run was decided on. If it differs later, somebody opened, closed, stopped or scheduled the batch. */
  readonly opening?: string;
  /** The id of the Stop on a person's page, which the run ends after its checks; null for none. */
  readonly pause?: number | null;
  /** When the sheet arrived. The run is refused if a person stopped the batch after that. */
  readonly at?: number;
  /** The text of `standingOf` of the rows that the command names. */
  readonly rows?: string;
  /** The text of `standingOfBatch`. */
  readonly standing?: string;
}
