/** One short list of commands for each rule of the model. The rule's absence would break a promise. */
import type { Command, Place } from './commands.ts';
import { type Line, newLine } from './sheet.ts';

export interface Scenario {
  readonly name: string;
  readonly commands: readonly Command[];
  /** How each row of the first ledger ends: `nov k1` is a word of a result. */
  readonly ends: Readonly<Record<string, string>>;
  /** The codes of the refused commands, in their order. */
  readonly refused?: readonly string[];
  readonly payments: number;
}

const nov: Place = { ledger: 0, batch: 'nov' };
const dec: Place = { ledger: 0, batch: 'dec' };
const [one, two, three, four] = [0, 1, 2, 3].map((debt) => newLine(debt)) as [Line, Line, Line, Line];
const withoutId = (debt: number, more: Partial<Line> = {}) => newLine(debt, { hasId: false, ...more });
type Run = Extract<Command, { readonly do: 'run' }>;
type PlanSheet = Extract<Command, { readonly do: 'plan' | 'propose' }>;
const run = (place: Place, lines: readonly Line[], more: Partial<Run> = {}): Run => ({
  do: 'run',
  ...place,
  lines,
  add: false,
  drop: false,
  skips: true,
  confirms: false,
  ...more,
});
const plan = (place: Place, lines: readonly Line[], more: Partial<PlanSheet> = {}): PlanSheet => ({
  do: 'plan',
  ...place,
  lines,
  add: true,
  drop: true,
  skips: true,
  again: false,
  ...more,
});
const propose = (place: Place, lines: readonly Line[]): PlanSheet => ({ ...plan(place, lines), do: 'propose' });
const days = (count: number): Command => ({ do: 'wait', minutes: count * 24 * 60 });
const both = { add: true, drop: true };
/** Stops before the first request. */
const stopped = { stops: 30 };

export const scenarios: readonly Scenario[] = [
  {
    name: 'two plans from one version: the second is refused',
    commands: [
      run(nov, [one]),
      plan(nov, [one, two]),
      plan(nov, [one, three]),
      { do: 'run plan', plan: 0 },
      { do: 'run plan', plan: 1 },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    refused: ['VERSION_CONFLICT'],
    payments: 2,
  },
  {
    name: 'a plan continues the version that it opened',
    commands: [run(nov, [one]), plan(nov, [one, two]), { do: 'run plan', plan: 0 }, { do: 'run plan', plan: 0 }],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    payments: 2,
  },
  {
    name: 'a lost answer is a doubt, and the row does not go again',
    commands: [run(nov, [one, two], { fates: ['answer-lost'] }), { do: 'retry', ...nov }, run(nov, [one, two])],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    payments: 2,
  },
  {
    name: 'a sent row that is corrected in our result file stays the same row',
    commands: [
      run(nov, [withoutId(0)]),
      run(nov, [withoutId(0, { ours: 'digest +254712345610 100 R01', amount: 1, reference: 1 })]),
    ],
    ends: { 'nov digest +254712345610 100 R01': 'paid' },
    refused: ['SENT_ROWS_CHANGED'],
    payments: 1,
  },
  {
    name: 'a row that waited while its payment went out in another batch',
    commands: [run(nov, [one, two], stopped), run(dec, [one, three, four]), days(6), { do: 'resume', ...nov }],
    ends: { 'nov k1': 'held', 'nov k2': 'paid', 'dec k1': 'paid', 'dec k3': 'paid', 'dec k4': 'paid' },
    payments: 4,
  },
  {
    name: 'a refused row that was paid in another batch is held when it goes again',
    commands: [
      run(nov, [one, two], { fates: ['made', 'refused'] }),
      run(dec, [two]),
      plan(nov, [one, two], { again: true }),
      { do: 'run plan', plan: 0 },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'held', 'dec k2': 'paid' },
    payments: 2,
  },
  {
    name: 'a corrected amount in a sheet without row_id',
    commands: [
      run(nov, [withoutId(0), withoutId(1)]),
      run(nov, [withoutId(0, { amount: 1 }), withoutId(1)]),
      run(nov, [withoutId(0, { amount: 1 }), withoutId(1)], both),
    ],
    ends: {
      'nov digest +254712345610 100 R01': 'paid',
      'nov digest +254712345611 101 R02': 'paid',
      'nov digest +254712345610 150 R01': 'held',
    },
    refused: ['ROWS_ADDED'],
    payments: 2,
  },
  {
    name: 'an unsent row that comes again under another key is held',
    commands: [run(nov, [one, two], stopped), run(nov, [withoutId(0), two], { add: true })],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid', 'nov digest +254712345610 100 R01': 'held' },
    payments: 2,
  },
  {
    name: 'a row_id column for a batch that was paid',
    commands: [run(nov, [withoutId(0), withoutId(1)]), days(6), run(nov, [one, two]), run(nov, [one, two], both)],
    ends: {
      'nov digest +254712345610 100 R01': 'paid',
      'nov digest +254712345611 101 R02': 'paid',
      'nov k1': 'held',
      'nov k2': 'held',
    },
    refused: ['ROWS_ADDED'],
    payments: 2,
  },
  {
    name: 'a row that a person closed does not come back with a sheet',
    commands: [
      run(nov, [one, two, three], { fates: ['made', 'refused'] }),
      { do: 'drop', ...nov, key: 'k2' },
      run(nov, [one, two, three, four], { add: true }),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'closed', 'nov k3': 'paid' },
    refused: ['ROWS_CLOSED'],
    payments: 2,
  },
  {
    name: 'a closed row that comes back under another key is held',
    commands: [
      run(nov, [withoutId(0), withoutId(1)], { fates: ['made', 'refused'] }),
      { do: 'drop', ...nov, key: 'digest +254712345611 101 R02' },
      run(nov, [withoutId(0), withoutId(1, { reference: 1 })], both),
    ],
    ends: {
      'nov digest +254712345610 100 R01': 'paid',
      'nov digest +254712345611 101 R02': 'closed',
      'nov digest +254712345611 101 R02 c1': 'held',
    },
    payments: 1,
  },
  {
    name: 'the rows of an older version come back by a plan alone',
    commands: [
      run(nov, [one, two], stopped),
      run(nov, [one, newLine(1, { amount: 1 })], stopped),
      run(nov, [one, two]),
      plan(nov, [one, two]),
      { do: 'run plan', plan: 0 },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    refused: ['OLDER_VERSION'],
    payments: 2,
  },
  {
    name: 'a refused sheet changes nothing',
    commands: [run(nov, [one, two], stopped), run(nov, [newLine(0, { isMistaken: true })]), { do: 'resume', ...nov }],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    refused: ['SHEET_HAS_PROBLEMS'],
    payments: 2,
  },
  {
    name: 'an expired payment comes alive: the row neither goes again nor changes',
    commands: [
      { do: 'expire' },
      run(nov, [one]),
      { do: 'revive', payment: 0 },
      { do: 'retry', ...nov },
      run(nov, [newLine(0, { amount: 1 })]),
    ],
    ends: { 'nov k1': 'unpaid' },
    refused: ['PAYMENT_ALIVE', 'EXPIRED_ROW_PAID'],
    payments: 1,
  },
  {
    name: 'a word covers the payments of its moment',
    commands: [
      run(nov, [one]),
      run(dec, [one, three, four]),
      { do: 'not-a-repeat', ...dec, key: 'k1' },
      { do: 'resume', ...dec },
    ],
    ends: { 'nov k1': 'paid', 'dec k1': 'paid', 'dec k3': 'paid', 'dec k4': 'paid' },
    payments: 4,
  },
  {
    name: 'rows that are all refused are rows that were sent: a list without them needs --drop',
    commands: [
      run(nov, [one, two], { fates: ['refused', 'refused'] }),
      run(nov, [one]),
      run(nov, [one], { drop: true }),
    ],
    ends: { 'nov k1': 'unpaid', 'nov k2': 'closed' },
    refused: ['ROWS_DROPPED'],
    payments: 0,
  },
  {
    name: 'a mistake of an unpaid row leaves it in the batch, and its correction is paid',
    commands: [
      run(nov, [one, two], { fates: ['made', 'refused'] }),
      run(nov, [one, newLine(1, { isMistaken: true })]),
      run(nov, [one, newLine(1, { amount: 1 })]),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    payments: 2,
  },
  {
    name: 'a new line with a mistake is a new row: it needs --add',
    commands: [
      run(nov, [one]),
      run(nov, [one, newLine(1, { isMistaken: true })]),
      run(nov, [one, newLine(1, { isMistaken: true })], { add: true }),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'invalid' },
    refused: ['ROWS_ADDED'],
    payments: 1,
  },
  {
    name: 'while a plan waits, its batch sends nothing, and gets no other version',
    commands: [
      run(nov, [one, two], stopped),
      propose(nov, [one, two, three]),
      { do: 'resume', ...nov },
      run(nov, [one]),
      propose(nov, [one]),
      { do: 'run plan', plan: 0 },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid', 'nov k3': 'paid' },
    refused: ['PROPOSAL_WAITS', 'PROPOSAL_WAITS'],
    payments: 3,
  },
  {
    name: 'a declined plan is never paid, and the batch continues as it was',
    commands: [
      run(nov, [one, two], stopped),
      propose(nov, [one, two, three]),
      { do: 'decline', ...nov },
      { do: 'run plan', plan: 0 },
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    refused: ['PLAN_DECLINED'],
    payments: 2,
  },
  {
    name: 'a paused batch sends nothing, in no command',
    commands: [
      run(nov, [one, two], stopped),
      { do: 'pause', ...nov, all: true },
      { do: 'resume', ...nov },
      run(nov, [one]),
      run(dec, [three]),
      { do: 'end pause', ...nov, all: true },
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'closed', 'dec k3': 'not sent' },
    payments: 1,
  },
  {
    name: 'a plan is proposed after a process died while it sent',
    commands: [run(nov, [one, two], { dies: 45 }), propose(nov, [one, two, three])],
    ends: { 'nov k1': 'in doubt', 'nov k2': 'not sent' },
    payments: 0,
  },
  {
    name: 'an unpaid row takes the number of its line with a mistake, and the result is written',
    commands: [
      run(nov, [one, two, three], { fates: ['made', 'refused'] }),
      run(nov, [one, three, newLine(1, { isMistaken: true })]),
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'unpaid', 'nov k3': 'paid' },
    payments: 2,
  },
];
