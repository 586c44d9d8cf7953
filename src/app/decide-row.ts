/** `resolve`: carries out a person's decision about rows, and writes the result again. */
import type { Note } from '../domain/note.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { BatchOrder } from '../pipeline/order.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import { absentRows, requireSeen } from '../pipeline/seen.ts';
import type { Decision } from './batch/command.ts';
import { concluded } from './batch/conclude-batch.ts';
import {
  type Decided,
  openBatch,
  releaseAbsent,
  releaseRepeat,
  resolveGone,
  resolveKnown,
  resolveNotPaid,
  resolvePaid,
  rowsNamed,
} from './batch/row-decisions.ts';
import { type AskSigner, signedUnderPolicy } from './release-row.ts';

/** Under a policy, a second person must sign each decision after which rows may be sent. */
export async function decideRow(deps: Deps, order: BatchOrder & { readonly decision: Decision }, askSigner: AskSigner) {
  const { decision, seen } = order;
  const isRelease = ['not-paid', 'not-a-repeat', 'release-absent'].includes(decision.way);
  const by = isRelease ? await askSigner(decision.reason) : null;
  if (isRelease) await requirePolicy(deps, order.batch);
  const batch = await openBatch(deps, order);
  if (isRelease) deps.ledger.holds.requireNoProposal(batch.name);
  const named = 'row' in decision && decision.row !== null ? [{ row: decision.row }] : [];
  const absent = 'row' in decision && decision.row === null;
  const rows = absent ? (await absentRows(deps.ledger, batch)).listed : await rowsNamed(deps, batch, { named, seen });
  await requireSeen(deps.ledger, batch, seen, rows);
  let said: Decided = { why: decision.reason, by: deps.actor.name };
  if (isRelease && deps.policy !== undefined) {
    const decided = { rows: absent ? null : rows, released: decision.way };
    const signature = await signedUnderPolicy(deps, batch, decided, by);
    said = { ...said, by: by?.name ?? deps.actor.name, signature };
  }
  const [row] = rows;
  const carryOut = async (): Promise<Note> => {
    switch (decision.way) {
      case 'paid':
        return await resolvePaid(deps, row!, { ...decision, ...said });
      case 'not-paid':
        return await resolveNotPaid(deps, batch, row!, said);
      case 'not-a-repeat':
        return await releaseRepeat(deps, batch, row!, said);
      case 'known':
        return await resolveKnown(deps, row!, decision.reason);
      case 'release-absent':
        return await releaseAbsent(deps, batch, rows, said);
      case 'gone':
        return await resolveGone(deps, batch, decision.payment, decision.reason);
    }
  };
  return await concluded(deps, order, batch, async () => ({ notes: [await carryOut()], alarm: null }));
}
