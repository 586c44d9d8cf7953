/** The last sentence of a summary for held rows: only rows that Payrun may have sent may have been paid. */
import { expect, it } from 'vitest';
import { shownOutcome } from '../../src/cli/render/outcome-document.ts';
import { summary } from '../../src/cli/render/screen.ts';
import { noPlace } from '../../src/messages/next-actions.ts';

const none = { paid: 0, pending: 0, being_sent: 0, not_sent: 0, unpaid: 0, in_doubt: 0, held: 0, paid_twice: 0 };
const streams = { out: { write: () => true }, err: { write: () => true }, color: false };

function heldWords(withheld: number): string {
  const outcome = {
    batch: 'nov',
    service: 'sandbox',
    ledger: 'l.db',
    digest: null,
    rows: { ...none, held: 2, total: 2, invalid: 0, closed: 0 },
    withheld,
    totals: [{ ...none, currency: 'KES', unit: 'whole', from: null, planned: 2500, held: 2500, differs: 0 }],
    documents: { attached: 0, open: 0 },
    next: [],
    notes: [],
    kind: 'open',
    end: 'doubt',
  } as const;
  return summary(shownOutcome(outcome, noPlace), streams, 'status').trimEnd().split('\n').at(-1) ?? '';
}

it('says of which held rows Payrun sent nothing', () => {
  expect(heldWords(0)).toBe('2 rows (2,500 KES) are held: they may have been paid. Do not pay them again elsewhere.');
  expect(heldWords(1)).toBe(
    '2 rows (2,500 KES) are held: 1 of them may have been paid. Do not pay them again elsewhere. Payrun sent nothing for 1 of them, because the account of a payee changed.',
  );
  expect(heldWords(2)).toBe(
    '2 rows (2,500 KES) are held, because the account of a payee changed. Payrun sent nothing for them.',
  );
});
