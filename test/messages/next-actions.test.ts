/** The words of each next action: the terminal's command, and the sentence and button of a page. */
import { expect, it } from 'vitest';
import type { ActionKind, ActionNamed, RowEffect } from '../../src/domain/next-action.ts';
import {
  actionDocument,
  type Button,
  buttonOf,
  commandOf,
  effectWords,
  pageWords,
} from '../../src/messages/next-actions.ts';

const ofBatch = { batch: 'pay nov' };
const ofRow = { ...ofBatch, row: 'k-1' };
const ofSheet = { file: '/sheets/nov.csv', batch: 'pay nov', options: { skipInvalid: true, format: 'csv' } };
const place = ' --ledger a.db';

const held = 'A row waits for a decision. Open it to see why.';
const retried = 'Send unpaid rows again. A new plan lists them, and an approver approves it.';
const resumed = 'Some rows are still open. Continue sends the rows that were not sent, and follows pending payments.';
const released =
  'A payee’s account changed. A second person, who has asked the payee, releases the row. To leave it unpaid, a preparer or an approver closes it on its page.';
const fixed = 'Upload the fixed sheet again.';
const notes = 'See the notes above.';

type Case = readonly [ActionNamed, command: string, page: string, button: Button | null];

const cases: readonly Case[] = [
  [
    { action: 'reconcile', ...ofBatch },
    "payrun reconcile 'pay nov' --ledger a.db",
    "Search the service's list for the rows in doubt. Nothing is sent.",
    'reconcile',
  ],
  [{ action: 'resume', ...ofBatch, why: null }, "payrun resume 'pay nov' --ledger a.db", resumed, 'resume'],
  [
    { action: 'resume', ...ofBatch, why: 'past-canary' },
    "payrun resume 'pay nov' --ledger a.db --canary 0   # sends the other rows without it",
    `${resumed} (sends the other rows without it)`,
    'resume',
  ],
  [
    { action: 'retry', ...ofBatch, rows: ['k-1', 'k 2'], count: null },
    "payrun retry 'pay nov' --rows k-1,'k 2' --ledger a.db",
    retried,
    'retry',
  ],
  [
    { action: 'retry', ...ofBatch, rows: null, count: 1 },
    "payrun retry 'pay nov' --ledger a.db   # 1 row as it is",
    `${retried} (1 row as it is)`,
    'retry',
  ],
  [
    { action: 'release-absent', ...ofBatch, count: 2 },
    "payrun resolve 'pay nov' --release-absent --reason TEXT --ledger a.db   # 2 rows: no payment has their tags",
    `${held} (2 rows: no payment has their tags)`,
    'resolve',
  ],
  [{ action: 'report', ...ofBatch, needsFolder: true }, "payrun report 'pay nov' --out DIR --ledger a.db", notes, null],
  [{ action: 'list-rows', ...ofBatch }, "payrun list 'pay nov' --ledger a.db", notes, null],
  [{ action: 'show-deposits', ...ofBatch }, "payrun funding 'pay nov' --ledger a.db", notes, null],
  [{ action: 'rebind', ...ofBatch }, "payrun ledger rebind 'pay nov' --reason TEXT --ledger a.db", notes, null],
  [{ action: 'pause', ...ofBatch }, "payrun pause 'pay nov' --reason TEXT --ledger a.db", notes, null],
  [{ action: 'end-pause', ...ofBatch }, "payrun pause 'pay nov' --end --ledger a.db", notes, null],
  [{ action: 'end-pause', batch: null }, 'payrun pause --end --ledger a.db', notes, null],
  [
    { action: 'drop-rows', ...ofBatch, rows: ['k-1'] },
    "payrun drop 'pay nov' --row k-1 --reason TEXT --ledger a.db   # closes the row unpaid, if it repeats a payment",
    notes,
    null,
  ],
  [
    { action: 'drop-rows', ...ofBatch, rows: ['k-1', 'k 2'] },
    "payrun drop 'pay nov' --row k-1,'k 2' --reason TEXT --ledger a.db   # closes the rows unpaid, if they repeat payments",
    notes,
    null,
  ],
  [
    { action: 'reopen-rows', ...ofBatch, rows: ['k-1'], signs: true },
    "payrun reopen 'pay nov' --row k-1 --key FILE --reason TEXT --ledger a.db",
    'A person closed the row. An approver who did not prepare it can open it again.',
    'reopen',
  ],
  [
    { action: 'explain-row', ...ofRow, why: 'held' },
    "payrun explain 'pay nov' k-1 --ledger a.db   # says why the row is held, and what to do",
    held,
    'resolve',
  ],
  [
    { action: 'release-row', ...ofRow, signs: false, why: 'account-changed' },
    "payrun release 'pay nov' --row k-1 --by NAME --reason TEXT --ledger a.db   # by a second person, who has asked the payee about the new account",
    released,
    'release',
  ],
  [
    { action: 'release-row', ...ofRow, signs: true, why: null },
    "payrun release 'pay nov' --row k-1 --key FILE --reason TEXT --ledger a.db",
    released,
    'release',
  ],
  [
    { action: 'resolve-known', ...ofRow, why: 'two-payments' },
    "payrun resolve 'pay nov' --row k-1 --known --reason TEXT --ledger a.db   # after one of the two payments is stopped or returned, or if both are right",
    `${held} (after one of the two payments is stopped or returned, or if both are right)`,
    'resolve',
  ],
  [
    { action: 'resolve-paid', ...ofRow, payment: 'p-1' },
    "payrun resolve 'pay nov' --row k-1 --paid p-1 --ledger a.db",
    held,
    'resolve',
  ],
  [
    { action: 'resolve-not-paid', ...ofRow },
    "payrun resolve 'pay nov' --row k-1 --not-paid --reason TEXT --ledger a.db",
    held,
    'resolve',
  ],
  [
    { action: 'allow-repeat', ...ofRow },
    "payrun resolve 'pay nov' --row k-1 --not-a-repeat --reason TEXT --ledger a.db   # pays the row, if it repeats no payment",
    held,
    'resolve',
  ],
  [
    { action: 'run-sheet', ...ofSheet, add: false, why: 'column-removed' },
    "payrun run /sheets/nov.csv --batch 'pay nov' --skip-invalid --format csv --ledger a.db   # pays the rows, after the column payrun_status is removed from the file",
    'Upload that sheet again: it pays the rows, after the column payrun_status is removed from the file.',
    null,
  ],
  [
    { action: 'run-sheet', ...ofSheet, add: true, why: 'corrected', rows: 2 },
    "payrun run /sheets/nov.csv --batch 'pay nov' --add --skip-invalid --format csv --ledger a.db   # with these rows corrected",
    fixed,
    null,
  ],
  [
    { action: 'repeat-sheet', ...ofSheet, batch: null, needsReason: true },
    'payrun run /sheets/nov.csv --batch NEWNAME --confirm-repeat "the reason" --skip-invalid --format csv --ledger a.db',
    fixed,
    null,
  ],
  [
    { action: 'plan-sheet', ...ofSheet, add: false, signs: true, row: null, why: 'unpaid' },
    "payrun plan /sheets/nov.csv --batch 'pay nov' --retry --skip-invalid --ledger a.db   # after the approvals: payrun run FILE --approve DIGEST",
    retried,
    'retry',
  ],
  [
    { action: 'approve-plan', plan: '/sheets/nov.plan.json' },
    'payrun approve /sheets/nov.plan.json --key FILE',
    notes,
    null,
  ],
  [
    {
      action: 'run-plan',
      ...ofSheet,
      batch: null,
      digest: 'sha256:ab',
      add: true,
      confirmRepeat: 'a second month',
      confirmVariance: null,
      needsReason: true,
    },
    "payrun run /sheets/nov.csv --add --confirm-repeat 'a second month' --confirm-variance REASON --skip-invalid --format csv --ledger a.db --approve sha256:ab",
    fixed,
    null,
  ],
  [{ action: 'list-batches' }, 'payrun list --ledger a.db', notes, null],
  [{ action: 'copy-ledger', from: 'a.db', to: 'b.db' }, 'payrun ledger copy b.db --ledger a.db', notes, null],
  [{ action: 'open-copy', ...ofBatch, ledger: 'b.db' }, "payrun status 'pay nov' --ledger b.db", notes, null],
];

it.each(cases)('%j', (action, command, page, button) => {
  expect([commandOf(action, place), pageWords(action), buttonOf(action)]).toEqual([command, page, button]);
});

it('has a case for each action', () => {
  const kinds: Record<ActionKind, true> = {
    reconcile: true,
    resume: true,
    retry: true,
    'release-absent': true,
    report: true,
    'list-rows': true,
    'show-deposits': true,
    rebind: true,
    pause: true,
    'end-pause': true,
    'drop-rows': true,
    'reopen-rows': true,
    'explain-row': true,
    'release-row': true,
    'resolve-known': true,
    'resolve-paid': true,
    'resolve-not-paid': true,
    'allow-repeat': true,
    'run-sheet': true,
    'repeat-sheet': true,
    'plan-sheet': true,
    'approve-plan': true,
    'run-plan': true,
    'list-batches': true,
    'copy-ledger': true,
    'open-copy': true,
  };
  expect([...new Set(cases.map(([{ action }]) => action))].sort()).toEqual(Object.keys(kinds).sort());
});

it('repeats the options of a sheet in their order, and a plan only those that it accepts', () => {
  const options = {
    allowMomoPush: '',
    expect: ['rows=2'],
    cap: ['100 ZAR', '5 KES'],
    maker: 'Ama',
    webhookUrl: 'https://a.example',
    listen: '8080',
    concurrency: '4',
    out: '/out dir',
    format: 'xlsx',
    map: 'wise',
    only: ['status=FAILED'],
    ignoreColumn: ['old'],
  };
  const sheet = { ...ofSheet, options, add: false, why: null } as const;
  const shared = "--allow-momo-push --expect rows=2 --cap '100 ZAR' --cap '5 KES' --maker Ama";
  expect(commandOf({ action: 'run-sheet', ...sheet }, '')).toBe(
    `payrun run /sheets/nov.csv --batch 'pay nov' ${shared} --webhook-url https://a.example --listen 8080 --concurrency 4 --out '/out dir' --format xlsx --map wise --only status=FAILED --ignore-column old`,
  );
  expect(commandOf({ action: 'plan-sheet', ...sheet, signs: false, row: null }, '')).toBe(
    `payrun plan /sheets/nov.csv --batch 'pay nov' ${shared} --out '/out dir' --map wise --only status=FAILED --ignore-column old`,
  );
});

it('is a document with its facts, its command and its time', () => {
  expect(actionDocument({ action: 'reconcile', batch: 'nov', notBefore: 1000 }, '')).toEqual({
    action: 'reconcile',
    batch: 'nov',
    command: 'payrun reconcile nov',
    after: '1970-01-01T00:00:01.000Z',
  });
});

const resume: ActionNamed = { action: 'resume', ...ofBatch, why: null };

it.each<readonly [RowEffect, string]>([
  ['ends-two-payments', 'continues with the other rows, after one of the two payments is stopped or returned'],
  ['sends-once-listed', 'sends the row after a sheet has it again, because the newest sheet lacks it'],
  ['sends', 'sends the row'],
  ['scans', "searches the service's list for the payment, and sends nothing"],
  ['sends-absent', 'lets Payrun send the row again, with all other absent rows'],
  [
    'releases-account',
    'lets Payrun send the row, after a second person has asked the payee. Or put the old account back into the sheet, and run it again',
  ],
  ['releases-repeat', 'lets Payrun send the row, if it repeats no payment'],
  ['drops', 'closes the row unpaid, if it repeats a payment'],
  ['reopens', 'opens the row again, so that Payrun can pay it'],
  [
    'accepts-payment',
    'says that this payment pays the row. If it does not, ask the service to stop the payment, and use --not-paid',
  ],
  [
    'denies-payment',
    'says that the row was not paid, if the service confirmed it to you. If it was paid, name the payment with --paid ID',
  ],
  ['asks-service', 'asks the service for the status of the payment'],
  [
    'retries-once-listed',
    'adds the row to the batch after a sheet has it again. Then retry sends it. To leave it unpaid, close it with payrun drop',
  ],
  ['retries', 'sends the row again unchanged'],
])('a row, %s', (effect, words) => {
  expect(effectWords(effect, resume)).toBe(words);
});

it.each([
  [true, 'after the approvals:'],
  [false, 'then:'],
])('a row, plans-retry, signed %s', (signs, first) => {
  const plan: ActionNamed = { action: 'plan-sheet', ...ofSheet, add: false, signs, row: 'k-1', why: null };
  expect(effectWords('plans-retry', plan)).toBe(
    `makes a plan that sends the row again; ${first} payrun run FILE --approve DIGEST`,
  );
});
