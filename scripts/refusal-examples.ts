/** Example facts of each refusal, for the page of errors and for the test of its words. */

import type { ErrorCode, RefusalFacts } from '../src/base/refusal.ts';
import { type ActionNamed, resumeOf } from '../src/domain/next-action.ts';

const reconcile: ActionNamed = { action: 'reconcile', batch: 'oct' };
const rebind: ActionNamed = { action: 'rebind', batch: 'nov' };
const known: ActionNamed = { action: 'resolve-known', batch: 'nov', row: 'k4', why: null };

const noon = Date.UTC(2026, 10, 27, 12);

export const refusalExamples: { readonly [C in ErrorCode]: RefusalFacts[C] } = {
  USAGE: { detail: '--cap was given twice' },
  CONFIG: { detail: 'PAYRUN_CONFIG names pay.json, and there is no such file' },
  CREDENTIALS_MISSING: { missing: 'PAYRUN_API_KEY' },
  FILE_UNREADABLE: { path: 'november.xlsx', detail: 'there is no such file.' },
  MAP_UNUSABLE: { map: 'bank.json', detail: 'it is no object' },
  CORRECTIONS_UNUSABLE: { path: 'fixes.json', detail: 'it is no list' },
  FOLDER_UNWRITABLE: { path: 'out', detail: 'you may not write there' },
  FOLDER_UNUSABLE: { path: 'inbox', detail: 'there is no such folder' },
  DISK_UNWRITABLE: { path: 'pay.db.files', detail: 'its disk is full' },
  COPIES_UNWRITABLE: { path: 'pay.db.files', detail: 'you may not write there' },
  FOLDER_BUSY: { path: 'inbox', holder: ' (process 41)' },
  SHEET_REFUSED: { detail: 'The sheet is empty.' },
  SHEET_CHANGED: { path: 'november.xlsx' },
  TOTALS_DIFFER: { detail: 'The sheet is not what its totals say.' },
  OVER_CAP: { detail: 'More would be sent than the caps allow.' },
  VARIANCE: { detail: 'The sheet is not like the last of its series.' },
  LEDGER_BUSY: { path: 'pay.db', holder: ' (process 41)' },
  LEDGER_OF_OTHER_BUILD: { path: 'pay.db', other: 'payrun 0.1.0 (ledger format 40)', build: 'payrun 0.2.0' },
  LEDGER_UNUSABLE: { path: 'pay.db', detail: 'it is the database of another program' },
  LEDGER_UNWRITABLE: { path: 'pay.db', detail: 'database or disk is full' },
  LEDGER_DAMAGED: { detail: 'the content of row k4 of batch nov was changed outside Payrun' },
  BATCH_UNKNOWN: { batch: 'nov' },
  BATCH_CHANGED: { detail: 'The batch was changed.' },
  REPEATS_A_DOUBT: { row: 4, other: '7', batch: 'oct', next: reconcile },
  CORRECTION_WAITS: { detail: 'A correction waits.' },
  SHEET_OVERTAKEN: { detail: 'The sheet is overtaken.' },
  IDENTITY_CHANGED: {
    batch: 'nov',
    was: 'https://pay.example, key 12ab…',
    now: 'https://pay.example, key 34cd…',
    command: rebind,
  },
  IDENTITY_UNPROVEN: {
    batch: 'nov',
    was: 'https://pay.example, key 12ab…',
    now: 'https://pay.example, key 34cd…',
    payment: 'p1',
    row: 'k4',
  },
  PLAN_REFUSED: { detail: 'The plan is refused.' },
  APPROVAL_MISSING: { detail: 'An approval is missing.' },
  POLICY_NOT_FOUND: { path: '/srv/pay/policy.json' },
  POLICY_DIFFERS: { path: 'policy.json', last: '/srv/pay/policy.json' },
  POLICY_UNUSABLE: { path: 'policy.json', detail: 'it names no approver' },
  KEY_UNUSABLE: { path: 'ama.key', detail: 'the passphrase is wrong' },
  SERVICE_UNREACHABLE: { service: 'https://pay.example', detail: 'connection refused' },
  SERVICE_ANSWER: { what: 'GET /payments', detail: 'a marker came twice' },
  SERVICE_UNREADABLE: { service: 'https://pay.example', count: 5, detail: 'no answer in time' },
  REFUSED_IN_A_ROW: { count: 10, detail: 'no such account' },
  SERVICE_REFUSED: { detail: 'POST /merchants: 422 name is required' },
  CREDENTIALS_REFUSED: { detail: 'POST /token answered 401: no such key' },
  SERVICE_BUSY: { detail: 'POST /payments: 429' },
  TAG_LOST: { detail: 'Payment p1 came back without its tag.' },
  PASS_INCOMPLETE: { detail: 'a page was cut' },
  OTHER_LEDGER: { detail: 'Rows of this batch were paid from elsewhere', until: noon },
  PAID_TWICE: { detail: 'Row k4 of batch nov has two payments.' },
  PAYMENT_UNDONE: { rows: 2, named: 'k4 and k5 of batch nov' },
  DEPOSIT_CHANGED: {
    rows: 1,
    shown: 'Payment p1: account 123, then 456.',
    command: known,
  },
  CANARY_OPEN: { rows: 3, paid: 1 },
  CANARY_UNPAID: { row: '3', reason: 'The service refused the payment: no such account.', batch: 'nov' },
  RAIL_SHUT: { rows: 2, until: noon },
  OUTSIDE_PAY_WINDOW: { window: '08:00-16:00', until: noon },
  PAUSED: { batch: 'nov', reason: 'ask the bank' },
  PLANNED_SINCE: { batch: 'nov' },
  STOPPED_BEFORE: { batch: 'nov', command: resumeOf('nov') },
  STOPPED: { signal: 'SIGINT', hasEnded: true },
};
