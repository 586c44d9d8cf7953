/** The meanings of a result's columns, for a reader without the manual. */
export const columnMeanings = {
  payrun_status: 'paid, pending, not sent, unpaid, in doubt, held, paid twice, invalid, closed or left out.',
  payrun_reason: 'Why the row has this status, if there is a reason to give.',
  payment_id: 'The id of the payment at the service.',
  payrun_payment_status: "The service's own status of the payment, word for word.",
  payrun_status_log: "The service's own text about the payment.",
  payrun_amount_settled: 'The settled amount, in the unit of the service. For bitcoin this is usually sat, not BTC.',
  payrun_fees: 'The fees (otcFees), in the unit of the service.',
  payrun_destination_currency:
    'The currency that the payee gets, as the service reports it. It is not the unit of the amounts.',
  payrun_merchant_id: 'The id of the paid merchant, which is the payee as the service stores it.',
  payrun_documents: 'For rows with documents: how many are attached, such as 1 of 2, and why others are not.',
  payrun_deposit_details: 'For rows that are funded from another country: where to deposit which amount.',
  payrun_tag: 'The text by which Payrun finds the payment. Give it when you ask the service about a row.',
  payrun_batch: 'The name of the batch.',
  payrun_row: "The row's key in the batch: its row_id, or a text made from what it pays.",
  payrun_attempts: 'How often Payrun began to send the payment.',
  payrun_submitted_at: 'When Payrun last began to send the payment, in UTC.',
  payrun_settled_at: 'When Payrun saw that the payment had ended, in UTC.',
  payrun_evidence: 'The scans of the list that settled a doubt. Also another row or payment that looks like this one.',
};
