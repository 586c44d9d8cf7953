/** Scenarios of payments in doubt, and of scans that prove or show payments. */
import { both, dec, four, nov, one, run, type Scenario, stopped, three, two, wait } from './scenario-words.ts';
import { newLine } from './sheet.ts';

export const doubts: readonly Scenario[] = [
  {
    name: 'no early scan proves that a payment is absent',
    commands: [
      run(nov, [one], { fates: ['late'] }),
      { do: 'reconcile', ...nov },
      { do: 'release-absent', ...nov },
      { do: 'resume', ...nov },
      wait(25),
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid' },
    payments: 1,
  },
  {
    name: 'a run scans after it sent, and finds a payment that the service refused and made',
    commands: [run(nov, [one], { fates: ['lying'] })],
    ends: { 'nov k1': 'paid' },
    payments: 1,
    isWhole: true,
  },
  {
    name: 'an expired payment comes alive after another batch paid the same: an alarm stops all',
    commands: [
      { do: 'expire' },
      run(nov, [one]),
      { do: 'settle' },
      run(dec, [one]),
      { do: 'revive', payment: 0 },
      { do: 'reconcile', ...nov },
      run(dec, [one, two], { add: true }),
    ],
    ends: { 'nov k1': 'paid', 'dec k1': 'paid', 'dec k2': 'not sent' },
    payments: 2,
  },
  {
    name: 'a row waits for a near payment of another ledger that was made meanwhile',
    commands: [
      run(nov, [one, two], stopped),
      run({ ...dec, ledger: 1 }, [newLine(0, { reference: 1 })]),
      wait(25),
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'held', 'nov k2': 'paid' },
    payments: 2,
  },
  {
    name: 'a payment of an earlier revision ends no doubt about a later one',
    commands: [
      { do: 'expire' },
      run(nov, [one]),
      { do: 'settle' },
      { do: 'retry', ...nov, fates: ['late'], dies: 40 },
      { do: 'resume', ...nov },
      { do: 'retry', ...nov },
      wait(11),
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid' },
    payments: 2,
  },
  {
    name: 'a row whose payment is proven absent may be closed',
    commands: [
      run(nov, [one, two], { fates: ['lost'] }),
      wait(25),
      { do: 'reconcile', ...nov },
      wait(25),
      { do: 'reconcile', ...nov },
      { do: 'drop', ...nov, key: 'k1' },
      { do: 'not-paid', ...nov, key: 'k1' },
    ],
    ends: { 'nov k1': 'closed', 'nov k2': 'paid' },
    refused: ['ROW_IS_CLOSED'],
    payments: 1,
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
    name: 'an absent row that a person closed is no doubt',
    commands: [
      run(nov, [one, two], { fates: ['lost'] }),
      wait(25),
      { do: 'reconcile', ...nov },
      { do: 'drop', ...nov, key: 'k1' },
      run(dec, [one, two]),
    ],
    ends: { 'nov k1': 'closed', 'nov k2': 'paid' },
    refused: ['SHEET_LOOKS_PAID'],
    payments: 1,
  },
  {
    name: 'a payment that a person named is in doubt again once its tag is that of another row',
    commands: [
      run({ ...nov, ledger: 1 }, [two]),
      run(dec, [two, three]),
      { do: 'paid', ...dec, key: 'k2' },
      run(nov, [two, four]),
      run(dec, [two, three, four], both),
    ],
    ends: { 'dec k2': 'held', 'dec k3': 'paid', 'dec k4': 'paid', 'nov k2': 'held', 'nov k4': 'not sent' },
    payments: 3,
  },
];
