/** The words of every problem of rows, files and batch compared, typed by hand. Elsewhere these problems are compared as facts. */
import { expect, it } from 'vitest';
import type { BatchProblems } from '../../src/domain/problems/batch-problems.ts';
import type { DocumentFileFault } from '../../src/domain/problems/document-problems.ts';
import { because } from '../../src/domain/sending/reason.ts';
import { documentFileWords } from '../../src/messages/problems/document-problems.ts';
import { problemWords } from '../../src/messages/problems.ts';
import { refusedFor } from '../reasons.ts';
import { enlarged, expectFigures } from './figures.ts';

const at = Date.UTC(2026, 10, 21, 8, 0, 0);
const moment = '2026-11-21 08:00:00 UTC';
const column = { column: 'C', header: 'Status' };
const paid = { row: 4, batch: 'oct', paidAt: at };
const sent = { row: 4, batch: 'oct', sentAt: at };
const change = { ...paid, name: 'Thandi', was: 'FNB …1601', now: 'Absa …7777' };
const changed = `Thandi was last paid to FNB …1601 (row 4 of batch oct, on ${moment}), and this row pays Absa …7777`;
const like = { batch: 'oct', file: 'october.csv', rows: 2, totals: { ZAR: '3001', 'BTC:sat': '5' }, at };
const choice = {
  ...column,
  values: [
    { text: 'approved', rows: 2 },
    { text: '', rows: 1 },
  ],
  others: 0,
  unknown: 0,
  isMerged: false,
  choices: ['Status=approved', 'Status='],
};
const money = { unit: 'whole', currency: 'ZAR' } as const;
const waiting = { row: 4, batch: 'oct', amount: 1500, currency: 'ZAR' };
const divided = "column C 'Status' is not read, and has 'approved' in 2 rows, nothing in 1 row";

type Words = string | { readonly terminal: string; readonly page: string };

const said: { readonly [C in keyof BatchProblems]: readonly (readonly [BatchProblems[C], Words])[] } = {
  SHEET_WITHOUT_ROWS: [[{}, 'the sheet has no rows to pay']],
  ROW_REPEATED: [
    [
      { row: 2, fix: 'end-to-end-ids' },
      {
        terminal:
          'row 2 pays the same amount to the same payee with the same reference; if both are intended, give each an EndToEndId of its own, else take one out',
        page: 'row 2 pays the same amount to the same account with the same reference; if both are intended, give each an EndToEndId of its own, else plan the good rows alone, which leaves this one out',
      },
    ],
    [
      { row: 2, fix: 'other-ids' },
      {
        terminal:
          'row 2 pays the same amount to the same payee with the same reference; if both are intended, write a row_id here that no other row has, else delete one',
        page: 'row 2 pays the same amount to the same account with the same reference; if both are intended, write a row id here that no other row has, else plan the good rows alone, which leaves this one out',
      },
    ],
    [
      { row: 2, fix: 'id-column' },
      {
        terminal:
          'row 2 pays the same amount to the same payee with the same reference; if both are intended, add a row_id column that tells them apart, else delete one',
        page: 'row 2 pays the same amount to the same account with the same reference; if both are intended, add a row id column that tells them apart, else plan the good rows alone, which leaves this one out',
      },
    ],
  ],
  ROW_ALIKE: [
    [
      { row: 2, reference: 'INV 1', here: 'INV 1' },
      {
        terminal: 'row 2 pays the same amount to the same payee with the same reference: check that both are intended',
        page: 'row 2 pays the same amount to the same account with the same reference: check that both are intended',
      },
    ],
    [
      { row: 2, reference: 'INV 1', here: 'INV 2' },
      {
        terminal:
          "row 2 pays the same amount to the same payee with the reference 'INV 1', and this row has 'INV 2': check that both are intended",
        page: "row 2 pays the same amount to the same account with the reference 'INV 1', and this row has 'INV 2': check that both are intended",
      },
    ],
  ],
  ROW_ID_REPEATED: [
    [
      { row: 2, id: 'row_id' },
      {
        terminal: 'row 2 has the same row_id; each row needs its own',
        page: 'row 2 has the same row id; each row needs its own',
      },
    ],
    [{ row: 2, id: 'EndToEndId' }, 'row 2 has the same EndToEndId; each transaction needs its own'],
  ],
  DOCUMENT_OUTSIDE: [
    [
      { name: '../a.pdf', folder: '/x' },
      {
        terminal: "document '../a.pdf' is not under /x; put it there, or name the folder with --documents",
        page: "document '../a.pdf' is named with a folder, but folders are not uploaded; write only the name of the document",
      },
    ],
  ],
  DOCUMENT_MISSING: [
    [
      { name: 'a.pdf', folder: '/x', hasFolder: false, within: null },
      { terminal: 'the documents folder /x does not exist', page: 'no document was uploaded yet' },
    ],
    [
      { name: 'a.pdf', folder: '/x', hasFolder: true, within: null },
      {
        terminal: "document 'a.pdf' was not found under /x",
        page: "document 'a.pdf' was not uploaded yet",
      },
    ],
    [
      { name: 'a.pdf', folder: '/x', hasFolder: true, within: 'documents/a.pdf' },
      {
        terminal: "document 'a.pdf' was not found under /x; did you mean 'documents/a.pdf'?",
        page: "document 'a.pdf' was not uploaded yet",
      },
    ],
  ],
  DOCUMENT_AMBIGUOUS: [
    [
      { name: 'a1.pdf', rows: [2, 3, 4, 5, 6], total: 7 },
      {
        terminal:
          "document 'a1.pdf' fits 7 rows (2, 3, 4, 5, 6, …): their row_id is the same, or differs only in capitals; name the document in the documents column",
        page: "document 'a1.pdf' fits 7 rows (2, 3, 4, 5, 6, …): their row id is the same, or differs only in capitals; name the document in the documents column",
      },
    ],
  ],
  DOCUMENT_UNREADABLE: [
    [{ name: 'a.pdf', why: 'not-opened' }, "document 'a.pdf' cannot be opened; check its permissions"],
    [
      { name: 'a.pdf', why: 'damaged' },
      "document 'a.pdf' begins like a PDF, but was cut off or damaged; save it again",
    ],
    [
      { name: 'a.pdf', why: 'encrypted' },
      "document 'a.pdf' is an encrypted PDF, which nobody at the service can open; save it without a password",
    ],
  ],
  DOCUMENT_TYPE: [
    [{ name: 'a.pdf', why: 'not-plain' }, "document 'a.pdf' is not a plain file"],
    [{ name: 'a.pdf', why: 'empty' }, "document 'a.pdf' is empty: nothing was saved in it"],
    [
      { name: 'a.pdf', why: 'ending', ending: '.pdf', kind: 'png' },
      "document 'a.pdf' is named .pdf and holds a PNG; programs cannot open it under this name; rename it",
    ],
    [
      { name: 'a.doc', why: 'content', kinds: ['pdf', 'png'], bySetting: true },
      "document 'a.doc' is not PDF or PNG by its content, as the setting documents.kinds asks; save it as one of these",
    ],
  ],
  DOCUMENT_AGAIN: [
    [
      { name: 'a.pdf', ...paid },
      `document 'a.pdf' is the file that row 4 of batch oct (on ${moment}) had; check that it is not an earlier invoice`,
    ],
  ],
  DOCUMENT_TOO_LARGE: [
    [
      { name: 'a.pdf', sizeBytes: 2048, maxBytes: 1024, bySetting: true },
      "document 'a.pdf' is 2,048 bytes; at most 1,024 (1 KB) are accepted (the setting documents.maxSize): make it smaller",
    ],
  ],
  RAIL_LIMIT: [
    [
      { amount: 60_000, currency: 'ZAR', least: 1, most: 50_000, fits: null, isHeld: true },
      '60,000 ZAR is outside the 1 to 50,000 ZAR that the rail accepts in one payment at any hour; keep the payment in one row',
    ],
    [
      { amount: 60_000, currency: 'ZAR', least: 1, most: 50_000, fits: at, isHeld: true },
      '60,000 ZAR is outside the 1 to 50,000 ZAR that the rail accepts in one payment now; Payrun sends it from 2026-11-21 10:00 in Johannesburg on; keep the payment in one row',
    ],
    [
      { amount: 60_000, currency: 'ZAR', least: 1, most: 50_000, fits: at, isHeld: false },
      '60,000 ZAR is outside the 1 to 50,000 ZAR that the rail accepts in one payment now; the rail accepts it from 2026-11-21 10:00 in Johannesburg on; keep the payment in one row',
    ],
  ],
  SUM_TOO_LARGE: [[{ currency: 'ZAR' }, 'the ZAR amounts exceed what Payrun can count exactly; split the batch']],
  CURRENCY_UNREAD: [
    [
      { ...column, row: 2, says: 'USD', currency: 'ZAR' },
      {
        terminal:
          "column C 'Status' is not read, but names currencies: row 2 says USD, and would be paid in ZAR; if the amounts are in these currencies, name the column 'currency', or say so with --map, and correct those rows; if it means something else, delete it, or give it null in a map",
        page: "column C 'Status' is not read, but names currencies: row 2 says USD, and would be paid in ZAR; if the amounts are in these currencies, name the column 'currency', or say so where columns are matched, and correct those rows; if it means something else, delete it, or give it null in a map",
      },
    ],
  ],
  UNIT_UNREAD: [
    [
      { ...column, row: 2, says: 'cents' },
      {
        terminal:
          'column C \'Status\' is not read, and seems to say what the amounts count: row 2 says cents; write whole units into the column amount, or say with --map what it counts ("values": {"amount_unit": "cents"}); then delete the column, or give it null in a map',
        page: "column C 'Status' is not read, and seems to say what the amounts count: row 2 says cents; write whole units into the column amount, or match the columns here and say what it counts; then delete the column, or give it null in a map",
      },
    ],
  ],
  EXECUTION_DATE: [
    [
      { ...column, says: 'soon' },
      "column C 'Status' says 'soon', which is not read as a day; write it like 2026-12-24, or leave the row out",
    ],
    [
      { ...column, says: null },
      "column C 'Status' holds a formula without a current result, which is not read as a day; write it like 2026-12-24, or leave the row out",
    ],
    [
      { day: '2026-11-01', isPast: true, of: null, rows: 1, mostDaysAway: null },
      'the file asks for 2026-11-01, which is past, for 1 transaction; Payrun pays when it is run',
    ],
    [
      { day: '2026-12-01', isPast: false, of: column, rows: 3, mostDaysAway: null },
      "column C 'Status' says 2026-12-01, which is still to come, for 3 rows; Payrun pays when it is run",
    ],
    [
      { day: '2027-12-01', isPast: false, of: column, rows: null, mostDaysAway: 35 },
      "column C 'Status' says 2027-12-01, which is still to come, for this row; Payrun pays today, more than 35 days away from it; correct the day, or leave the row out",
    ],
  ],
  CHOICE_UNREAD: [
    [
      choice,
      {
        terminal: `${divided}, so nothing is paid; say which rows to pay: --only "Status=approved" or --only "Status=" pays those rows, --ignore-column Status pays all`,
        page: `${divided}, so nothing is paid; say here which rows to pay`,
      },
    ],
    [
      { ...choice, header: 'My "$" Status', choices: ['My "$" Status=approved'], others: 3 },
      {
        terminal: `column C 'My "$" Status' is not read, and has 'approved' in 2 rows, nothing in 1 row, other values in 3 rows, so nothing is paid; say which rows to pay: --only 'My "$" Status=approved' pays those rows, --ignore-column 'My "$" Status' pays all`,
        page: `column C 'My "$" Status' is not read, and has 'approved' in 2 rows, nothing in 1 row, other values in 3 rows, so nothing is paid; say here which rows to pay`,
      },
    ],
    [
      { ...choice, header: '' },
      "column C '' is not read, and has 'approved' in 2 rows, nothing in 1 row, so nothing is paid; give the column a name of its own, and say which rows to pay",
    ],
    [
      { ...choice, unknown: 1 },
      {
        terminal: `${divided}, a formula without a current result, or an error, in 1 row, so nothing is paid; open it in the spreadsheet program and save it, or paste the values; or --ignore-column Status pays all rows`,
        page: `${divided}, a formula without a current result, or an error, in 1 row, so nothing is paid; write its value here, or save the file in the spreadsheet program and upload it again`,
      },
    ],
    [
      { ...choice, isMerged: true },
      {
        terminal: `${divided}, so nothing is paid; its cells are merged, and only the first row of each has the value: unmerge them, and fill each cell; or --ignore-column Status pays all rows`,
        page: `${divided}, so nothing is paid; its cells are merged, and only the first row of each has the value: unmerge them, and fill each cell`,
      },
    ],
  ],
  ROW_MARKED: [
    [
      { field: 'name', says: 'DO NOT PAY' },
      "name says 'DO NOT PAY', as people mark a row that must not be paid; delete the row, or correct the cell",
    ],
    [
      { ...column, says: 'on hold' },
      {
        terminal:
          "column C 'Status' says 'on hold', as people mark a row that must not be paid; delete the row, or correct the cell; if the column means something else: --ignore-column Status",
        page: "column C 'Status' says 'on hold', as people mark a row that must not be paid; delete the row, or correct the cell",
      },
    ],
    [
      { column: 'C', header: '', says: 'on hold' },
      "column C '' says 'on hold', as people mark a row that must not be paid; delete the row, or correct the cell",
    ],
  ],
  TOTAL_DIFFERS: [
    [
      { row: 9, says: '3 000', sum: { ...money, amount: '3001' } },
      'the totals row (row 9) says 3 000, but the rows add up to 3,001 ZAR; correct the rows or the total, or delete the totals row',
    ],
    [
      { row: 9, says: null, sum: { ...money, amount: '3001' } },
      'the totals row (row 9) is calculated and the file holds no current result, but the rows add up to 3,001 ZAR; correct the rows or the total, or delete the totals row',
    ],
  ],
  COLLECTION_PROMPTS: [
    [
      { prompts: 7, most: 5 },
      {
        terminal:
          '7 rows would each ask a phone for money, and at most 5 may; use BANK_TRANSFER in collection_method, or --allow-momo-push 7 if that is intended',
        page: '7 rows would each ask a phone for money, and at most 5 may; use BANK_TRANSFER in collection method',
      },
    ],
  ],
  COLLECTION_NEEDS_USER: [
    [
      { prompts: 1 },
      {
        terminal:
          '1 row asks a phone in Kenya for money, which needs a user whose profile has a default account: set PAYRUN_USER_ID, or write BANK_TRANSFER in collection_method',
        page: '1 row asks a phone in Kenya for money, which needs a user whose profile has a default account: set PAYRUN_USER_ID, or write BANK_TRANSFER in collection method',
      },
    ],
  ],
  LOOKS_PAID: [
    [
      { ...sent, differs: null, effect: 'pays' },
      `looks like row 4 of batch oct, sent on ${moment}: the same payee, amount and reference`,
    ],
    [
      { ...sent, differs: { what: 'account' }, effect: 'holds' },
      `looks like row 4 of batch oct, sent on ${moment}: only the account differs; the row is held`,
    ],
    [
      { ...sent, differs: null, effect: 'holds' },
      `looks like row 4 of batch oct, sent on ${moment}: the same payee, amount and reference; the row is held`,
    ],
  ],
  LOOKS_WAITING: [
    [
      { ...waiting, differs: 'nothing' },
      'looks like row 4 of batch oct, which waits there and was not sent: the same payee, amount and reference',
    ],
    [
      { ...waiting, differs: 'account' },
      'looks like row 4 of batch oct, which waits there and was not sent: only the account differs',
    ],
    [
      { ...waiting, differs: 'amount' },
      'looks like row 4 of batch oct, which waits there and was not sent: only the amount differs (1,500 ZAR there)',
    ],
  ],
  ROW_UNPAID: [
    [
      { sentAt: at, reason: refusedFor('Account is closed'), isExpired: false },
      `was sent at ${moment} and not paid. The service refused the payment: POST /payments answered 422: “Account is closed”.`,
    ],
    [{ sentAt: at, reason: null, isExpired: true }, `was sent at ${moment} and not paid. The payment expired.`],
    [{ sentAt: null, reason: null, isExpired: false }, 'was not sent. The service refused the payment.'],
  ],
  ROW_CLOSED: [
    [{ by: 'Ama', why: 'paid by hand' }, 'would be opened again by this plan; it was closed by Ama: paid by hand'],
    [{ by: null, why: 'paid by hand' }, 'would be opened again by this plan; it was closed: paid by hand'],
  ],
  ROW_DROPPED: [
    [
      { batch: 'nov', was: { amount: '1500', ...money, to: 'Thandi, FNB 62001601', reference: 'INV 1' } },
      'batch nov has 1,500 ZAR to Thandi, FNB 62001601 for INV 1, which the sheet lacks; it is closed unpaid',
    ],
  ],
  MISTAKES_END: [
    [{ batch: 'nov', lines: 1 }, 'batch nov has 1 line with mistakes which the sheet lacks; it will not be paid'],
    [{ batch: 'nov', lines: 2 }, 'batch nov has 2 lines with mistakes which the sheet lacks; they will not be paid'],
  ],
  TAKES_BACK: [
    [{ batch: 'nov', now: 'removed' }, 'a newer sheet of batch nov lacks the row'],
    [{ batch: 'nov', now: 'mistake' }, 'a newer sheet of batch nov has a mistake in the row'],
    [
      {
        batch: 'nov',
        now: {
          ...money,
          amount: '1500',
          reference: 'Rent',
          to: 'FNB 62000001601, South Africa',
        },
      },
      'an older sheet of batch nov had the row like this; now it is 1,500 ZAR to FNB 62000001601, South Africa for Rent',
    ],
  ],
  BATCH_REPEATED: [
    [
      { ...like, same: 'content', isSent: false },
      `the sheet has the same rows as batch oct (october.csv, 2 rows, 3,001 ZAR, 5 sat, imported on ${moment}, no row paid); check that this is intended`,
    ],
  ],
  TOTALS_REPEATED: [
    [
      { ...like, same: 'totals and count', isSent: true },
      `the sheet has as many rows, and the same totals, as batch oct (october.csv, 2 rows, 3,001 ZAR, 5 sat, sent on ${moment}); check that this is intended`,
    ],
    [
      { ...like, same: 'totals', isSent: true },
      `the sheet has other rows, and the same totals, as batch oct (october.csv, 2 rows, 3,001 ZAR, 5 sat, sent on ${moment}); check that this is intended`,
    ],
  ],
  APPROVAL_SPLIT: [
    [
      { ...money, day: '12000', above: '10000', approvals: 2 },
      'together with the other payments of today, 12,000 ZAR would go out, and one batch of more than 10,000 ZAR needs 2 approvals; check that no payment was split',
    ],
  ],
  VARIES: [
    [
      { ...money, name: 'Thandi', batch: 'oct', was: '1000', now: '1103' },
      'Thandi gets 1,103 ZAR; in batch oct it was 1,000 ZAR (+10.3 %)',
    ],
    [
      { ...money, name: 'Thandi', batch: 'oct', was: null, now: '1103' },
      'Thandi gets 1,103 ZAR, and was not in batch oct',
    ],
    [
      { ...money, name: 'Thandi', batch: 'oct', was: '1000', now: null },
      'Thandi got 1,000 ZAR in batch oct, and is not in this sheet',
    ],
  ],
  PAYEE_CHANGED: [
    [{ ...change, isHeld: true }, `account changed: ${changed}; the row is held until a second person releases it`],
    [{ ...change, isHeld: false }, `account changed: ${changed}; check that this is intended`],
  ],
  PAYEE_TWICE: [
    [
      change,
      {
        terminal: `account changed: ${changed}; IT IS NOT HELD, because the sheet has two payees of this name, and one is paid as before: check that they are two people, and tell them apart by a payee_id column`,
        page: `account changed: ${changed}; IT IS NOT HELD, because the sheet has two payees of this name, and one is paid as before: check that they are two people, and tell them apart by a payee id column`,
      },
    ],
  ],
  PAYEE_ELSEWHERE: [
    [change, `a payee of this name is known in another country: ${changed}; check that it is another payee`],
  ],
  PAYEE_SHARES: [
    [{ row: 2 }, 'row 2 pays the same account under another name or id'],
    [{ moreThan: 1000 }, 'more than 1,000 rows pay an account that another row pays under another name or id'],
  ],
  PAYEE_KNOWN_OTHERWISE: [
    [
      { ...paid, account: 'FNB …1601', was: 'Thandi', now: 'Kofi' },
      `the account (FNB …1601) was last paid as Thandi's (row 4 of batch oct, on ${moment}), and this row pays it as Kofi's; check that this is intended`,
    ],
    [{ moreThan: 1000 }, 'more than 1,000 rows pay accounts that were last paid under another name'],
  ],
  PAYEE_NEW: [
    [{ which: 'this' }, 'the payee was never paid from this ledger'],
    [{ which: 'all' }, 'none of the payees was paid from this ledger before'],
    [{ moreThan: 1000 }, 'more than 1,000 payees are new'],
  ],
  MERCHANT_REFUSED: [
    [
      { reason: because({ kind: 'merchant-failed', failure: { fault: 'call-was-cut', call: 'POST /merchants' } }) },
      'Registering the payee failed: POST /merchants: the connection was cut.',
    ],
    [{ reason: null }, 'the service refused the payee'],
  ],
  MERCHANT_UNCLEAR: [[{ reason: null }, 'the service refused the payee']],
  MERCHANT_AMBIGUOUS: [
    [
      { reason: because({ kind: 'merchant-ambiguous', merchants: ['m1', 'm2'] }) },
      'The service has 2 merchants for this destination (m1, m2). Write one of them into a column merchant_id.',
    ],
  ],
};

const cases = Object.entries(said).flatMap(([code, all]) =>
  all.map(
    ([facts, words]) => [code, typeof words === 'string' ? { terminal: words, page: words } : words, facts] as const,
  ),
);

it.each(cases)('%s', (code, words, facts) => {
  // A plan and the draft keep facts as JSON.
  const kept = JSON.parse(JSON.stringify(facts)) as object;
  expect(kept).toEqual(facts);
  const shown = (audience: 'terminal' | 'page') => problemWords({ code, facts: kept }, audience);
  expect({ terminal: shown('terminal'), page: shown('page') }).toEqual(words);
  expectFigures(problemWords({ code, facts: enlarged(kept) }, 'page'));
});

it('facts come from sheets: what nobody can see is shown by name', () => {
  const facts = { by: null, why: 'paid\u202Eby hand' };
  expect(problemWords({ code: 'ROW_CLOSED', facts })).toBe(
    'would be opened again by this plan; it was closed: paid<U+202E>by hand',
  );
  expect(problemWords({ code: 'ROW_CLOSED', facts: { ...facts, endToEndId: 'E 1' } })).toMatch(
    /^EndToEndId 'E 1': would be opened/,
  );
});

it.each(['NEWER_CODE', 'toString', '__proto__'])(
  'a code that this build does not know is shown as it is: %s',
  (code) => {
    expect(problemWords({ code, facts: {} })).toBe(code);
  },
);

it.each<[DocumentFileFault, string]>([
  [
    { code: 'DOCUMENT_TYPE', facts: { why: 'content', kinds: ['pdf', 'png', 'jpeg'], bySetting: false } },
    'is not PDF, PNG or JPEG by its content; save it as one of these',
  ],
  [
    { code: 'DOCUMENT_TOO_LARGE', facts: { sizeBytes: 2048, maxBytes: 1024, bySetting: false } },
    'is 2,048 bytes; at most 1,024 (1 KB) are accepted: make it smaller',
  ],
  [{ code: 'DOCUMENT_UNREADABLE', facts: { why: 'not-opened' } }, 'cannot be opened; check its permissions'],
])('of a file that the service itself refuses no setting is named: %j', (fault, words) => {
  expect(documentFileWords(fault)).toBe(words);
});
