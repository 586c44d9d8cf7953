/** The words of every refusal of a decision about a row. */
import { it } from 'vitest';
import type { RefusalFacts, RowRefusalCode } from '../../src/base/refusal.ts';
import { because } from '../../src/domain/sending/reason.ts';
import { expectRefusalWords, refusalCases, type Said } from './cases.ts';

const at = Date.UTC(2026, 10, 27, 12, 0, 0);
const row = { batch: 'nov', row: 'k4' } as const;

const said: Said<Pick<RefusalFacts, RowRefusalCode>> = {
  ROW_IN_OTHER_STATE: [
    [
      { ...row, state: 'sent', asked: 'paid' },
      'Row k4 of batch nov was not changed: it is sent, and only a row that is in doubt or held can be settled as paid.',
    ],
    [
      { ...row, state: 'sent', asked: 'not-paid' },
      'Row k4 of batch nov was not changed: it is sent, and only a row that is in doubt or held can be settled as not paid.',
    ],
    [
      { ...row, state: 'sent', asked: 'release-absent' },
      'Row k4 of batch nov was not changed: it is sent, and only a row that was proven absent can be released.',
    ],
    [
      { ...row, state: 'sent', asked: 'release-repeat' },
      'Row k4 of batch nov was not changed: it is sent, and only a row that is held as a repeat can be released.',
    ],
    [
      { ...row, state: 'sent', asked: 'known' },
      'Row k4 of batch nov was not changed: it is sent, and only for a row with two payments can a person confirm both.',
    ],
    [
      { ...row, state: 'sent', asked: 'drop' },
      'Row k4 of batch nov was not changed: it is sent, and only a row without a payment can be closed.',
    ],
    [
      { ...row, state: 'sent', asked: 'retry' },
      'Row k4 of batch nov was not changed: it is sent, and only an unpaid row can be sent again.',
    ],
  ],
  ROW_ACCOUNT_UNCHANGED: [
    [
      { ...row, state: 'held', command: { action: 'explain-row', batch: 'nov', row: 'k4', named: null } },
      "Row k4 of batch nov was not changed: it is held for another reason (payrun explain nov k4), and only a row whose payee's account changed can be released.",
      "Row k4 of batch nov was not changed: it is held for another reason, and only a row whose payee's account changed can be released.",
    ],
    [
      { ...row, state: 'paid', command: { action: 'explain-row', batch: 'nov', row: 'k4', named: null } },
      "Row k4 of batch nov was not changed: it is paid (payrun explain nov k4), and only a row whose payee's account changed can be released.",
      "Row k4 of batch nov was not changed: it is paid, and only a row whose payee's account changed can be released.",
    ],
  ],
  ROW_HELD_FOR_ACCOUNT: [
    {
      ...row,
      command: { action: 'release-row', batch: 'nov', row: 'k4', seen: '0a1b2c3d4e5f', signs: 'no', named: null },
    },
    'Row k4 of batch nov was not changed: it is held for the changed account of its payee alone, and was not sent; a second person releases it for payment: payrun release nov --row k4 --seen 0a1b2c3d4e5f --by NAME --reason TEXT',
    'Row k4 of batch nov was not changed: it is held for the changed account of its payee alone, and was not sent; a second person releases it for payment.',
  ],
  ROW_LOOKS_PAID: [
    {
      ...row,
      reason: because(
        { kind: 'looks-paid', to: { paymentId: 'p1', at }, differs: null },
        { kind: 'like-payment', to: { paymentId: 'p2', at: null }, differs: { what: 'reference', reference: 'INV 1' } },
      ),
      command: { action: 'allow-repeat', batch: 'nov', row: 'k4', seen: '0a1b2c3d4e5f', signs: 'no', named: null },
    },
    "Row k4 of batch nov stays held. Looks like payment p1 of 2026-11-27 12:00:00 UTC: the same payee, amount and reference. If the payment is owed as well, a person releases the row. Looks like payment p2: only the reference differs ('INV 1' then). To pay it, if it repeats no payment: payrun resolve nov --row k4 --seen 0a1b2c3d4e5f --not-a-repeat --reason TEXT",
    "Row k4 of batch nov stays held. Looks like payment p1 of 2026-11-27 12:00:00 UTC: the same payee, amount and reference. If the payment is owed as well, a person releases the row. Looks like payment p2: only the reference differs ('INV 1' then).",
  ],
  PAYMENT_OF_OTHER_ROW: [
    { ...row, payment: 'p1', other: { row: 'k5', batch: 'nov' } },
    'Row k4 of batch nov was not changed: payment p1 is that of row k5 of batch nov.',
  ],
  PAYMENT_NOT_AT_SERVICE: [
    { ...row, payment: 'p1' },
    'Row k4 of batch nov was not changed: the service has no payment p1.',
  ],
  PAYMENT_EXPIRED: [
    { ...row, payment: 'p1' },
    'Row k4 of batch nov was not changed: payment p1 has expired: it pays nothing.',
  ],
  PAYMENT_DIFFERS: [
    { ...row, payment: 'p1' },
    "Row k4 of batch nov was not changed: payment p1 does not pay the row's merchant, amount and reference.",
  ],
  PAYMENT_ALIVE: [
    [
      { ...row, number: 4, payment: 'p1', status: 'PAID' },
      "Row k4 (number 4) of batch nov may be paid: its payment p1 had expired, but its status is now 'PAID'. Nothing was changed or sent. Leave the row as it was, and continue the batch.",
    ],
    [
      { ...row, number: 4, payment: 'p1', status: null },
      'Row k4 (number 4) of batch nov may be paid: its payment p1 had expired, but the service now gives it no status. Nothing was changed or sent. Leave the row as it was, and continue the batch.',
    ],
  ],
  PAYMENT_NOT_GONE: [
    { ...row, payment: 'p1' },
    'Row k4 of batch nov was not changed: the service still shows payment p1.',
  ],
  PAYMENT_FOUND: [
    { ...row, payment: 'p1' },
    'Row k4 of batch nov was not changed: the service has payment p1 under its tag; if that pays the row, use --paid p1.',
    'Row k4 of batch nov was not changed: the service has payment p1 under its tag; if that pays the row, say that it was paid.',
  ],
  PAYMENT_MAY_APPEAR: [
    { ...row, after: at },
    'Row k4 of batch nov was not changed: it was sent recently, and its payment may still appear at the service; ask again after 2026-11-27 12:00:00 UTC.',
  ],
  ROW_MAY_BE_PAID: [
    row,
    'Row k4 of batch nov was not changed: Payrun sent it, and it may be paid; say how its payment ended.',
  ],
  ROW_IS_CLOSED: [
    { ...row, command: { action: 'explain-row', batch: 'nov', row: 'k1', named: null } },
    'Row k4 of batch nov was not changed: a person closed it; to see why, and how to open it again: payrun explain nov k1',
    'Row k4 of batch nov was not changed: a person closed it.',
  ],
  ROW_IS_OPEN: [row, 'Row k4 of batch nov was not changed: nobody closed it.'],
  ROW_NOT_LISTED: [
    {
      ...row,
      command: {
        action: 'plan-sheet',
        file: 'nov.csv',
        batch: 'nov',
        options: {},
        add: false,
        signs: 'no',
        retry: [],
        why: null,
      },
    },
    'Row k4 of batch nov was not changed: the newest sheet lacks it; put the row back into the sheet, then: payrun plan nov.csv --batch nov',
    'Row k4 of batch nov was not changed: the newest sheet lacks it; put the row back into the sheet, and upload it again.',
  ],
  ROW_HAS_MISTAKE: [
    {
      ...row,
      command: { action: 'run-sheet', file: 'nov.csv', batch: 'nov', options: {}, add: false, why: null },
    },
    'Row k4 of batch nov was not changed: its line in the newest sheet has a mistake; correct the line, then: payrun run nov.csv --batch nov',
    'Row k4 of batch nov was not changed: its line in the newest sheet has a mistake; correct the line, and upload the sheet again.',
  ],
};

it.each(refusalCases(said))('%j', expectRefusalWords);
