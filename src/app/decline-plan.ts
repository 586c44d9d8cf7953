/** `decline`: ends a plan that waits for approval. Its signatures no longer count, and the batch can get another plan. */
import { type Person, whyNotOther } from '../approval/approval.ts';
import { isoTime } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { proposalWaits, type UploadRecord, type Uploads } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { Done } from '../pipeline/outcome.ts';
import { putSignaturesAway } from '../pipeline/plans/plan-place.ts';
import { requireOwnWords } from './batch/own-words.ts';

interface Decline {
  readonly upload: string;
  readonly reason: string;
  /** The plan that the person saw. */
  readonly plan: Readonly<Record<'path' | 'digest' | 'rows' | 'batch', string>> & { readonly isRetry: boolean };
  /** Throws while a job works on the sheet, because the job may pay the plan. */
  readonly requireIdle: () => void;
  /** Returns the shell's own facts of the sheet, with the decline. */
  readonly factsWith: (now: UploadRecord, declined: Readonly<Record<'by' | 'at' | 'reason', string>>) => string;
}

export const isWaiting = ({ state }: UploadRecord) => state === 'planned' || state === 'approved';

/** Returns why the person may not decline the plan; null if they may. */
export function whyNotDecline(uploads: Uploads, record: UploadRecord, person: Person): PayrunError | null {
  if (!isWaiting(record)) return new PayrunError('PLAN_MOVED', {});
  // An account stands for its person, because a name may have changed.
  const preparers = uploads.preparers(record.id).map((account) => ({ name: null, account }));
  return whyNotOther('decline', person, preparers);
}

export async function declinePlan(
  { ledger: { uploads }, clock }: Pick<Deps, 'ledger' | 'clock'>,
  { upload, reason, plan: { path, digest, rows, batch, isRetry }, requireIdle, factsWith }: Decline,
  person: { readonly name: string; readonly account: number },
): Promise<Done> {
  requireOwnWords(reason);
  const waiting = (record: UploadRecord | null) => {
    requireIdle();
    if (record?.plan !== digest) throw new PayrunError('PLAN_MOVED', {});
    const why = whyNotDecline(uploads, record, person);
    if (why !== null) throw why;
    return record;
  };
  const { file } = waiting(uploads.find(upload));
  const { name: by, account } = person;
  const data = { upload, file, batch, plan: digest, rows, declined: reason };
  await uploads.change(
    upload,
    (now) => ({
      // Checks again, because a payment may have begun.
      facts: factsWith(waiting(now), { by, at: isoTime(clock.now()), reason }),
      message: null,
      // The sheet stays a batch after a decline of its retry.
      state: isRetry ? 'batch' : 'declined',
    }),
    { account, by, batch, did: 'plan-declined', data },
  );
  await putSignaturesAway(path).catch(() => undefined);
  return { kind: 'finished' };
}

interface Ending {
  readonly batch: string;
  readonly ending: 'plan-declined' | 'plan-withdrawn';
  readonly reason: string;
}

/** Nothing is sent afterwards until a person continues the batch. `wasWaiting` is false if no plan waited. */
export async function endProposal(
  { ledger }: Pick<Deps, 'ledger'>,
  { batch, ending, reason }: Ending,
  name: string,
): Promise<Done<{ readonly wasWaiting: boolean }>> {
  requireOwnWords(reason);
  await ledger.requireHome();
  const proposal = ledger.holds.proposalOf(batch);
  if (proposal === null) return { kind: 'finished', wasWaiting: false };
  // The console stores the state of its sheets, so the plans of these sheets end there.
  if (proposal.upload !== null) throw proposalWaits(batch, proposal);
  const own = ending === 'plan-declined' ? whyNotOther('decline', { name }, [{ name: proposal.by }]) : null;
  if (own !== null) throw own;
  const wasWaiting = await ledger.holds.endProposal(batch, proposal, { by: name, did: ending, declined: reason });
  return { kind: 'finished', wasWaiting };
}
