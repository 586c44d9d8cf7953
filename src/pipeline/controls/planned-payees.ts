/** Predicts the registration of each payee. A plan shows the prediction, and a run under the plan compares it with a new one. */
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { Deps } from '../deps.ts';
import { chooseMerchant, findFor } from '../payees/register-payees.ts';
import type { PlanHead, PlanMerchant } from '../plans/plan-file.ts';

/** `isRegistered`: this ledger has registered the merchant already. */
export interface PlannedPayee {
  readonly kind: 'merchants';
  readonly line: PlanMerchant;
  readonly isRegistered: boolean;
}

export async function* plannedMerchants(
  deps: Deps,
  batch: string,
  { update_names }: Pick<PlanHead['terms'], 'update_names'>,
): AsyncIterable<PlannedPayee> {
  const { ledger, service } = deps;
  for (const planned of ledger.versions.plannedMerchants(batch, service.identity)) {
    const { destination, number, rows, content } = planned;
    const row = rowOfContent(content, number);
    const { seen } = await findFor(deps, planned, ledger.payees.seenFor([destination]).get(destination) ?? []);
    const match = chooseMerchant(seen, planned.merchantId, row);
    const found = match !== null && 'id' in match ? match : null;
    const renamed = update_names && found !== null && found.name !== row.name;
    const line = {
      destination,
      row: number,
      name: row.name,
      rows,
      action: match === null ? 'create' : found === null ? 'unclear' : renamed ? 'rename' : 'reuse',
      id: found?.id ?? null,
      service_name: found?.name ?? null,
    } as const;
    yield { kind: 'merchants', line, isRegistered: found !== null && found.id === planned.merchantId };
  }
}
