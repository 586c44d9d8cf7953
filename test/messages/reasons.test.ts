/** The words of every reason, typed by hand. Elsewhere reasons are compared as facts. */
import { expect, it } from 'vitest';
import { because, type Reason, type StoredReasons } from '../../src/domain/sending/reason.ts';
import { reasonWords, trailReasonWords } from '../../src/messages/reasons.ts';
import { rowReasonWords } from '../../src/messages/row-reasons.ts';
import { refusedCall } from '../reasons.ts';
import { enlarged, expectFigures } from './figures.ts';

const at = Date.UTC(2026, 10, 21, 8, 0, 0);
const scan = { at, payments: 1204, pages: 13, isComplete: true };

const said: { readonly [K in Reason['kind']]: readonly (readonly [Omit<Reason & { kind: K }, 'kind'>, string])[] } = {
  'not-sent': [[{ failure: refusedCall('limit reached') }, 'Not sent: POST /payments answered 422: “limit reached”.']],
  'paused-before-sending': [[{}, 'Not sent: the machine paused between the decision and the sending.']],
  'ended-before-sending': [[{}, 'Not sent: the run ended at the same moment.']],
  'claim-returned': [[{}, 'Not sent: a worker claimed it, and returned it.']],
  'answer-lost': [
    [
      { failure: { fault: 'call-was-cut', call: 'POST /payments' } },
      'Payrun sent it, but does not know whether it arrived: POST /payments: the connection was cut.',
    ],
  ],
  'worker-lost': [
    [
      { worker: 'w2' },
      'Payrun sent it, but does not know whether it arrived: worker w2 ended, or did not report in time.',
    ],
  ],
  'run-died': [[{}, 'The run ended while this payment was being sent.']],
  'answered-with-other-payment': [
    [
      { paymentId: 'p1', row: 'k2', batch: 'oct' },
      'The service answered with payment p1, which belongs to row k2 of batch oct.',
    ],
  ],
  'not-listed': [
    [
      { payments: 12, at },
      "The service's list of 2026-11-21 08:00:00 UTC has no payment of it (12 payments listed). A payment may still appear: do not pay it elsewhere.",
    ],
  ],
  'older-payment': [
    [
      { payments: ['p1', 'p2'], sentAt: at, settledAfter: at + 60_000 },
      'The service has 2 payments with its tag (p1, p2) from before the last attempt of 2026-11-21 08:00:00 UTC. This attempt may still become another payment, so the row is settled only after 2026-11-21 08:01:00 UTC.',
    ],
  ],
  absent: [
    [
      { sentAt: at, scannedAt: at + 60_000, payments: 1, proof: 'younger payment', alike: [] },
      'Payrun sent it on 2026-11-21 08:00:00 UTC, and two complete scans after the horizon found no payment of it (the last on 2026-11-21 08:01:00 UTC, 1 payment; a younger payment of Payrun was listed).',
    ],
    [
      { sentAt: at, scannedAt: at, payments: 2, proof: 'twice the horizon', alike: ['p7', 'p8'] },
      'Payrun sent it on 2026-11-21 08:00:00 UTC, and two complete scans after the horizon found no payment of it (the last on 2026-11-21 08:00:00 UTC, 2 payments; twice the horizon had passed). But payment p7 (and 1 more), which belongs to no row, looks the same: the same payee, amount and reference. It may have paid the row.',
    ],
  ],
  forgotten: [[{ paymentId: 'p1' }, 'The service no longer knows payment p1 by its id.']],
  'settled-amount': [[{ settled: 90, amount: 100 }, 'The service reports that 90 was settled, not 100.']],
  'two-payments': [
    [
      { payments: ['p1', 'p2'] },
      'The service has 2 payments for this row: p1, p2. Ask the service to stop or return one of these payments.',
    ],
  ],
  refused: [
    [
      { failure: refusedCall('no such bank') },
      'The service refused the payment: POST /payments answered 422: “no such bank”.',
    ],
  ],
  expired: [
    [{ status: null }, 'The payment expired: it was never paid out.'],
    [
      { status: 'REJECTED' },
      "The service reports 'REJECTED', which the setting payments.statuses counts as expired: the payment was not paid out.",
    ],
  ],
  'paid-after-expiry': [[{}, 'The payment had expired, and was paid out after all.']],
  'account-changed': [
    [
      { name: 'Thandi', was: 'FNB …123', now: 'FNB …456', row: 2, batch: 'oct', paidAt: at },
      'Account changed: Thandi was last paid to FNB …123 (row 2 of batch oct, on 2026-11-21 08:00:00 UTC), and this row pays FNB …456. Ask the payee by a telephone number or address that you already had. Then a second person releases the row for payment.',
    ],
    [
      { name: 'Thandi', was: 'FNB …123', now: 'FNB …123', row: 2, batch: 'oct', paidAt: at },
      'Account changed: Thandi was last paid to FNB …123 (row 2 of batch oct, on 2026-11-21 08:00:00 UTC), and this row pays another account with the same end, FNB …123: compare the whole numbers. Ask the payee by a telephone number or address that you already had. Then a second person releases the row for payment.',
    ],
  ],
  'looks-paid': [
    [
      { to: { row: 2, batch: 'oct', sentAt: at }, differs: null },
      'Looks like row 2 of batch oct, sent on 2026-11-21 08:00:00 UTC: the same payee, amount and reference. If the payment is owed as well, a person releases the row.',
    ],
    [
      { to: { row: 2, batch: 'oct', sentAt: null }, differs: null },
      'Looks like row 2 of batch oct, which waits, or which a person closed: the same payee, amount and reference. If the payment is owed as well, a person releases the row.',
    ],
    [
      { to: { paymentId: 'p1', at: null }, differs: { what: 'account' } },
      'Looks like payment p1: only the account differs. If the payment is owed as well, a person releases the row.',
    ],
    [
      { to: { paymentId: 'p1', at }, differs: { what: 'amount', amount: 1500, currency: 'ZAR' } },
      'Looks like payment p1 of 2026-11-21 08:00:00 UTC: only the amount differs (1,500 ZAR then). If the payment is owed as well, a person releases the row.',
    ],
    [
      { to: { paymentId: 'p1', at: null }, differs: { what: 'reference', reference: 'INV 1' } },
      "Looks like payment p1: only the reference differs ('INV 1' then). If the payment is owed as well, a person releases the row.",
    ],
  ],
  'payment-differs': [
    [
      { paymentId: 'p1', differences: null },
      "Payment p1 has this row's tag, but its merchant is not known to be the row's. Payrun sends nothing for the row until a person decides whether this payment pays it.",
    ],
    [
      {
        paymentId: 'p1',
        differences: [
          { what: 'amount', found: 900, expected: 1000 },
          { what: 'reference', found: 'a', expected: 'b' },
          { what: 'merchant', found: 'm2', expected: 'm1' },
        ],
      },
      "Payment p1 has this row's tag, but pays another merchant, amount or reference (amount 900 instead of 1,000; reference 'a' instead of 'b'; merchant m2 instead of m1). Payrun sends nothing for the row until a person decides whether this payment pays it.",
    ],
  ],
  'payment-of-other-row': [
    [
      { paymentId: 'p1', row: 'k2', batch: 'oct' },
      "Payment p1 has this row's tag, but the service named it for row k2 of batch oct. Ask the service which of the two rows it pays.",
    ],
  ],
  'wrong-payment': [
    [
      { paymentId: 'p1', tag: 'q9' },
      'The service named payment p1 for this row, but this payment has the tag q9 of something else. Ask the service whether the row has a payment of its own.',
    ],
  ],
  'no-longer-paid': [
    [
      { paymentId: 'p1', status: null, bySetting: false },
      'The service said that payment p1 was paid out, and now gives it no status. Ask the service whether the money left. Payrun sends nothing for the row until this is clear.',
    ],
    [
      { paymentId: 'p1', status: 'lost', bySetting: false },
      "The service said that payment p1 was paid out, and now gives it the status 'lost'. Ask the service whether the money left. Payrun sends nothing for the row until this is clear.",
    ],
    [
      { paymentId: 'p1', status: 'done', bySetting: true },
      "Payment p1 counted as paid, because the setting payments.statuses said that 'done' means success. The setting no longer says so. Ask the service whether the money left. Payrun sends nothing for the row until this is clear.",
    ],
  ],
  'merchant-not-listed': [
    [{ merchantId: 'm1' }, 'The service has no merchant m1 with this destination. Correct or empty merchant_id.'],
  ],
  'merchant-unreadable': [
    [
      {},
      'The service lists a merchant for this destination whose id cannot be read. Ask the service for the id, and write it into a column merchant_id.',
    ],
  ],
  'merchant-ambiguous': [
    [
      { merchants: ['m1', 'm2'] },
      'The service has 2 merchants for this destination (m1, m2). Write one of them into a column merchant_id.',
    ],
  ],
  'has-mistakes': [
    [{ problems: [{ code: 'GONE', facts: {} }] }, 'The newest sheet that has the row has a mistake in it.'],
  ],
  'merchant-failed': [
    [
      { failure: { fault: 'call-was-answered', call: 'POST /merchants', status: 422, reason: 'no such bank' } },
      'Registering the payee failed: POST /merchants answered 422: “no such bank”.',
    ],
  ],
  'said-not-paid': [
    [
      { why: 'asked the bank' },
      "A person said that it was not paid (asked the bank), and two complete scans of the service's payments found no payment of it.",
    ],
  ],
  'said-released': [[{ why: 'asked the bank' }, 'Released by a person: asked the bank']],
  'said-gone': [
    [
      { paymentId: 'p1', why: 'the service lost it' },
      'A person said that the service has forgotten payment p1, which it had accepted (the service lost it). If the payment was never paid out, a person says that the row was not paid.',
    ],
  ],
  'said-paid-elsewhere': [[{}, 'A person said that this payment, which was made elsewhere, pays the row.']],
  'said-paid': [
    [
      { amount: null, reference: null, planned: 1000, plannedReference: 'Rent' },
      "A person said that this payment pays the row. The payment was made for earlier values of the row (amount unknown, reference 'unknown'; the sheet says 1,000, 'Rent').",
    ],
  ],
  'upload-ended': [[{}, 'The run ended during the upload.']],
  unverified: [[{}, 'not verified: the service does not list its documents where Payrun asks']],
  'found-listed': [[{}, 'found among its documents after a lost answer']],
  'not-found-listed': [[{}, 'sent before, and not found among its documents']],
  'file-unusable': [
    [{ fault: null }, 'The file was changed after it was checked.'],
    [
      { fault: { code: 'DOCUMENT_UNREADABLE', facts: { why: 'not-opened' } } },
      'The file cannot be opened; check its permissions.',
    ],
  ],
  'document-refused': [
    [
      { failure: refusedCall('too large'), limits: 'documents.maxSize' },
      'The service refused it: POST /payments answered 422: “too large”. Payrun sent it within the limits of documents.maxSize. Set these limits to what the service accepts.',
    ],
  ],
  'found-in-scan': [
    [
      { scan, tag: 'own' },
      "Found under its tag in a complete scan of the service's payments, begun on 2026-11-21 08:00:00 UTC (1,204 payments on 13 pages).",
    ],
    [
      { scan: { at, payments: 1, pages: 1, isComplete: false }, tag: 'other' },
      "Found under another tag in a scan of the service's payments, begun on 2026-11-21 08:00:00 UTC (1 payment on 1 page).",
    ],
  ],
  'missing-in-scans': [
    [
      { scan, firstAt: null, proof: 'younger payment' },
      "Not in a complete scan of the service's payments, begun on 2026-11-21 08:00:00 UTC (1,204 payments on 13 pages); a younger payment of Payrun was listed.",
    ],
    [
      { scan, firstAt: at - 3_600_000, proof: 'twice the horizon' },
      "Not in a complete scan of the service's payments, begun on 2026-11-21 08:00:00 UTC (1,204 payments on 13 pages), nor in one begun on 2026-11-21 07:00:00 UTC; twice the horizon had passed.",
    ],
  ],
  'late-answer': [
    [{ worker: 'w2' }, "The service answered worker w2 after the lease of the worker's claim had ended."],
  ],
  'said-known': [[{ why: 'the bank returns one' }, 'A person knows of both payments: the bank returns one']],
  'released-by': [
    [{ by: 'Kofi', why: 'Called her', change: null }, 'Released by Kofi: Called her'],
    [
      {
        by: 'Kofi',
        why: 'Called her',
        change: { name: 'Thandi', was: 'FNB …1', now: 'FNB …2', row: 2, batch: 'oct', paidAt: at },
      },
      'Account changed: Thandi was last paid to FNB …1 (row 2 of batch oct, on 2026-11-21 08:00:00 UTC), and this row pays FNB …2. Released by Kofi: Called her',
    ],
  ],
  'like-payment': [
    [
      { to: { paymentId: 'p9', at: null }, differs: { what: 'amount', amount: 900, currency: 'ZAR' } },
      'Looks like payment p9: only the amount differs (900 ZAR then).',
    ],
  ],
};

const cases = Object.entries(said).flatMap(([kind, each]) =>
  each.map(([facts, words]) => [{ kind, ...facts } as Reason, words] as const),
);

/** The three audiences say the same: the terminal (with the result), the page of a row, and the trail on the page. */
const audiences: Readonly<Record<string, (reason: Reason) => string | null>> = {
  terminal: (reason) => reasonWords(because(reason)),
  row: (reason) => (reason.kind === 'has-mistakes' ? reasonWords : rowWords)(because(reason)),
  trail: (reason) => trailReasonWords([reason]),
};

const rowWords = (stored: StoredReasons) => rowReasonWords(stored, null);

it.each(cases)('%j', (reason, words) => {
  for (const [audience, says] of Object.entries(audiences)) expect(says(reason), audience).toBe(words);
  expect(words, 'a page names no flag and no command').not.toMatch(/(?:^|[\s("`])--[a-z]|\bpayrun [a-z]/);
  expectFigures(reasonWords(because(enlarged(reason))) ?? '');
});

it('the row itself names the mistakes of its line, where other places only count it as mistaken', () => {
  const stored = because({ kind: 'has-mistakes', problems: [{ code: 'NAME_MISSING', facts: {} }] });
  expect(rowReasonWords(stored, null)).toBe('name is empty; write who is paid.');
});

it.each([
  [{ by: 'Ama', why: 'left', at }, 'Closed by Ama on 2026-11-21 08:00:00 UTC: left.'],
  [{ by: null, why: { sheet: 'nov.csv' }, at }, 'Closed on 2026-11-21 08:00:00 UTC: nov.csv lacks the row.'],
])('a closed row says who closed it: %j', (closed, words) => {
  expect(rowReasonWords(null, JSON.stringify(closed))).toBe(words);
});

it('several reasons follow each other, and none says nothing', () => {
  const both = because({ kind: 'paid-after-expiry' }, { kind: 'said-released', why: 'x' });
  expect([reasonWords(both), reasonWords(null)]).toEqual([
    'The payment had expired, and was paid out after all. Released by a person: x',
    null,
  ]);
});
