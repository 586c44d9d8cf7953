/** Finds payees whose account changed, and holds their rows until a second person has checked the account. */
import { assert } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { destinationWords } from '../../domain/accounts/merchant.ts';
import { type AccountChange, type BatchProblems, batchProblem } from '../../domain/problems/batch-problems.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { because } from '../../domain/sending/reason.ts';
import type { BatchFacts, KnownOtherwise, Ledger, LedgerRow, OddPayee } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { addressOf } from '../duplicates/duplicates.ts';

type PayeeControl = 'hold' | 'warn' | 'off';

/** The person who prepares a sheet must not switch off the payee control of a policy, so it always holds rows. */
export const payeeControlOf = ({ limits, policy }: Pick<Deps, 'limits' | 'policy'>): PayeeControl =>
  policy === undefined ? limits.payees : 'hold';

const mostShown = 1000;

export function addPayeeProblems(ledger: Ledger, address: string, batch: string, control: PayeeControl) {
  if (control === 'off') return [];
  const holds = control === 'hold';
  ledger.payees.lookAtPayees(batch, address);
  ledger.draft.addProblems([
    ...ledger.payees.oddPayees('changed', mostShown).map((odd) => changedProblem(odd, holds)),
    ...ledger.payees.oddPayees('elsewhere', mostShown).map(elsewhereProblem),
    ...otherwiseProblems(ledger.payees.knownOtherwise(mostShown + 1)),
  ]);
  return holds ? ledger.payees.changedInDraft() : [];
}

export function addUnpaidWarnings(ledger: Ledger, batch: string, rows: readonly LedgerRow[]): void {
  const problems = rows.slice(0, mostShown).flatMap(({ key, state, submittedAt: sentAt, reason }) => {
    const number = ledger.versions.plannedRow(batch, key)?.number;
    const unpaid = { sentAt, reason, isExpired: state === 'expired' };
    return number === undefined ? [] : [batchProblem('ROW_UNPAID', 'warning', unpaid, { row: number })];
  });
  ledger.draft.addProblems(problems);
}

function changedProblem(odd: OddPayee, isHeld: boolean): Problem {
  const change = accountChange(odd);
  return odd.ambiguous === 1
    ? batchProblem('PAYEE_TWICE', 'warning', change, { row: odd.number })
    : batchProblem('PAYEE_CHANGED', 'warning', { ...change, isHeld }, { row: odd.number });
}

const elsewhereProblem = (odd: OddPayee): Problem =>
  batchProblem('PAYEE_ELSEWHERE', 'warning', accountChange(odd), { row: odd.number });

/** Warns of accounts that were last paid under another name. Holds no row, because people spell names in several ways. */
function otherwiseProblems(found: readonly KnownOtherwise[]): Problem[] {
  const problems = found.slice(0, mostShown).map(({ number, content, was, twin, batch, paidAt }) => {
    const { name, destination } = rowOfContent(content, 0);
    const paid = { row: twin, batch, paidAt, was: rowOfContent(was, 0).name };
    const facts = { account: destinationWords(destination), now: name, ...paid };
    return batchProblem('PAYEE_KNOWN_OTHERWISE', 'warning', facts, { row: number });
  });
  if (found.length === problems.length) return problems;
  return [...problems, batchProblem('PAYEE_KNOWN_OTHERWISE', 'warning', { moreThan: mostShown })];
}

/** Shows only the last digits of bank accounts and phones: enough to ask the payee, and too few to pay. */
function accountChange(odd: Omit<OddPayee, 'number' | 'ambiguous'>): AccountChange {
  const [before, now] = [rowOfContent(odd.was, odd.twin), rowOfContent(odd.content, 0)];
  const { batch, twin: row, paidAt } = odd;
  const was = destinationWords(before.destination);
  return { name: now.name, was, now: destinationWords(now.destination), row, batch, paidAt };
}

const newPayee = (facts: BatchProblems['PAYEE_NEW'], row: number | null) =>
  batchProblem('PAYEE_NEW', 'warning', facts, { row });

export function newPayees(ledger: Ledger): Problem[] {
  const fresh = ledger.payees.oddPayees('new', mostShown + 1);
  const { rows } = ledger.draft.counts();
  if (fresh.length === rows && rows > 1) return [newPayee({ which: 'all' }, null)];
  return [
    ...fresh.slice(0, mostShown).map(({ number }) => newPayee({ which: 'this' }, number)),
    ...(fresh.length > mostShown ? [newPayee({ moreThan: mostShown }, null)] : []),
  ];
}

/** Holds rows of changed payees before Payrun registers payees, so that no merchant is created for an unchecked account. */
export async function holdChangedPayees(
  deps: Pick<Deps, 'ledger' | 'limits' | 'policy'>,
  { name, identity }: Pick<BatchFacts, 'name' | 'identity'>,
): Promise<void> {
  if (payeeControlOf(deps) !== 'hold') return;
  const { ledger } = deps;
  for (const { row: id, ...last } of await ledger.payees.changedPayees(name, addressOf(identity))) {
    const row = await ledger.rows.row(id);
    assert(row !== null, 'a compared row is in the ledger');
    const change = accountChange({ ...last, content: row.content });
    const reason = because({ kind: 'account-changed', ...change });
    await ledger.rows.move({ row, from: row.state, to: 'withheld', reason });
  }
}
