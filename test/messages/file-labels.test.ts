/** The labels of result files and checked workbooks, written down apart from the code. */
import { expect, it } from 'vitest';
import { checkedFacts, checkedTables, markMeanings } from '../../src/messages/files/checked-sheet.ts';
import { planPageWords } from '../../src/messages/files/plan-page.ts';
import { columnMeanings, fundingWords, resultTitles, transactionWords } from '../../src/messages/files/result.ts';

it('columnMeanings', () => {
  expect(columnMeanings).toEqual({
    payrun_status: 'Status: paid, pending, not sent, unpaid, in doubt, held, paid twice, invalid, closed or left out.',
    payrun_reason: 'Why the row has its status. Some statuses need no reason.',
    payment_id: 'The id of the payment at the service.',
    payrun_payment_status: "The service's own status of the payment, word for word.",
    payrun_status_log: "The service's own text about the payment.",
    payrun_amount_settled: 'The settled amount, in the unit of the service. For bitcoin this is usually sat, not BTC.',
    payrun_fees: 'The fees (otcFees), in the unit of the service.',
    payrun_destination_currency:
      'The currency that the payee gets, as the service reports it. Do not use it as the unit of the amounts.',
    payrun_merchant_id: "The id of the payee's merchant at the service.",
    payrun_documents: "How many of the row's documents are attached, such as 1 of 2, and why the others are not.",
    payrun_deposit_details: 'The account and amount of the deposit, for a row that is funded from another country.',
    payrun_tag: 'The tag by which Payrun finds the payment. Give the tag to the service when you ask about the row.',
    payrun_batch: 'The name of the batch.',
    payrun_row: "The row's key in the batch: its row_id, or a text made from its values.",
    payrun_attempts: 'How many times Payrun began to send the payment.',
    payrun_submitted_at: 'When Payrun last began to send the payment, in UTC.',
    payrun_settled_at: 'When Payrun saw that the payment had ended, in UTC.',
    payrun_evidence: 'The list scans that ended a doubt, and other rows or payments that look like this row.',
  });
});

it('the held rows of a plan', () => {
  const sums = [{ amount: 6200, unit: 'whole', currency: 'ZAR' }];
  expect([1, 2].map((rows) => planPageWords.held({ rows, sums }))).toEqual([
    '1 row held (6,200 ZAR): not sent by this plan. A row that somebody releases after this payment needs no other approval. If somebody releases a row before it, make a new plan.',
    '2 rows held (6,200 ZAR): not sent by this plan. A row that somebody releases after this payment needs no other approval. If somebody releases a row before it, make a new plan.',
  ]);
});

it('transactionWords', () => {
  expect(transactionWords).toEqual({
    paid: null,
    pending: 'sent, and not paid out yet',
    'not sent': 'not sent yet',
    unpaid: 'not paid',
    'in doubt': 'sent, and not known whether it was paid: do not pay it again',
    held: 'held until a person decides: do not pay it again',
    'paid twice': 'paid twice: ask for one of the payments back',
    invalid: 'not paid: the transaction has to be fixed',
    closed: 'not paid: a person closed it',
  });
});

it('resultTitles', () => {
  expect(resultTitles).toEqual({
    columns: 'The columns that Payrun added',
    trailNote:
      'What happened to rows that are not paid, none where all are; and where the whole trail ended, to check this file by.',
  });
});

it('checkedFacts', () => {
  expect(checkedFacts).toEqual({
    steps: 'What to do',
    unused: 'Not used',
    formulas: ['Formulas', 'stand here as their last results'],
  });
});

it('checkedTables', () => {
  expect(checkedTables).toEqual({
    rows: {
      title: 'Rows',
      header: ['Mark', 'Rows', ''],
    },
    whole: {
      title: 'The sheet as a whole',
      header: ['Mark', 'Row', '', 'Column', 'What to do'],
    },
    totals: {
      title: 'Totals of the rows that can be read',
      header: ['Currency', 'Amount', 'Unit', 'From'],
    },
    kinds: {
      title: 'Top problems',
      header: ['Mark', 'How many', 'First row', 'What it means'],
    },
  });
});

it('markMeanings', () => {
  expect(markMeanings).toEqual({
    FIX: 'must be fixed',
    LOOK: 'can be paid; look at it first',
    OK: 'can be paid',
  });
});

it('fundingWords', () => {
  const { title, header, changed } = fundingWords;
  expect([
    title,
    header,
    changed({ now: [{ name: 'iban', value: 'a' }], known: null }),
    changed({ now: [], known: 'asked' }),
  ]).toEqual([
    'Funding',
    [
      'Status',
      'From',
      'Deposit to (copy exactly)',
      'Amount to deposit',
      'In',
      'Reference (copy exactly)',
      'Pays',
      'Currency',
      'Unit',
      'Row',
      'Payment',
      'Changed since it was first read',
    ],
    'ALARM, ask the service; now: iban: a',
    'Known (asked); now: none',
  ]);
});
