/** `release`: a second person confirms that a new account belongs to the payee. */
import { findSame, type Policy, type Signature, whyNotReleased } from '../approval/approval.ts';
import { sha256 } from '../base/digest.ts';
import { PayrunError } from '../base/errors.ts';
import { payeeOf } from '../domain/accounts/payee.ts';
import type { Note } from '../domain/note.ts';
import { rowDigest, rowOfContent } from '../domain/rows/digest.ts';
import { because, isHeldForAccountChange, reasonOf } from '../domain/sending/reason.ts';
import { type BatchFacts, type LedgerRow, wordOf } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { notedRow } from '../pipeline/doubt-step.ts';
import { planOf, signingOf } from '../pipeline/opened-with.ts';
import type { BatchOrder } from '../pipeline/order.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { recordDenied, requireApproved } from '../pipeline/plans/approved.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import type { Release } from './batch/command.ts';
import { concluded } from './batch/conclude-batch.ts';
import { explained, openRows, requireNotClosed, unheld } from './batch/row-decisions.ts';

export interface Releaser {
  readonly name: string;
  readonly reason: string;
  /** The policy and a function that signs under it; null without a policy, when the name is enough. */
  readonly signed: { readonly policy: Policy; sign(digest: string): Signature } | null;
}

/** Returns null if no policy is in force, or if the person gave no key. Asks before the ledger is locked. */
export type AskSigner = (reason: string) => Promise<Releaser | null>;

export async function releaseRow(deps: Deps, order: BatchOrder & Release, by: Releaser): Promise<Outcome> {
  await requirePolicy(deps, order.batch);
  const { batch, rows } = await openRows(deps, { ...order, named: [{ row: order.row }] });
  return await concluded(deps, order, batch, async () => ({
    notes: await release(deps, batch, rows[0]!, by),
    alarm: null,
  }));
}

/** Returns the values that the release covers. If one of them changes later, the release no longer applies. */
function releasedOf({ content, number }: LedgerRow): string {
  const row = rowOfContent(content, number);
  const { id, name } = payeeOf(row);
  return `${rowDigest(row)} ${id ?? name}`;
}

async function release(deps: Deps, batch: BatchFacts, row: LedgerRow, by: Releaser): Promise<Note[]> {
  const { ledger } = deps;
  requireNotClosed(row);
  if (row.state !== 'withheld' || !isHeldForAccountChange(row))
    throw new PayrunError('ROW_ACCOUNT_UNCHANGED', { ...explained(row), state: wordOf[row.state] });
  const released = releasedOf(row);
  const signature = await signedBySecondPerson(deps, batch, { rows: [row], released }, by);
  const changed = reasonOf(row.reason, 'account-changed');
  const fingerprint = signature?.fingerprint ?? null;
  const who = fingerprint === null ? by.name : `${by.name} (key ${fingerprint})`;
  await ledger.rows.move({
    row,
    from: 'withheld',
    to: unheld(row),
    reason: null,
    released,
    evidence: because({ kind: 'released-by', by: who, why: by.reason, change: changed }),
    data: { said: 'release', by: by.name, why: by.reason, ...(signature === null ? {} : { signature }) },
  });
  return [{ note: 'row-released', batch: batch.name, row: notedRow(row), by: by.name, fingerprint }];
}

interface ReleasedRows {
  readonly rows: readonly LedgerRow[] | null;
  readonly released: string;
}

/** Under a policy, the batch needs its approvals, and a second person signs the decision. */
export async function signedUnderPolicy(deps: Deps, batch: BatchFacts, what: ReleasedRows, by: Releaser | null) {
  if (deps.policy === undefined) return null;
  await requireApproved(deps, batch);
  return await signedBySecondPerson(deps, batch, what, by ?? { name: deps.actor.name ?? '', signed: null });
}

/** Returns the approver's signature; null if none is needed. Throws if it does not count, or if the person worked on the batch. */
async function signedBySecondPerson(
  deps: Deps,
  batch: BatchFacts,
  { rows, released }: ReleasedRows,
  by: Pick<Releaser, 'name' | 'signed'>,
): Promise<Signature | null> {
  const { ledger, actor } = deps;
  const named = rows?.map(({ key }) => key) ?? null;
  const of = { rows: named, batch: batch.name };
  const refuse = async (error: PayrunError): Promise<never> => {
    throw await recordDenied(deps, batch.name, planOf(batch)?.digest ?? null, error);
  };
  const signs = await signingOf(ledger);
  if (by.signed === null && signs !== 'no') return await refuse(new PayrunError('RELEASE_NEEDS_KEY', { ...of, signs }));
  const makers = ledger.uploads.makersOf(batch.name, null);
  // A held row may repeat a row of another batch, so the people who made that batch do not release it either.
  const held = (rows ?? []).filter(({ state }) => state === 'withheld');
  const beside = (await Promise.all(held.map(({ key }) => ledger.payees.batchesBeside(batch.name, key)))).flat();
  const besides = beside.flatMap((one) => ledger.uploads.makersOf(one, null));
  const maker = findSame({ ...actor, name: by.name }, [...makers, ...besides]);
  if (maker !== undefined)
    return await refuse(new PayrunError('RELEASE_BY_MAKER', { ...of, person: maker.name, signs }));
  if (by.signed === null && makers.length === 0) return await refuse(new PayrunError('RELEASE_MAKER_UNKNOWN', of));
  const digest = `sha256:${sha256(JSON.stringify([batch.name, named, released]))}`;
  const signature = by.signed?.sign(digest) ?? null;
  const why = signature === null || by.signed === null ? null : whyNotReleased(digest, signature, by.signed.policy);
  if (why !== null)
    return await refuse(new PayrunError('RELEASE_SIGNATURE_USELESS', { ...of, approver: by.name, why }));
  return signature;
}
