/** The words of the console's own messages, typed by hand: at least one case for each code. */
import { expect, it } from 'vitest';
import type { End } from '../../src/domain/sending/end.ts';
import { unansweredWords } from '../../src/messages/row-reasons.ts';
import { type OwnCode, type OwnFacts, type OwnMessage, pageWords } from '../../src/messages/web/messages.ts';
import * as rows from '../../src/messages/web/rows.ts';
import { rowStoryWords } from '../../src/messages/web/trail.ts';
import { enlarged, expectFigures } from './figures.ts';

type Case<C extends OwnCode> = readonly [words: string, ...facts: OwnFacts<C>];

const waits = { retryAfterMs: 90_000 };
const at = '2026-11-27T10:20:30.400Z';
const of = { batch: 'nov' };

const cases: { readonly [C in OwnCode]: readonly Case<C>[] } = {
  OTHER_HOST: [['This console does not answer under that name.']],
  FORGED: [['This did not come from a page of this console. Reload the page and try again.']],
  LOGIN_NEEDED: [['Log in first.']],
  NOT_ALLOWED: [
    ['This is for preparers; you are an approver.', { roles: ['preparer'], role: 'approver' }],
    [
      'This is for approvers and administrators; you are a viewer.',
      { roles: ['approver', 'administrator'], role: 'viewer' },
    ],
  ],
  JSON_NEEDED: [['Send JSON (application/json).']],
  FORM_NEEDED: [['Send a form with one file.']],
  FIELD_UNREADABLE: [
    ['name: Too big', { field: 'name', detail: 'Too big' }],
    ['the request: it cannot be read', { field: '', detail: null }],
  ],
  PAGE_NOT_BUILT: [['The page of the console is not built. Ask the person who installed Payrun.']],
  NOTHING_HERE: [['There is nothing here.']],
  REQUEST_TOO_LARGE: [['That is too large.']],
  REQUEST_UNREADABLE: [['The request cannot be read: Body is not JSON', { detail: 'Body is not JSON' }]],
  FAULT: [['Something failed inside. The output of the console has the details.']],
  KEY_USED: [['This was not done: it had the key of another request. Try it again.']],
  REQUEST_CUT: [['The request broke off. Check the page before you try again.']],
  FILE_TOO_LARGE: [
    ['The file is larger than 64 MiB. Split the sheet, or make the file smaller.', { mostBytes: 64 * 1024 ** 2 }],
  ],
  FILE_EMPTY: [['The file is empty.']],
  UPLOAD_UNDER_WAY: [['You are uploading another file. Wait until that upload has ended.']],
  MANY_FILES: [['Payrun is making many files now. Try again in a minute.', waits]],
  MANY_LOGINS: [['Many people log in at this moment. Try again in a few seconds.', waits]],
  TOO_MANY_TRIES: [
    ['Too many tries. Try again in 2 minutes.', waits],
    ['Too many tries. Try again in a minute.', { retryAfterMs: 1 }],
  ],
  PASSWORD_SHORT: [
    ['A password has at least 12 characters. Use several words that do not belong together.', { fewest: 12 }],
  ],
  PASSWORD_IS_NAME: [['That password is little more than the name. Use several words that do not belong together.']],
  PASSWORD_GUESSABLE: [
    ['That password is too easy to guess. Use several words that do not belong together.', { warning: null }],
    [
      'That password is too easy to guess. This is a common one. Use several words that do not belong together.',
      { warning: 'This is a common one.' },
    ],
  ],
  PASSWORD_WRONG: [['That is not your password.']],
  LOGIN_REFUSED: [['The name, the password or the code is wrong.']],
  CODE_NEEDED: [['Now enter the code that your authenticator app shows.']],
  CODE_WRONG: [['That is not the current code. Is the time of the phone right?']],
  CODE_NOT_BEGUN: [['Begin again: the key for the app is no longer valid.']],
  LINK_USED: [
    [
      'This link was used already, or is older than a day. Ask an administrator for a new one. The console prints the first link when it starts.',
    ],
  ],
  NAME_UNFIT: [['The name is too long.', { fault: 'is too long' }]],
  NAME_TAKEN: [['The name Ann is used already. Choose a clearly different name.', { name: 'Ann' }]],
  PERSON_MOVED: [
    [
      'Another administrator changed the account of Ann first. Nothing was done. Load the page again, then decide.',
      { name: 'Ann' },
    ],
  ],
  POLICY_MOVED: [
    [
      'Another administrator changed the policy first, so it was not saved. Load the page again, then make your change.',
    ],
  ],
  SHEET_MOVED: [['The sheet changed after this page showed it. Nothing was done. Load the page again, then decide.']],
  DOCUMENT_MOVED: [
    [
      'The document inv.pdf changed after this page showed it. Nothing was done. Load the page again, then decide.',
      { name: 'inv.pdf' },
    ],
  ],
  MISTAKE_MOVED: [
    ['The rows with this mistake changed after this page showed them. Nothing was fixed. Check the mistakes again.'],
  ],
  PERSON_SHUT_OUT: [['The account of Ann is closed. Open it again first.', { name: 'Ann' }]],
  OWN_RIGHTS: [['You cannot change that for yourself. Ask another administrator.']],
  OWN_LINK: [['Change your own password on the page of your account.']],
  KEY_MISSING: [['You have no key yet: log out, and in again.']],
  NOBODY_APPROVES: [['Nobody can approve yet: an administrator invites an approver, who then logs in once.']],
  POLICY_OF_MACHINE: [
    ['The policy is the file /etc/p.json, which is changed on the machine.', { path: '/etc/p.json' }],
  ],
  PAID_ALONE: [
    [
      'No approval is needed for amounts without a threshold, ZAR up to its first threshold: a preparer pays alone.',
      { usually: true, currencies: ['ZAR'] },
    ],
  ],
  LEDGER_OPEN: [
    ['/l.db, 1 entry in its trail', { path: '/l.db', entries: 1 }],
    ['/l.db, 1,200 entries in its trail', { path: '/l.db', entries: 1200 }],
  ],
  DISK_HAS_ROOM: [['There is room for the next batch.']],
  SERVICE_ANSWERS: [['sandbox answers, and accepts the API key and its secret.', { service: 'sandbox' }]],
  APPROVALS_BY_POLICY: [
    [
      'The file /p.json says how many approvals a plan needs.',
      { path: '/p.json', usually: null, hasThresholds: false },
    ],
    [
      'The file /p.json says how many approvals a plan needs: 1 approval for every plan.',
      { path: '/p.json', usually: 1, hasThresholds: false },
    ],
    [
      'The file /p.json says how many approvals a plan needs: 2 approvals where nothing else is set for the amount.',
      { path: '/p.json', usually: 2, hasThresholds: true },
    ],
  ],
  ADMINISTRATORS: [
    [
      'Only one administrator can log in. Invite a second one, who can help if the first one cannot log in.',
      { count: 1 },
    ],
    ['2 can log in.', { count: 2 }],
  ],

  SHEET_UNKNOWN: [['There is no such sheet here. Perhaps somebody discarded it.']],
  NO_SHEET: [['A sheet is a file that ends in .csv or .xlsx.', { endings: ['.csv', '.xlsx'] }]],
  NOT_READ_YET: [['Payrun is still checking the sheet. Wait a moment.']],
  READING_FAILED: [['The check of the sheet failed. Upload it again, or ask the person who runs the console.']],
  SHEET_UNREADABLE: [['The sheet could not be read: no memory', { why: { fault: 'system', detail: 'no memory' } }]],
  SHEET_PROBLEM: [['amount is empty; write a whole number', { problem: { code: 'AMOUNT_MISSING', facts: {} } }]],
  SHEET_NOTE: [['The ledger answers again. The worker continues.', { note: { note: 'ledger-back' } }]],
  SHEET_IS_BATCH: [['This sheet is already batch nov. Upload a fixed sheet to change it.', of]],
  CHECKED_UNWRITTEN: [['The checked workbook could not be written. Try again.']],
  COLUMN_OF_PAYRUN: [['This column was written by Payrun and is not fixed here.']],
  FIX_SAYS_THE_SAME: [['The cell has this value already.']],
  TOO_MANY_FIXES: [['So many fixes are easier in the spreadsheet program. Fix the file, and upload it again.']],
  CELL_CHANGED: [
    ["Row 2 says 'Absa' there now. Check it again.", { row: 2, text: 'Absa' }],
    ['Row 2 says nothing there now. Check it again.', { row: 2, text: '' }],
  ],
  ROW_TO_FIX_MISSING: [['The sheet has no row 9 to fix. Check it again.', { row: 9 }]],
  FIXED_SINCE: [
    ['Row 7 was fixed again later. Undo that fix first.', { row: 7 }],
    ['Some of these rows were fixed again later. Undo that fix first.', { row: null }],
  ],
  OTHER_SHEET_FIXED: [
    [
      "Cells of the sheet 'Nov' were fixed here, and 'Dec' is another sheet. Undo these fixes first, or upload the file again and choose 'Dec' there.",
      { kept: 'Nov', wanted: 'Dec' },
    ],
  ],
  OTHER_SHEET_PLANNED: [
    [
      "There is already a plan of this sheet. Upload the file again, and choose 'Dec' there.",
      { kept: null, wanted: 'Dec' },
    ],
  ],
  TOO_MANY_DOCUMENTS: [['A sheet has at most 2,000 documents here.', { most: 2000 }]],
  DOCUMENT_UNSOUND: [
    [
      'a.pdf was not added: it is empty: nothing was saved in it.',
      { name: 'a.pdf', fault: { code: 'DOCUMENT_TYPE', facts: { why: 'empty' } } },
    ],
  ],
  DOCUMENT_AMBIGUOUS: [
    [
      'The sheet names 2 documents called a.pdf: x/a.pdf, y/a.pdf. Give each its own name, in the sheet and as a file. If they are one document, write it the same way in each row.',
      { name: 'a.pdf', paths: ['x/a.pdf', 'y/a.pdf'] },
    ],
  ],
  BATCH_OF_TERMINAL: [['The newest sheet of these rows came from a terminal: send them again from there.']],
  UNPAID_IN_SHEETS: [['The unpaid rows are in several sheets. Try each of them again on its own page.']],
  BATCH_NAME_UNFIT: [['A batch’s name begins with a letter or a number. Give it another one.']],
  SHEET_UNPLANNABLE: [['No plan can be made of this sheet yet.']],
  ROWS_TO_FIX: [
    ['1 row must be fixed first, or left out.', { rows: 1 }],
    ['2 rows must be fixed first, or left out.', { rows: 2 }],
  ],
  NO_ROW_PAYABLE: [['No row of it can be paid as it is.']],
  SHEET_FAULT: [
    [
      'This mistake is in the whole sheet, so leaving rows out does not help: the sheet has no rows to pay',
      { problem: { code: 'SHEET_WITHOUT_ROWS', facts: {} } },
    ],
  ],
  TOTAL_UNREADABLE: [
    [
      "The control total for ZAR, '1,5', cannot be read: it is no amount",
      { currency: 'ZAR', typed: '1,5', problem: null },
    ],
  ],
  ROWS_TOTAL_UNREADABLE: [["The number of rows, 'x', must be a whole number such as 212.", { typed: 'x' }]],
  PLAN_MISSING: [['This sheet has no valid plan: something changed after planning. A preparer makes a new plan.']],
  SAME_FILE: [
    ['Ann uploaded the same file on 2026-11-27 10:20:30 UTC', { by: 'Ann', at: Date.parse(at), batch: null }],
    [
      'Ann uploaded the same file on 2026-11-27 10:20:30 UTC: batch nov',
      { by: 'Ann', at: Date.parse(at), batch: 'nov' },
    ],
  ],
  APPROVER_NEEDED: [['Only an approver can do this.']],

  BATCH_MISSING: [['There is no batch nov here.', of]],
  NOT_FOUND: [['There is no such row here.', { what: 'row' }]],
  NOTHING_TO_STOP: [['The batch is stopped already, or no row of it is left to send. Nothing was changed.']],
  FOLLOWS_MANY: [['You follow many batches in other windows: close some of them.', waits]],
  OTHER_JOB: [
    [
      'You are at work on another sheet. Payrun works on one at a time. Try again when that has ended.',
      { by: null, batch: null },
    ],
    [
      'Ann is at work on batch nov. Payrun works on one at a time. Try again when that has ended.',
      { by: 'Ann', batch: 'nov' },
    ],
  ],
  JOB_ON_SHEET: [['Ann is at work on this sheet just now. Wait until that has ended.', { by: 'Ann' }]],
  JOB_DIED: [
    [
      'The console, or its connection to the ledger, was ended while this was under way. Nothing is lost, because the ledger knows what was sent. Continue the batch.',
    ],
  ],
  JOB_BROKE: [['Something failed inside. The output of the console has the details. Try it again.']],
  JOB_STOPPING: [['Being stopped by Ann, 2026-11-27 10:20:30 UTC.', { by: 'Ann', at }]],
  JOB_STOPPED: [
    ['Stopped by Ann, 2026-11-27 10:20:30 UTC.', { by: 'Ann', at }],
    ['Stopped by the end of the console.', { by: null, at }],
  ],
  JOB_ENDED: (
    [
      ['Done.', 'done'],
      ['The sheet was refused, and nothing was sent.', 'sheet'],
      ['Ended; some rows are unpaid or invalid, or lack their documents.', 'unpaid'],
      ['Ended; some rows are in doubt or held, and wait for a person or another search.', 'doubt'],
      ['Ended for now; some payments are still open, or not sent yet. Continue later.', 'later'],
      ['An alarm: see the notes of the batch.', 'alarm'],
      ['Stopped.', 'signal'],
      ['Another run is at work: wait for it to end.', 'busy'],
      ['The service cannot be used now. Continue the batch later.', 'service'],
      ['A rule or a person forbids the payments: see the notes of the batch.', 'rule'],
      ['A command, a setting or a file cannot be used: see the notes of the batch.', 'usage'],
      ['A disk or the program failed. Nothing is lost: continue the batch.', 'machine'],
    ] as const satisfies readonly (readonly [string, End])[]
  ).map(([words, end]) => [words, { end }] as const),
  PROGRAM_FAULT: [['The command failed: no such table', { why: { fault: 'system', detail: 'no such table' } }]],
};

it.each(
  Object.entries(cases).flatMap(([code, all]) =>
    (all as readonly (readonly [string, object?])[]).map(([words, facts]) => [code, words, facts] as const),
  ),
)('%s: %s', (code, words, facts) => {
  expect(pageWords({ code, facts } as OwnMessage)).toBe(words);
  expectFigures(pageWords({ code, facts: enlarged(facts) } as OwnMessage));
});

it('a page says who decides about a row', () => {
  expect([unansweredWords, rows.closedRowWords, rows.decideWords]).toEqual([
    'Payrun sent it, and got no clear answer. It may be paid, so do not pay it elsewhere. Payrun searches for it at the service.',
    'Only an approver who did not prepare the row can open it again here.',
    {
      account:
        'An approver who did not prepare the row does this here. To leave it unpaid, a preparer or an approver closes it here, and its batch can end without it.',
      absent: 'No payment at the service has its tag. If an approver releases it, Payrun sends it again.',
      repeat:
        'If it repeats no payment, an approver who did not prepare the row releases it here. If it repeats one, a preparer or an approver closes it here, and its batch can end without it.',
    },
  ]);
});

const doubt = 'The account number does not fit the check digit or length of';
const came = { name: 'a.csv', corrected: null, changed: '' };

it.each([
  [rows.accountDoubtWords('Absa'), `${doubt} Absa: check that no digit is mistyped.`],
  [rows.accountDoubtWords(null), `${doubt} its bank: check that no digit is mistyped.`],
  [rows.sheetCameWords(came, null), 'Imported with a.csv'],
  [rows.sheetCameWords(came, 4), 'Imported again with a.csv, there as row 4'],
  [
    rows.sheetCameWords({ name: 'a.csv', corrected: 5, changed: 'amount' }, 4),
    'Imported again with a.csv, there as row 5: the amount was corrected',
  ],
  [
    rows.batchSteps.resume({ not_sent: 0, pending: 1 }),
    'No row is left to send. Continue only follows pending payments.',
  ],
  [rows.batchSteps.resume({ not_sent: 1, pending: 0 }), 'Continue sends the rows that were not sent.'],
  [
    rows.batchSteps.resume({ not_sent: 1, pending: 1 }),
    'Continue sends the rows that were not sent, and follows pending payments.',
  ],
  [
    rows.batchSteps.invalid(2, 'nov'),
    '2 rows were left out for their mistakes. To pay them too, fix them in the sheet. To leave them unpaid, delete them there. Then upload the sheet on Home, and plan it as the next version of batch nov.',
  ],
])('a page of a row or batch: %s', (words, said) => expect(words).toBe(said));

it('a page names no folder of the console, and no server of the ledger', () => {
  const path = `/srv/uploads/${'0a'.repeat(16)}/november.xlsx`;
  expect(pageWords({ code: 'SHEET_CHANGED', facts: { path } })).toMatch(/^The sheet november\.xlsx changed/);
  const why = { fault: 'database-is-not-utf8', encoding: 'LATIN1' } as const;
  const ledger = 'postgres://ada@db.example/pay';
  expect(pageWords({ code: 'LEDGER_UNUSABLE', facts: { path: ledger, why } })).toMatch(/^The ledger on PostgreSQL/);
});

it.each([
  [
    {
      from: 'absent',
      to: 'ready',
      reason: [{ kind: 'said-released', why: 'Checked' }],
      said: 'release',
      why: 'Checked',
    },
    'Released, so that it may be sent – Released by a person: Checked',
  ],
  [
    { from: 'held', to: 'planned', reason: null, said: 'not a repeat', why: 'Owed', allowed: '["payment p1"]' },
    'No repeat, so that it may be sent – Owed',
  ],
])('the story of a row has a comment of a person once: %j', (data, words) => {
  expect(rowStoryWords('move', data)).toBe(words);
});
