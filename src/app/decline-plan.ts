/** `decline`: ends a plan that waits for approval. Its signatures no longer count, and the batch can get another plan. */
import { type Doer, requireOther } from '../approval/approval.ts';
import { isoTime } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import type { UploadChanges, UploadRecord, Uploads } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { putSignaturesAway } from '../pipeline/plans/plan-place.ts';
import { requireOwnWords } from './batch/own-words.ts';

interface Decline {
  readonly upload: string;
  /** The digest of the plan that the person saw. */
  readonly digest: string;
  readonly reason: string;
  readonly by: { readonly id: number; readonly name: string };
}

interface WaitingPlan extends Readonly<Record<'path' | 'digest' | 'rows' | 'batch', string>> {
  readonly isRetry: boolean;
}

/** The private records of a shell, which a use case does not read. */
interface SheetDesk {
  planOf(record: UploadRecord): WaitingPlan | null;
  declined(record: UploadRecord, by: Readonly<Record<'by' | 'at' | 'reason', string>>): ReturnType<UploadChanges>;
  /** Throws if a job works on the sheet, because the job may already pay the plan. */
  requireIdle(): void;
}

/** An account stands for its person, because a name may have changed. */
export const preparersOf = (uploads: Uploads, upload: string): readonly Doer[] =>
  uploads.preparers(upload).map((account) => ({ name: null, account }));

export const isWaiting = ({ state }: UploadRecord) => state === 'planned' || state === 'approved';

export async function declinePlan(
  { ledger: { uploads }, clock }: Pick<Deps, 'ledger' | 'clock'>,
  { upload, digest, reason, by }: Decline,
  desk: SheetDesk,
): Promise<void> {
  requireOwnWords(reason);
  const waiting = (record: UploadRecord | null) => {
    const plan = record === null || !isWaiting(record) ? null : desk.planOf(record);
    if (record === null || plan?.digest !== digest) throw new PayrunError('MOVED', {});
    desk.requireIdle();
    return { ...plan, file: record.file };
  };
  const { path, file, rows, batch, isRetry } = waiting(uploads.find(upload));
  requireOther('decline', { name: by.name, account: by.id }, preparersOf(uploads, upload));
  const data = { upload, file, batch, plan: digest, rows, declined: reason };
  await uploads.change(
    upload,
    (now) => {
      // Checks again, because a payment may have begun.
      waiting(now);
      const kept = desk.declined(now, { by: by.name, at: isoTime(clock.now()), reason });
      // The sheet stays a batch after a decline of its retry.
      return isRetry ? { ...kept, state: 'batch', message: null } : { ...kept, state: 'declined' };
    },
    { account: by.id, by: by.name, batch, did: 'plan-declined', data },
  );
  await putSignaturesAway(path).catch(() => undefined);
}
