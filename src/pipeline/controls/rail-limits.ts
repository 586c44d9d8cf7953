/** Applies the limits of payment rails to single payments. Under `hold`, a row outside them waits; under `warn`, it only gets a warning. */
import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { fitsRailAt, type RailSpan, railSpansAt } from '../../domain/calendar/rail-limit.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import type { BatchFacts, Draft } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';

export type RailPolicy = 'hold' | 'warn' | 'off';

type Needs = Pick<Deps, 'limits' | 'clock'>;

/** Under `hold`, a row that never fits is an error, because it would wait for ever. */
export function addRailProblems(draft: Draft, policy: RailPolicy, now: number, batch: string | null): void {
  if (policy === 'off') return;
  const problems: Problem[] = [];
  for (const { number, amount, country, currency } of draft.beyond(railSpansAt(now), batch)) {
    const span = railSpansAt(now).find((one) => one.country === country)!;
    const fits = fitsRailAt(span.country, amount, now);
    const isHeld = policy === 'hold';
    const severity = isHeld && fits === null ? 'error' : 'warning';
    const facts = { amount, currency, least: span.least, most: span.most, fits, isHeld };
    problems.push(batchProblem('RAIL_LIMIT', severity, facts, { row: number, column: 'amount' }));
  }
  draft.judge(problems);
}

export const railsNow = ({ limits, clock }: Needs): readonly RailSpan[] =>
  limits.rails === 'hold' ? railSpansAt(clock.now()) : [];

/** The most rows to read in search of the earliest time at which a row fits. */
const looked = 500;

export async function heldByRails(deps: Pick<Deps, 'ledger' | 'limits' | 'clock'>, batch: BatchFacts) {
  const beyond = railsNow(deps);
  if (beyond.length === 0) return null;
  const { ledger, clock } = deps;
  const ready = { batch: batch.name, since: batch.listedSince, states: ['ready'], limit: looked } as const;
  const rows = await ledger.rows.list({ ...ready, beyond });
  const moments = rows.flatMap(({ country, amount }) => {
    const span = beyond.find((one) => one.country === country);
    return span === undefined ? [] : (fitsRailAt(span.country, amount, clock.now()) ?? []);
  });
  if (rows.length === 0 || moments.length === 0) return null;
  const until = Math.min(...moments);
  return new PayrunError('RAIL_SHUT', { rows: rows.length, until });
}
