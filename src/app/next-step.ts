/** The one safe next step of a row, in words and as a command. */
import { isoTime } from '../base/clock.ts';
import { tellsMoreFrom } from '../domain/sending/doubt.ts';
import { reasonOf } from '../domain/sending/reason.ts';
import type { BatchFacts, LedgerRow } from '../ledger/ledger.ts';
import {
  flagsOf,
  isLookalike,
  isWithheld,
  type NextStep,
  planOf,
  releaseCommand,
  shellWord,
  type View,
} from '../pipeline/outcome.ts';

export interface RowStep extends NextStep {
  /** The command's effect on the row. */
  readonly what: string;
}

/** Returns null for a paid row. `copied` says that it may be paid under another key as well. */
export function nextStepOf(
  row: LedgerRow,
  batch: BatchFacts,
  { again, ...view }: View,
  /** When the newest payment of the batch was sent, of those that a list can show. */
  lastListed: number | null,
  copied = false,
  /** True if the row waits because rows that look paid stop its batch. */
  stops = false,
): RowStep | null {
  const { now } = view;
  const name = shellWord(batch.name);
  const key = shellWord(row.key);
  const step = (what: string, command: string, notBefore: number | null = null): RowStep => ({
    what,
    command: `payrun ${command}${again}`,
    after: notBefore !== null && notBefore > now ? isoTime(notBefore) : null,
  });
  const resolve = (way: string) => `resolve ${name} --row ${key} ${way} --reason TEXT`;
  const plan = planOf(batch);
  const leftOut = row.sheet !== batch.sheet.id;
  const handIn = `run ${shellWord(batch.sheet.origin)} --batch ${name}${flagsOf(batch)}`;
  if (copied) return step('lets the other rows go on, once one of the two payments is dealt with', resolve('--known'));
  switch (row.state) {
    case 'planned':
    case 'ready':
      if (leftOut) return step('sends it, once the sheet has it again: the newest sheet lacks it', handIn);
      if (stops && isLookalike(row))
        return step('holds it, so that the others can go on, if nothing is owed for it', resolve('--given-up'));
      if (stops) return step('pays it, once the rows of the batch that look paid are taken out of the sheet', handIn);
      return step('sends it', `resume ${name}`, batch.quietUntil);
    case 'sending':
    case 'in_doubt':
      return step(
        "looks for it in the service's list, and sends nothing",
        `reconcile ${name}`,
        row.submittedAt === null
          ? null
          : tellsMoreFrom({ sentAt: row.submittedAt, missed: row.missed }, { ...view, lastListed }),
      );
    case 'absent':
      return step(
        'lets it be sent again, with all others whose tag no payment bears',
        `resolve ${name} --release-absent --reason TEXT`,
      );
    case 'held': {
      if (isWithheld(row))
        return step(
          'lets it be sent, by a second person who has asked the payee; or put the old account back, and run the sheet again',
          releaseCommand(batch, row.key, '').replace('payrun ', ''),
        );
      if (isLookalike(row)) return step('lets it be sent, if it repeats nothing', resolve('--not-a-repeat'));
      const payment = reasonOf(row.reason, 'payment-differs')?.paymentId;
      if (payment !== undefined)
        return step(
          'says that this payment pays the row; if it does not, ask the service to stop it, and then say --not-paid',
          `resolve ${name} --row ${key} --paid ${shellWord(payment)}`,
        );
      return step(
        'says that it was not paid, where you know that from the service; where it was, --paid ID names its payment',
        resolve('--not-paid'),
      );
    }
    case 'accepted':
      return step('asks the service where it stands', `resume ${name}`);
    case 'expired':
    case 'refused':
      if (leftOut)
        return step(
          'takes it in, once the sheet has it again: the newest sheet lacks it. Then retry sends it. If nothing is owed for it, resolve --given-up says so',
          handIn,
        );
      if (plan !== null)
        return step(
          `makes the plan that it needs; ${plan.policy == null ? 'then' : 'once it is approved,'} payrun retry ${name} --rows ${key} --approve DIGEST sends it again as it is`,
          `plan ${shellWord(batch.sheet.origin)} --batch ${name}`,
        );
      return step('sends it again as it is', `retry ${name} --rows ${key}`);
    case 'duplicate':
    case 'duplicate_paid':
      return step('lets the other rows go on, once one of its two payments is dealt with', resolve('--known'));
    case 'succeeded':
      return null;
  }
}
