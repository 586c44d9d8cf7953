/** Sums of a plan that decide how many approvals it needs. */
import type { Stake } from '../../approval/approval.ts';
import { payeeOf } from '../../domain/accounts/payee.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { eachRow, type Ledger, sentStates } from '../../ledger/ledger.ts';
import { sentToday } from '../controls/sent-today.ts';
import type { PlanFile, PlanRow } from './plan-file.ts';

/** Returns the sums of a plan, including what was sent of its batch and on the same day. So splitting a sheet avoids no approval. */
export async function stakesOf(plan: PlanFile, ledger: Ledger | null, now: number): Promise<Stake[]> {
  const stakes = new Map<string, { -readonly [Part in keyof Stake]: Stake[Part] }>();
  const payees = new Map<string, bigint>();
  const add = ({ currency, unit }: Pick<Stake, 'currency' | 'unit'>, amount: bigint, paid: PaidTo) => {
    const key = `${currency} ${unit}`;
    const stake = stakes.get(key) ?? { currency, unit, largest: 0n, total: 0n, day: 0n };
    stakes.set(key, stake);
    stake.total += amount;
    // Adds up what each account, each name in a country, and each payee id gets. Caps compare payees in the same way.
    const payee = payeeOf(paid);
    for (const known of [payee.account, `${paid.destination.country} ${payee.name}`, payee.id]) {
      if (known === null) continue;
      const gets = (payees.get(`${key} ${known}`) ?? 0n) + amount;
      payees.set(`${key} ${known}`, gets);
      if (gets > stake.largest) stake.largest = gets;
    }
    return stake;
  };
  const planned = new Set<string>();
  for await (const { kind, line } of plan.lines()) {
    if (kind !== 'rows') continue;
    planned.add(line.key);
    const stake = add(line, BigInt(line.amount), { ...line, payeeId: line.payee_id ?? null });
    if (!wasSentAs.includes(line.standing)) stake.day += BigInt(line.amount);
  }
  // Adds sent rows from the ledger, because a plan that only adds rows does not show the other rows of its batch.
  const sent = ledger === null ? [] : eachRow(ledger, { batch: plan.head.batch, states: sentStates });
  for await (const row of sent)
    if (!planned.has(row.key)) add(row, BigInt(row.amount), rowOfContent(row.content, row.number));
  if (ledger !== null) for (const stake of stakes.values()) stake.day += await sentToday(ledger, plan.head, stake, now);
  return [...stakes.values()];
}

type PaidTo = Parameters<typeof payeeOf>[0];

/** Rows with these statuses are in the ledger's sum of the day already, so the plan's sum of the day leaves them out. */
const wasSentAs: readonly PlanRow['standing'][] = ['paid', 'pending', 'in doubt', 'paid twice'];
