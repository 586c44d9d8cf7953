/** Handles rows whose payee has no merchant: the run stops, or skips these rows. */
import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import {
  type BatchFacts,
  type Ledger,
  type LedgerMerchant,
  type LedgerRow,
  type MerchantState,
  rowPages,
} from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { maxProblems } from '../intake/problem-report.ts';

const merchantCodes: Partial<Record<MerchantState, 'MERCHANT_AMBIGUOUS' | 'MERCHANT_UNCLEAR'>> = {
  held: 'MERCHANT_AMBIGUOUS',
  in_doubt: 'MERCHANT_UNCLEAR',
};

/** Stops the run if a payee was refused or is unclear. With `--skip-invalid`, only leaves out these payees' rows. */
export async function refuseMerchants(
  deps: Deps,
  batch: BatchFacts,
  said: { readonly refused: readonly LedgerMerchant[]; readonly skipInvalid: boolean; readonly problems: Problem[] },
): Promise<void> {
  const { refused, skipInvalid, problems } = said;
  if (refused.length === 0) return;
  const { ledger } = deps;
  const byDestination = new Map(refused.map((merchant) => [merchant.destination, merchant]));
  for await (const rows of rowPages(ledger, { batch: batch.name, since: batch.listedSince, states: ['planned'] })) {
    const hit = rows.flatMap((row) => {
      const merchant = byDestination.get(row.destination);
      return merchant === undefined ? [] : [{ row, merchant }];
    });
    const found = hit.map(({ row: { number: row }, merchant: { state, reason } }) =>
      batchProblem(merchantCodes[state] ?? 'MERCHANT_REFUSED', 'error', { reason }, { row }),
    );
    ledger.draft.addProblems(found);
    problems.push(...found.slice(0, Math.max(0, maxProblems - problems.length)));
    if (skipInvalid) await leaveOut(ledger, hit);
  }
  if (!skipInvalid) throw new PayrunError('PAYEES_REFUSED', { payees: refused.length });
}

async function leaveOut(
  ledger: Ledger,
  hit: readonly { readonly row: LedgerRow; readonly merchant: LedgerMerchant }[],
): Promise<void> {
  const moves = hit.filter(({ merchant }) => merchant.state === 'refused');
  if (moves.length > 0)
    await ledger.rows.moveAll(
      moves.map(({ row, merchant }) => ({ row, from: 'planned', to: 'refused', reason: merchant.reason })),
    );
  // A row of an unclear payee is not refused, so that a later run can send the row.
  for (const { row, merchant } of hit)
    if (merchant.state !== 'refused') await ledger.rows.note(row, { reason: merchant.reason });
}
