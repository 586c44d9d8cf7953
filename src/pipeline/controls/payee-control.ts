/** The payee control: a payee whose account changed since the last payment is not paid until a second person has checked it. */

import { timeWords } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { grouped } from '../../base/words.ts';
import { destinationWords } from '../../domain/accounts/merchant.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { because, type ReasonOf } from '../../domain/sending/reason.ts';
import type { BatchFacts, KnownOtherwise, Ledger, OddPayee, OddUnpaid } from '../../ledger/ledger.ts';
import { shownProblem } from '../../messages/problems.ts';
import { accountChangeWords } from '../../messages/reasons.ts';
import type { Deps } from '../deps.ts';
import { addressOf } from '../duplicates/repeats.ts';
import type { PlanWarning } from '../plans/plan-file.ts';

/** The setting for rows whose payee changed: `hold` holds them, `warn` pays them with a warning. */
export type PayeeControl = 'hold' | 'warn' | 'off';

const mostTold = 1000;

/** Adds the problems of the sheet's payees. The plan shows which rows will be held. */
export function tellPayees(ledger: Ledger, address: string, batch: string, control: PayeeControl): void {
  if (control === 'off') return;
  ledger.lookAtPayees(batch, address, control === 'hold');
  ledger.draft.addProblems([
    ...ledger.oddPayees('changed', mostTold).map(changedProblem),
    ...ledger.oddPayees('elsewhere', mostTold).map(elsewhereProblem),
    ...otherwiseProblems(ledger.knownOtherwise(mostTold + 1)),
  ]);
}

const neverPaid = 'the payee was never paid from this ledger';

export async function oddPayeesOfUnpaid(
  ledger: Ledger,
  { name, identity }: Pick<BatchFacts, 'name' | 'identity'>,
): Promise<ReadonlyMap<string, { readonly code: string; readonly message: string }>> {
  const problemOf = ({ verdict, ...odd }: OddUnpaid) => {
    if (verdict === 'new') return { code: 'PAYEE_NEW', message: neverPaid };
    const told = { ...odd, number: 0, held: 0 } as const;
    return shownProblem(verdict === 'changed' ? changedProblem(told) : elsewhereProblem(told));
  };
  return new Map((await ledger.oddUnpaid(name, addressOf(identity))).map((odd) => [odd.key, problemOf(odd)]));
}

function changedProblem(odd: OddPayee): Problem {
  const words = `account changed: ${changedWords(odd)}`;
  if (odd.ambiguous === 1)
    return batchProblem(
      'PAYEE_TWICE',
      'warning',
      `${words}; IT IS NOT HELD, since the sheet has two payees of this name, and one is paid as before: see that they are two people, and tell them apart by a payee_id column`,
      { row: odd.number },
    );
  const then = odd.held === 1 ? 'the row is held until a second person releases it' : 'see that it is meant';
  return batchProblem('PAYEE_CHANGED', 'warning', `${words}; ${then}`, { row: odd.number });
}

function elsewhereProblem(odd: OddPayee): Problem {
  const words = `a payee of this name is known in another country: ${changedWords(odd)}; see that it is another one`;
  return batchProblem('PAYEE_ELSEWHERE', 'warning', words, { row: odd.number });
}

/** Warns about accounts last paid under another name. It holds none, since names change their spelling. */
function otherwiseProblems(found: readonly KnownOtherwise[]): Problem[] {
  const told = found.slice(0, mostTold).map((known) => {
    const now = rowOfContent(known.content, 0);
    const words = `the account (${destinationWords(now.destination)}) was last paid as ${rowOfContent(known.was, 0).name}'s (${placeWords(known)}), and this row pays it as ${now.name}'s; see that it is meant`;
    return batchProblem('PAYEE_KNOWN_OTHERWISE', 'warning', words, { row: known.number });
  });
  if (found.length === told.length) return told;
  const more = `more than ${grouped(mostTold)} rows pay accounts that were last paid under another name`;
  return [...told, batchProblem('PAYEE_KNOWN_OTHERWISE', 'warning', more)];
}

/** Shows the last digits of both accounts: enough to ask the payee, too few to pay. */
function accountChange(odd: Omit<OddPayee, 'number' | 'held' | 'ambiguous'>): ReasonOf<'account-changed'> {
  const [before, now] = [rowOfContent(odd.was, odd.twin), rowOfContent(odd.content, 0)];
  const { batch, twin: row, paidAt } = odd;
  const was = destinationWords(before.destination);
  return { kind: 'account-changed', name: now.name, was, now: destinationWords(now.destination), row, batch, paidAt };
}

const changedWords = (odd: Parameters<typeof accountChange>[0]) => accountChangeWords(accountChange(odd));

const placeWords = ({ batch, twin, paidAt }: Pick<OddPayee, 'batch' | 'twin' | 'paidAt'>) =>
  `row ${twin} of batch ${batch}, on ${timeWords(paidAt)}`;

export function payeeLines(ledger: Ledger): PlanWarning[] {
  const fresh = ledger.oddPayees('new', mostTold + 1);
  const { rows } = ledger.draft.counts();
  const told = (row: number | null, message: string): PlanWarning => ({ row, code: 'PAYEE_NEW', message });
  if (fresh.length === rows && rows > 1) return [told(null, 'none of the payees was paid from this ledger before')];
  return [
    ...fresh.slice(0, mostTold).map(({ number }) => told(number, neverPaid)),
    ...(fresh.length > mostTold ? [told(null, `more than ${grouped(mostTold)} payees are new`)] : []),
  ];
}

/** Holds rows of changed payees before payees are registered, so that an unconfirmed account gets no merchant. */
export async function holdChangedPayees(
  { ledger }: Pick<Deps, 'ledger'>,
  batch: BatchFacts,
  address: string,
  control: PayeeControl,
): Promise<void> {
  if (control !== 'hold') return;
  for (const { row: id, ...last } of await ledger.changedPayees(batch.name, address)) {
    const row = await ledger.row(id);
    assert(row !== null, 'a row that was compared is in the ledger');
    const reason = because(accountChange({ ...last, content: row.content }));
    await ledger.move({ row, from: row.state, to: 'held', reason });
  }
}
