/** What a batch's newest sheet was read and paid with. */
import type { Approval } from '../approval/approval.ts';
import type { BatchFacts } from '../ledger/ledger.ts';

/** The plan that a batch's newest sheet was taken in under. */
export interface ApprovedPlan {
  readonly digest: string;
  readonly maker: string;
  readonly made_at: string;
  readonly expires_at: string;
  /** Whose money it is, and whether payees are renamed: to go on with the batch changes neither. */
  readonly identity: string;
  readonly update_names: boolean;
  /** SHA-256 of the policy that its approvals were held against; null where none were asked for. */
  readonly policy: string | null;
  readonly approvals: readonly Approval[];
}

/** It stands among the options of the sheet, which the trail binds; null of a batch that nobody's plan was asked for. */
export function planOf({
  sheet: { options },
}: {
  readonly sheet: Pick<BatchFacts['sheet'], 'options'>;
}): ApprovedPlan | null {
  return (options.plan as ApprovedPlan | undefined) ?? null;
}

/** The options that the newest sheet was read and paid with, for a command that reads it again. */
export function flagsOf({ sheet: { options } }: BatchFacts): string {
  return typeof options.flags === 'string' ? options.flags : '';
}
