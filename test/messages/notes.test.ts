/** The words of every note, typed by hand: at a terminal and on a page. Elsewhere notes are compared as facts. */
import { expect, it } from 'vitest';
import { resumeOf } from '../../src/domain/next-action.ts';
import type { NoteKind, NoteOf } from '../../src/domain/note.ts';
import { formWords } from '../../src/messages/notes/sheet-notes.ts';
import { noteDocument, noteOnPage, noteWords } from '../../src/messages/notes.ts';
import { lostFor } from '../reasons.ts';
import { enlarged, expectFigures } from './figures.ts';
import { place as everyFlag, expectPlaced } from './placed.ts';

const cutCall = { fault: 'call-was-cut', call: 'GET /payments' };
const at = Date.UTC(2026, 10, 21, 8, 0, 0);
const iso = '2026-11-21T08:00:00.000Z';
const time = '2026-11-21 08:00:00 UTC';
const windows = [
  { from: 540, until: 1020, days: 'every', closed: [] },
  { from: 480, until: 960, days: 'business', closed: [] },
] as const;
const batch = 'nov';
const place = { user: '', ledger: ' --ledger a.db' };
const fault = { code: null, why: { fault: 'system', detail: 'no room.' } } as const;
const money = { amount: '4500', unit: 'whole', currency: 'ZAR' };
const plan = { digest: 'a0', maker: 'Nomsa', approvals: [{ approver: 'Thabo', fingerprint: 'f1' }] };
const csv = { format: 'csv', delimiter: ',', encoding: 'UTF-8', isGuessed: false } as const;

/** The page says the same as the terminal. */
const same = Symbol('same');
const seenLike = (paidAt: number | null) =>
  ({
    kind: 'looks-paid',
    to: { paymentId: 'p1', at: paidAt },
    differs: { what: 'amount', amount: 77, currency: 'KES' },
  }) as const;
/** Nobody reads it on a page: a command or a worker writes it, and no batch keeps it. */
const atTerminal = Symbol('at a terminal alone');

type Case<K extends NoteKind> = readonly [
  facts: Omit<NoteOf<K>, 'note'>,
  terminal: string,
  page: string | typeof same | typeof atTerminal,
];

const k1 = { key: 'k1', number: 3, payee: 'Wan B', money: { amount: 59_000, unit: 'whole', currency: 'KES' } };

const cases: { readonly [K in NoteKind]: readonly Case<K>[] } = {
  'payee-paid-twice': [
    [
      {
        row: { number: 2, batch, payment: 'p1', ...money },
        copy: { number: 3, batch: 'dec', payment: null, ...money },
      },
      'A payee may be paid twice, by row 2 of batch nov (payment p1, 4,500 ZAR) and by row 3 of batch dec (in doubt, 4,500 ZAR).',
      same,
    ],
    [
      { row: { number: 2, batch, payment: 'p1', ...money }, copy: null },
      'The service paid row 2 of batch nov (payment p1, 4,500 ZAR) after it had reported the row as unpaid. A person closed this row, or the newest sheet lacks it.',
      same,
    ],
  ],
  'deposit-changed': [
    [
      { row: 'k1', payment: 'p1', was: [{ name: 'iban', value: 'GB01' }], now: [{ name: 'iban', value: 'GB02' }] },
      "Changed deposit details. Row k1, payment p1: first 'iban: GB01', now 'iban: GB02'.",
      same,
    ],
    [
      { row: 'k1', payment: 'p1', was: [{ name: 'iban', value: 'GB01' }], now: [] },
      "Changed deposit details. Row k1, payment p1: first 'iban: GB01', now none.",
      same,
    ],
  ],
  'result-away': [
    [
      { batch, host: 'w2', path: '/var/nov.csv', why: null },
      'A worker on w2 continued the batch, and cannot write to the folder of the sheet. The result is on that machine: /var/nov.csv. To write it to the folder of the sheet: payrun report nov --ledger a.db',
      'A worker on w2 continued the batch, and cannot write to the folder of the sheet. The result is on that machine: /var/nov.csv.',
    ],
    [
      { batch, host: 'w2', path: null, why: fault },
      'A worker on w2 continued the batch, and could not write the result: no room. To write it where the sheet was submitted: payrun report nov --ledger a.db',
      'A worker on w2 continued the batch, and could not write the result: no room.',
    ],
  ],
  'under-plan': [
    [{ of: 'batch', plan }, 'Runs under plan sha256:a0, maker Nomsa, approved by Thabo (key f1).', same],
    [{ of: 'later', plan: { ...plan, approvals: [] } }, 'The batch now runs under plan sha256:a0, maker Nomsa.', same],
  ],
  'paid-other-amount': [
    [
      { rows: [{ row: 'k1', paid: 102, planned: 303, unit: 'whole', currency: 'KES' }], hasMore: false },
      'Row k1 has a payment of 102 KES, but the sheet says 303 KES. The totals count the payment.',
      same,
    ],
    [
      {
        rows: ['k1', 'k2'].map((row) => ({ row, paid: 1, planned: 2, unit: 'whole', currency: 'KES' })),
        hasMore: true,
      },
      'The payments of some rows have another amount than the sheet (k1: 1 KES instead of 2 KES; k2: 1 KES instead of 2 KES; …). The totals count the payments.',
      same,
    ],
  ],
  'status-by-setting': [
    [
      { status: 'SETTLED', rows: 1, means: 'success' },
      "1 row: the service says 'SETTLED', which the setting payments.statuses counts as success. Payrun counts such rows as paid.",
      same,
    ],
    [
      { status: 'Rejected', rows: 2, means: 'expired' },
      "2 rows: the service says 'Rejected', which the setting payments.statuses counts as expired. Payrun counts such rows as unpaid. Before you send one again, make sure that the service pays out no such payment later.",
      same,
    ],
  ],
  'unpaid-left-out': [
    [
      { rows: 1 },
      '1 unpaid row is not in the newest sheet, or has a mistake there. Payrun sends it again only after a corrected sheet has it.',
      same,
    ],
    [
      { rows: 2 },
      '2 unpaid rows are not in the newest sheet, or have a mistake there. Payrun sends them again only after a corrected sheet has them.',
      same,
    ],
  ],
  paused: [
    [
      { id: 7, batch, by: 'Ada', since: iso, reason: 'Wait' },
      `Batch nov is paused by Ada on ${time} (Wait). Payrun sends nothing until payrun pause nov --end --seen 7 --ledger a.db`,
      atTerminal,
    ],
    [
      { id: 8, batch: null, by: null, since: iso, reason: 'Wait' },
      `All batches of this ledger are paused on ${time} (Wait). Payrun sends nothing until payrun pause --end --seen 8 --ledger a.db`,
      atTerminal,
    ],
  ],
  'batch-stopped': [
    [
      {
        why: {
          code: 'STOPPED_BEFORE',
          facts: {
            batch,
            by: 'Ada',
            why: { code: 'STOPPED', facts: { signal: null, hasEnded: true } },
            command: resumeOf('nov'),
          },
        },
      },
      'Ada stopped batch nov. Its unsent rows wait until a person continues the batch: payrun resume nov --ledger a.db',
      atTerminal,
    ],
  ],
  'batch-interrupted': [
    [{ batch }, 'The run of batch nov was interrupted. Continue it: payrun resume nov --ledger a.db', atTerminal],
  ],
  'plan-waits': [
    [
      {
        why: { code: 'PROPOSAL_WAITS', facts: { batch, file: 'nov.csv', by: 'Ama' } },
      },
      'A plan of batch nov (nov.csv, by Ama) waits. Nothing more of the batch is sent. Pay, decline or withdraw that plan first.\n  payrun decline nov --by NAME --reason TEXT --ledger a.db\n  payrun withdraw nov --by NAME --reason TEXT --ledger a.db\n  Submit urgent rows as a batch with another name (--batch).',
      atTerminal,
    ],
  ],
  'sheet-read': [[{ file: 'nov.csv', form: csv }, 'nov.csv: CSV, separated by ",", UTF-8', same]],
  'map-read': [
    [
      {
        map: 'my.json',
        columns: [{ header: 'Wo', field: 'bank_name' }],
        values: [{ field: 'country', value: 'SouthAfrica' }],
      },
      "The map my.json reads 'Wo' as bank_name; sets in every row: country SouthAfrica",
      "The map of the columns: 'Wo' is bank; every row has country South Africa",
    ],
    [
      { map: 'my.json', columns: [], values: [] },
      'The map my.json fits no column of this sheet',
      'The map of the columns: it fits no column of this sheet',
    ],
  ],
  'corrections-read': [
    [
      { corrections: 2, by: ['Nomsa', 'Thabo'] },
      'Read with 2 corrections, by Nomsa, Thabo. The corrected cells have other texts in the file.',
      same,
    ],
  ],
  'columns-unused': [[{ columns: ['a', 'b\n'] }, 'Columns not used: a, b<U+000A>', same]],
  'rows-chosen': [
    [
      { columns: [{ column: 'status', values: ['FAILED', ''] }], leftOut: 1 },
      "Pays only rows where 'status' says 'FAILED' or nothing; 1 other row of the sheet is left out.",
      same,
    ],
    [
      { columns: [{ column: 'status', values: ['FAILED'] }], leftOut: null },
      "Pays only rows where 'status' says 'FAILED'.",
      same,
    ],
  ],
  'columns-ignored': [[{ columns: ['status', 'x'] }, "Pays rows with any value in 'status', 'x'.", same]],
  'column-constant': [
    [
      { column: 'F', header: 'Approved', value: 'Yes' },
      "Column F 'Approved' is not read, and has 'Yes' in every row.",
      same,
    ],
  ],
  'values-ignored': [
    [
      { column: 'F', header: 'In', row: 3, says: 'cents' },
      "Column F 'In' is not read, as the map says. Row 3 has cents there.",
      same,
    ],
  ],
  'rows-below-total': [
    [{ rows: [9] }, 'Row 9 stands below the total, and is not read as payments.', same],
    [{ rows: [9, 10] }, 'Rows 9, 10 stand below the total, and are not read as payments.', same],
  ],
  'row-ids-missing': [
    [
      {},
      'Payrun recognises a corrected row by its row_id, and this sheet has no such column. Add it before the first payment, with a different id in each row.',
      same,
    ],
  ],
  'banks-built-in': [
    [{}, 'Banks: checked with the built-in list. Payrun asked no service, and the list of the service decides.', same],
  ],
  'banks-not-listed': [
    [{}, 'The service did not list its banks, so Payrun checked the sheet with its built-in lists.', same],
  ],
  'total-compared': [
    [{ row: 4, check: { is: 'no-amount' } }, 'Totals row (row 4): it has no amount, so nothing was compared.', same],
    [{ row: 4, check: { is: 'no-rows' } }, 'Totals row (row 4): not compared, because there are no rows.', same],
    [
      { row: 4, check: { is: 'rows-left-out', rows: 2 } },
      'Totals row (row 4): not compared, because 2 rows of the sheet are left out.',
      same,
    ],
    [
      { row: 4, check: { is: 'rows-to-correct', rows: 1 } },
      'Totals row (row 4): not compared, because 1 row must be corrected first.',
      same,
    ],
    [
      { row: 4, check: { is: 'no-common-sum', currencies: ['ZAR', 'KES'] } },
      'Totals row (row 4): not compared, because the rows have no common sum (ZAR, KES).',
      same,
    ],
    [
      { row: 4, check: { is: 'equal', ...money } },
      'Totals row (row 4): 4,500 ZAR, equal to the sum of the rows.',
      same,
    ],
  ],
  'already-paid': [
    [
      { batch, at },
      `This sheet is batch nov, last sent on ${time}. No row is left to send, and none was sent now.`,
      same,
    ],
  ],
  'batch-continues': [[{ batch }, 'This sheet has rows of batch nov, and continues it.', same]],
  'rows-missing': [
    [{ batch, rows: 1 }, '1 row of batch nov that may be paid is not in this sheet. It stays unchanged.', same],
    [{ batch, rows: 2 }, '2 rows of batch nov that may be paid are not in this sheet. They stay unchanged.', same],
  ],
  'rows-kept': [
    [
      { batch, rows: { total: 1, shown: [{ row: 2, changes: [{ column: 'name', was: 'Ama', now: 'Esi' }] }] } },
      "1 row of batch nov may be paid. It keeps its content, and this sheet has other values: row 2: name was 'Ama', is 'Esi'.",
      "1 row of batch nov may be paid. It keeps its content, and this sheet has other values: row 2: name was 'Ama', is 'Esi'.",
    ],
    [
      {
        batch,
        rows: { total: 2, shown: [{ row: 2, changes: [{ column: 'documents', was: 'a.pdf', now: 'a.pdf' }] }] },
      },
      "2 rows of batch nov may be paid. They keep their content, and this sheet has other values: row 2: documents was 'a.pdf', is another file; and 1 row more.",
      "2 rows of batch nov may be paid. They keep their content, and this sheet has other values: row 2: documents was 'a.pdf', is another file; and 1 row more.",
    ],
  ],
  'like-earlier-batch': [
    [
      { batch, file: 'f.csv', rows: 2, same: 'content', totals: { KES: '3000' }, at, isSent: false },
      `The sheet has the same rows as batch nov (f.csv, 2 rows, 3,000 KES, imported on ${time}, no row paid).`,
      same,
    ],
    [
      { batch, file: 'f.csv', rows: 2, same: 'totals and count', totals: { KES: '3' }, at, isSent: true },
      `The sheet has as many rows, and the same totals, as batch nov (f.csv, 2 rows, 3 KES, sent on ${time}).`,
      same,
    ],
    [
      { batch, file: 'f.csv', rows: 1, same: 'totals', totals: { KES: '3', ZAR: '5' }, at, isSent: true },
      `The sheet has other rows, and the same totals, as batch nov (f.csv, 1 row, 3 KES, 5 ZAR, sent on ${time}).`,
      same,
    ],
  ],
  'series-first': [
    [{ series: 'payroll' }, 'This is the first batch of series payroll: there is nothing to compare it with.', same],
  ],
  'series-compared': [
    [
      {
        batch,
        series: 'payroll',
        at,
        percent: 10,
        payees: { added: 1, gone: 2000, changed: 0 },
        totals: [{ was: '1000', now: '1103', unit: 'whole', currency: 'ZAR' }],
      },
      `Compared with batch nov of series payroll (sent on ${time}): 1 payee new, 2,000 gone, 0 changed by more than 10 %; 1,000 ZAR then, 1,103 ZAR now (+10.3 %).`,
      same,
    ],
  ],
  'totals-agree': [
    [
      { source: '--expect', rows: 2, totals: { ZAR: '4500', 'BTC:sat': '7' }, accounts: null },
      'The sheet agrees with --expect: 2 rows, 4,500 ZAR, 7 sat.',
      'The sheet agrees with the control totals: 2 rows, 4,500 ZAR, 7 sat.',
    ],
    [
      { source: 'nov.totals.json', rows: null, totals: {}, accounts: '0123456789abcdef0123' },
      'The sheet agrees with nov.totals.json: accounts 0123456789abcdef.',
      same,
    ],
  ],
  'totals-written': [
    [
      { path: '/x/nov.totals.json' },
      'Control totals: /x/nov.totals.json. Send them by another channel than the sheet.',
      same,
    ],
  ],
  'totals-unwritten': [[{}, 'Control totals: not written, because the sheet has mistakes.', same]],
  'within-caps': [[{ caps: { ZAR: { row: '5000' } } }, 'Within the caps: ZAR row 5,000.', same]],
  'outside-pay-window': [
    [
      { windows, until: at },
      `The pay window (09:00-17:00 every day in Johannesburg, and 08:00-16:00 on business days in Johannesburg) is closed until ${time}.`,
      same,
    ],
  ],
  'plan-stops': [
    [
      { unconfirmed: [{ of: 'no-series' }, { of: 'payees', payees: 3, percent: 10 }] },
      'A run of this plan stops: the sheet has no series: say which with --series NAME; the amounts of 3 payees changed by more than 10 %. If the change is right, make the plan again with --confirm-variance REASON, or give the reason to the run.',
      'A run of this plan stops: the sheet has no series; the amounts of 3 payees changed by more than 10 %. If the change is right, give the reason and make the plan again.',
    ],
  ],
  'plan-expires': [[{ at }, `The plan is valid until ${time}.`, same]],
  'plan-expires-before-window': [
    [
      {},
      'This plan expires before the pay window opens, so no run can pay it. Make a plan that is valid longer (such as --expires 72h), or change the window.',
      'This plan expires before the pay window opens, so no run can pay it. Make a plan that is valid longer, or change the window.',
    ],
  ],
  payees: [
    [
      { payees: 3, known: 1 },
      'Payees: 3; known to the service: 1; to be created: 2.',
      'Different accounts that would be paid: 3. Of these the service has saved 1 already, and 2 will be saved there first.',
    ],
  ],
  'rows-of-batch': [
    [
      { batch, added: 3, same: 1, differing: 2, dropped: 0 },
      'Rows new to batch nov: 3; already in it: 1; in it with other values: 2.',
      same,
    ],
    [
      { batch, added: 3, same: 1, differing: 2, dropped: 1 },
      'Rows new to batch nov: 3; already in it: 1; in it with other values: 2; removed from it: 1.',
      same,
    ],
  ],
  'documents-to-attach': [
    [{ documents: 0 }, 'Documents to be attached: 0.', same],
    [
      { documents: 2 },
      'Documents to be attached: 2.',
      'Documents to be attached, each counted for every row that it goes with: 2.',
    ],
  ],
  'pays-again': [[{ reason: 'Owed' }, 'Pays rows that look paid already. Reason: Owed', same]],
  'of-series': [
    [{ series: 'payroll' }, 'Belongs to series payroll, and is compared with the last batch of the series.', same],
  ],
  'variance-confirmed': [[{ reason: 'Bonus' }, 'The change since the last batch is confirmed. Reason: Bonus', same]],
  'others-stay': [[{}, 'This plan changes no other row of the batch. Unsent rows of the batch are sent too.', same]],
  'renames-payees': [[{}, 'Renames known payees as the sheet spells them.', same]],
  'mistakes-skipped': [
    [{ rows: 1 }, '1 row of the sheet with mistakes is left out.', same],
    [{ rows: 2 }, '2 rows of the sheet with mistakes are left out.', same],
  ],
  'documents-go': [
    [{ documents: 1, rows: 1 }, 'One document goes with 1 row of the sheet.', same],
    [{ documents: 2, rows: 3 }, '2 documents go with 3 rows of the sheet.', same],
  ],
  'signature-not-counted': [
    [
      { file: 'nov.approval.json', why: { fault: 'signed-other-plan', plan: 'sha256:b1' } },
      'nov.approval.json does not count: it is for another plan, sha256:b1.',
      same,
    ],
  ],
  'file-kept': [
    [
      { kept: 'nov.result.csv', written: 'nov.result-2.csv' },
      'Payrun kept nov.result.csv, because it may be signed, submitted, changed, open, or of another sheet or batch. The new file is nov.result-2.csv.',
      same,
    ],
  ],
  'files-unwritten': [
    [
      { files: ['checked-workbook', 'problem-list'], why: fault },
      'Not written: the checked workbook and the list of problems; the folder may have older ones. no room.',
      same,
    ],
  ],
  'files-removed': [
    [
      { folder: '/x', files: ['a.csv', 'b.csv'] },
      'Removed what an earlier check had written to /x: a.csv, b.csv.',
      same,
    ],
  ],
  'checked-unwritten': [[{ why: fault }, 'The checked workbook could not be written: no room.', same]],
  'result-unwritten': [
    [
      { batch, why: fault },
      'The result could not be written, so the file may be an older one: no room.\n  Write it again: payrun report nov --out DIR --ledger a.db',
      atTerminal,
    ],
  ],
  'not-scanned': [
    [
      {},
      "Payrun did not read the service's payments before sending, because scan.presend is 'suspect' and no row was suspect.",
      same,
    ],
  ],
  'payments-found': [
    [{ payments: 1 }, '1 payment was found at the service by its tag, and is not sent again.', same],
    [{ payments: 2 }, '2 payments were found at the service by their tags, and are not sent again.', same],
  ],
  'scan-unfinished': [
    [
      { batch, incomplete: { fault: 'list-cannot-be-read', why: cutCall } },
      "The service's payments could not all be read after sending (GET /payments: the connection was cut), so Payrun could not check for rows paid twice. The next run of this batch checks again. To check now: payrun reconcile nov --ledger a.db",
      atTerminal,
    ],
  ],
  'scan-read': [
    [{ payments: 1, pages: 2, found: 1, absent: 0 }, 'Read 1 payment on 2 pages: 1 row found, 0 proven absent.', same],
  ],
  'absence-unproven': [
    [
      { incomplete: { fault: 'answer-repeats-pages' } },
      'The list proves no absence: the list repeats its pages, and has no end.',
      same,
    ],
  ],
  'clock-is-off': [
    [
      { days: 20, is: 'behind' },
      "This machine's clock is 20 days behind the service's: the ledger gets wrong times, and Payrun may not notice that a sheet is paid again. Set the clock.",
      same,
    ],
    [
      { days: 1, is: 'ahead' },
      "This machine's clock is 1 day ahead of the service's: the ledger gets wrong times, and Payrun may not notice that a sheet is paid again. Set the clock.",
      same,
    ],
  ],
  'near-payments-seen': [
    [
      { rows: { shown: [{ row: 3, amount: 1010, currency: 'KES', like: seenLike(at) }], total: 1 } },
      `1 row looks like a payment that the service lists: row 3 (1,010 KES) like payment p1 of ${time}: only the amount differs (77 KES then).`,
      same,
    ],
    [
      { rows: { shown: [{ row: 3, amount: 101, currency: 'KES', like: seenLike(null) }], total: 2 } },
      '2 rows look like payments that the service lists: row 3 (101 KES) like payment p1: only the amount differs (77 KES then); and 1 row more.',
      same,
    ],
  ],
  'waits-like-batch': [
    [
      { batch, rows: 1 },
      '1 row looks paid in batch nov. If the batch continues, Payrun holds it until an approver releases what is owed as well.',
      same,
    ],
    [
      { batch, rows: 2 },
      '2 rows look paid in batch nov. If the batch continues, Payrun holds them until an approver releases what is owed as well.',
      same,
    ],
  ],
  'merchants-unreadable': [
    [
      { merchants: 1 },
      "1 merchant in the service's list has no readable id. Payrun holds a row whose payee may be such a merchant.",
      same,
    ],
    [
      { merchants: 2 },
      "2 merchants in the service's list have no readable id. Payrun holds a row whose payee may be such a merchant.",
      same,
    ],
  ],
  'merchants-incomplete': [
    [
      { merchants: 1 },
      "1 merchant in the service's list has an incomplete account. Payrun compares payments to such a merchant with rows that have the same payee name.",
      same,
    ],
    [
      { merchants: 2 },
      "2 merchants in the service's list have an incomplete account. Payrun compares payments to such a merchant with rows that have the same payee name.",
      same,
    ],
  ],
  'witness-unwritten': [
    [
      { why: { fault: 'disk-full' } },
      'The witness of this run could not be written (its disk is full, or has no more room for this user). Payrun pays without it.',
      same,
    ],
  ],
  'doubts-in-a-row': [
    [
      { reason: lostFor('cut after 3 bytes') },
      'Several payments in a row are in doubt (POST /payments: cut after 3 bytes). Payrun sends nothing more until one is accepted.',
      same,
    ],
  ],
  'stop-unheard': [
    [
      { batch, why: fault },
      'no room. Workers may continue batch nov, because this stop does not reach them. To stop them: payrun pause nov --reason TEXT --ledger a.db',
      atTerminal,
    ],
  ],
  'waits-for-window': [
    [
      { windows, until: at },
      `The pay window (09:00-17:00 every day in Johannesburg, and 08:00-16:00 on business days in Johannesburg) is closed. This run waits until ${time}.`,
      same,
    ],
  ],
  'webhook-unasked': [
    [
      { why: fault },
      'The service cannot be asked (no room.). Payrun keeps the call of the webhook, and asks again later.',
      same,
    ],
  ],
  'webhook-lost': [[{ why: fault }, 'The call of the webhook is lost: no room.', same]],
  retried: [
    [{ rows: 0, also: false }, 'The newest sheet has no unpaid row to send again.', same],
    [{ rows: 1, also: false }, '1 unpaid row is sent again.', same],
    [
      { rows: 2, also: true },
      '2 unpaid rows are sent again. The batch also sends its rows that were never sent.',
      same,
    ],
  ],
  'payment-known-already': [[{ row: 'k1', payment: 'p1' }, 'Row k1 has payment p1 already.', same]],
  'payment-accepted': [
    [
      { row: 'k1', payment: 'p1', status: 'success', paid: 5, planned: 5 },
      'Row k1 now has payment p1. The service gives it the status success.',
      same,
    ],
    [
      { row: 'k1', payment: 'p1', status: null, paid: 4500, planned: 5 },
      'Row k1 now has payment p1. The service gives it no status. It pays 4,500, but the row says 5.',
      same,
    ],
    [
      { row: 'k1', payment: 'p1', status: 'pending', paid: null, planned: 5 },
      'Row k1 now has payment p1. The service gives it the status pending. It pays an unknown amount, but the row says 5.',
      same,
    ],
  ],
  absent: [
    [
      { row: 'k1' },
      'Row k1 is absent: no payment has its tag. To release it, use --release-absent.',
      'Row k1 is absent: no payment has its tag.',
    ],
  ],
  'nothing-absent': [[{}, 'No row of this batch is absent, so no row was released.', same]],
  'absent-released': [
    [
      { batch, rows: { shown: [k1], total: 1 }, by: null },
      'Row k1 (Wan B, 59,000 KES, row 3 of the sheet) is released, to be sent again: payrun resume nov --ledger a.db',
      atTerminal,
    ],
    [
      { batch, rows: { shown: [k1, k1, k1, k1], total: 12 }, by: 'Ama' },
      'Rows k1 (Wan B, 59,000 KES, row 3 of the sheet), k1 (Wan B, 59,000 KES, row 3 of the sheet), k1 (Wan B, 59,000 KES, row 3 of the sheet) and 9 more rows are released by Ama, to be sent again: payrun resume nov --ledger a.db',
      atTerminal,
    ],
  ],
  'released-already': [[{ row: 'k1' }, 'Row k1 was released already.', same]],
  'no-repeat': [
    [
      { batch, row: k1, by: 'Ama' },
      'Row k1 (Wan B, 59,000 KES, row 3 of the sheet) is released by Ama, because it repeats no payment: payrun resume nov --ledger a.db',
      atTerminal,
    ],
  ],
  'row-known': [
    [
      { batch, row: 'k1', is: 'paid twice' },
      'Row k1 stays paid twice. To continue with the other rows: payrun resume nov --ledger a.db',
      atTerminal,
    ],
  ],
  'deposit-known': [
    [
      { batch, row: 'k1' },
      'Row k1: your answer about the changed deposit details is stored. To see both versions: payrun funding nov --ledger a.db',
      atTerminal,
    ],
  ],
  'rows-dropped': [
    [
      { batch, rows: { shown: [{ ...k1, number: null }], total: 1 } },
      'Row k1 (Wan B, 59,000 KES) is closed. Payrun does not pay it.',
      same,
    ],
    [
      {
        batch,
        rows: {
          shown: [k1, { ...k1, key: 'k2', number: 4, payee: '', money: { amount: 0, unit: 'whole', currency: '' } }],
          total: 2,
        },
      },
      'Rows k1 (Wan B, 59,000 KES, row 3 of the sheet), k2 (row 4 of the sheet) are closed. Payrun does not pay them.',
      same,
    ],
  ],
  'rows-reopened': [
    [{ batch, rows: { shown: [k1], total: 1 } }, 'Row k1 (Wan B, 59,000 KES, row 3 of the sheet) is open again.', same],
  ],
  'payment-not-looked-for': [
    [
      { payment: 'p1', row: 'k1', isHeld: false },
      'Payment p1 of row k1 is no longer searched for. The ledger keeps what it knows about the payment.',
      same,
    ],
    [
      { payment: 'p1', row: 'k1', isHeld: true },
      'Payment p1 of row k1 is no longer searched for, and the row is held. The result says what to do.',
      same,
    ],
  ],
  'row-released': [
    [
      { batch, row: k1, by: 'Thabo', fingerprint: 'f1' },
      'Row k1 (Wan B, 59,000 KES, row 3 of the sheet) is released by Thabo (key f1): payrun resume nov --ledger a.db',
      atTerminal,
    ],
    [
      { batch, row: k1, by: 'Thabo', fingerprint: null },
      'Row k1 (Wan B, 59,000 KES, row 3 of the sheet) is released by Thabo: payrun resume nov --ledger a.db',
      atTerminal,
    ],
  ],
  'bound-already': [[{ batch }, 'Batch nov is bound to this service and key already.', same]],
  bound: [
    [
      { batch, service: 'https://pay', payments: 3 },
      'Batch nov is bound to https://pay, which shows 3 of its payments with their tags.',
      same,
    ],
  ],
  'deposit-alarm': [
    [
      { row: 'k1', was: [{ name: 'iban', value: 'GB01' }], now: [{ name: 'iban', value: 'GB02' }] },
      'ALARM: the deposit details of row k1 changed. First: iban: GB01. Now: iban: GB02. Payrun shows the first. Deposit nothing for this row until the service has confirmed the details by a channel that you knew before.',
      same,
    ],
  ],
  'deposit-change-known': [
    [
      { row: 'k1', was: [{ name: 'iban', value: 'GB01' }], now: [{ name: 'iban', value: 'GB02' }], known: 'Asked' },
      'The deposit details of row k1 changed, and a person knows about it (Asked). First: iban: GB01. Now: iban: GB02.',
      same,
    ],
    [
      { row: 'k1', was: [], now: [{ name: 'iban', value: 'GB02' }], known: 'Asked' },
      'The deposit details of row k1 changed, and a person knows about it (Asked). First: none. Now: iban: GB02.',
      same,
    ],
  ],
  'address-shared': [
    [
      { rows: ['k1', 'k2'], address: 'address: T1' },
      'Rows k1, k2 have the same address (address: T1), but each should have its own. Ask the service before you deposit.',
      same,
    ],
  ],
  'deposits-untold': [[{ rows: 2 }, 'The service has not said yet where to deposit for 2 rows.', same]],
  'deposits-cut': [[{ shown: 20_000, rows: 30_000 }, 'The list has the first 20,000 rows of 30,000.', same]],
  'deposits-unasked': [
    [{ payments: 1 }, 'The service did not answer for 1 payment: the list shows its earlier answers.', same],
  ],
  'deposits-not-read-again': [[{}, 'Not read again from the service: the list shows what the ledger has.', same]],
  'worker-joined': [
    [
      { ledger: 'a.db', service: 'https://pay' },
      'The worker joined the fleet of a.db. It sends the open rows of batches at https://pay.',
      same,
    ],
  ],
  'ledger-back': [[{}, 'The ledger answers again. The worker continues.', same]],
  'worker-leads-nothing': [[{ why: fault }, 'The worker leads no batch: no room.', same]],
  'worker-tries-again': [[{ why: fault }, 'no room. The worker tries again.', same]],
  'engine-fault': [[{ why: fault.why }, 'pg-boss: no room.', same]],
  'batch-hour': [
    [
      { batch, hour: iso, end: 'begun' },
      `Batch nov: its scheduled time of ${time} came, and a worker continues the batch.`,
      same,
    ],
    [
      { batch, hour: iso, end: 'stopped' },
      `Batch nov: its scheduled time of ${time} came while the batch was stopped, so Payrun did not send its rows.`,
      same,
    ],
    [
      { batch, hour: iso, end: 'expired' },
      `Batch nov: its scheduled time of ${time} passed, and no worker came in time. The batch waits for a person.`,
      same,
    ],
  ],
  'deposits-wait': [
    [
      { batch, sources: ['Europe', 'UnitedKingdom'] },
      'Pending rows funded from Europe, UnitedKingdom may wait for your deposit: payrun funding nov --ledger a.db',
      'Pending rows funded from Europe, United Kingdom may wait for your deposit.',
    ],
  ],
};

const all = (Object.keys(cases) as NoteKind[]).flatMap((note) =>
  (cases[note] as readonly Case<NoteKind>[]).map(
    ([facts, terminal, page]) => [note, { note, ...facts } as NoteOf<NoteKind>, terminal, page] as const,
  ),
);

it.each(all)('%s', (_, note, terminal, said) => {
  expect(noteWords(note, place)).toBe(terminal);
  expectPlaced(() => noteWords(note, everyFlag));
  expect(noteDocument(note, place)).toEqual({ ...note, message: terminal });
  if (said === atTerminal) return;
  const page = said === same ? terminal : said;
  expect(noteOnPage(note)).toBe(page);
  expectFigures(noteOnPage(enlarged(note)));
  expect(page, 'no page names a flag or a command').not.toMatch(/(?:^|[\s("`])--[a-z]|\bpayrun [a-z]/);
});

it.each([
  [
    { ...csv, delimiter: 'tab', isGuessed: true, encoding: 'Windows-1252' } as const,
    [
      'CSV, separated by tabs, Windows-1252',
      'The file is not valid UTF-8, so it was read as Windows-1252. Check names with accents.',
    ],
  ],
  [
    { format: 'payments', version: 'pain.001.001.09', message: 'M1' } as const,
    ["ISO 20022 payments (pain.001.001.09), message 'M1': the first transaction is row 2, as in the result"],
  ],
  [
    { format: 'workbook', sheet: 'Nov', others: 0, alike: [], hidden: 0, isHidden: false } as const,
    ["Excel workbook, sheet 'Nov'"],
  ],
  [
    { format: 'workbook', sheet: 'Nov', others: 2, alike: ['Oct'], hidden: 1, isHidden: true } as const,
    [
      "Excel workbook, sheet 'Nov'",
      '2 other visible sheets without a header of payouts, not read',
      "sheet 'Oct' looks like payouts too, and is not read",
      '1 other hidden sheet, not read',
    ],
  ],
])('the form of a file: %j', (form, words) => expect(formWords(form)).toEqual(words));
