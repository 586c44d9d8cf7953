/** A next action (domain/next-action.ts). */
export interface Action {
  readonly action: string;
}

/** A sentence with or without next actions (messages/passage.ts). */
export type Wording = string | { readonly parts: readonly (string | Action)[] };

/**
 * The refusals and failures that Payrun expects in operation, as facts: one code for each, in the order of a run. Their sentences
 * are in `src/messages/refusals.ts`. Facts are plain data, since trail entries, closings and `--json` hold them.
 */
export interface RefusalFacts {
  // Usage and configuration: nothing was sent.
  USAGE: { readonly detail: Wording };
  CONFIG: { readonly detail: string };
  CREDENTIALS_MISSING: { readonly missing: string };
  FILE_UNREADABLE: { readonly path: string; readonly detail: Wording };
  MAP_UNUSABLE: { readonly map: string; readonly detail: string };
  CORRECTIONS_UNUSABLE: { readonly path: string; readonly detail: string };
  FOLDER_UNWRITABLE: { readonly path: string; readonly detail: string };
  FOLDER_UNUSABLE: { readonly path: string; readonly detail: string };
  DISK_UNWRITABLE: { readonly path: string; readonly detail: string };
  COPIES_UNWRITABLE: { readonly path: string; readonly detail: string };
  FOLDER_BUSY: { readonly path: string; readonly holder: string };
  // The sheet.
  SHEET_REFUSED: { readonly detail: string };
  SHEET_CHANGED: { readonly path: string };
  TOTALS_DIFFER: { readonly detail: string };
  OVER_CAP: { readonly detail: string };
  VARIANCE: { readonly detail: string };
  // The ledger.
  LEDGER_BUSY: { readonly path: string; readonly holder: string };
  LEDGER_OF_OTHER_BUILD: { readonly path: string; readonly other: string; readonly build: string };
  LEDGER_UNUSABLE: { readonly path: string; readonly detail: string };
  LEDGER_UNWRITABLE: { readonly path: string; readonly detail: string };
  LEDGER_DAMAGED: { readonly detail: string };
  BATCH_UNKNOWN: { readonly batch: string; readonly again?: string };
  BATCH_CHANGED: { readonly detail: Wording };
  REPEATS_A_DOUBT: { readonly row: number; readonly other: string; readonly batch: string; readonly next: Action };
  CORRECTION_WAITS: { readonly detail: string };
  SHEET_OVERTAKEN: { readonly detail: string };
  IDENTITY_CHANGED: { readonly batch: string; readonly was: string; readonly now: string; readonly command: Action };
  IDENTITY_UNPROVEN: {
    readonly batch: string;
    readonly was: string;
    readonly now: string;
    readonly payment: string;
    readonly row: string;
  };
  // The plan and its approval: nothing was sent.
  PLAN_REFUSED: { readonly detail: Wording };
  APPROVAL_MISSING: { readonly detail: Wording };
  POLICY_NOT_FOUND: { readonly path: string };
  POLICY_DIFFERS: { readonly path: string; readonly last: string };
  POLICY_UNUSABLE: { readonly path: string; readonly detail: string };
  KEY_UNUSABLE: { readonly path: string; readonly detail: string };
  // The service.
  SERVICE_UNREACHABLE: { readonly service: string; readonly detail: string };
  SERVICE_ANSWER: { readonly what: string; readonly detail: string };
  SERVICE_UNREADABLE: { readonly service: string; readonly count: number; readonly detail: string };
  REFUSED_IN_A_ROW: { readonly count: number; readonly detail: string };
  SERVICE_REFUSED: { readonly detail: string };
  CREDENTIALS_REFUSED: { readonly detail: string };
  SERVICE_BUSY: { readonly detail: string };
  TAG_LOST: { readonly detail: string };
  PASS_INCOMPLETE: { readonly detail: string };
  OTHER_LEDGER: { readonly detail: string; readonly until: number };
  PAID_TWICE: { readonly detail: Wording };
  PAYMENT_UNDONE: { readonly rows: number; readonly named: string };
  DEPOSIT_CHANGED: { readonly rows: number; readonly shown: string; readonly command: Action };
  CANARY_OPEN: { readonly rows: number; readonly paid: number };
  CANARY_UNPAID: { readonly row: string; readonly reason: string; readonly batch: string };
  RAIL_SHUT: { readonly rows: number; readonly until: number };
  OUTSIDE_PAY_WINDOW: { readonly window: string; readonly until: number };
  // Stopped by a person.
  PAUSED: { readonly batch: string; readonly reason: string };
  PLANNED_SINCE: { readonly batch: string };
  STOPPED_BEFORE: { readonly batch: string; readonly command: Action };
  /** `signal`: null for an unnamed one. `hasEnded`: what was in flight has ended. */
  STOPPED: { readonly signal: string | null; readonly hasEnded: boolean };
}

export type ErrorCode = keyof RefusalFacts;

export type Refusal<C extends ErrorCode = ErrorCode> = {
  readonly [K in C]: { readonly code: K; readonly facts: RefusalFacts[K] };
}[C];
