/** Reads the options of a batch's newest sheet. */
import type { Approval } from '../approval/approval.ts';
import type { RepeatedOptions } from '../domain/next-action.ts';
import type { BatchFacts, SheetFacts } from '../ledger/ledger.ts';

/** The plan under which a batch's newest sheet was accepted. */
export interface ApprovedPlan {
  readonly digest: string;
  readonly maker: string;
  readonly made_at: string;
  readonly expires_at: string;
  /** The service identity, and the choice to rename payees. A batch that continues must change neither. */
  readonly identity: string;
  readonly update_names: boolean;
  /** SHA-256 of the policy whose approvals the plan had; null if none were required. */
  readonly policy: string | null;
  readonly approvals: readonly Approval[];
}

/** Returns the plan from the sheet's options, which the trail covers; null if there is none. */
export function planOf({
  sheet: { options },
}: {
  readonly sheet: Pick<BatchFacts['sheet'], 'options'>;
}): ApprovedPlan | null {
  return (options.plan as ApprovedPlan | undefined) ?? null;
}

export const repeatedOf = ({ sheet: { options } }: { readonly sheet: Pick<SheetFacts, 'options'> }): RepeatedOptions =>
  (options.repeated as RepeatedOptions | undefined) ?? {};
