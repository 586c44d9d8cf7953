/** Scenarios of processes that die or stop, of other ledgers, and of approvers. */
import type { Command } from './commands.ts';
import { both, days, dec, nov, one, plan, run, type Scenario, three, two, withoutId } from './scenario-words.ts';
import { newLine } from './sheet.ts';

const runPlan: Command = { do: 'run plan', plan: 0 };
const secondRefused = { fates: ['made', 'refused'] } as const;

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
    name: 'somebody comes back for a payment that a person names',
    commands: [
      run({ ...nov, ledger: 1 }, [two]),
      { do: 'wait', minutes: 25 },
      run(nov, [one, newLine(1, { isMistaken: true })]),
      { do: 'paid', ...nov, key: 'k2' },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'pending' },
    payments: 2,
  },
  {
    name: 'a scan and a retry that die or stop leave each row as it was',
    commands: [
      run(nov, [one, two, three], { fates: ['lost', 'refused'] }),
      { do: 'wait', minutes: 25 },
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
    name: 'under a policy, a version needs the approvals of two people who did not make it',
    commands: [
      { do: 'policy', needed: 2 },
      run(nov, [one]),
      plan(nov, [one, two], { add: false, drop: false }),
      { do: 'approve', plan: 0, by: 'ann' },
      { do: 'approve', plan: 0, by: 'cara' },
      { do: 'approve', plan: 0, by: 'cara' },
      runPlan,
      { do: 'approve', plan: 0, by: 'dan' },
      { ...runPlan, ...secondRefused },
      plan(nov, [one, two], { again: true }),
      { do: 'approve', plan: 1, by: 'dan' },
      { do: 'run plan', plan: 1 },
      { do: 'resume', ...nov },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'unpaid' },
    refused: ['SIGNED_PLAN_MISSING', 'SIGNATURE_USELESS', 'APPROVED_ALREADY', 'APPROVALS_TOO_FEW', 'APPROVALS_TOO_FEW'],
    payments: 1,
  },
  {
    name: 'a payment of a row with a mistake is a payment: the same row of its batch under another key is held',
    commands: [
      run({ ...nov, ledger: 1 }, [two]),
      { do: 'wait', minutes: 25 },
      run(nov, [one, newLine(1, { isMistaken: true })]),
      run(nov, [one, withoutId(1)], both),
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'held', 'nov digest +254712345611 101 R02': 'held' },
    payments: 2,
  },
  {
    name: 'under a policy, no version has fewer signers than the first, and no maker reopens a row',
    commands: [
      { do: 'policy', needed: 2 },
      plan(nov, [one, two], { add: false, drop: false }),
      { do: 'approve', plan: 0, by: 'cara' },
      { do: 'approve', plan: 0, by: 'dan' },
      { ...runPlan, ...secondRefused },
      { do: 'drop', ...nov, key: 'k2' },
      { do: 'reopen', ...nov, key: 'k2', by: 'ann' },
      { do: 'policy', needed: 1 },
      plan(nov, [one, two, three]),
      { do: 'approve', plan: 1, by: 'cara' },
      { do: 'run plan', plan: 1 },
      { do: 'approve', plan: 1, by: 'dan' },
      { do: 'run plan', plan: 1 },
    ],
    ends: { 'nov k1': 'paid', 'nov k2': 'unpaid', 'nov k3': 'paid' },
    refused: ['RELEASE_BY_MAKER', 'APPROVALS_TOO_FEW'],
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
