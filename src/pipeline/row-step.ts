/** The one safe next step of a single row, in words and as a command (design 5). */
import { isoTime } from '../base/clock.ts';
import type { BatchFacts, LedgerRow } from '../ledger/ledger.ts';
import { type NextStep, shellWord, type View } from './outcome.ts';

export interface RowStep extends NextStep {
  /** What the command does for the row. */
  readonly what: string;
}

/** null where nothing is left to do: the row is paid. */
export function rowStep(row: LedgerRow, batch: BatchFacts, { now, again, horizonMs }: View): RowStep | null {
  const name = shellWord(batch.name);
  const key = shellWord(row.key);
  const step = (what: string, command: string, notBefore: number | null = null): RowStep => ({
    what,
    command: `payrun ${command}${again}`,
    after: notBefore !== null && notBefore > now ? isoTime(notBefore) : null,
  });
  const resolve = (way: string) => `resolve ${name} --row ${key} ${way} --reason TEXT`;
  switch (row.state) {
    case 'planned':
    case 'ready':
      return step('sends it', `resume ${name}`, batch.quietUntil);
    case 'sending':
    case 'in_doubt':
      return step(
        "looks for it in the service's list, and sends nothing",
        `reconcile ${name}`,
        row.submittedAt === null ? null : row.submittedAt + horizonMs,
      );
    case 'absent':
      return step(
        'lets it be sent again, with all others of which no payment exists',
        `resolve ${name} --release-absent --reason TEXT`,
      );
    case 'held':
      return row.reason?.startsWith('Looks like')
        ? step('lets it be sent, if it repeats nothing', resolve('--not-a-repeat'))
        : step('says that it was not paid, if you know it; --paid ID says that it was', resolve('--not-paid'));
    case 'accepted':
      return step('asks the service where it stands', `resume ${name}`);
    case 'expired':
    case 'refused':
      return step('sends it again as it is', `retry ${name} --rows ${key}`);
    case 'duplicate':
    case 'duplicate_paid':
      return step('lets the other rows go on, once one of its two payments is dealt with', resolve('--known'));
    case 'succeeded':
      return null;
  }
}
