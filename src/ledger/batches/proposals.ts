/** Stores the plans that wait at the console. Payrun sends no row of a batch while a plan for the batch waits. */
import { PayrunError } from '../../base/errors.ts';
import type { Sql } from '../store/sql.ts';

/** A plan waits until its sheet is imported, changed, declined or discarded. */
export type Proposal = NonNullable<ReturnType<typeof findProposal>>;

export function findProposal(sql: Sql, batch: string) {
  const found = sql.one<Record<'upload' | 'digest' | 'file' | 'by' | 'state', string>>(
    `SELECT p.upload, p.digest, u.file, u.state, coalesce(a.name, '') AS "by"
     FROM proposal p JOIN upload u ON u.id = p.upload LEFT JOIN account a ON a.id = u.account WHERE p.batch = ?`,
    batch,
  );
  if (found === null) return null;
  const { state, ...proposal } = found;
  return { ...proposal, isApproved: state === 'approved' };
}

export const proposalWaits = (batch: string, { file, by, isApproved }: Proposal): PayrunError =>
  new PayrunError('PROPOSAL_WAITS', { batch, file, by, isApproved });

/** Throws if a plan with another digest waits for the batch. Call this in the transaction of an intent or import. */
export function requireNoProposal(sql: Sql, batch: string, digest: string | null = null): void {
  if (sql.one('SELECT 1 FROM proposal WHERE batch = ? AND digest IS DISTINCT FROM ?', batch, digest) === null) return;
  throw proposalWaits(batch, findProposal(sql, batch)!);
}

/** Stores the upload's waiting plan; null removes it. Throws if another plan waits. Returns true for a new plan. */
export function keepProposal(
  sql: Sql,
  upload: string,
  plan: { readonly batch: string; readonly digest: string } | null,
): boolean {
  const before = sql.one<{ digest: string }>('SELECT digest FROM proposal WHERE upload = ?', upload);
  if (before?.digest === plan?.digest) return false;
  sql.run('DELETE FROM proposal WHERE upload = ?', upload);
  if (plan === null) return false;
  requireNoProposal(sql, plan.batch);
  sql.run('INSERT INTO proposal (batch, upload, digest) VALUES (?,?,?)', plan.batch, upload, plan.digest);
  return true;
}

/** Gives the upload the state `batch` and removes its waiting plan. Call this after the import of the sheet. */
export function openProposal(sql: Sql, batch: string, digest: string): void {
  sql.run(
    `UPDATE upload SET state = 'batch', batch = ?, message = NULL
     WHERE id IN (SELECT upload FROM proposal WHERE batch = ? AND digest = ?)`,
    batch,
    batch,
    digest,
  );
  sql.run('DELETE FROM proposal WHERE batch = ? AND digest = ?', batch, digest);
}
