/** Example facts of each refusal, for the page of errors and for the test of its words. */
import type { FileFault, ServiceFault } from '../src/base/faults/fault.ts';
import type { Action, ErrorCode, RefusalFacts } from '../src/base/refusal.ts';
import { type ActionNamed, resumeOf } from '../src/domain/next-action.ts';
import { because } from '../src/domain/sending/reason.ts';

const reconcile: ActionNamed = { action: 'reconcile', doubt: null, batch: 'oct' };
const rebind: ActionNamed = { action: 'rebind', batch: 'nov' };
const known: ActionNamed = { action: 'resolve-known', batch: 'nov', row: 'k4', why: null };

const sheet = { file: 'november.csv', batch: 'nov', options: {} };
const runSheet = { action: 'run-sheet', add: false, why: null, ...sheet } as const;
const addition = { ...runSheet, add: true } as const;
const wholeList = { ...addition, drop: true };
const dropping = { ...runSheet, drop: true };
const additionToOct = { ...addition, batch: 'oct' };
const mapped = (map: string) => ({ options: { map } });
const planSheet = { action: 'plan-sheet', add: false, signs: false, row: null, why: null, ...sheet } as const;
const repeatSheet = { action: 'repeat-sheet', ...sheet, batch: null, needsReason: true } as const;

const systemText = (detail: string): FileFault => ({ fault: 'system', detail });
const call = 'POST /payments';
const failure: ServiceFault = { fault: 'call-was-answered', call, status: 422, reason: 'no such account' };
const noon = Date.UTC(2026, 10, 27, 12);

const listRows: ActionNamed = { action: 'list-rows', batch: 'nov' };
const holder = { fault: 'held-by-process', process: 41, since: noon } as const;
const noApprover = { fault: 'signer-is-no-approver', approver: 'Esi' } as const;
const notListed = { fault: 'maker-is-not-listed', maker: 'Esi', policy: 'policy.json' } as const;
const rand = (amount: string) => ({ amount, unit: 'whole', currency: 'ZAR' });

export const refusalExamples: { readonly [C in ErrorCode]: RefusalFacts[C] } = {
  CREDENTIALS_MISSING: { missing: 'PAYRUN_API_KEY' },
  FILE_UNREADABLE: { path: 'november.xlsx', why: { fault: 'no-file' } },
  SHEET_COPY_GONE: {
    path: 'pay.db.files/sheets/november.csv',
    folder: 'pay.db.files/sheets',
    batch: 'nov',
    list: listRows,
    command: runSheet,
  },
  MAP_UNUSABLE: { map: 'bank.json', why: [{ fault: 'map-is-empty' }] },
  CORRECTIONS_UNUSABLE: { path: 'fixes.json', why: { fault: 'key-is-twice', key: 'to' } },
  FOLDER_UNWRITABLE: { path: 'results', why: { fault: 'may-not-write' } },
  FOLDER_UNUSABLE: { path: 'inbox', why: { fault: 'no-folder' } },
  HOT_FOLDER_REPLACED: { path: 'inbox' },
  HOT_FOLDER_LOCK_DAMAGED: { path: 'inbox', lock: 'inbox/taken/lock', why: systemText('file is not a database') },
  HOT_FOLDER_RECORD_UNREADABLE: {
    path: 'inbox/taken/nov',
    record: 'record.json',
    why: { fault: 'not-json', detail: 'Unexpected end of JSON input' },
  },
  DISK_UNWRITABLE: { path: 'pay.db.files', why: { fault: 'disk-full' } },
  COPIES_UNWRITABLE: { path: 'pay.db.files', why: { fault: 'may-not-write' } },
  FOLDER_BUSY: { path: 'inbox', holder },
  LEDGER_HAS_NO_BATCH: { ledger: 'pay.db' },
  LEDGER_ADDRESS_UNUSABLE: { why: { fault: 'address-is-no-postgres' } },
  LEDGER_COPY_NEEDS_POSTGRES: {},
  LEDGER_COPY_REFUSED: {
    from: 'pay.db',
    to: 'postgres://pay',
    isPostgres: true,
    why: { fault: 'target-is-other-ledger' },
  },
  WORKERS_NEED_POSTGRES: { ledger: 'pay.db' },
  SCHEDULE_UNUSABLE: { cron: '0 8 * *', zone: 'UTC', why: { fault: 'cron-has-other-fields' } },
  CAP_UNUSABLE: {
    cap: 'ZAR:row=1.5',
    why: { fault: 'cap-has-no-form', moneys: ['ZAR', 'NGN'], kinds: ['row', 'day'] },
  },
  EXPECT_UNUSABLE: { expect: 'rows=x', why: { fault: 'expect-has-no-form' } },
  PAY_WINDOWS_NEVER_MEET: {
    batch: 'nov',
    payWindow: '08:00-10:00',
    others: [{ from: 720, until: 960, days: 'every', closed: [] }],
    command: { ...runSheet, options: { payWindow: 'WINDOW' } } as Action,
  },
  WEBHOOKS_UNHEARD: { host: '127.0.0.1', port: 8080, why: { fault: 'address-is-in-use' } },
  ROW_UNKNOWN: { batch: 'nov', row: 'k9' },
  ROWS_AMBIGUOUS: { batch: 'nov', list: 'k4,k5' },
  ROW_NOT_UNPAID: { batch: 'nov', row: 'k4' },
  ROW_STAYS: { batch: 'nov', row: 'k4', why: { fault: 'payment-is-unknown', payment: 'p1' } },
  MOVED: {},
  PAYMENT_UNKNOWN: { payment: 'p1' },
  TEMPLATE_FORMAT_UNKNOWN: {},
  RESULT_FORMAT_UNKNOWN: { file: 'nov.ods' },
  WORKBOOK_ROWS_TOO_MANY: { row: 1_048_577, most: 1_048_576 },
  WORKBOOK_CELLS_TOO_MANY: {},
  CONSOLE_BUSY: { ledger: 'pay.db', holder },
  CONSOLE_HAS_NO_ACCOUNTS: { host: '0.0.0.0' },
  CONSOLE_ADDRESS_UNUSABLE: { host: '127.0.0.1', port: 4000, why: { fault: 'address-is-in-use' } },
  CONSOLE_PAGE_MISSING: { folder: 'dist/page' },
  SERVICE_DATA_BUSY: { folder: 'pay-data', holder },
  SERVICE_DATA_FOREIGN: { folder: 'pay-data' },
  SERVICE_DATABASE_UNUSABLE: { database: 'db.example/payouts', why: systemText('connection refused') },
  SERVICE_ADDRESS_UNUSABLE: { host: '127.0.0.1', port: 80, why: { fault: 'address-is-not-allowed' } },
  BASE_PATH_INVALID: { path: 'v1' },
  PUBLIC_URL_INVALID: { url: 'pay' },
  FAULT_ROUTE_UNKNOWN: { route: 'GET /x', routes: ['GET /payments', 'webhook'] },
  FAULT_KIND_MISPLACED: { kind: 'repeat', route: 'GET /payments', kinds: ['repeat', 'postpone'], pushing: 'webhook' },
  TENANT_NAMELESS: {},
  TENANT_UNKNOWN: { key: 'pk_1' },
  USER_UNKNOWN: { user: 'u1' },
  USER_DISABLED: { user: 'u1' },
  SHEET_REFUSED: { why: { fault: 'file-empty' } },
  SHEET_HAS_PROBLEMS: { problem: { code: 'NAME_MISSING', facts: {} } },
  PAYEES_REFUSED: { payees: 2 },
  SHEET_CHANGED: { path: 'november.xlsx' },
  TOTALS_DIFFER: {
    differences: [
      { source: '--expect', of: 'rows', expected: 4, found: 3 },
      { source: 'november.totals.json', of: 'money', money: 'ZAR', expected: '5000', found: null },
      { source: 'november.totals.json', of: 'money', money: 'BTC:sat', expected: null, found: '9000' },
      { source: 'november.totals.json', of: 'accounts' },
    ],
  },
  TOTALS_MISSING: { file: 'november.csv', totals: 'november.totals.json' },
  OVER_CAP: {
    over: [
      { money: 'ZAR', cap: '1000', of: 'row', row: 7, amount: '1200' },
      { money: 'ZAR', cap: '1000', of: 'rows', more: 1 },
      { money: 'ZAR', cap: '1500', of: 'payee', name: 'Thandi', row: 4, rows: 3, accounts: 2, amount: '1600' },
      { money: 'ZAR', cap: '1500', of: 'payees', more: 2 },
      { money: 'ZAR', cap: '5000', of: 'batch', before: '4000', now: '2000' },
      { money: 'ZAR', cap: '9000', of: 'day', day: '2026-11-27', before: '0', now: '9001' },
    ],
    dayEnds: noon,
  },
  VARIANCE: {
    beyond: [
      { of: 'total', unit: 'whole', currency: 'ZAR', was: '1000', now: '1500' },
      { of: 'payees', payees: 3, percent: 20 },
    ],
  },
  LEDGER_BUSY: { path: 'pay.db', holder },
  LEDGER_OF_OTHER_BUILD: {
    path: 'pay.db',
    other: 'payrun 0.1.0 (ledger format 40)',
    format: 40,
    build: 'payrun 0.2.0',
  },
  LEDGER_UNUSABLE: { path: 'pay.db', why: { fault: 'ledger-is-of-other-program' } },
  LEDGER_UNWRITABLE: { path: 'pay.db', why: systemText('database or disk is full') },
  LEDGER_DAMAGED: { why: { fault: 'row-was-changed', row: 'k4', batch: 'nov' } },
  BATCH_UNKNOWN: { batch: 'nov' },
  SENT_ROWS_CHANGED: {
    batch: 'nov',
    hasSent: true,
    unsent: 1,
    command: resumeOf('nov'),
    rows: { shown: [{ row: 7, changes: [{ column: 'amount', was: 1500, now: 2500 }] }], total: 1 },
  },
  SENT_ROWS_INVALID: {
    batch: 'nov',
    hasSent: true,
    unsent: 0,
    command: resumeOf('nov'),
    rows: { shown: [7, 9], total: 2 },
  },
  ROWS_ADDED: {
    batch: 'nov',
    sent: 40,
    added: 2,
    money: [{ amount: '3000', unit: 'whole', currency: 'ZAR' }],
    missing: 1,
    dropped: 1,
    held: 1,
    addition,
    command: wholeList,
  },
  ROWS_DROPPED: {
    batch: 'nov',
    rows: 1,
    money: [{ amount: '1500', unit: 'whole', currency: 'ZAR' }],
    command: dropping,
  },
  ADDITION_CHANGES_ROWS: {
    batch: 'nov',
    rows: { shown: [{ row: 4, changes: [{ column: 'amount', was: 1500, now: 2500 }] }], total: 1 },
    command: wholeList,
  },
  OLDER_VERSION: {
    batch: 'nov',
    rows: {
      shown: [
        { row: 4, now: { amount: '2500', unit: 'whole', currency: 'ZAR', name: 'Thandi Mokoena' } },
        { row: 5, now: null },
      ],
      total: 2,
    },
    command: planSheet,
  },
  NOTHING_TO_ADD_TO: { batch: 'nov' },
  ROWS_CLOSED: {
    rows: { shown: [{ row: 3, by: 'Nomsa', why: 'paid by hand' }], total: 1 },
    reopen: { action: 'reopen-rows', batch: 'nov', rows: ['k3'], signs: false } as Action,
    plan: { ...planSheet } as Action,
  },
  BATCH_PAID: { batch: 'nov', paidAt: noon },
  BATCH_PAID_IN_PART: { batch: 'nov', lastPaidAt: noon, unpaid: 2 },
  EXPIRED_ROW_PAID: { row: 4, batch: 'nov', payment: 'p1', status: 'PAID' },
  MAP_LEFT_OUT: {
    batch: 'nov',
    map: 'bank.json',
    withMap: { ...runSheet, ...mapped('bank.json') },
    withoutMap: { ...runSheet, ...mapped('none') },
  },
  CLAIMS_UNKNOWN: { claimed: 3, known: 0, ledger: 'pay.db', service: 'https://pay.example' },
  SHEET_LOOKS_PAID: {
    batch: 'oct',
    held: 38,
    of: 40,
    rows: { shown: [{ row: 3, batch: 'oct', sentRow: 5, sentAt: noon, differs: null }], total: 38 },
    addition: additionToOct,
    command: repeatSheet,
  },
  REPEATS_A_DOUBT: { row: 4, other: '7', batch: 'oct', next: reconcile },
  PROPOSAL_WAITS: { batch: 'nov', file: 'x.csv', by: 'Ama', isApproved: false },
  VERSION_CONFLICT: { batch: 'nov', sheet: 'x.csv', at: noon },
  IDENTITY_CHANGED: {
    batch: 'nov',
    was: { service: 'https://pay.example', key: '12ab34cd', user: null },
    now: { service: 'https://pay.example', key: '56ef78ab', user: null },
    command: rebind,
  },
  IDENTITY_UNPROVEN: {
    batch: 'nov',
    was: { service: 'https://pay.example', key: '12ab34cd', user: null },
    now: { service: 'https://pay.example', key: '56ef78ab', user: null },
    payment: 'p1',
    row: 'k4',
  },
  PLAN_NOT_FOUND: {
    plan: 'sha256:12ab',
    others: [{ path: 'nov.plan.json', plan: 'sha256:34cd' }],
    command: planSheet,
  },
  PLAN_UNREADABLE: { path: 'nov.plan.json', why: { fault: 'no-file' } },
  PLAN_CHANGED: { path: 'nov.plan.json', line: 3, why: { fault: 'plan-is-damaged' } },
  PLAN_PAGE_DIFFERS: { page: 'nov.plan.html' },
  PLAN_EXPIRED: { path: 'nov.plan.json', expiredAt: noon },
  PLAN_DECLINED: { plan: 'sha256:12ab', by: 'Kofi', at: noon, reason: 'row 4 is wrong', command: planSheet },
  PLAN_DIFFERS: {
    plan: 'sha256:12ab',
    path: 'nov.plan.json',
    differences: {
      shown: [{ fault: 'cell-differs', row: 4, column: 'amount', was: '1500', now: '2500' }],
      total: 1,
    },
    command: { ...planSheet, batch: null } as Action,
  },
  BATCH_LEAVES_PLAN: {
    batch: 'nov',
    plan: 'sha256:12ab',
    difference: { fault: 'setting-differs', name: 'canary', was: 3, now: 0 },
    command: planSheet,
  },
  RETRY_UNPLANNED: { batch: 'nov', command: planSheet },
  APPROVALS_TOO_FEW: {
    plan: 'sha256:12ab',
    file: 'nov.plan.json',
    signed: ['Kofi'],
    needed: 2,
    because: { fault: 'payee-gets-more', amount: rand('60000'), above: rand('50000') },
    notCounted: [{ file: 'nov.Esi.sig.json', why: noApprover }],
    mayStillSign: ['Thandi'],
  },
  MAKER_REFUSED: { plan: 'sha256:12ab', why: notListed },
  OWN_SHEET: {},
  OWN_TO_DISCARD: {},
  OWN_APPROVAL: {},
  MAKER_UNSIGNABLE: { path: 'nov.plan.json', why: notListed },
  SIGNATURE_USELESS: { approver: 'Esi', policy: 'policy.json', why: noApprover },
  SIGNED_PLAN_MISSING: { command: { ...planSheet, signs: true } as Action },
  SIGNED_PLANS_SEVERAL: { paths: ['nov.plan.json', 'nov.plan-2.json'] },
  BATCH_UNAPPROVED: { batch: 'nov', sheet: 'november.csv', command: planSheet },
  SHEET_UNAPPROVED: { batch: 'nov' },
  RELEASE_UNAPPROVED: { rows: ['k4'], batch: 'nov', why: noApprover },
  POLICY_NOT_FOUND: { path: '/srv/pay/policy.json' },
  POLICY_DIFFERS: { path: 'policy.json', last: '/srv/pay/policy.json' },
  POLICY_UNUSABLE: {
    path: 'policy.json',
    why: [{ fault: 'policy-currency-is-twice', place: 'currencies[1]', currency: 'ZAR' }],
  },
  KEY_UNUSABLE: { path: 'ama.key', why: { fault: 'passphrase-is-wrong' } },
  SERVICE_UNREACHABLE: {
    service: 'https://pay.example',
    why: { fault: 'call-failed', call: 'POST /token', code: 'ECONNREFUSED', detail: 'connect ECONNREFUSED' },
  },
  SERVICE_ANSWER: { what: 'GET /payments', why: { fault: 'answer-repeats-pages' } },
  SERVICE_UNREADABLE: {
    service: 'https://pay.example',
    count: 5,
    reason: because({ kind: 'answer-lost', failure: { fault: 'call-has-no-answer', call, phase: 'request' } }),
  },
  REFUSED_IN_A_ROW: { count: 10, reason: because({ kind: 'refused', failure }) },
  SERVICE_REFUSED: {
    why: { fault: 'call-was-answered', call: 'POST /merchants', status: 422, reason: 'name is required' },
    mayBeDone: false,
  },
  SERVICE_LACKS: { what: 'payment p1' },
  DOCUMENTS_NOT_LISTED: { payment: 'p1' },
  CREDENTIALS_REFUSED: {
    why: { fault: 'call-was-answered', call: 'POST /token', status: 401, reason: 'no such key' },
    hint: null,
  },
  SERVICE_BUSY: { why: { fault: 'call-was-answered', call: 'POST /payments', status: 429, reason: null } },
  TAG_LOST: { payment: 'p1', tag: 'K7Q2', seen: null, seconds: 20 },
  PASS_INCOMPLETE: { why: { fault: 'list-lost-payment', payment: 'p1' } },
  PAID_ELSEWHERE: { rows: null, until: noon },
  SENT_ELSEWHERE: { ledger: 'pay.db', service: 'https://pay.example', lastSentAt: noon, until: noon },
  LEDGER_RESTORED: { ledger: 'pay.db', until: noon },
  PAID_TWICE: { rows: { shown: [{ row: 'k4', batch: 'nov' }], total: 1 }, command: known },
  COPIES_PAID: {
    copies: {
      shown: [
        {
          row: { number: 4, batch: 'oct', payment: 'p1', ...rand('900') },
          copy: { number: 5, batch: 'nov', payment: null, ...rand('900') },
        },
      ],
      total: 1,
    },
    command: known,
  },
  PAYMENT_UNDONE: {
    rows: {
      shown: [
        { row: 'k4', batch: 'nov' },
        { row: 'k5', batch: 'nov' },
      ],
      total: 2,
    },
  },
  DEPOSIT_CHANGED: {
    changes: { shown: [{ row: 'k4', payment: 'p1', was: 'account 123', now: 'account 456' }], total: 1 },
    command: known,
  },
  CANARY_OPEN: { rows: 3, paid: 1 },
  CANARY_UNPAID: { row: 3, reason: because({ kind: 'refused', failure }), batch: 'nov' },
  RAIL_SHUT: { rows: 2, until: noon },
  OUTSIDE_PAY_WINDOW: { windows: [{ from: 480, until: 960, days: 'every', closed: [] }], until: noon },
  PAUSED: { batch: 'nov', reason: 'ask the bank' },
  STOPPED_BEFORE: { batch: 'nov', command: resumeOf('nov') },
  STOPPED: { signal: 'SIGINT', hasEnded: true },
};
