/** Gathers the content of a plan. The `plan` command writes the content, and an approved run compares it with the approved plan. */
import type { Policy } from '../../approval/approval.ts';
import { isoTime } from '../../base/clock.ts';
import type { Problem } from '../../base/problem.ts';
import { hasCaps } from '../../domain/amounts/cap.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { documentsAboveZar, type RowRules } from '../../domain/rows/row.ts';
import { newPayees } from '../controls/payee-control.ts';
import type { Deps } from '../deps.ts';
import type { SheetCheck } from '../intake/check-rows.ts';
import { chooseMerchant, findFor } from '../payees/register-payees.ts';
import type { Plan, PlanOrder } from './plan.ts';
import {
  correctedCode,
  type PlanHead,
  type PlanMerchant,
  type PlanSource,
  type PlanWarning,
  planRow,
} from './plan-file.ts';

export interface PlanMaking {
  readonly maker: string;
  readonly goodForMs: number;
  /** The policy that decides which approvals the plan needs; null if it is unknown. */
  readonly policy: Policy | null;
  /** The unpaid rows to send again, by their keys. */
  readonly retries: 'all' | readonly string[];
}

export interface GroundOrder extends PlanOrder {
  readonly updateNames: boolean;
  readonly rules: Pick<RowRules, 'documents' | 'accountChecks'>;
  readonly read: Pick<SheetCheck, 'options' | 'sheet'>;
}

/** The part of a plan's head that a run under the plan computes again and compares with the plan. */
export type PlanGround = Omit<PlanSource['head'], 'maker' | 'made_at' | 'expires_at' | 'base' | keyof PlannedRun>;
type PlannedRun = Pick<PlanHead, 'sheet' | 'sheet_sha256' | 'options'>;

export function planGround(
  { ledger, service, limits }: Deps,
  order: GroundOrder,
  { batch, variance }: Plan,
): PlanGround {
  const {
    rules,
    read: { options, sheet },
  } = order;
  const { caps, payWindow, rails, breaker } = limits;
  return {
    version: 1,
    batch,
    batch_named: order.batch !== null,
    service: service.label,
    identity: service.identity,
    terms: {
      add: order.add && order.retries === undefined,
      drop: order.drop,
      retry: order.retries !== undefined,
      skip_invalid: order.skipInvalid,
      update_names: order.updateNames,
      repeat: order.confirmRepeat,
      series: variance.series,
      confirm_variance: order.variance?.confirm ?? null,
      ...(options.choices === undefined
        ? {}
        : { choices: options.choices.map(({ column, only }) => ({ column, only: only === null ? null : [...only] })) }),
      ...(sheet.leftOut() === 0 ? {} : { left_out: sheet.leftOut() }),
    },
    limits: {
      documents: rules.documents,
      documents_above: String(documentsAboveZar),
      collection_prompts: order.prompts,
      account_checks: rules.accountChecks,
      ...(hasCaps(caps) ? { caps } : {}),
      ...(payWindow.windows.length === 0 ? {} : { pay_window: payWindow.windows }),
      rails,
      breaker,
      ...(limits.canary === undefined ? {} : { canary: limits.canary }),
    },
    rows_digest: ledger.draft.digest(),
    skipped: ledger.draft.counts().invalid,
  };
}

export function planSource(
  deps: Deps,
  ground: PlanGround & PlannedRun,
  { maker, goodForMs, base }: Pick<PlanMaking, 'maker' | 'goodForMs'> & Pick<PlanHead, 'base'>,
  now: number,
): PlanSource {
  const { ledger } = deps;
  const { batch } = ground;
  return {
    head: { ...ground, maker, made_at: isoTime(now), expires_at: isoTime(now + goodForMs), base },
    async *lines() {
      yield* payeesAndWarnings(deps, ground, newPayees(ledger));
      for (const row of ledger.versions.plannedRows(batch)) yield { kind: 'rows', line: planRow(row) };
    },
  };
}

/** Yields the payees to register, the warnings of the sheet, and `more` warnings. */
export async function* payeesAndWarnings(
  deps: Deps,
  { batch, terms }: Pick<PlanGround, 'batch' | 'terms'>,
  more: readonly Problem[],
): AsyncIterable<PlannedPayee | { readonly kind: 'warnings'; readonly line: PlanWarning }> {
  yield* plannedMerchants(deps, batch, terms);
  for (const { severity, row, code, facts } of deps.ledger.draft.eachProblem())
    if (severity === 'warning' || code === correctedCode)
      yield { kind: 'warnings', line: { row, code, facts: { ...facts } } };
  for (const { row, code, facts } of more) yield { kind: 'warnings', line: { row, code, facts: { ...facts } } };
}

/** Returns the current time, but never a time before the ledger's newest entry, so that a clock set back revives no expired plan. */
export const ledgerNow = async ({ ledger, clock }: Pick<Deps, 'ledger' | 'clock'>): Promise<number> =>
  Math.max(clock.now(), (await ledger.trail.newestAt()) ?? 0);

/** `isRegistered`: this ledger has registered the merchant already. */
export interface PlannedPayee {
  readonly kind: 'merchants';
  readonly line: PlanMerchant;
  readonly isRegistered: boolean;
}

async function* plannedMerchants(
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
