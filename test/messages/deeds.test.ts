/** The words of what people did at the console, as the trail shows them: typed by hand. */
import { expect, it } from 'vitest';
import { type DeedCode, type DeedFacts, deedWords } from '../../src/messages/web/deeds.ts';

const plan = `sha256:${'ab'.repeat(32)}`;
const file = 'nov.csv';
const batch = 'nov';
const reason = 'asked her';

const cases: { readonly [C in DeedCode]: readonly (readonly [words: string, facts: DeedFacts<C>])[] } = {
  'first-link-printed': [['The console printed a link for the first administrator.', {}]],
  joined: [['joined, as viewer', { role: 'viewer' }]],
  'password-renewed': [['set a new password by a link, as viewer', { role: 'viewer' }]],
  'logged-in': [['logged in', {}]],
  'login-refused': [['A login was refused.', {}]],
  'logged-out': [['logged out', {}]],
  'password-changed': [['changed the password', {}]],
  'codes-on': [['turned one-time codes on', {}]],
  'codes-off': [['turned one-time codes off', {}]],
  invited: [['invited Ben, as approver', { name: 'Ben', role: 'approver' }]],
  'role-changed': [['made Ben viewer', { name: 'Ben', role: 'viewer' }]],
  'let-in': [['opened the account of Ben again', { name: 'Ben' }]],
  'shut-out': [['closed the account of Ben', { name: 'Ben' }]],
  'link-made': [['made a link for Ben, to set a password with', { name: 'Ben' }]],
  'policy-changed': [
    ['changed how many approvals are needed', { alone: null }],
    [
      'changed how many approvals are needed. No approval is needed for ZAR up to its first threshold: a preparer pays alone.',
      { alone: { usually: false, currencies: ['ZAR'] } },
    ],
  ],
  uploaded: [
    ['uploaded nov.csv', { file }],
    ['uploaded nov.csv in place of oct.csv', { file, instead: { file: 'oct.csv', fixes: 0, documents: [] } }],
    [
      'uploaded nov.csv in place of oct.csv, after 2 fixes here, and kept 1 document',
      { file, instead: { file: 'oct.csv', fixes: 2, documents: ['a.pdf'] } },
    ],
  ],
  discarded: [['discarded nov.csv', { file }]],
  fixed: [
    [
      "fixed row 4, Bank from 'Absaa' to 'Absa' in nov.csv",
      { file, rows: 1, row: 4, header: ' Bank', from: 'Absaa', to: 'Absa' },
    ],
    [
      "fixed 3 rows, Bank from 'Absaa' to 'Absa' in nov.csv",
      { file, rows: 3, row: null, header: 'Bank', from: 'Absaa', to: 'Absa' },
    ],
  ],
  unfixed: [
    ['took back the fix of C4 in nov.csv', { file, cell: 'C4', column: null, cells: null }],
    ['took back the fix of 2 cells of column C in nov.csv', { file, cell: 'C4:C5', column: 'C', cells: 2 }],
    ['took back the fix of column C in nov.csv', { file, cell: 'C', column: 'C', cells: null }],
  ],
  'sheet-chosen': [["chose the sheet 'Nov' of nov.csv", { file, sheetName: 'Nov' }]],
  'columns-matched': [['matched the columns of nov.csv', { file }]],
  'map-chosen': [['chose the map xero for nov.csv', { file, map: 'xero' }]],
  'rows-chosen': [['decided which rows of nov.csv are paid', { file }]],
  'document-uploaded': [['uploaded the document a.pdf for nov.csv', { file, document: 'a.pdf' }]],
  'document-removed': [['removed the document a.pdf of nov.csv', { file, document: 'a.pdf' }]],
  'document-downloaded': [['downloaded the document a.pdf of nov.csv', { file, document: 'a.pdf' }]],
  'checked-downloaded': [['downloaded the checked workbook of nov.csv', { file }]],
  'plan-asked': [
    ['asked for a plan of nov.csv for batch nov', { file, batch, isRetry: false }],
    [
      'asked for a plan of nov.csv for batch nov, to send unpaid rows again, though rows may look sent already: meant',
      { file, batch, isRetry: true, confirmRepeat: 'meant' },
    ],
  ],
  'plan-made': [['made a plan of nov.csv for batch nov, sha256:abababababab…', { file, batch, plan }]],
  'plan-approved': [
    [
      'approved the plan of nov.csv for batch nov, sha256:abababababab… (key 12ab)',
      { file, batch, plan, fingerprint: '12ab' },
    ],
  ],
  'plan-declined': [
    [
      'declined the plan of nov.csv for batch nov, sha256:abababababab…: too much',
      { file, batch, plan, declined: 'too much' },
    ],
  ],
  'plan-proposed': [['held batch nov for a plan of nov.csv', { file, batch }]],
  'plan-withdrawn': [
    [
      'withdrew the plan of nov.csv for batch nov, sha256:abababababab…: too much',
      { file, batch, plan, declined: 'too much' },
    ],
  ],
  'payment-begun': [['began to pay batch nov from nov.csv, sha256:abababababab…', { file, batch, plan }]],
  released: [['released row k1 of batch nov: asked her', { batch, row: 'k1', reason }]],
  resolved: [
    ['said of row k1 of batch nov that no payment pays it: asked her', { batch, row: 'k1', paid: null, reason }],
    ['said of row k1 of batch nov that payment 7 pays it: asked her', { batch, row: 'k1', paid: '7', reason }],
  ],
  dropped: [['closed row k1 of batch nov, which is not to be paid: asked her', { batch, row: 'k1', reason }]],
  reopened: [['opened row k1 of batch nov again: asked her', { batch, row: 'k1', reason }]],
  'retry-asked': [
    ['asked to send the unpaid rows of batch nov again: asked her', { batch, rows: null, reason }],
    ['asked to send rows k1, k2 of batch nov again: asked her', { batch, rows: ['k1', 'k2'], reason }],
  ],
  resumed: [['continued batch nov', { batch }]],
  stopped: [['stopped batch nov', { batch }]],
  reconciled: [['searched for the rows in doubt of batch nov', { batch }]],
  'result-downloaded': [['downloaded the result of batch nov', { batch }]],
  'report-downloaded': [['downloaded the report of batch nov', { batch }]],
  'evidence-downloaded': [['downloaded the evidence of batch nov, SHA-256 ab12', { batch, evidence: 'ab12' }]],
};

it.each(
  Object.entries(cases).flatMap(([did, all]) => all.map(([words, facts]) => [did as DeedCode, words, facts] as const)),
)('%s: %s', (did, words, facts) => {
  expect(deedWords(did, facts)).toBe(words);
});
