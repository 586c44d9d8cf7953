/**
 * The words of each next action, typed by hand: the terminal's command, and the sentence and button of a page.
 * A mail has one sentence for each kind of notification (mail.test.ts).
 */
import { expect, it } from 'vitest';
import type { Some } from '../../src/base/refusal.ts';
import type { NotedRow } from '../../src/base/words.ts';
import type { ActionKind, ActionNamed, ActionOf, RowEffect } from '../../src/domain/next-action.ts';
import type { DoubtWait } from '../../src/domain/sending/doubt.ts';
import {
  actionDocument,
  type Button,
  buttonOf,
  commandOf,
  effectWords,
  noPlace,
  pageEffectWords,
  pageWords,
} from '../../src/messages/next-actions.ts';
import { place as everyFlag, expectPlaced } from './placed.ts';

const ofBatch = { batch: 'pay nov' };
const ofRow = { ...ofBatch, row: 'k-1' };
const seen = '0a1b2c3d4e5f';
const ofSheet = { file: '/sheets/nov.csv', batch: 'pay nov', options: { skipInvalid: true, format: 'csv' as const } };
const place = { user: '', ledger: ' --ledger a.db' };

const held = 'A row waits for a decision. Open it to see why.';
const retried = 'Try unpaid rows again: an approver approves their plan. To leave a row unpaid, close it on its page.';
const resumed = 'Some rows are still open. Continue sends the rows that were not sent, and follows pending payments.';
const released =
  'A payee’s account changed. A second person, who has asked the payee, releases the row. To leave it unpaid, a preparer or an approver closes it on its page.';
const fixed = 'To correct a row, upload the corrected sheet on Home, and plan it as the next version of this batch.';
const notes = 'See the notes above.';

const [t1, t2] = [Date.UTC(2026, 10, 26, 23, 12, 0), Date.UTC(2026, 10, 26, 23, 43, 7)];
const wan = { key: 'k-1', number: 3, payee: 'Wan B', money: { amount: 59_000, unit: 'whole', currency: 'KES' } };
const one: Some<NotedRow> = { shown: [wan], total: 1 };
const five: Some<NotedRow> = { shown: ['k-1', 'k-2', 'k-3', 'k-4'].map((key) => ({ ...wan, key })), total: 5 };
const searched = 'Search at the service again for the rows in doubt. Nothing is sent.';

/** Each state of a doubt: who, how much, when it can be settled, and why not earlier. */
const waits: readonly (readonly [Some<NotedRow>, DoubtWait, words: string])[] = [
  [
    one,
    { why: 'may-appear', end: t1, at: t2 },
    'row k-1 (Wan B, 59,000 KES, row 3 of the sheet). The service may list a payment of it until 2026-11-26 23:12:00 UTC. After that, its list settles the row as soon as Payrun has sent another payment, or else after 2026-11-26 23:43:07 UTC.',
  ],
  [
    one,
    { why: 'may-appear', end: t1, at: t1 },
    'row k-1 (Wan B, 59,000 KES, row 3 of the sheet). The service may list a payment of it until 2026-11-26 23:12:00 UTC. After that, its list settles the row.',
  ],
  [
    one,
    { why: 'may-appear', end: t1, at: null },
    'row k-1 (Wan B, 59,000 KES, row 3 of the sheet). The service may list a payment of it until 2026-11-26 23:12:00 UTC. After that, its list settles the row as soon as Payrun has sent another payment.',
  ],
  [
    five,
    { why: 'list-may-be-old', end: t1, at: t2 },
    "rows k-1 (Wan B, 59,000 KES, row 3 of the sheet), k-2 (Wan B, 59,000 KES, row 3 of the sheet), k-3 (Wan B, 59,000 KES, row 3 of the sheet) and 2 more rows. Payrun sent no payment after 2026-11-26 23:12:00 UTC, so the service's list may be out of date. It settles the rows as soon as Payrun has sent another payment, or else after 2026-11-26 23:43:07 UTC.",
  ],
  [
    one,
    { why: 'list-may-be-old', end: t1, at: null },
    "row k-1 (Wan B, 59,000 KES, row 3 of the sheet). Payrun sent no payment after 2026-11-26 23:12:00 UTC, so the service's list may be out of date. It settles the row as soon as Payrun has sent another payment. Send the batch's other rows first.",
  ],
  [
    one,
    { why: 'second-scan', end: t1, at: t1 },
    "row k-1 (Wan B, 59,000 KES, row 3 of the sheet). The service's list had no payment of it. A second search after 2026-11-26 23:12:00 UTC confirms that.",
  ],
  [
    one,
    { why: 'none', end: t1, at: t1 },
    "row k-1 (Wan B, 59,000 KES, row 3 of the sheet). The service's list can settle the row now.",
  ],
];

const firstAndLast =
  'rows k-1 (Wan B, 59,000 KES, row 3 of the sheet), k-2 (Wan B, 59,000 KES, row 3 of the sheet), k-3 (Wan B, 59,000 KES, row 3 of the sheet) and 2 more rows. The service may list a payment of them until 2026-11-26 23:43:07 UTC. After that, its list settles the rows. The list can settle the first of them from 2026-11-26 23:12:00 UTC on.';

const firstNow =
  'rows k-1 (Wan B, 59,000 KES, row 3 of the sheet), k-2 (Wan B, 59,000 KES, row 3 of the sheet), k-3 (Wan B, 59,000 KES, row 3 of the sheet) and 2 more rows. The service may list a payment of them until 2026-11-26 23:43:07 UTC. After that, its list settles the rows. The list can settle the first of them now.';

type Case<K extends ActionKind> = readonly [ActionOf<K>, terminal: string, page: string, button: Button | null];

const cases: { readonly [K in ActionKind]: readonly Case<K>[] } = {
  reconcile: [
    [
      { action: 'reconcile', ...ofBatch, doubt: null },
      "payrun reconcile 'pay nov' --ledger a.db",
      searched,
      'reconcile',
    ],
    ...waits.map(
      ([rows, wait, words]): Case<'reconcile'> => [
        { action: 'reconcile', ...ofBatch, doubt: { rows, wait, firstAt: null } },
        `payrun reconcile 'pay nov' --ledger a.db   # ${words}`,
        `In doubt: ${words} ${searched}`,
        'reconcile',
      ],
    ),
    [
      {
        action: 'reconcile',
        ...ofBatch,
        doubt: { rows: five, wait: { why: 'may-appear', end: t2, at: t2 }, firstAt: t1 },
      },
      `payrun reconcile 'pay nov' --ledger a.db   # ${firstAndLast}`,
      `In doubt: ${firstAndLast} ${searched}`,
      'reconcile',
    ],
    [
      {
        action: 'reconcile',
        ...ofBatch,
        doubt: { rows: five, wait: { why: 'may-appear', end: t2, at: t2 }, firstAt: 'now' },
      },
      `payrun reconcile 'pay nov' --ledger a.db   # ${firstNow}`,
      `In doubt: ${firstNow} ${searched}`,
      'reconcile',
    ],
  ],
  resume: [
    [{ action: 'resume', ...ofBatch, why: null }, "payrun resume 'pay nov' --ledger a.db", resumed, 'resume'],
    [
      { action: 'resume', ...ofBatch, why: 'past-canary' },
      "payrun resume 'pay nov' --ledger a.db --canary 0   # sends the other rows without it",
      `${resumed} (sends the other rows without it)`,
      'resume',
    ],
  ],
  retry: [
    [
      { action: 'retry', ...ofBatch, rows: ['k-1', 'k 2'], seen: '0a1b2c', count: null },
      "payrun retry 'pay nov' --rows k-1,'k 2' --seen 0a1b2c --ledger a.db",
      retried,
      'retry',
    ],
    [
      { action: 'retry', ...ofBatch, rows: null, seen: null, count: 1 },
      "payrun retry 'pay nov' --ledger a.db   # 1 row as it is",
      `${retried} (1 row as it is)`,
      'retry',
    ],
  ],
  'release-absent': [
    [
      { action: 'release-absent', ...ofBatch, seen, signs: 'key', row: 'k 1', rows: null },
      "payrun resolve 'pay nov' --row 'k 1' --seen 0a1b2c3d4e5f --release-absent --key FILE --reason TEXT --ledger a.db",
      held,
      'resolve',
    ],
    [
      { action: 'release-absent', ...ofBatch, seen, signs: 'no', row: null, rows: one },
      "payrun resolve 'pay nov' --seen 0a1b2c3d4e5f --release-absent --reason TEXT --ledger a.db   # row k-1 (Wan B, 59,000 KES, row 3 of the sheet). The service's list proves that no payment exists.",
      `In doubt: row k-1 (Wan B, 59,000 KES, row 3 of the sheet). The service's list proves that no payment exists. ${held}`,
      'resolve',
    ],
    [
      { action: 'release-absent', ...ofBatch, seen, signs: 'console', row: null, rows: one },
      "payrun console --ledger a.db   # an approver lets Payrun send row k-1 (Wan B, 59,000 KES, row 3 of the sheet) there. The service's list proves that no payment exists.",
      `In doubt: row k-1 (Wan B, 59,000 KES, row 3 of the sheet). The service's list proves that no payment exists. ${held}`,
      'resolve',
    ],
    [
      { action: 'release-absent', ...ofBatch, seen, signs: 'console', row: 'k 1', rows: null },
      'payrun console --ledger a.db   # an approver lets Payrun send row k 1 there',
      held,
      'resolve',
    ],
  ],
  report: [
    [
      { action: 'report', ...ofBatch, needsFolder: true },
      "payrun report 'pay nov' --out DIR --ledger a.db",
      notes,
      null,
    ],
  ],
  'list-rows': [[{ action: 'list-rows', ...ofBatch }, "payrun list 'pay nov' --ledger a.db", notes, null]],
  'show-deposits': [[{ action: 'show-deposits', ...ofBatch }, "payrun funding 'pay nov' --ledger a.db", notes, null]],
  rebind: [
    [{ action: 'rebind', ...ofBatch }, "payrun ledger rebind 'pay nov' --reason TEXT --ledger a.db", notes, null],
  ],
  pause: [[{ action: 'pause', ...ofBatch }, "payrun pause 'pay nov' --reason TEXT --ledger a.db", notes, null]],
  'end-plan': [
    [
      { action: 'end-plan', ...ofBatch, ending: 'decline' },
      "payrun decline 'pay nov' --by NAME --reason TEXT --ledger a.db",
      notes,
      null,
    ],
  ],
  'end-pause': [
    [{ action: 'end-pause', ...ofBatch, pause: 7 }, "payrun pause 'pay nov' --end --seen 7 --ledger a.db", notes, null],
    [{ action: 'end-pause', batch: null, pause: 8 }, 'payrun pause --end --seen 8 --ledger a.db', notes, null],
  ],
  'drop-rows': [
    [
      { action: 'drop-rows', ...ofBatch, seen, rows: ['k-1'], named: one },
      "payrun drop 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --reason TEXT --ledger a.db   # closes row k-1 (Wan B, 59,000 KES, row 3 of the sheet) unpaid",
      notes,
      null,
    ],
    [
      { action: 'drop-rows', ...ofBatch, seen, rows: ['k-1', 'k 2'], named: null },
      "payrun drop 'pay nov' --row k-1,'k 2' --seen 0a1b2c3d4e5f --reason TEXT --ledger a.db",
      notes,
      null,
    ],
  ],
  'reopen-rows': [
    [
      { action: 'reopen-rows', ...ofBatch, seen, rows: ['k-1'], signs: 'key' },
      "payrun reopen 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --key FILE --reason TEXT --ledger a.db",
      'A person closed the row. An approver who did not prepare it can open it again.',
      'reopen',
    ],
    [
      { action: 'reopen-rows', ...ofBatch, seen, rows: ['k-1', 'k 2'], signs: 'console' },
      'payrun console --ledger a.db   # an approver opens rows k-1, k 2 again there',
      'A person closed the row. An approver who did not prepare it can open it again.',
      'reopen',
    ],
  ],
  'explain-row': [
    [
      { action: 'explain-row', ...ofRow, named: one },
      "payrun explain 'pay nov' k-1 --ledger a.db   # says why Payrun holds row k-1 (Wan B, 59,000 KES, row 3 of the sheet), and what to do",
      held,
      'resolve',
    ],
  ],
  'release-row': [
    [
      { action: 'release-row', ...ofRow, seen, signs: 'no', named: one },
      "payrun release 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --by NAME --reason TEXT --ledger a.db   # by a second person, who has asked the payee about the new account of row k-1 (Wan B, 59,000 KES, row 3 of the sheet)",
      released,
      'release',
    ],
    [
      { action: 'release-row', ...ofRow, seen, signs: 'no', named: five },
      "payrun release 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --by NAME --reason TEXT --ledger a.db   # by a second person, who has asked the payee about the new account of row k-1 (Wan B, 59,000 KES, row 3 of the sheet); then Payrun prints the command of the next of 4 more rows",
      released,
      'release',
    ],
    [
      { action: 'release-row', ...ofRow, seen, signs: 'key', named: null },
      "payrun release 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --key FILE --reason TEXT --ledger a.db",
      released,
      'release',
    ],
    [
      { action: 'release-row', ...ofRow, seen, signs: 'console', named: five },
      'payrun console --ledger a.db   # an approver releases rows k-1 (Wan B, 59,000 KES, row 3 of the sheet), k-2 (Wan B, 59,000 KES, row 3 of the sheet), k-3 (Wan B, 59,000 KES, row 3 of the sheet) and 2 more rows there, after asking the payee about the new account',
      released,
      'release',
    ],
  ],
  'resolve-known': [
    [
      { action: 'resolve-known', ...ofRow, seen, named: one },
      "payrun resolve 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --known --reason TEXT --ledger a.db   # after one of the two payments of row k-1 (Wan B, 59,000 KES, row 3 of the sheet) is stopped or returned, or if both are right",
      `${held} (after one of the two payments of row k-1 (Wan B, 59,000 KES, row 3 of the sheet) is stopped or returned, or if both are right)`,
      'resolve',
    ],
  ],
  'resolve-paid': [
    [
      { action: 'resolve-paid', ...ofRow, seen, payment: 'p-1' },
      "payrun resolve 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --paid p-1 --ledger a.db",
      held,
      'resolve',
    ],
  ],
  'resolve-not-paid': [
    [
      { action: 'resolve-not-paid', ...ofRow, seen, signs: 'no' },
      "payrun resolve 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --not-paid --reason TEXT --ledger a.db",
      held,
      'resolve',
    ],
    [
      { action: 'resolve-not-paid', ...ofRow, seen, signs: 'key' },
      "payrun resolve 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --not-paid --key FILE --reason TEXT --ledger a.db",
      held,
      'resolve',
    ],
    [
      { action: 'resolve-not-paid', ...ofRow, seen, signs: 'console' },
      'payrun console --ledger a.db   # an approver says there that row k-1 was not paid',
      held,
      'resolve',
    ],
  ],
  'allow-repeat': [
    [
      {
        action: 'allow-repeat',
        ...ofRow,
        seen,
        signs: 'no',
        named: { ...one, to: { row: 4, batch: 'oct', sentAt: t1 } },
      },
      "payrun resolve 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --not-a-repeat --reason TEXT --ledger a.db   # pays row k-1 (Wan B, 59,000 KES, row 3 of the sheet), if it does not repeat row 4 of batch oct, sent on 2026-11-26 23:12:00 UTC",
      held,
      'resolve',
    ],
    [
      { action: 'allow-repeat', ...ofRow, seen, signs: 'key', named: null },
      "payrun resolve 'pay nov' --row k-1 --seen 0a1b2c3d4e5f --not-a-repeat --key FILE --reason TEXT --ledger a.db",
      held,
      'resolve',
    ],
    [
      { action: 'allow-repeat', ...ofRow, seen, signs: 'console', named: null },
      'payrun console --ledger a.db   # an approver pays row k-1 there, if it repeats no payment',
      held,
      'resolve',
    ],
  ],
  'run-sheet': [
    [
      { action: 'run-sheet', ...ofSheet, add: false, drop: true, why: 'corrected' },
      "payrun run /sheets/nov.csv --batch 'pay nov' --drop --skip-invalid --format csv --ledger a.db   # after you correct the rows in the sheet, which must be the whole list",
      fixed,
      null,
    ],
  ],
  'repeat-sheet': [
    [
      { action: 'repeat-sheet', ...ofSheet, signs: 'no' },
      `payrun plan /sheets/nov.csv --batch 'pay nov' --confirm-repeat "the reason" --skip-invalid --ledger a.db`,
      fixed,
      null,
    ],
    [
      { action: 'repeat-sheet', ...ofSheet, signs: 'key' },
      `payrun plan /sheets/nov.csv --batch 'pay nov' --confirm-repeat "the reason" --maker NAME --skip-invalid --ledger a.db`,
      fixed,
      null,
    ],
    [
      { action: 'repeat-sheet', ...ofSheet, signs: 'console' },
      'payrun console --ledger a.db   # a preparer uploads nov.csv there as a new batch, with the reason to pay it again',
      fixed,
      null,
    ],
  ],
  'plan-sheet': [
    [
      { action: 'plan-sheet', ...ofSheet, add: false, signs: 'key', retry: 'all', why: null },
      "payrun plan /sheets/nov.csv --batch 'pay nov' --retry --maker NAME --skip-invalid --ledger a.db   # the sheet must have the unpaid rows",
      retried,
      'retry',
    ],
    [
      { action: 'plan-sheet', ...ofSheet, add: false, drop: true, signs: 'no', retry: [], why: 'corrected' },
      "payrun plan /sheets/nov.csv --batch 'pay nov' --drop --skip-invalid --ledger a.db   # after you correct the rows in the sheet, which must be the whole list",
      fixed,
      null,
    ],
    [
      { action: 'plan-sheet', ...ofSheet, add: false, drop: true, signs: 'console', retry: [], why: 'corrected' },
      'payrun console --ledger a.db   # a preparer uploads the corrected nov.csv there, and an approver approves its plan',
      fixed,
      null,
    ],
    [
      { action: 'plan-sheet', ...ofSheet, add: false, signs: 'console', retry: 'all', why: null },
      'payrun console --ledger a.db   # a preparer tries the unpaid rows again there, and an approver approves the plan',
      retried,
      'retry',
    ],
    [
      { action: 'plan-sheet', ...ofSheet, add: false, signs: 'console', retry: ['k-1'], why: null },
      'payrun console --ledger a.db   # a preparer tries row k-1 again there, and an approver approves the plan',
      retried,
      'retry',
    ],
    [
      { action: 'plan-sheet', ...ofSheet, add: false, signs: 'console', retry: [], why: null },
      'payrun console --ledger a.db   # a preparer uploads nov.csv there, and an approver approves its plan',
      fixed,
      null,
    ],
  ],
  'approve-plan': [
    [
      { action: 'approve-plan', plan: '/sheets/nov.plan.json', signs: 'key' },
      'payrun approve /sheets/nov.plan.json --key FILE',
      notes,
      null,
    ],
    [
      { action: 'approve-plan', plan: '/sheets/nov.plan.json', signs: 'console' },
      'payrun console --ledger a.db   # a preparer uploads the sheet there, and an approver approves its plan',
      notes,
      null,
    ],
  ],
  'run-plan': [
    [
      {
        action: 'run-plan',
        plan: '/sheets/nov.plan.json',
        digest: 'sha256:ab',
        needsReason: true,
      },
      'payrun run /sheets/nov.plan.json --confirm-variance REASON --ledger a.db --approve sha256:ab',
      fixed,
      null,
    ],
  ],
  'list-batches': [[{ action: 'list-batches' }, 'payrun list --ledger a.db', notes, null]],
  'copy-ledger': [
    [{ action: 'copy-ledger', from: 'a.db', to: 'b.db' }, 'payrun ledger copy b.db --ledger a.db', notes, null],
  ],
  'open-copy': [
    [{ action: 'open-copy', ...ofBatch, ledger: 'b.db' }, "payrun status 'pay nov' --ledger b.db", notes, null],
  ],
};

it.each<readonly [ActionNamed, string, string, Button | null]>(Object.values(cases).flat())(
  '%j',
  (action, command, page, button) => {
    expectPlaced(() => commandOf(action, everyFlag));
    expect([commandOf(action, place), pageWords(action), buttonOf(action)]).toEqual([command, page, button]);
  },
);

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
    format: 'xlsx' as const,
    map: 'wise',
    only: ['status=FAILED'],
    ignoreColumn: ['old'],
  };
  const sheet = { ...ofSheet, options, add: false, why: null } as const;
  const shared = "--allow-momo-push --expect rows=2 --cap '100 ZAR' --cap '5 KES' --maker Ama";
  expect(commandOf({ action: 'run-sheet', ...sheet }, noPlace)).toBe(
    `payrun run /sheets/nov.csv --batch 'pay nov' ${shared} --webhook-url https://a.example --listen 8080 --concurrency 4 --out '/out dir' --format xlsx --map wise --only status=FAILED --ignore-column old`,
  );
  expect(commandOf({ action: 'plan-sheet', ...sheet, signs: 'no', retry: [] }, noPlace)).toBe(
    `payrun plan /sheets/nov.csv --batch 'pay nov' ${shared} --out '/out dir' --map wise --only status=FAILED --ignore-column old`,
  );
});

it('is a document with its facts, its command and its time', () => {
  expect(actionDocument({ action: 'reconcile', batch: 'nov', doubt: null, notBefore: 1000 }, noPlace)).toEqual({
    action: 'reconcile',
    batch: 'nov',
    doubt: null,
    command: 'payrun reconcile nov',
    after: '1970-01-01T00:00:01.000Z',
  });
});

const resume: ActionNamed = { action: 'resume', ...ofBatch, why: null };
const scan: ActionNamed = {
  action: 'reconcile',
  ...ofBatch,
  doubt: { rows: one, wait: { why: 'none', end: t1, at: t1 }, firstAt: null },
};
const planned: ActionNamed = {
  action: 'plan-sheet',
  ...ofSheet,
  add: false,
  signs: 'no',
  retry: ['k-1'],
  why: null,
};

/** `same`: the page says the same after the label of its button. */
const same = Symbol('same');

/** The effects of a step on a row: the words at a terminal, and those on the page of the row. */
const effects: {
  readonly [E in RowEffect]: readonly (readonly [ActionNamed, terminal: string, page: string | typeof same])[];
} = {
  'ends-two-payments': [
    [
      { action: 'resolve-known', ...ofRow, seen, named: null },
      'continues with the other rows, after one of the two payments is stopped or returned',
      same,
    ],
  ],
  sends: [[resume, 'sends the row', same]],
  scans: [
    [
      scan,
      "searches the service's list for the payment, and sends nothing",
      "searches the service's list for the payment, and sends nothing. The service's list can settle the row now.",
    ],
  ],
  'sends-absent': [[resume, 'lets Payrun send the row again', same]],
  'releases-account': [
    [
      resume,
      'lets Payrun send the row, after a second person has asked the payee. Or put the old account back into the sheet, and run it again',
      same,
    ],
  ],
  'releases-repeat': [[resume, 'lets Payrun send the row, if it repeats no payment', same]],
  corrects: [[resume, 'pays the row, after you correct it in the sheet, which must be the whole list', same]],
  drops: [[resume, 'closes the row unpaid', same]],
  reopens: [[resume, 'opens the row again, so that Payrun can pay it', same]],
  'takes-back': [[resume, 'takes the row back into the batch, after you put it back into the sheet', same]],
  'accepts-payment': [
    [
      resume,
      'says that this payment pays the row. If it does not, ask the service to stop the payment, and use --not-paid',
      'says that this payment pays the row. If it does not, ask the service to stop the payment',
    ],
  ],
  'denies-payment': [
    [
      resume,
      'says that the row was not paid, if the service confirmed it to you. If it was paid, name the payment with --paid ID',
      'says that the row was not paid, if the service confirmed it to you',
    ],
  ],
  'asks-service': [[resume, 'asks the service for the status of the payment', same]],
  'plans-retry': [[planned, 'makes a plan that sends the row again', same]],
  retries: [[resume, 'sends the row again unchanged', same]],
};

const labels: { readonly [B in Button]: string } = {
  resume: 'Continue',
  reconcile: 'Search at the service again',
  retry: 'Try this row again',
  release: 'Release this row',
  resolve: 'It was paid, or it was not paid',
  reopen: 'Open this row again',
};

it.each(Object.entries(effects).flatMap(([effect, all]) => all.map((each) => [effect as RowEffect, ...each] as const)))(
  'a row, %s: %j',
  (effect, action, terminal, page) => {
    expect(effectWords(effect, action)).toBe(terminal);
    const button = buttonOf(action);
    expect(button).not.toBeNull();
    expect(pageEffectWords(effect, action)).toBe(`${labels[button!]}: ${page === same ? terminal : page}`);
  },
);
