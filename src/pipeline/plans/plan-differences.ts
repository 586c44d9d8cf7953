/** Compares a plan with the current sheet, ledger and service. */
import { isDeepStrictEqual } from 'node:util';
import type { NamedMerchant, PlanFault, PlanSetting } from '../../base/faults/fault.ts';
import type { Problem } from '../../base/problem.ts';
import type { Some } from '../../base/refusal.ts';
import { type Words, wordsIn } from '../../base/words.ts';
import type { BatchProblems } from '../../domain/problems/batch-problems.ts';
import { choiceLists } from '../../sheet/sheet.ts';
import { plannedMerchants } from '../controls/planned-payees.ts';
import type { Deps } from '../deps.ts';
import { readMerchants } from '../payees/register-payees.ts';
import { identifying, type Plan } from './plan.ts';
import { type PlanFile, type PlanMerchant, type PlanRow, type PlanWarning, planRow } from './plan-file.ts';
import { type PlanGround, sheetWarnings } from './plan-source.ts';

const shownDifferences = 10;

type Add = (difference: PlanFault) => void;

export async function planDifferences(
  deps: Deps,
  { plan, began }: { readonly plan: PlanFile; readonly began: boolean },
  planned: Plan,
  { ground, closes }: { readonly ground: PlanGround; readonly closes: readonly Problem[] },
): Promise<Some<PlanFault>> {
  const first: PlanFault[] = [];
  let total = 0;
  const add: Add = (difference) => {
    total += 1;
    if (total <= shownDifferences) first.push(difference);
  };
  compareGround(plan.head, ground, add);
  const merchants = new Map<string, PlanMerchant>();
  const rows = compareRows(deps, planned, began, add);
  const warnings = compareWarnings(deps, add);
  for await (const { kind, line } of plan.lines()) {
    if (kind === 'merchants') {
      if (merchants.has(line.destination)) add({ fault: 'payee-is-twice', row: line.row });
      merchants.set(line.destination, line);
    }
    if (kind === 'warnings') warnings.see(line);
    if (kind === 'rows') rows.see(line);
  }
  await rows.end(plan);
  // A plan that began opens no version, as `resume` opens none. The ledger's controls still hold rows.
  if (!began) {
    warnings.end(closes);
    await readMerchants(deps);
    await compareMerchants(deps, planned.batch, ground, merchants, add);
  }
  return { shown: first, total };
}

function compareGround(head: PlanFile['head'], ground: PlanGround, add: Add): void {
  const compare = (name: PlanSetting, was: SettingValue, now: SettingValue) => {
    if (was !== now) add({ fault: 'setting-differs', name, was: was ?? null, now: now ?? null });
  };
  compare('batch', head.batch, ground.batch);
  for (const name of ['add', 'drop', 'skip_invalid', 'update_names', 'repeat'] as const)
    compare(name, head.terms[name], ground.terms[name]);
  compare('choices', choicesOf(head.terms), choicesOf(ground.terms));
  compare('series', head.terms.series, ground.terms.series);
  // Compares the reason for a variance only if the plan has one. A run may add a reason, because the trail records it.
  if (head.terms.confirm_variance !== null)
    compare('confirm_variance', head.terms.confirm_variance, ground.terms.confirm_variance);
  const [then, today] = [limitFacts(head), limitFacts(ground)];
  for (const name of Object.keys({ ...then, ...today }) as (keyof PlanGround['limits'])[]) {
    const [was = null, now = null] = [then[name], today[name]];
    if (!isDeepStrictEqual(was, now)) add({ fault: 'limit-differs', name, was, now });
  }
  compare('skipped', head.skipped, ground.skipped);
}

const limitFacts = ({ limits: { caps, pay_window: windows, ...limits } }: Pick<PlanGround, 'limits'>) => ({
  ...limits,
  ...(caps === undefined ? {} : { caps: { caps } }),
  ...(windows === undefined ? {} : { pay_window: { windows } }),
});

type SettingValue = string | number | boolean | null | undefined;

function choicesOf({ choices }: PlanGround['terms']): string | null {
  const { only, ignoreColumn } = choiceLists(choices);
  return [...only, ...ignoreColumn].join(', ') || null;
}

/** Warnings that depend on the ledger or on corrections. A run compares only these. */
const compared = [
  'CELL_CORRECTED DOCUMENT_AGAIN LOOKS_PAID ROW_UNPAID ROW_CLOSED ROW_DROPPED TAKES_BACK BATCH_REPEATED',
  'TOTALS_REPEATED VARIES PAYEE_CHANGED PAYEE_TWICE PAYEE_ELSEWHERE PAYEE_KNOWN_OTHERWISE',
] as const;

const notCompared = [
  // These follow from rows, limits or time.
  'SHEET_WITHOUT_ROWS ROW_REPEATED ROW_ALIKE ROW_RESPELT ROW_ID_REPEATED DOCUMENT_OUTSIDE DOCUMENT_MISSING',
  'DOCUMENT_AMBIGUOUS DOCUMENT_UNREADABLE DOCUMENT_TYPE DOCUMENT_TOO_LARGE RAIL_LIMIT SUM_TOO_LARGE',
  'CURRENCY_UNREAD UNIT_UNREAD EXECUTION_DATE CHOICE_UNREAD ROW_MARKED TOTAL_DIFFERS COLLECTION_PROMPTS',
  'COLLECTION_NEEDS_USER PAYEE_SHARES MERCHANT_REFUSED MERCHANT_UNCLEAR MERCHANT_AMBIGUOUS',
  // These stop nothing, and the row of LOOKS_WAITING may have been paid since the plan was made.
  'PAYEE_NEW LOOKS_WAITING',
  // The run checks the policy again, with the other payments of the day.
  'APPROVAL_SPLIT',
] as const;

type Listed = Words<(typeof compared | typeof notCompared)[number]>;

/** Does not compile if a warning is in neither list. */
const comparesWithLedger: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...wordsIn<string>(...compared).map((code) => [code, true]),
  ...wordsIn<string>(...notCompared).map((code) => [code, false]),
]) as Record<Listed, boolean> satisfies Record<keyof BatchProblems, boolean>;

/** Warnings to compare by their facts: a row may be unpaid for the second time, and a row to close has no number. */
const comparedByFacts = wordsIn<string>('ROW_UNPAID ROW_DROPPED CELL_CORRECTED');

/** Compares other warnings by code and row, since their texts change with the date. A new warning is a difference, because nobody approved it. */
function compareWarnings({ ledger }: Deps, add: Add) {
  const shownBefore = new Map<string, number>();
  const closed = new Map<string, PlanWarning>();
  const keyOf = ({ row, code, facts }: PlanWarning) =>
    `${code} ${row} ${comparedByFacts.includes(code) ? JSON.stringify(facts) : ''}`;
  return {
    see(line: PlanWarning): void {
      if (comparesWithLedger[line.code] === true) shownBefore.set(keyOf(line), (shownBefore.get(keyOf(line)) ?? 0) + 1);
      if (line.code === 'ROW_DROPPED') closed.set(keyOf(line), line);
    },
    end(closes: readonly Problem[]): void {
      const closing = closes.map(({ row, code, facts }) => ({ row, code, facts: { ...facts } }));
      for (const line of [...sheetWarnings(ledger), ...closing]) {
        if (comparesWithLedger[line.code] !== true) continue;
        const left = (shownBefore.get(keyOf(line)) ?? 0) - 1;
        shownBefore.set(keyOf(line), left);
        const { row, code, facts } = line;
        if (left < 0) add({ fault: 'warning-is-new', row, problem: { code, facts } });
      }
      for (const [key, { code, facts }] of closed)
        if ((shownBefore.get(key) ?? 0) > 0) add({ fault: 'warning-is-gone', problem: { code, facts } });
    },
  };
}

/** Compares rows by key. */
function compareRows({ ledger }: Deps, { batch }: Plan, began: boolean, add: Add) {
  let matched = 0;
  let moved: { rows: number; readonly row: number; readonly was: number } | null = null;
  return {
    see(line: PlanRow): void {
      const found = ledger.versions.plannedRow(batch, line.key);
      if (found === null) {
        add({ fault: 'sheet-lacks-row', ...namedRow(line) });
        return;
      }
      matched += 1;
      const now = planRow(found);
      for (const one of rowDifferences(line, began ? { ...now, standing: line.standing } : now)) add(one);
      if (now.row === line.row) return;
      moved ??= { rows: 0, row: now.row, was: line.row };
      moved.rows += 1;
    },
    async end(plan: PlanFile): Promise<void> {
      if (moved !== null) add({ fault: 'rows-moved', ...moved });
      if (matched === ledger.draft.counts().rows) return;
      const keys = new Set<string>();
      for await (const { kind, line } of plan.lines()) if (kind === 'rows') keys.add(line.key);
      for (const row of ledger.versions.plannedRows(batch))
        if (!keys.has(row.key)) add({ fault: 'plan-lacks-row', ...namedRow(planRow(row)) });
    },
  };
}

const namedRow = ({ row, name, amount, unit, currency, reference }: PlanRow) => ({
  row,
  name,
  amount,
  unit,
  currency,
  reference,
});

/** A change of status is a difference if the plan does another thing to the row: it sends the row, holds it, or neither. */
export function rowDifferences(was: PlanRow, is: PlanRow): PlanFault[] {
  const found: PlanFault[] = [];
  const [before, now] = [flat(was), flat(is)];
  for (const column of new Set([...Object.keys(before), ...Object.keys(now)]))
    if (before[column] !== now[column])
      found.push({ fault: 'cell-differs', row: is.row, column, was: before[column] ?? null, now: now[column] ?? null });
  if (was.standing !== is.standing && [was, is].some(({ standing }) => effects.includes(standing)))
    found.push({ fault: 'effect-differs', row: is.row, was: was.standing, now: is.standing });
  return found;
}

const effects: readonly PlanRow['standing'][] = ['not sent', 'held'];

function flat(line: PlanRow) {
  const { row: _, key: __, digest: ___, standing: ____, destination, documents, ...rest } = line;
  const files = documents.map(({ name, sha256 }) => `${name} (sha256 ${sha256})`);
  const values: Record<string, string | boolean | null> = rest;
  for (const [name, value] of Object.entries(destination)) values[identifying[name] ?? name] = value;
  values.documents = files.length === 0 ? null : files.join('; ');
  return values;
}

/** Compares payees. A merchant that this ledger created under the plan is no difference, but another merchant id is one. */
async function compareMerchants(
  deps: Deps,
  batch: string,
  { terms }: PlanGround,
  merchants: ReadonlyMap<string, PlanMerchant>,
  add: Add,
): Promise<void> {
  let created: ReadonlySet<string> | null = null;
  for await (const now of plannedMerchants(deps, batch, terms)) {
    const was = merchants.get(now.destination);
    if (was === undefined) {
      add({ fault: 'payee-is-unnamed', row: now.row, name: now.name });
      continue;
    }
    if (was.action === 'create' && now.action !== 'create') created ??= deps.ledger.versions.createdMerchants();
    if (!isAsPlanned(was, now, created))
      add({ fault: 'payee-differs', row: now.row, was: namedMerchant(was), now: namedMerchant(now) });
  }
}

function isAsPlanned(was: PlanMerchant, now: PlanMerchant, created: ReadonlySet<string> | null): boolean {
  if (was.action === 'create')
    return now.action === 'create' || (now.action !== 'unclear' && created?.has(now.destination) === true);
  return was.action === now.action && was.id === now.id && was.service_name === now.service_name;
}

const namedMerchant = ({ action, id, service_name, name }: PlanMerchant): NamedMerchant => ({
  use: action,
  id,
  service_name,
  name,
});
