/** The next actions that Payrun offers. `messages/next-actions.ts` has the command or the button for each. */
import type { Signing, Some } from '../base/refusal.ts';
import type { Each, NotedRow, Words } from '../base/words.ts';
import type { AccountChecks } from './accounts/account-number.ts';
import type { NumberFormat } from './amounts/money.ts';
import type { DocumentsPolicy } from './rows/line.ts';
import type { DoubtWait } from './sending/doubt.ts';
import type { ReasonOf } from './sending/reason.ts';

/**
 * Options that the next command repeats from this command. Paths are absolute. `allowMomoPush` is the most rows that may ask
 * a phone for money; if it is empty, only the setting kenya.prompts limits these rows.
 */
export interface RepeatedOptions
  extends Partial<
    Each<'batchIfNew sheet corrections fromCountry documents allowMomoPush payWindow outside canary series', string> &
      Each<'variance maker webhookUrl listen concurrency out map', string> &
      Each<'includeHidden skipInvalid updateNames', boolean> &
      Each<'expect cap only ignoreColumn', readonly string[]>
  > {
  readonly numberFormat?: NumberFormat;
  readonly documentsPolicy?: DocumentsPolicy;
  readonly accountChecks?: AccountChecks;
  readonly format?: 'csv' | 'xlsx';
}

/**
 * The rows in doubt that a scan may settle. `wait` is about the row that was sent last. `firstAt` is the earliest time to
 * settle another row; null if no row can be settled earlier.
 */
export type DoubtNamed = Readonly<{ rows: Some<NotedRow>; wait: DoubtWait; firstAt: number | 'now' | null }>;

export interface OfBatch {
  readonly batch: string;
}

export interface OfRow extends OfBatch {
  readonly row: string;
}

/** The state that a person saw. The command carries it, and is refused after a change. */
export interface ShownState {
  readonly seen: string;
}

interface Signed {
  readonly signs: Signing;
}

/** A sheet to read again. If `batch` is null, Payrun makes the batch's name from the sheet's rows. */
interface OfSheet {
  readonly file: string;
  readonly batch: string | null;
  readonly options: RepeatedOptions;
}

/** `add`: Payrun accepts rows that are new in the sheet. `drop`: Payrun closes the unpaid rows that the sheet lacks. */
interface VersionFlags {
  readonly add: boolean;
  readonly drop?: boolean;
}

/** The rows that the command's comment names; null if the person named the row. */
interface Named {
  readonly named: Some<NotedRow> | null;
}

interface ActionFacts extends Each<'list-rows show-deposits rebind pause', OfBatch> {
  /** `doubt` is null if the scan is for another purpose, such as a search for rows that were paid twice. */
  reconcile: OfBatch & { readonly doubt: DoubtNamed | null };
  /** `past-canary`: sends all rows now, although the canaries are not paid yet. */
  resume: OfBatch & { readonly why: 'past-canary' | null };
  /** `rows` has the keys of the rows to retry, and `seen` their state; both are null for all unpaid rows. `count` is the number of unpaid rows. */
  retry: OfBatch & Readonly<{ rows: readonly string[] | null; seen: string | null; count: number | null }>;
  /** `row` is null for all absent rows. `rows` is null if the caller names the row itself. */
  'release-absent': OfBatch &
    Signed &
    ShownState & { readonly row: string | null; readonly rows: Some<NotedRow> | null };
  report: OfBatch & { readonly needsFolder: boolean };
  'end-plan': OfBatch & { readonly ending: 'decline' | 'withdraw' };
  /** A null `batch` ends the pause of all batches. `pause` is the id of the pause that the person saw. */
  'end-pause': { readonly batch: string | null; readonly pause: number };
  'drop-rows': OfBatch & ShownState & Named & { readonly rows: readonly string[] };
  'reopen-rows': OfBatch & Signed & ShownState & { readonly rows: readonly string[] };
  'explain-row': OfRow & Named;
  /** `--by` names a second person if no policy applies. `named` starts with the row, and has further rows to release. */
  'release-row': OfRow & Signed & ShownState & Named;
  'resolve-known': OfRow & ShownState & Named;
  'resolve-paid': OfRow & ShownState & { readonly payment: string };
  'resolve-not-paid': OfRow & Signed & ShownState;
  'allow-repeat': OfRow &
    Signed &
    ShownState & { readonly named: (Some<NotedRow> & Pick<ReasonOf<'looks-paid'>, 'to'>) | null };
  /** `corrected`: a person corrects unpaid rows in the sheet, or removes them. */
  'run-sheet': OfSheet & VersionFlags & { readonly why: 'corrected' | null };
  /** Pays a sheet again as this new batch, although its rows look paid. The person gives the reason. */
  'repeat-sheet': OfSheet & Signed;
  /** `row`: the plan's only row. `unpaid`: the plan retries unpaid rows. */
  'plan-sheet': OfSheet &
    VersionFlags &
    Signed & { readonly retry: 'all' | readonly string[]; readonly why: 'corrected' | null };
  'approve-plan': Signed & { readonly plan: string };
  /** `needsReason`: the variance check stops the batch until a person gives a reason. */
  'run-plan': { readonly plan: string; readonly digest: string; readonly needsReason: boolean };
  'list-batches': object;
  'copy-ledger': { readonly from: string; readonly to: string };
  'open-copy': OfBatch & { readonly ledger: string };
}

export type ActionKind = keyof ActionFacts;

export type ActionNamed = { [K in ActionKind]: { readonly action: K } & ActionFacts[K] }[ActionKind];

/** The actions after which rows may be sent, so that a policy asks for an approver's signature. */
export type SignedKind = { [K in ActionKind]: ActionFacts[K] extends Signed ? K : never }[ActionKind];

export type ActionOf<K extends ActionKind> = Extract<ActionNamed, { readonly action: K }>;

/** `notBefore` is the earliest time for the action, in milliseconds since 1970; null for now. */
export type NextAction = ActionNamed & { readonly notBefore: number | null };

export const atOnce = (action: ActionNamed): NextAction => ({ ...action, notBefore: null });

export const stepAt = (action: ActionNamed, moment: number | null, { now }: { readonly now: number }): NextAction => ({
  ...action,
  notBefore: moment !== null && moment > now ? moment : null,
});

export const resumeOf = (batch: string): ActionNamed => ({ action: 'resume', batch, why: null });

export type RowEffect = Words<
  | 'ends-two-payments sends scans sends-absent releases-account releases-repeat drops corrects reopens takes-back'
  | 'accepts-payment denies-payment asks-service plans-retry retries'
>;
