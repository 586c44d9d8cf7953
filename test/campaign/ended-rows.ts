/** Scenarios of rows that a person closed, that ended unpaid, or whose payment came late. */
import type { Command } from './commands.ts';
import { days, dec, nov, one, plan, propose, run, type Scenario, stopped, three, two } from './scenario-words.ts';
import { newLine } from './sheet.ts';

const jan = { ledger: 0, batch: 'jan' };
const wait = (minutes: number): Command => ({ do: 'wait', minutes });
const expire: Command = { do: 'expire' };
const settle: Command = { do: 'settle' };
const revive: Command = { do: 'revive', payment: 0 };
const runPlan: Command = { do: 'run plan', plan: 0 };
const drop = (key: string): Command => ({ do: 'drop', ...nov, key });
const secondRefused = { fates: ['made', 'refused'] } as const;
/** The second row is refused, and a person closes it. */
const secondClosed = [run(nov, [one, two], secondRefused), drop('k2')];

export const endedRows: readonly Scenario[] = [
  {
    name: 'a refused row is held when it goes again, and a person closes it: no sheet opens it',
    commands: [
      run(nov, [one, two], secondRefused),
      run(dec, [two]),
      plan(nov, [one, two], { again: true }),
      runPlan,
      drop('k2'),
      run(nov, [one, two, three], { add: true }),
      run(nov, [one, newLine(1, { amount: 1 }), three], { add: true }),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'closed', 'dec k2': 'paid' },
    refused: ['ROWS_CLOSED', 'ROWS_CLOSED'],
    payments: 2,
  },
  {
    name: 'a plan brings a closed row back with other content',
    commands: [...secondClosed, plan(nov, [one, newLine(1, { amount: 1 })]), runPlan],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    payments: 2,
  },
  {
    name: 'a plan brings a closed row back as it was',
    commands: [...secondClosed, plan(nov, [one, two]), runPlan],
    ends: { 'nov k1': 'paid', 'nov k2': 'unpaid' },
    payments: 1,
  },
  {
    name: 'a plan that only brings a row back with a mistake may be proposed',
    commands: [
      run(nov, [one, two], stopped),
      run(nov, [one]),
      propose(nov, [one, newLine(1, { isMistaken: true })]),
      runPlan,
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'invalid' },
    payments: 1,
  },
  {
    name: 'a mistake does not bring a closed row back',
    commands: [...secondClosed, run(nov, [one, newLine(1, { isMistaken: true }), three], { add: true })],
    ends: { 'nov k1': 'paid', 'nov k2': 'closed' },
    refused: ['ROWS_CLOSED'],
    payments: 1,
  },
  {
    name: 'a word covers no payment that was made after it',
    commands: [
      run(nov, [one]),
      run(dec, [one, three, two]),
      { do: 'not-a-repeat', ...dec, key: 'k1' },
      run(jan, [one]),
      { do: 'not-a-repeat', ...jan, key: 'k1' },
      { do: 'resume', ...jan },
      { do: 'resume', ...dec },
    ],
    ends: { 'nov k1': 'paid', 'dec k1': 'held', 'dec k3': 'paid', 'dec k2': 'paid', 'jan k1': 'paid' },
    payments: 4,
  },
  {
    name: 'a plan brings a closed row back with a mistake',
    commands: [...secondClosed, plan(nov, [one, newLine(1, { isMistaken: true }), three]), runPlan],
    ends: { 'nov k1': 'paid', 'nov k2': 'unpaid', 'nov k3': 'paid' },
    payments: 2,
  },
  {
    name: 'an expired payment of a closed row comes alive: an alarm stops the batch',
    commands: [expire, run(nov, [one, two]), drop('k1'), revive, { do: 'reconcile', ...nov }, { do: 'resume', ...nov }],
    ends: { 'nov k1': 'paid', 'nov k2': 'unpaid' },
    payments: 2,
  },
  {
    name: 'no sheet opens a closed row that was paid after all',
    commands: [
      expire,
      run(nov, [one, two]),
      settle,
      drop('k1'),
      revive,
      { do: 'resume', ...nov },
      run(nov, [one, two, three], { add: true }),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'unpaid', 'nov k3': 'not sent' },
    payments: 2,
  },
  {
    name: 'a closed row that was paid after all does not come back, and an older row beside it does',
    commands: [
      run(nov, [one, two, three], stopped),
      expire,
      run(nov, [one, two]),
      drop('k1'),
      revive,
      { do: 'reconcile', ...nov },
      run(nov, [one, two, three], { add: true }),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'unpaid', 'nov k3': 'closed' },
    refused: ['OLDER_VERSION'],
    payments: 2,
  },
  {
    name: 'an absent row that a person closed is no doubt',
    commands: [
      run(nov, [one, two], { fates: ['lost'] }),
      wait(25),
      { do: 'reconcile', ...nov },
      drop('k1'),
      run(dec, [one, two]),
    ],
    ends: { 'nov k1': 'closed', 'nov k2': 'paid' },
    refused: ['SHEET_LOOKS_PAID'],
    payments: 1,
  },
  {
    name: 'an absent row that a person closed comes back as it was, and with no other content',
    commands: [
      run(nov, [one, two], { fates: ['lost'] }),
      wait(25),
      { do: 'reconcile', ...nov },
      drop('k1'),
      plan(nov, [newLine(0, { amount: 1 }), two]),
      plan(nov, [newLine(0, { isMistaken: true }), two]),
      plan(nov, [one, two]),
      runPlan,
    ],
    ends: { 'nov k1': 'in doubt', 'nov k2': 'paid' },
    refused: ['SENT_ROWS_CHANGED', 'SENT_ROWS_INVALID'],
    payments: 1,
  },
  {
    name: 'an expired payment comes alive: its row does not close',
    commands: [expire, run(nov, [one]), revive, drop('k1')],
    ends: { 'nov k1': 'unpaid' },
    refused: ['PAYMENT_ALIVE'],
    payments: 1,
  },
  {
    name: 'a person reopens a row of the newest version alone',
    commands: [
      run(nov, [one, two], stopped),
      run(nov, [one]),
      { do: 'reopen', ...nov, key: 'k2' },
      { do: 'reopen', ...nov, key: 'k1' },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'closed' },
    refused: ['ROW_NOT_LISTED', 'ROW_IS_OPEN'],
    payments: 1,
  },
  {
    name: 'under a plan, a new plan alone sends an unpaid row again',
    commands: [
      plan(nov, [one, two], { add: false, drop: false }),
      { ...runPlan, ...secondRefused },
      { do: 'retry', ...nov },
      plan(nov, [one, two], { again: true }),
      { do: 'run plan', plan: 1 },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    refused: ['RETRY_UNPLANNED'],
    payments: 2,
  },
  {
    name: 'a pause refuses a retry, and a retry is a version: a plan of the version before does not open',
    commands: [
      run(nov, [one, two], secondRefused),
      { do: 'pause', ...nov, all: true },
      { do: 'retry', ...nov },
      { do: 'end pause', ...nov, all: true },
      plan(nov, [one, two], { again: true }),
      { do: 'retry', ...nov },
      runPlan,
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    refused: ['PAUSED', 'VERSION_CONFLICT'],
    payments: 2,
  },
  {
    name: 'a plan of a row that was sent meanwhile does not open',
    commands: [run(nov, [one, two], stopped), plan(nov, [one, two, three]), { do: 'resume', ...nov }, runPlan],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    refused: ['PLAN_DIFFERS'],
    payments: 2,
  },
  {
    name: 'a plan of a row that was paid in another batch meanwhile does not open',
    commands: [run(nov, [one, two], stopped), plan(nov, [one, two, three]), run(dec, [three]), runPlan],
    ends: { 'nov k1': 'not sent', 'nov k2': 'not sent', 'dec k3': 'paid' },
    refused: ['PLAN_DIFFERS'],
    payments: 1,
  },
  {
    name: 'a plan ends after its time',
    commands: [
      run(nov, [one], stopped),
      plan(nov, [one, two]),
      days(15),
      { do: 'approve', plan: 0, by: 'cara' },
      runPlan,
    ],
    ends: { 'nov k1': 'not sent' },
    refused: ['PLAN_EXPIRED', 'PLAN_DIFFERS'],
    payments: 0,
  },
  {
    name: 'a row whose payment is proven absent may be closed',
    commands: [
      run(nov, [one, two], { fates: ['lost'] }),
      wait(25),
      { do: 'reconcile', ...nov },
      wait(25),
      { do: 'reconcile', ...nov },
      drop('k1'),
    ],
    ends: { 'nov k1': 'closed', 'nov k2': 'paid' },
    payments: 1,
  },
  {
    name: 'an expired row with other content is another payment: both live, and an alarm stops the batch',
    commands: [
      expire,
      run(nov, [one, two]),
      settle,
      run(nov, [newLine(0, { amount: 1 }), two]),
      revive,
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid twice', 'nov k2': 'unpaid' },
    payments: 3,
  },
  {
    name: 'a retried payment comes alive: both live, until a person knows of it',
    commands: [
      expire,
      run(nov, [one]),
      settle,
      { do: 'retry', ...nov },
      revive,
      { do: 'reconcile', ...nov },
      { do: 'known', ...nov, key: 'k1' },
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid twice' },
    payments: 2,
  },
  {
    name: 'an old payment in another batch is only a warning',
    commands: [run(nov, [one]), days(21), run(dec, [one])],
    ends: { 'nov k1': 'paid', 'dec k1': 'paid' },
    payments: 2,
  },
  {
    name: 'no word pays a sheet again while its payments are in doubt',
    commands: [
      run(nov, [one, two], { fates: ['answer-lost', 'answer-lost'], dies: 52 }),
      run(dec, [one, two], { confirms: true }),
      run(dec, [one, two]),
    ],
    ends: { 'nov k1': 'pending', 'nov k2': 'not sent', 'dec k1': 'held', 'dec k2': 'paid' },
    refused: ['REPEATS_A_DOUBT'],
    payments: 2,
  },
  {
    name: 'a payment that may appear, and one that a scan finds, refuse the word that there is none',
    commands: [
      run(nov, [one, two], { fates: ['answer-lost', 'answer-lost'], dies: 52 }),
      { do: 'not-paid', ...nov, key: 'k1' },
      wait(11),
      { do: 'not-paid', ...nov, key: 'k1' },
    ],
    ends: { 'nov k1': 'pending', 'nov k2': 'not sent' },
    refused: ['PAYMENT_MAY_APPEAR', 'PAYMENT_FOUND'],
    payments: 1,
  },
  {
    name: 'a payment of a row with a mistake is a payment: the same row in another batch is held',
    commands: [
      run(dec, [two, three], stopped),
      run({ ...nov, ledger: 1 }, [two]),
      wait(25),
      run(nov, [one, newLine(1, { isMistaken: true })]),
      { do: 'resume', ...dec },
      drop('k2'),
    ],
    refused: ['ROW_MAY_BE_PAID'],
    ends: { 'dec k2': 'held', 'dec k3': 'paid', 'nov k1': 'paid', 'nov k2': 'held' },
    payments: 3,
  },
  {
    name: 'the sheet of an addition comes as the whole list: the other unsent rows are dropped',
    commands: [
      run(dec, [two]),
      run(nov, [one, two]),
      run(nov, [three], { add: true }),
      { do: 'not-a-repeat', ...nov, key: 'k2' },
      run(nov, [three], { drop: true }),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'closed', 'nov k3': 'paid', 'dec k2': 'paid' },
    payments: 3,
  },
  {
    name: 'an expired row that a person dropped comes back with other content after it was paid late',
    commands: [expire, run(nov, [one, two]), drop('k1'), revive, plan(nov, [newLine(0, { amount: 1 }), two]), runPlan],
    ends: { 'nov k1': 'closed', 'nov k2': 'unpaid' },
    refused: ['PAYMENT_ALIVE'],
    payments: 2,
  },
];
