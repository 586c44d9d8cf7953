/** Reads the plan and the repeated options from the options of a sheet. */
import type { Approval } from '../approval/approval.ts';
import type { RepeatedOptions } from '../domain/next-action.ts';
import type { BatchFacts, SheetFacts } from '../ledger/ledger.ts';

export interface ApprovedPlan {
  readonly digest: string;
  readonly maker: string;
  readonly made_at: string;
  readonly expires_at: string;
  /** A run that continues the batch may not use another identity, nor rename payees if the plan does not. */
  readonly identity: string;
  readonly update_names: boolean;
  /** SHA-256 of the policy whose approvals the plan had; null if none were required. */
  readonly policy: string | null;
  readonly approvals: readonly Approval[];
}

export function planOf({
  sheet: { options },
}: {
  readonly sheet: Pick<BatchFacts['sheet'], 'options'>;
}): ApprovedPlan | null {
  return (options.plan as ApprovedPlan | undefined) ?? null;
}

export const repeatedOf = ({ sheet: { options } }: { readonly sheet: Pick<SheetFacts, 'options'> }): RepeatedOptions =>
  (options.repeated as RepeatedOptions | undefined) ?? {};
