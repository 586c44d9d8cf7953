/** The words of the page that reports a batch, and of its chart. */
import { counted, grouped } from '../format/numbers.ts';

export const reportWords = {
  alarm: 'ALARM: pay nothing of this batch by other ways before what is said below is settled.',
  doubt: 'Rows in doubt or held may be paid: do not pay them by other ways.',
  zone: 'Times are those of',
  overTime: 'Payments over time',
  next: 'What to do next',
  nextHeader: { page: 'Step, on the page of the batch', terminal: 'Command' },
  mistakes: 'Lines with mistakes and without an id',
  mistakesHeader: ['Row', 'What is wrong'],
  sections: {
    held: 'Held, or paid twice',
    doubt: 'In doubt',
    unpaid: 'Unpaid',
    unsent: 'Not sent',
    pending: 'Pending',
    paid: 'Paid',
    invalid: 'Invalid',
    closed: 'Closed',
  },
  more: (rows: number) => `${counted(rows, 'row')} more are in the result itself.`,
  trailEntry: 'The trail’s entry',
  totalsFrom: (source: string) => `Control totals (${source === '--expect' ? 'given with the sheet' : source})`,
  series: 'Against the last batch',
  digest: 'Digest of the rows',
  corrected: (corrections: string) => `${corrections}; the trail has each of them`,
} as const;

export const chartParts = { paid: 'Paid', open: 'Pending, in doubt or held', unpaid: 'Unpaid' } as const;

export const chartWords = (sent: number, { paid, unpaid, open }: Readonly<Record<keyof typeof chartParts, number>>) =>
  `Of ${grouped(sent)} payments sent: ${grouped(paid)} paid, ${grouped(unpaid)} unpaid, ${grouped(open)} not ended. The table below has the same figures.`;
