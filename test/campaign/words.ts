/** The reference's rules of a person's word about one row. */
import { refuseMaker } from './approvals.ts';
import type { Command, Decision } from './commands.ts';
import { knownPayments } from './matches.ts';
import { type Batch, isInHead, type Row, type World } from './model-world.ts';
import { refuse } from './refuse.ts';
import type { RowFacts } from './tables.ts';

type Deciding = Extract<Command, { readonly do: Decision }>;

export function decide(world: World, command: Deciding, batch: Batch, or: string[]): void {
  const { do: way, key } = command;
  const row = batch.rows[key] ?? refuse('ROW_UNKNOWN');
  const isClosed = row.closed !== null && closable.includes(row.state);
  if (way === 'reopen') {
    if (row.closed === null) refuse('ROW_IS_OPEN');
    if (!isInHead(batch, key)) refuse('ROW_NOT_LISTED');
    refuseMaker(world, batch, command);
    row.closed = null;
    return;
  }
  if (way === 'not-paid' || way === 'not-a-repeat') refuseMaker(world, batch, command);
  if (way === 'drop') {
    if (row.closed !== null) return;
    if (row.state === 'held') refuse('ROW_MAY_BE_PAID');
    if (!closable.includes(row.state)) refuse('ROW_IN_OTHER_STATE');
    if (row.isAlive) refuse('PAYMENT_ALIVE');
    row.closed = 'person';
    return;
  }
  if (isClosed) refuse('ROW_IS_CLOSED');
  if (way === 'not-paid' && row.state === 'absent') return;
  if (way === 'not-a-repeat' && row.isAllowed && row.state !== 'withheld') return;
  // The row may have a payment that a scan of this command finds, and a person may name the payment that it has.
  if (way !== 'not-a-repeat') or.push('ROW_IN_OTHER_STATE');
  if (way === 'known') row.isKnown = true;
  if (way === 'paid' || way === 'known') return;
  if (!(statesFor[way] as readonly string[]).includes(row.state)) refuse('ROW_IN_OTHER_STATE');
  if (way === 'not-a-repeat' && row.heldFor !== 'looks-paid') refuse('ROW_IN_OTHER_STATE');
  if (way === 'not-a-repeat') clear(world, { ledger: ledgerOf(world, batch), batch: batch.name }, row);
}

/** A process that died left its requests in doubt. */
const statesFor = {
  'not-paid': ['sending', 'in_doubt', 'absent', 'withheld', 'held'],
  'not-a-repeat': ['withheld'],
} as const satisfies {
  readonly [W in 'not-paid' | 'not-a-repeat']: readonly RowFacts['state'][];
};

const closable: readonly string[] = ['planned', 'ready', 'withheld', 'absent', 'expired', 'refused', 'invalid'];

const ledgerOf = (world: World, batch: Batch) =>
  world.ledgers.findIndex(({ batches }) => batches[batch.name] === batch);

/** A word covers all payments that the ledger knows now and that agree with the row, and no later one. */
export function clear(world: World, place: { readonly ledger: number; readonly batch: string }, row: Row): void {
  row.cleared.push(...knownPayments(world, place, row), ...row.heldBy);
}
