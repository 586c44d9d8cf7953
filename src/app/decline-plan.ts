/** `decline`: ends a plan that waits for approval. Its signatures no longer count, and the batch can get another plan. */
import { type Doer, requireOther } from '../approval/approval.ts';
import { isoTime } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import type { UploadRecord, Uploads } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { putSignaturesAway } from '../pipeline/plans/plan-place.ts';

interface Decline {
  readonly upload: string;
  /** The digest of the plan that the person saw. */
  readonly digest: string;
  readonly reason: string;
  readonly by: { readonly id: number; readonly name: string };
}

type WaitingFacts = Readonly<{
  plan: Readonly<
    Record<'path' | 'digest' | 'rows', string> & { retry: object | null; request: { batch: string } }
  > | null;
}>;

/** An account stands for its person, because a name may have changed. */
export const preparersOf = (uploads: Uploads, upload: string): readonly Doer[] =>
  uploads.preparers(upload).map((account) => ({ name: null, account }));

export const isWaiting = ({ state }: UploadRecord) => state === 'planned' || state === 'approved';

/** `requireIdle` throws if a job works on the sheet, because the job may already pay the plan. */
export async function declinePlan(
  { ledger: { uploads }, clock }: Pick<Deps, 'ledger' | 'clock'>,
  { upload, digest, reason, by }: Decline,
  requireIdle: () => void,
): Promise<void> {
  const waiting = (record: UploadRecord | null) => {
    const facts = record === null ? null : (JSON.parse(record.facts) as WaitingFacts);
    if (record === null || !isWaiting(record) || facts?.plan?.digest !== digest) throw new PayrunError('MOVED', {});
    requireIdle();
    return { facts, file: record.file, ...facts.plan };
  };
  const { path, file, rows, retry, request } = waiting(uploads.find(upload));
  requireOther('decline', { name: by.name, account: by.id }, preparersOf(uploads, upload));
  const { batch } = request;
  const data = { upload, file, batch, plan: digest, rows, declined: reason };
  await uploads.change(
    upload,
    (now) => {
      // Checks again, because a payment may have begun.
      const declined = { by: by.name, at: isoTime(clock.now()), reason };
      const facts = JSON.stringify({ ...waiting(now).facts, declined });
      // The sheet stays a batch after a decline of its retry.
      return retry === null
        ? { facts, state: 'declined', message: JSON.stringify({ code: 'DECLINED', facts: { reason } }) }
        : { facts, state: 'batch', message: null };
    },
    { account: by.id, by: by.name, batch, did: 'plan-declined', data },
  );
  await putSignaturesAway(path).catch(() => undefined);
}
