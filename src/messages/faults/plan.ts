/** The words for how a payment run would differ from its plan. */
import type { FaultFacts, NamedMerchant, PlanSetting } from '../../base/faults/fault.ts';
import type { Breaker, PayWindow } from '../../base/faults/limits.ts';
import { quoted } from '../../base/words.ts';
import type { Caps } from '../../domain/amounts/cap.ts';
import type { FaultWords } from '../audience.ts';
import { identityWords } from '../format/identity.ts';
import { breakerWords, capsWords, windowsWords } from '../format/limits.ts';
import { grouped, moneyOf } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import { problemWords } from '../problems.ts';

const settings: Readonly<Record<string, readonly [terminal: string, page: string]>> = {
  batch: ['batch', 'batch'],
  add: ['--add', 'that the sheet adds rows'],
  drop: ['--drop', 'that the sheet is the whole list'],
  skip_invalid: ['--skip-invalid', 'that rows with mistakes are left out'],
  update_names: ['--update-names', 'that payees are renamed'],
  repeat: ['--confirm-repeat', 'the reason to pay again'],
  series: ['--series', 'the series'],
  confirm_variance: ['--confirm-variance', 'the reason for the change'],
  choices: ['which rows are meant', 'which rows are meant'],
  skipped: ['rows left out', 'rows left out'],
  canary: ['--canary', 'the number of canaries'],
};

const planned = (standing: string) => (standing === 'not sent' ? 'to be sent' : standing);

const rowWords = (row: { name: string; amount: string; unit: string; currency: string; reference: string }) =>
  `${quoted(row.name)}, ${moneyOf(row)}, ${quoted(row.reference)}`;

export const planFaults = {
  'setting-differs': ({ name, ...change }, to) =>
    `${settings[name]?.[to === 'page' ? 1 : 0] ?? `limit ${name}`} ${changeWords(change)}`,
  'identity-differs': ({ was, now }) => `it was for ${identityWords(was)}, and is for ${identityWords(now)} now`,
  'cell-differs': ({ row, column, ...change }) => `row ${row}: ${column} ${changeWords(change)}`,
  'effect-differs': ({ row, was, now }) => `row ${row}: it was ${planned(was)}, and is ${planned(now)} now`,
  'sheet-lacks-row': (row) => `row ${row.row} of the plan is not in the sheet: ${rowWords(row)}`,
  'plan-lacks-row': (row) => `row ${row.row} of the sheet is not in the plan: ${rowWords(row)}`,
  'payee-differs': ({ row, was, now }) =>
    `row ${row}: payee ${quoted(now.name)} was ${was === null ? 'not in the plan' : merchantWords(was)}, is ${merchantWords(now)}`,
  'warning-is-new': ({ row, problem }, to) =>
    `${row === null ? 'the sheet' : `row ${row}`}: the plan does not show this: ${problemWords(problem, to)}`,
  'warning-is-gone': ({ problem }, to) => `the plan shows this, and it is no longer true: ${problemWords(problem, to)}`,
  'plan-is-from-future': ({ madeAt, now }) =>
    `The plan was made at ${timeWords(madeAt)}, and here it is ${timeWords(now)}: one of the two clocks is wrong`,
  'plan-is-over': ({ expiredAt, now }) =>
    `The plan was valid until ${timeWords(expiredAt)}, and it is ${timeWords(now)}`,
} satisfies Partial<FaultWords<FaultFacts>>;

const changeWords = ({ was, now }: Readonly<Record<'was' | 'now', PlanSetting>>) =>
  `was ${shown(was)}, is ${shown(now)}`;

function shown(value: PlanSetting): string {
  if (value === null) return 'empty';
  if (typeof value === 'number') return grouped(value);
  if (typeof value !== 'object') return typeof value === 'string' ? quoted(value) : String(value);
  if (Array.isArray(value)) return quoted(windowsWords(value as readonly PayWindow[]));
  return quoted('refusals' in value ? breakerWords(value as Breaker) : capsWords(value as Caps));
}

function merchantWords({ use, id, service_name, name }: NamedMerchant): string {
  const kept = `merchant ${id}`;
  const named = quoted(service_name ?? '');
  return {
    create: 'to be created',
    reuse: `${kept} named ${named}`,
    rename: `${kept} to be renamed from ${named} to ${quoted(name)}`,
    unclear: 'one of several merchants',
  }[use];
}
