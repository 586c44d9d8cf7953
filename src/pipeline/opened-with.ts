/** The plan and the options with which the sheet of a batch was run, and commands that repeat them. */
import type { Approval } from '../approval/approval.ts';
import type { Signing } from '../base/refusal.ts';
import type { Each } from '../base/words.ts';
import type { ActionOf, RepeatedOptions } from '../domain/next-action.ts';
import type { NoteOf } from '../domain/note.ts';
import { rowOfContent } from '../domain/rows/digest.ts';
import type { BatchFacts, Ledger, LedgerRow, SheetFacts } from '../ledger/ledger.ts';
import { choiceLists, type SheetOptions } from '../sheet/sheet.ts';

export interface ApprovedPlan extends Each<'digest maker made_at expires_at', string> {
  /** A run that continues the batch may not use another identity, nor rename payees if the plan does not. */
  readonly identity: string;
  readonly update_names: boolean;
  /** SHA-256 of the policy whose approvals the plan had; null if none were required. */
  readonly policy: string | null;
  readonly approvals: readonly Approval[];
}

type WithOptions = { readonly sheet: Pick<SheetFacts, 'options'> };

export const planOf = ({ sheet: { options } }: WithOptions): ApprovedPlan | null =>
  (options.plan as ApprovedPlan | undefined) ?? null;

const repeatedOf = ({ sheet: { options } }: WithOptions): RepeatedOptions =>
  (options.repeated as RepeatedOptions | undefined) ?? {};

export const runAgain = (batch: BatchFacts): ActionOf<'run-sheet'> => ({
  action: 'run-sheet',
  file: batch.sheet.origin,
  batch: batch.name,
  options: repeatedOf(batch),
  add: false,
  why: null,
});

export const planAgain = (
  batch: BatchFacts,
  signs: Signing,
  retry: ActionOf<'plan-sheet'>['retry'] = [],
): ActionOf<'plan-sheet'> => ({ ...runAgain(batch), action: 'plan-sheet', signs, retry, why: null });

/** Once a ledger has known a policy, an approver signs each decision after which its rows may be sent. */
export async function signingOf({ trail }: Pick<Ledger, 'trail'>): Promise<Signing> {
  const policy = (await trail.entries(null, 'policy')).at(-1);
  return policy === undefined ? 'no' : policy.data.ofConsole === true ? 'console' : 'key';
}

/** A corrected line without an id is a new row. `rows` is empty if only such lines have mistakes. */
export function correctedSheet(batch: BatchFacts, signs: Signing, rows: readonly LedgerRow[]) {
  const hasIds = rows.length > 0 && rows.every(({ content, number }) => rowOfContent(content, number).rowId !== null);
  return { ...(planOf(batch) === null ? runAgain(batch) : planAgain(batch, signs)), add: !hasIds, drop: !hasIds };
}

export function planNotes(batch: BatchFacts, of: NoteOf<'under-plan'>['of'] = 'batch'): NoteOf<'under-plan'>[] {
  const plan = planOf(batch);
  if (plan === null) return [];
  const { digest, maker } = plan;
  const approvals = plan.approvals.map(({ approver, fingerprint }) => ({ approver, fingerprint }));
  return [{ note: 'under-plan', of, plan: { digest, maker, approvals } }];
}

export function readingOptions({ map, choices }: SheetOptions): RepeatedOptions {
  const { only, ignoreColumn } = choiceLists(choices);
  return {
    ...(map === undefined ? {} : { map: map.name }),
    ...(only.length === 0 ? {} : { only }),
    ...(ignoreColumn.length === 0 ? {} : { ignoreColumn }),
  };
}
