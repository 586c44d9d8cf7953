/** Compares a plan with the plan that would be made now. */
import { isDeepStrictEqual } from 'node:util';
import type { NamedMerchant, PlanFault } from '../../base/faults/fault.ts';
import type { Problem } from '../../base/problem.ts';
import type { Some } from '../../base/refusal.ts';
import { wordsIn } from '../../base/words.ts';
import { contentColumns } from '../../domain/rows/content-changes.ts';
import { choiceLists } from '../../sheet/sheet.ts';
import type { Deps } from '../deps.ts';
import { readMerchants } from '../payees/register-payees.ts';
import type { Plan } from './plan.ts';
import { type PlanFile, type PlanMerchant, type PlanRow, type PlanWarning, planRow } from './plan-file.ts';
import { type PlanGround, type PlannedPayee, payeesAndWarnings } from './plan-source.ts';

const shownDifferences = 10;

type Add = (difference: PlanFault) => void;

export async function planDifferences(
  deps: Deps,
  { plan, began }: { readonly plan: PlanFile; readonly began: boolean },
  { batch }: Plan,
  { ground, closes }: { readonly ground: PlanGround; readonly closes: readonly Problem[] },
): Promise<Some<PlanFault>> {
  const first: PlanFault[] = [];
  let total = 0;
  const add: Add = (difference) => {
    total += 1;
    if (total <= shownDifferences) first.push(difference);
  };
  compareSettings(plan.head, ground, add);
  const payees = new Map<string, PlanMerchant>();
  const warnings: PlanWarning[] = [];
  async function* rowsIn({ lines }: PlanFile) {
    for await (const { kind, line } of lines()) {
      if (kind === 'rows') yield line;
      else if (kind === 'merchants') payees.set(line.destination, line);
      else warnings.push(line);
    }
  }
  await compareRows(deps, batch, rowsIn(plan), began, add);
  // A plan that began opens no version, as `resume` opens none. The ledger's controls still hold rows.
  if (!began) {
    await readMerchants(deps);
    const now: PlanWarning[] = [];
    for await (const one of payeesAndWarnings(deps, ground, closes)) {
      if (one.kind === 'warnings') now.push(one.line);
      else comparePayee(payees.get(one.line.destination) ?? null, one, add);
    }
    compareWarnings(warnings, now, add);
  }
  return { shown: first, total };
}

function compareSettings(head: PlanFile['head'], ground: PlanGround, add: Add): void {
  const [then, today] = [settingsIn(head), settingsIn(ground)];
  // A run may add a reason for a variance, because the trail records it.
  const { confirm_variance: reason, ...others } = today;
  const compared = then.confirm_variance === null ? others : { ...others, confirm_variance: reason };
  for (const name of Object.keys(compared) as (keyof typeof today)[]) {
    const [was, now] = [then[name], today[name]];
    if (!isDeepStrictEqual(was, now)) add({ fault: 'setting-differs', name, was, now });
  }
}

function settingsIn({ batch, skipped, terms, limits }: PlanGround) {
  const { choices, left_out: _, ...others } = terms;
  const { only, ignoreColumn } = choiceLists(choices);
  const none = { caps: null, pay_window: null, canary: null };
  return { batch, skipped, ...others, choices: [...only, ...ignoreColumn].join(', ') || null, ...none, ...limits };
}

/** These warnings change with the time and with other batches, and stop nothing. */
const passing: readonly string[] = wordsIn('EXECUTION_DATE RAIL_LIMIT LOOKS_WAITING');

/** Compares other warnings by code and row. A new warning is a difference, because nobody approved it. */
function compareWarnings(before: readonly PlanWarning[], now: readonly PlanWarning[], add: Add): void {
  const keyOf = ({ row, code, facts }: PlanWarning) => `${code} ${row} ${JSON.stringify(facts)}`;
  const shown = Map.groupBy(before, keyOf);
  for (const { row, code, facts } of now) {
    const was = shown.get(keyOf({ row, code, facts }))?.pop();
    if (was === undefined && !passing.includes(code)) add({ fault: 'warning-is-new', row, problem: { code, facts } });
  }
  for (const { code, facts } of [...shown.values()].flat())
    if (code === 'ROW_DROPPED') add({ fault: 'warning-is-gone', problem: { code, facts } });
}

async function compareRows({ ledger }: Deps, batch: string, rows: AsyncIterable<PlanRow>, began: boolean, add: Add) {
  using now = Iterator.from(ledger.versions.plannedRows(batch)).map(planRow);
  let next = now.next();
  const addUntil = (row: number) => {
    for (; !next.done && next.value.row < row; next = now.next())
      add({ fault: 'plan-lacks-row', ...namedRow(next.value) });
  };
  for await (const was of rows) {
    addUntil(was.row);
    if (next.done || next.value.row !== was.row) add({ fault: 'sheet-lacks-row', ...namedRow(was) });
    else {
      const { standing } = began ? was : next.value;
      for (const one of rowDifferences(was, { ...next.value, standing })) add(one);
      next = now.next();
    }
  }
  addUntil(Number.POSITIVE_INFINITY);
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
  // A file of Payrun names its rows in a column of its own.
  if (found.length === 0 && was.key !== is.key)
    found.push({ fault: 'cell-differs', row: is.row, column: 'payrun_row', was: was.key, now: is.key });
  if (was.standing !== is.standing && [was, is].some(({ standing }) => effects.includes(standing)))
    found.push({ fault: 'effect-differs', row: is.row, was: was.standing, now: is.standing });
  return found;
}

const effects: readonly PlanRow['standing'][] = ['not sent', 'held'];

function flat(line: PlanRow) {
  const { row: _, key: __, digest: ___, standing: ____, destination, documents, ...rest } = line;
  const files = documents.map(({ name, sha256 }) => `${name} (sha256 ${sha256})`);
  const values: Record<string, string | boolean | null> = rest;
  for (const [name, value] of Object.entries(destination)) values[contentColumns[name] ?? name] = value;
  values.documents = files.length === 0 ? null : files.join('; ');
  return values;
}

/** A merchant that the ledger registered after the plan was made is no difference. Another merchant is one. */
function comparePayee(was: PlanMerchant | null, { line, isRegistered }: PlannedPayee, add: Add): void {
  const [before, after] = [was && namedMerchant(was), namedMerchant(line)];
  const isCreated = was?.action === 'create' && isRegistered;
  if (!isCreated && !isDeepStrictEqual(before, after))
    add({ fault: 'payee-differs', row: line.row, was: before, now: after });
}

const namedMerchant = ({ action, id, service_name, name }: PlanMerchant): NamedMerchant => ({
  use: action,
  id,
  service_name,
  name,
});
