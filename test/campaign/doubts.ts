/** Scenarios of payments in doubt, and of scans that prove or show payments. */
import { dec, nov, one, run, type Scenario, two, wait } from './scenario-words.ts';

export const doubts: readonly Scenario[] = [
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
    ],
    ends: { 'nov k1': 'closed', 'nov k2': 'paid' },
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
];
