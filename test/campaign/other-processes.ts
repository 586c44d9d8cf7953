/** Scenarios of processes that die or stop, of other ledgers, of a service that lies, and of approvers. */
import {
  both,
  days,
  dec,
  lied,
  nov,
  one,
  plan,
  run,
  runPlan,
  type Scenario,
  three,
  two,
  wait,
  withoutId,
} from './scenario-words.ts';
import { newLine } from './sheet.ts';

const corrected = newLine(0, { amount: 1 });

export const otherProcesses: readonly Scenario[] = [
  {
    name: 'another ledger paid a batch, or a part of it, long ago: nothing is sent',
    commands: [
      run({ ...nov, ledger: 1 }, [one]),
      run({ ...dec, ledger: 1 }, [two]),
      days(21),
      run(nov, [one]),
      run(dec, [two, three]),
    ],
    ends: { 'nov k1': 'paid', 'dec k2': 'pending', 'dec k3': 'not sent' },
    payments: 2,
  },
  {
    name: 'a payment of another ledger that expired was sent: a new row of its batch needs --add',
    commands: [{ do: 'expire' }, run({ ...nov, ledger: 1 }, [one]), wait(25), run(nov, [one]), run(nov, [one, two])],
    ends: { 'nov k1': 'unpaid' },
    refused: ['ROWS_ADDED'],
    payments: 1,
  },
  {
    name: 'somebody comes back for a payment that a person names',
    commands: [
      run({ ...nov, ledger: 1 }, [two]),
      wait(25),
      run(nov, [one, newLine(1, { isMistaken: true })]),
      { do: 'paid', ...nov, key: 'k2' },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'pending' },
    payments: 2,
  },
  {
    name: 'a row that was corrected after it was sent holds the payment that was sent',
    commands: [run(nov, [one], lied), run(nov, [corrected]), run(dec, [one, three])],
    ends: { 'nov k1': 'held', 'dec k1': 'held', 'dec k3': 'paid' },
    payments: 2,
  },
  {
    name: 'a payment near to a new row is compared as it was sent, if the file lacks the row that was corrected',
    commands: [
      run(nov, [one], lied),
      run(nov, [corrected]),
      wait(25),
      plan(nov, [withoutId(0, { reference: 1 })]),
      runPlan,
    ],
    ends: { 'nov k1': 'held', 'nov digest +254712345610 100 R01 c1': 'held' },
    payments: 1,
  },
  {
    name: 'no scan takes back that a person named the payment of a row',
    commands: [
      run(nov, [one], lied),
      run(nov, [corrected]),
      { do: 'paid', ...nov, key: 'k1' },
      { do: 'reconcile', ...nov },
    ],
    ends: { 'nov k1': 'pending' },
    payments: 1,
  },
  {
    name: 'a payment that expired pays no row',
    commands: [
      { do: 'expire' },
      run(nov, [one, two], { fates: ['answer-lost', 'answer-lost'], dies: 52 }),
      wait(5),
      { do: 'paid', ...nov, key: 'k1' },
    ],
    ends: { 'nov k1': 'in doubt', 'nov k2': 'not sent' },
    refused: ['PAYMENT_EXPIRED'],
    payments: 1,
  },
  {
    name: 'a payment of another amount pays no row',
    commands: [
      run({ ...dec, ledger: 1 }, [corrected]),
      wait(25),
      run(nov, [one], { fates: ['lost'] }),
      wait(25),
      { do: 'paid', ...nov, key: 'k1' },
    ],
    ends: { 'nov k1': 'in doubt' },
    refused: ['PAYMENT_DIFFERS'],
    payments: 1,
  },
  {
    name: 'a scan and a retry that die or stop leave each row as it was',
    commands: [
      run(nov, [one, two, three], { fates: ['lost', 'refused'] }),
      wait(25),
      { do: 'reconcile', ...nov, dies: 8 },
      { do: 'reconcile', ...nov, halts: 8 },
      { do: 'retry', ...nov, dies: 8 },
      { do: 'retry', ...nov, halts: 20 },
    ],
    ends: { 'nov k1': 'in doubt', 'nov k2': 'not sent', 'nov k3': 'paid' },
    payments: 1,
  },
  {
    name: 'another process stops a run: no request leaves any more, and the hot folder does not continue the batch',
    commands: [run(nov, [one, two], { halts: 48 }), { do: 'continue', ...nov }],
    ends: { 'nov k1': 'paid', 'nov k2': 'not sent' },
    payments: 1,
  },
  {
    name: 'another process stops a batch while a run still reads its sheet: the run sends nothing',
    commands: [run(nov, [one, two], { dies: 30 }), run(nov, [one, two], { halts: 2 })],
    ends: { 'nov k1': 'not sent', 'nov k2': 'not sent' },
    payments: 0,
  },
  {
    name: 'a person continues a batch that another process stopped',
    commands: [
      run(nov, [one, two], { dies: 30 }),
      { do: 'stop', ...nov },
      { do: 'continue', ...nov },
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    payments: 2,
  },
  {
    name: 'the hot folder continues a batch that nobody stopped',
    commands: [run(nov, [one, two], { dies: 30 }), { do: 'continue', ...nov }],
    ends: { 'nov k1': 'paid', 'nov k2': 'paid' },
    payments: 2,
  },
  {
    name: 'a payment of a row with a mistake is a payment: the same row of its batch under another key is held',
    commands: [
      run({ ...nov, ledger: 1 }, [two]),
      wait(25),
      run(nov, [one, newLine(1, { isMistaken: true })]),
      run(nov, [one, withoutId(1)], both),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'held', 'nov digest +254712345611 101 R02': 'held' },
    payments: 2,
  },
  {
    name: 'a command of an unknown batch or row changes nothing',
    commands: [{ do: 'resume', ...dec }, run(nov, [one]), { do: 'drop', ...nov, key: 'k9' }],
    ends: { 'nov k1': 'paid' },
    refused: ['BATCH_UNKNOWN', 'ROW_UNKNOWN'],
    payments: 1,
  },
];
