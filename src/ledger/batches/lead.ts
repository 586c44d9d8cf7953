/** Keeps one row for each batch, which says how the batch stands. Each cause writes the row in its own transaction. */
import { PayrunError } from '../../base/errors.ts';
import type { Refusal } from '../../base/refusal.ts';
import { resumeOf } from '../../domain/next-action.ts';
import { isOpen } from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';

/** Why a batch is stopped. `by` names the person who stopped it; null if Payrun did, or if the person has no name. */
export interface LeadStop {
  readonly by: string | null;
  readonly why: Refusal;
}

/** `until`: the batch continues at `at`; `stop` says why it waits, if not only for its payments. `idle`: nothing is left to do. */
type Standing =
  | { readonly stands: 'going' | 'idle'; readonly stop: null }
  | { readonly stands: 'stopped'; readonly stop: LeadStop }
  | { readonly stands: 'until'; readonly stop: LeadStop | null; readonly at: number };

/** `turn` grows with each change. A button carries it, and is refused after a change. */
export type Lead = Standing & { readonly turn: number };

/** How a run leaves its batch. Without a reason, the batch waits until `at` only if a payment may change or a row is unsent. */
export type LeadEnd = { readonly stop: LeadStop } | { readonly at: number; readonly why: Refusal | null };

export const isGoing = (batch: string) =>
  `EXISTS (SELECT 1 FROM lead WHERE lead.batch = ${batch} AND lead.stands = 'going')`;

const hasRows = (which: string) =>
  `EXISTS (SELECT 1 FROM payout p JOIN batch b ON b.name = p.batch WHERE p.batch = lead.batch AND (${which}))`;
const unsent = (...states: readonly string[]) =>
  `(p.state IN ('${states.join("', '")}') AND p.sheet >= b.listed_since AND ${isOpen('p')})`;
export const hasUnsent = hasRows(unsent('planned', 'ready', 'sending', 'in_doubt', 'absent'));
export const hasReady = hasRows(unsent('ready'));
const mayChange = hasRows(`p.state IN ('accepted', 'sending', 'in_doubt') OR ${unsent('planned', 'ready')}`);

export const stoppedBefore = (batch: string, { stop }: Pick<Lead, 'stop'>) =>
  new PayrunError('STOPPED_BEFORE', { batch, by: null, why: null, ...stop, command: resumeOf(batch) });

/** Throws unless the batch is going. Call this in the transaction of an intent. */
export function requireGoing(sql: Sql, batch: string): void {
  if (sql.one(`SELECT 1 WHERE ${isGoing('?')}`, batch) === null) throw stoppedBefore(batch, leadOf(sql, batch));
}

/** Begins the row of a new batch, or continues the batch with a new version. Ends the stop of the turn `seen` only. */
export const openLead = (sql: Sql, batch: string, seen: number | null) =>
  sql.run(
    `INSERT INTO lead (batch, stands, turn, owes_result) VALUES (?, 'going', 1, 0)
     ON CONFLICT (batch) DO UPDATE SET stands = 'going', stop = NULL, at = NULL, turn = lead.turn + 1
     WHERE lead.stands <> 'stopped' OR lead.turn = ?`,
    batch,
    seen,
  );

/** A name without a batch is idle. */
export function leadOf(sql: Sql, batch: string): Lead {
  type Stored = Pick<Lead, 'stands' | 'turn'> & { readonly stop: string | null; readonly at: number | null };
  const found = sql.one<Stored>('SELECT stands, stop, at, turn FROM lead WHERE batch = ?', batch);
  if (found === null) return { stands: 'idle', stop: null, turn: 0 };
  return { ...found, stop: found.stop === null ? null : JSON.parse(found.stop) } as unknown as Lead;
}

function change(sql: Sql, batch: string, from: string, to: Standing): boolean {
  const { changes } = sql.run(
    `UPDATE lead SET stands = ?, stop = ?, at = ?, turn = turn + 1 WHERE batch = ? AND ${from}`,
    to.stands,
    to.stop && JSON.stringify(to.stop),
    'at' in to ? to.at : null,
    batch,
  );
  return changes > 0;
}

/** Continues the batch. A person's command ends the stop of the turn that it saw; null ends no stop. */
export const goOn = (sql: Sql, batch: string, seen: number | null) =>
  change(sql, batch, `(stands IN ('until', 'idle') OR stands = 'stopped' AND turn = ${seen ?? -1})`, {
    stands: 'going',
    stop: null,
  });

/** The first cause of a stop stays. */
export const stopLead = (sql: Sql, batch: string, stop: LeadStop) =>
  change(sql, batch, "stands <> 'stopped'", { stands: 'stopped', stop });

/** Somebody comes back for a payment that a scan or a person found, because it may be pending. */
export const wakeLead = (sql: Sql, batch: string, at: number) =>
  change(sql, batch, "stands = 'idle'", { stands: 'until', stop: null, at });

/** Stops the batches with unsent rows that a hold covered; null for all. Call this in the transaction that ends the hold. */
export function stopAfterHold(sql: Sql, held: string | null, whyHeld: (batch: string) => PayrunError): void {
  for (const batch of sql.column<string>('SELECT batch FROM lead WHERE batch = coalesce(?, batch)', held))
    if (leadIs(sql, batch, hasUnsent)) stopLead(sql, batch, { by: null, why: whyHeld(batch).refusal });
}

/** Returns false if the batch was stopped already. */
export function endLead(sql: Sql, batch: string, end: LeadEnd): boolean {
  if ('stop' in end) return stopLead(sql, batch, end.stop);
  const { at, why } = end;
  const moves = "stands IN ('going', 'until')";
  if (why === null && change(sql, batch, `${moves} AND NOT ${mayChange}`, { stands: 'idle', stop: null })) return true;
  return change(sql, batch, moves, { stands: 'until', stop: why && { by: null, why }, at });
}

export const oweResult = (sql: Sql, batch: string) => sql.run('UPDATE lead SET owes_result = 1 WHERE batch = ?', batch);

export const leadIs = (sql: Sql, batch: string, what: string): boolean =>
  sql.one(`SELECT 1 FROM lead WHERE batch = ? AND ${what}`, batch) !== null;
