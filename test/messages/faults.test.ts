/** The words of every fault, typed by hand: at a terminal, and on a page where they differ. Elsewhere faults are compared as data. */
import { expect, it } from 'vitest';
import type { Fault, FaultFacts } from '../../src/base/faults/fault.ts';
import { faultOnPage, faultWords } from '../../src/messages/faults/fault-words.ts';
import { casesOf, type Said } from './cases.ts';
import { expectPlaced, place } from './placed.ts';

const locked = { fault: 'system', detail: 'database is locked' } as const;
const at = Date.UTC(2026, 10, 27, 12, 0, 0);

const threshold = {
  amount: { amount: '60000', unit: 'whole', currency: 'ZAR' },
  above: { amount: '50000', unit: 'whole', currency: 'ZAR' },
} as const;
const named = { row: 4, name: 'Thandi', amount: '1500', unit: 'whole', currency: 'ZAR', reference: 'Rent' } as const;
const payee = { id: 'm1', service_name: 'T. Mokoena', name: 'Thandi' };
const cellError = { code: 'CELL_ERROR', facts: { field: 'bank_name', shown: '#REF!' } } as const;

const settings: readonly (readonly [name: string, terminal: string, page: string])[] = [
  ['batch', 'batch', 'batch'],
  ['add', '--add', 'that the sheet adds rows'],
  ['drop', '--drop', 'that the sheet is the whole list'],
  ['skip_invalid', '--skip-invalid', 'that rows with mistakes are left out'],
  ['update_names', '--update-names', 'that payees are renamed'],
  ['repeat', '--confirm-repeat', 'the reason to pay again'],
  ['series', '--series', 'the series'],
  ['confirm_variance', '--confirm-variance', 'the reason for the change'],
  ['choices', 'which rows are meant', 'which rows are meant'],
  ['skipped', 'rows left out', 'rows left out'],
  ['canary', '--canary', 'the number of canaries'],
];

const connections = [
  ['ECONNREFUSED', 'nothing listens there (connection refused)'],
  ['ENOTFOUND', 'the host name is not known'],
  ['EAI_AGAIN', 'the host name cannot be looked up now'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['EPROTO', 'no TLS can be agreed on there (is it http, and not https?)'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['CERT_HAS_EXPIRED', 'a certificate'],
] as const;

const said: Said<FaultFacts> = {
  'name-has-wrong-length': 'is not a name of 1 to 64 characters without outer spaces',
  'name-has-odd-letters': "may have letters, digits, spaces and . ' _ - only, and begins with a letter or digit",
  'name-has-unseen-letters': 'has a character that nobody sees',
  'name-mixes-scripts': 'mixes letters of two alphabets that look alike',
  'key-is-not-private': 'it is not a private key of Payrun',
  'key-is-not-public': 'it is not a public key of Payrun, which is one line: payrun-ed25519 KEY FINGERPRINT NAME',
  'key-has-invalid-half': 'its public half is not a key',
  'key-has-other-fingerprint': 'its fingerprint does not belong to its key',
  'maker-has-invalid-name': [
    { maker: ' Ama', why: { fault: 'name-has-wrong-length' } },
    "' Ama', which is not a name of 1 to 64 characters without outer spaces",
  ],
  'maker-is-not-listed': [
    { maker: 'Esi', policy: 'policy.json' },
    "'Esi', who is not one of the makers in policy.json",
    "'Esi', who is no longer a preparer",
  ],
  'is-no-signature': 'it is not a signature of Payrun',
  'signed-for-other-purpose': 'it was signed for another purpose or row',
  'signed-other-plan': [{ plan: 'sha256:34cd' }, 'it is for another plan, sha256:34cd'],
  'signed-own-batch': [{ approver: 'Esi' }, "'Esi' prepared or paid a sheet of this batch, and may not approve it"],
  'signed-own-plan': [{ approver: 'Esi' }, "'Esi' made the plan, and its maker may not approve it"],
  'signed-in-future': [
    { signedAt: at + 3_600_000, now: at },
    'it was signed at 2026-11-27 13:00:00 UTC, and it is 2026-11-27 12:00:00 UTC',
  ],
  'signed-after-expiry': [{ signedAt: at }, 'it was signed at 2026-11-27 12:00:00 UTC, when the plan had expired'],
  'signer-is-no-approver': [{ approver: 'Esi' }, "'Esi' is not an approver"],
  'signer-has-other-key': [{ approver: 'Esi', fingerprint: 'K7Q2' }, "key K7Q2 is not a key of 'Esi'"],
  'signature-does-not-fit': [
    { fingerprint: 'K7Q2' },
    'the signature does not match key K7Q2, or the signed text was changed',
  ],
  'nothing-asks-for-approval': 'no amount in it needs an approval',
  'batch-began-with-approvals': [{ approvals: 2 }, 'this batch began with 2 approvals'],
  'every-amount-needs-approval': [
    [{ approvals: 1, money: 'ZAR' }, 'the policy asks for 1 approval for every amount in ZAR'],
    [{ approvals: 2, money: null }, 'the policy asks for 2 approvals for every amount'],
  ],
  'payee-gets-more': [threshold, 'a payee gets 60,000 ZAR, above 50,000 ZAR'],
  'batch-pays-more': [threshold, 'the batch pays 60,000 ZAR, above 50,000 ZAR'],
  'day-pays-more': [threshold, '60,000 ZAR would have been sent on one day, above 50,000 ZAR'],
  'policy-file': [
    { why: { fault: 'no-file' } },
    'there is no such file; --policy or PAYRUN_POLICY name another',
    'there is no such file',
  ],
  'policy-name-is-invalid': [
    { place: 'makers[0]', name: '', why: { fault: 'name-has-wrong-length' } },
    "makers[0]: '' is not a name of 1 to 64 characters without outer spaces",
  ],
  'policy-name-is-twice': [
    { place: 'approvers[1].name', name: 'ama', before: 'Ama' },
    "approvers[1].name: 'ama' repeats 'Ama'; give one approver all keys",
  ],
  'policy-key-is-invalid': [
    { place: 'approvers[0].keys[0]', why: { fault: 'key-has-other-fingerprint' } },
    'approvers[0].keys[0]: its fingerprint does not belong to its key',
  ],
  'policy-key-is-of-other': [
    { place: 'approvers[0].keys[0]', owner: 'Kofi', name: 'Ama' },
    "approvers[0].keys[0]: it is the key of 'Kofi', not of 'Ama'",
  ],
  'policy-key-is-twice': [
    { place: 'approvers[1].keys[0]', owner: 'Ama' },
    "approvers[1].keys[0]: 'Ama' has this key already",
  ],
  'policy-has-too-few-approvers': [
    { place: 'otherwise', needed: 3, approvers: 2 },
    'otherwise: 3 are needed, and there are 2 approvers',
  ],
  'policy-currency-is-twice': [{ place: 'currencies[1]', currency: 'ZAR' }, 'currencies[1]: ZAR is named twice'],
  'policy-currency-says-nothing': [
    { place: 'currencies[0]' },
    'currencies[0]: say what holds for a row, a batch or a day',
  ],
  'policy-steps-do-not-rise': [
    { place: 'currencies[0].row[1]' },
    'currencies[0].row[1]: a step has a larger amount and more approvals than the step before it',
  ],
  'plan-is-no-plan': 'it is not a plan of Payrun',
  'plan-is-damaged': 'a part of it was changed, added or removed',
  'plan-row-differs': [{ row: 4 }, 'row 4 was changed, added or removed'],
  system: [{ detail: 'EIO: i/o error' }, 'EIO: i/o error'],
  'no-file': 'there is no such file',
  'no-folder': 'there is no such folder',
  'not-a-file': 'it is not a file',
  'not-a-folder': 'it is not a folder',
  'is-folder': 'it is a folder',
  'is-link': 'it is a symbolic link',
  'may-not-read': 'you have no read permission for it',
  'may-not-write': 'you have no write permission there',
  'read-only': 'it is read-only here (a unit of systemd writes to its ReadWritePaths alone)',
  'disk-full': 'its disk is full, or has no more room for this user',
  'too-large': [{ kilobytes: 64 }, 'it is larger than 64 KB, too large for such a file'],
  'sheet-is-too-large': 'it is larger than 1 GiB. Split the sheet',
  'file-changed': 'it was changed while it was being read',
  'hot-file-is-strange': 'it is not a sheet, and belongs to no sheet',
  'hot-file-is-empty': 'it is empty',
  'hot-file-has-long-name': 'its name is too long',
  'hot-file-is-unreadable':
    "the user of the Payrun process has no read permission for it (chmod g+r, if its group is also that user's)",
  'not-json': [{ detail: 'Unexpected\n token' }, 'it is not JSON: Unexpected token'],
  'wrong-shape': [
    [{ place: '', detail: 'totals-say-nothing' }, 'the whole file: it has no totals'],
    [{ place: 'totals.ZAR', detail: 'totals-number' }, 'totals.ZAR: a whole number, in digits alone'],
    [{ place: 'totals.ZZZ', detail: 'totals-currency' }, 'totals.ZZZ: not a currency'],
    [{ place: 'accounts', detail: 'totals-hash' }, 'accounts: 32 to 64 digits, 0 to 9 and a to f'],
    [{ place: 'otherwise', detail: 'policy-digits' }, 'otherwise: write whole digits in quotes'],
    [
      { place: 'approvers[0]', detail: 'policy-approver' },
      'approvers[0]: write {"name": "…", "keys": ["the line of the .pub file"]}',
    ],
    [
      { place: 'rows', detail: 'correction-runs' },
      'rows: runs of rows stand in their order, each with its first row and its last',
    ],
    [{ place: '', detail: 'Invalid input' }, 'the whole file: Invalid input'],
  ],
  'key-is-twice': [{ key: 'to' }, "the key 'to' is written twice inside the same braces; delete one of the two"],
  'held-by-unknown': '',
  'held-by-process': [{ process: 41, since: at }, ' (process 41, since 2026-11-27 12:00:00 UTC)'],
  'held-by-name': [{ name: 'payrun on desk', since: at }, ' (payrun on desk, since 2026-11-27 12:00:00 UTC)'],
  'held-by-program': [{ why: locked }, ', or another program does (database is locked)'],
  'ledger-was-copied': [
    { to: 'postgres://pay' },
    'it was copied to the ledger postgres://pay. Use that ledger',
    'it was copied to the ledger on PostgreSQL. Use that ledger',
  ],
  'ledger-is-unfinished-copy': [
    { of: 'pay.db', command: { action: 'copy-ledger', from: 'pay.db', to: 'postgres://pay' } },
    'it is an unfinished copy of the ledger pay.db: ask for the copy again, which finishes it (payrun ledger copy postgres://pay --ledger pay.db)',
  ],
  'ledger-is-of-other-program': 'it is the database of another program',
  'ledger-is-on-network': [
    { fileSystem: 'nfs' },
    'it lies on a network file system (nfs), where a lock cannot keep a second run away; name a file on a disk of this machine with --ledger or PAYRUN_LEDGER',
    'it lies on a network file system (nfs), where a lock cannot keep a second run away',
  ],
  'ledger-lacks-room': [
    { freeMegabytes: 10, neededMegabytes: 64 },
    'its disk has 10 MB free, and a run may need 64 MB; make room, or name another with --ledger',
    'its disk has 10 MB free, and a run may need 64 MB; make room',
  ],
  'console-is-open': [
    { holder: { fault: 'held-by-unknown' } },
    'a console is open on it, and the copy would lack what people do there: end the console first',
  ],
  'worker-sends-from-it': [{ worker: 'w1' }, 'worker w1 sends from it: end its workers first'],
  'copied-table-differs': [
    { table: 'payout', from: 'pay.db' },
    'its table payout differs from what was written; the ledger pay.db is unchanged',
  ],
  'files-cannot-be-copied': [
    { why: { fault: 'read-only' } },
    'its files cannot be copied: it is read-only here (a unit of systemd writes to its ReadWritePaths alone)',
  ],
  'server-is-too-old': [{ version: 15, oldest: 16 }, 'its server is PostgreSQL 15, and Payrun needs 16 or newer'],
  'server-is-standby': 'its server is a standby, where nothing can be written; name the primary',
  'database-is-not-utf8': [{ encoding: 'LATIN1' }, 'its database is kept in LATIN1; make one in UTF8'],
  'server-may-lose-data': [
    { setting: 'fsync' },
    'a power cut could damage the ledger, or lose what was paid: set fsync to on there',
  ],
  'password-is-missing':
    'its server asks for a password, and none was given: set PGPASSWORD, or PGPASSWORD_FILE to a file that holds it',
  'connection-has-ended': 'the connection to its database has ended',
  'schema-is-missing': [{ schema: 'payrun' }, 'its database has no schema payrun yet'],
  'schema-is-of-other-program': [{ schema: 'payrun' }, 'the schema payrun holds tables of another program'],
  'address-is-no-postgres': 'write an address such as postgres://user@host/database',
  'address-has-other-setting': [
    { setting: 'host', settings: ['schema', 'sslmode'] },
    'it has the setting host, and only schema, sslmode are allowed',
  ],
  'schema-name-is-invalid': [{ schema: 'A B' }, "its schema 'A B' is not a name of small letters and digits"],
  'file-is-damaged': [{ path: 'pay.db', why: locked }, 'pay.db: database is locked'],
  'row-was-changed': [{ row: 'k4', batch: 'nov' }, 'row k4 of batch nov was changed outside Payrun'],
  'audit-has-findings': [
    {
      ledger: 'pay.db',
      findings: 2,
      first: {
        where: { batch: 'nov', row: 'k4', number: 4, column: 'amount' },
        code: 'unlike-trail',
        what: 'value',
        expected: ['100'],
        found: '900',
      },
    },
    "payrun audit verify --ledger pay.db finds 2 faults in the ledger pay.db; the first is batch 'nov', row 'k4', number 4, column 'amount': the value differs from the trail (expected '100', found '900')",
    "the audit finds 2 faults in the ledger pay.db; the first is batch 'nov', row 'k4', number 4, column 'amount': the value differs from the trail (expected '100', found '900')",
  ],
  'map-is-missing': [
    [
      { maps: ['sage', 'xero'], near: 'sage' },
      'there is no such file, and the maps that come with Payrun are sage, xero; perhaps sage is meant',
    ],
    [
      { maps: ['sage', 'xero'], near: null },
      'there is no such file, and the maps that come with Payrun are sage, xero',
    ],
  ],
  'map-is-no-object': [
    [
      { place: null },
      'it is not an object; a map looks like {"columns": {"Payee": "name"}, "values": {"country": "Kenya"}, "words": {"country": {"Sudafrika": "SouthAfrica"}}}',
    ],
    [
      { place: { part: 'words', field: 'bank_name' } },
      'words, bank_name is not an object; a map looks like {"columns": {"Payee": "name"}, "values": {"country": "Kenya"}, "words": {"country": {"Sudafrika": "SouthAfrica"}}}',
    ],
  ],
  'map-key-is-twice': [
    { key: 'Ref' },
    '\'Ref\' stands twice in one list, and only the last would count; for a header that the sheet has twice write "Ref": ["tag", "reference"], from left to right',
  ],
  'map-field-is-twice': [
    { field: 'country', header: 'Land', value: 'Kenya' },
    "country is both the column 'Land' and the value 'Kenya'; take one of them out",
  ],
  'map-is-empty': 'it names neither a column nor a value',
  'map-entry-is-empty': [
    { place: { part: 'columns', entry: 'Ref' } },
    "columns, 'Ref': the entry needs a text on both sides; write it, or take it out",
  ],
  'map-use-is-unknown': [
    [
      { place: { part: 'columns', entry: 'Payee' }, use: 'nam', near: 'name' },
      "columns, 'Payee': 'nam' is no column (perhaps 'name'); docs/reference/columns.md lists them, and null is for a column that is not read",
    ],
    [
      { place: { part: 'columns', entry: 'Payee' }, use: '5', near: null },
      "columns, 'Payee': '5' is no column; docs/reference/columns.md lists them, and null is for a column that is not read",
    ],
  ],
  'map-use-is-twice': [
    { first: 'A', second: 'B', use: 'name' },
    "columns: 'A' and 'B' are both read as name; write null for the one that is not read",
  ],
  'map-half-name': [
    { half: 'first_name', other: 'last_name' },
    'columns: first_name without last_name is no name; write name, or add last_name',
  ],
  'map-word-is-twice': [
    { place: { part: 'words', field: 'slow' }, first: 'Ja', second: 'ja' },
    "words, slow: 'Ja' and 'ja' are the same",
  ],
  'map-word-is-unknown': [
    [
      { place: null, word: 'coloumns', allowed: ['columns', 'values'], near: 'columns' },
      "'coloumns' cannot stand here (perhaps 'columns'); columns, values can",
    ],
    [
      { place: { part: 'values', field: 'country' }, word: 'Narnia', allowed: ['Kenya', 'BTC'], near: null },
      "values, country: 'Narnia' cannot stand here; Kenya, BTC can",
    ],
  ],
  'option-is-twice': [{ name: 'ZAR' }, 'ZAR is given twice'],
  'expect-has-no-form':
    "write it as 'rows=212', 'ZAR=1904300', 'BTC:sat=1290000', 'USDT:hundredths=151' or 'accounts=HASH', with digits alone",
  'cap-has-no-form': [
    { moneys: ['ZAR', 'NGN'], kinds: ['row', 'day'] },
    'write it as ZAR:batch=2000000, with a whole number of at most 18 digits; the currencies are ZAR, NGN, and each has a cap for row, day',
  ],
  'cap-is-raised': [
    { configured: '2000000' },
    'payrun.config.json has 2,000,000; a flag may lower a cap, and never raises one',
  ],
  'cron-has-other-fields':
    'it needs five fields (minute, hour, day, month and day of the week), none of them random (H)',
  'cron-field-is-invalid': [
    [{ field: 'minute', value: '60' }, "the minute is '60', and may be 0 to 59, or *"],
    [{ field: 'hour', value: '24' }, "the hour is '24', and may be 0 to 23, or *"],
    [{ field: 'day', value: '0' }, "the day of the month is '0', and may be 1 to 31, or *"],
    [{ field: 'month', value: '13' }, "the month is '13', and may be 1 to 12, or *"],
    [{ field: 'weekday', value: '9' }, "the day of the week is '9', and may be 0 to 7, where 0 and 7 are Sunday, or *"],
  ],
  'cron-never-comes': 'this hour never comes',
  'zone-is-unknown': [{ zone: 'Nowhere' }, "there is no time zone 'Nowhere'; write it as Africa/Johannesburg"],
  'status-is-empty': 'an empty word has no meaning: a payment without a status is open',
  'status-has-own-meaning': [
    { word: ' SUCCESS', meaning: 'success' },
    "' SUCCESS' means success, and nothing else (interface 2.8)",
  ],
  'status-is-twice': [{ word: 'done' }, "'done' is there twice, with two meanings"],
  'status-is-under-way': [
    [
      { word: 'processing', end: 'success' },
      "'processing' sounds like a payment that is under way. As success, nobody would follow the payment to its end",
    ],
    [
      { word: 'onhold', end: 'expired' },
      "'onhold' sounds like a payment that is under way. As expired, its row could be paid twice",
    ],
  ],
  'status-is-opposite': [
    [
      { word: 'rejected', end: 'success' },
      "'rejected' sounds like a payment that was not paid out. As success, nobody would pay its row",
    ],
    [
      { word: 'settled', end: 'expired' },
      "'settled' sounds like a payment that was paid out. As expired, its row could be paid twice",
    ],
  ],
  'address-is-in-use': 'the address is in use',
  'address-is-not-allowed': 'the address is not allowed',
  'address-is-elsewhere': 'the address is not on this machine',
  'setting-differs': [
    ...settings.map(
      ([name, terminal, page]) =>
        [{ name, was: 'a', now: null }, `${terminal} was 'a', is empty`, `${page} was 'a', is empty`] as const,
    ),
    [
      { name: 'caps', was: { KES: { batch: '5000' }, ZAR: { row: '10' } }, now: null },
      "limit caps was 'ZAR row 10; KES batch 5,000', is empty",
    ],
    [
      { name: 'pay_window', was: null, now: [{ from: 480, until: 960, days: 'mon-fri', closed: [] }] },
      "limit pay_window was empty, is '08:00-16:00 Monday to Friday in Johannesburg'",
    ],
    [
      {
        name: 'breaker',
        was: { refusals: 10, doubts: { rows: 5, percent: 2 } },
        now: { refusals: 2, doubts: { rows: 5, percent: 2 } },
      },
      "limit breaker was '10 refusals in a row, or 5 rows and 2 % in doubt', is '2 refusals in a row, or 5 rows and 2 % in doubt'",
    ],
  ],
  'identity-differs': [
    [
      {
        was: { service: 'sandbox', key: '12ab34cd', user: null },
        now: { service: 'https://b', key: '56ef78ab', user: '7' },
      },
      'it was for sandbox (key 12ab34cd…, tenant), and is for https://b (key 56ef78ab…, user 7) now',
    ],
  ],
  'cell-differs': [{ row: 4, column: 'amount', was: 1500, now: 25 }, 'row 4: amount was 1,500, is 25'],
  'effect-differs': [
    [{ row: 4, was: 'held', now: 'not sent' }, 'row 4: it was held, and is to be sent now'],
    [{ row: 4, was: 'not sent', now: 'paid' }, 'row 4: it was to be sent, and is paid now'],
  ],
  'sheet-lacks-row': [named, "row 4 of the plan is not in the sheet: 'Thandi', 1,500 ZAR, 'Rent'"],
  'plan-lacks-row': [named, "row 4 of the sheet is not in the plan: 'Thandi', 1,500 ZAR, 'Rent'"],
  'payee-differs': [
    [
      { row: 4, was: null, now: { ...payee, use: 'create' } },
      "row 4: payee 'Thandi' was not in the plan, is to be created",
    ],
    [
      { row: 4, was: { ...payee, use: 'create' }, now: { ...payee, use: 'reuse' } },
      "row 4: payee 'Thandi' was to be created, is merchant m1 named 'T. Mokoena'",
    ],
    [
      { row: 4, was: { ...payee, use: 'rename' }, now: { ...payee, use: 'unclear' } },
      "row 4: payee 'Thandi' was merchant m1 to be renamed from 'T. Mokoena' to 'Thandi', is one of several merchants",
    ],
  ],
  'warning-is-new': [
    [
      { row: 4, problem: cellError },
      "row 4: the plan does not show this: bank_name shows the error '#REF!'; correct the formula",
      "row 4: the plan does not show this: bank shows the error '#REF!'; write its value here, or correct the formula in the file and upload it again",
    ],
    [
      { row: null, problem: { code: 'SHEET_WITHOUT_ROWS', facts: {} } },
      'the sheet: the plan does not show this: the sheet has no rows to pay',
    ],
  ],
  'warning-is-gone': [
    { problem: { code: 'SHEET_WITHOUT_ROWS', facts: {} } },
    'the plan shows this, and it is no longer true: the sheet has no rows to pay',
  ],
  'plan-is-from-future': [
    { madeAt: at + 3_600_000, now: at },
    'The plan was made at 2026-11-27 13:00:00 UTC, and here it is 2026-11-27 12:00:00 UTC: one of the two clocks is wrong',
  ],
  'plan-is-over': [
    { expiredAt: at, now: at + 3_600_000 },
    'The plan was valid until 2026-11-27 12:00:00 UTC, and it is 2026-11-27 13:00:00 UTC',
  ],
  'call-was-answered': [
    [
      { call: 'POST /merchants', status: 422, reason: 'name is required' },
      'POST /merchants answered 422: “name is required”',
    ],
    [{ call: 'POST /payments', status: 500, reason: null }, 'POST /payments answered 500, with no reason'],
  ],
  'call-has-no-answer': [{ call: 'POST /payments', phase: 'request' }, 'POST /payments: no answer in time (request)'],
  'call-was-cut': [{ call: 'GET /payments' }, 'GET /payments: the connection was cut'],
  'call-failed': connections.map(
    ([code, words]) => [{ call: 'POST /token', code, detail: 'a certificate' }, `POST /token: ${words}`] as const,
  ),
  'answer-is-too-large': [
    { call: 'GET /payments', mostBytes: 1024 },
    'GET /payments: the answer is larger than 1,024 bytes',
  ],
  'answer-has-no-id': [{ call: 'POST /payments', status: 201 }, 'POST /payments answered 201 without a readable id'],
  'answer-has-other-form': 'it does not have the form that the interface describes',
  'answer-repeats-pages': 'the list repeats its pages, and has no end',
  'answer-has-odd-status': [{ status: 404, reason: 'not found' }, 'status 404: “not found”; is the base URL right?'],
  'answer-has-no-token': [{ fields: 'id, at' }, 'no token was found among its fields (id, at)'],
  'source-is-not-listed': [{ source: 'Ghana' }, 'it does not list Ghana, which rows of this sheet are funded from'],
  'list-cannot-be-read': [
    { why: { fault: 'call-was-cut', call: 'GET /payments' } },
    'GET /payments: the connection was cut',
  ],
  'list-is-unusable': [
    { what: 'GET /payments', why: { fault: 'answer-repeats-pages' } },
    "Payrun cannot use the payout service's answer to GET /payments: the list repeats its pages, and has no end",
  ],
  'list-items-lack-ids': [{ items: 2 }, 'it lists 2 payments of Payrun without an id'],
  'list-shows-other-tag': [
    { payment: 'p1', seenTag: 'AAAA', tag: 'K7Q2', more: 0 },
    'payment p1 of Payrun is listed with the tag “AAAA” instead of “K7Q2”',
  ],
  'list-lacks-payment': [
    { payment: 'p1', sentAt: at, more: 3 },
    'it lacks payment p1, which the service accepted on 2026-11-27 12:00:00 UTC (and 3 more)',
  ],
  'list-lacks-new-payment': [
    { payment: 'p1', seconds: 20 },
    'payment p1, which the service had just accepted, did not appear in the list within 20 s',
  ],
  'list-lost-payment': [{ payment: 'p1' }, 'it no longer contains payment p1, which it contained a moment ago'],
};

const cases = Object.entries(said).flatMap(([fault, words]) =>
  casesOf(words).map(([facts, terminal, page = terminal]) => [{ fault, ...facts } as Fault, [terminal, page]] as const),
);

it.each(cases)('%j', (fault, words) => {
  expect([faultWords(fault), faultOnPage(fault)]).toEqual(words);
  expectPlaced(() => faultWords(fault, place));
});
