/** Reads the trail of a row, of a batch or of the whole ledger. */
import { readEntry, type TrailEntry } from '../../audit/chain.ts';
import type { ControlEntry, RunEntry } from '../../domain/trail.ts';
import { isEntryOf, quoted } from '../rows/columns.ts';
import type { Writing } from '../store/commit.ts';
import type { NewEntry } from '../store/trail.ts';

const ofPlans = ['sheet', 'plan', 'approval'];

export function openTrailQueries({ sql, commits, trail }: Pick<Writing, 'sql' | 'commits' | 'trail'>) {
  const entries = (text: string, ...values: (string | number)[]): TrailEntry[] =>
    sql.all<{ entry: string }>(text, ...values).map(({ entry }) => readEntry(entry));
  const newestDecline = (where: string, ...values: string[]) => {
    const [no] = entries(
      `SELECT entry FROM trail WHERE payout IS NULL AND instr(entry, ',"person",') > 0 AND instr(entry, '"declined":') > 0
       AND ${where} AND json_extract(entry, '$[4].declined') IS NOT NULL ORDER BY seq DESC LIMIT 1`,
      ...values,
    );
    if (no === undefined) return null;
    const { by, declined, file } = no.data;
    const did = no.data.did as 'plan-declined' | 'plan-withdrawn';
    return { by: String(by), did, at: no.at, reason: String(declined), file: String(file) };
  };
  /** Includes replaced uploads, because their history belongs to the batch. */
  const uploadsOf = (batch: string): string[] =>
    sql
      .all<{ id: string; replaced: string | null }>(
        "SELECT id, json_extract(facts, '$.replaces.uploads') AS replaced FROM upload WHERE batch = ?",
        batch,
      )
      .flatMap(({ id, replaced }) => [id, ...(replaced === null ? [] : (JSON.parse(replaced) as string[]))]);
  return {
    record: (entry: NewEntry) => commits.share(() => trail.append(entry)),
    lines: async (batch: string, limit: number) =>
      entries(
        `SELECT entry FROM (SELECT t.seq, t.entry FROM payout p JOIN trail t ON t.payout = p.id
           WHERE p.batch = ? AND p.state <> 'succeeded' ORDER BY t.seq DESC LIMIT ?) ORDER BY seq`,
        batch,
        limit,
      ),
    async trailPage(batch: string | null, page: { readonly from: number; readonly limit: number }) {
      const values = batch === null ? [] : [batch, batch];
      // Postgres rejects an empty list, so the list contains the empty text, which is the id of no upload.
      const ofBatch = (name: string) =>
        `seq IN (SELECT t.seq FROM payout p JOIN trail t ON t.payout = p.id WHERE p.batch = ?
           UNION ALL SELECT seq FROM trail WHERE payout IS NULL AND (json_extract(entry, '$[1]') = ?
             OR json_extract(entry, '$[4].upload') IN (${quoted(['', ...uploadsOf(name)])})))`;
      const where = batch === null ? 'TRUE' : ofBatch(batch);
      const total =
        batch === null
          ? trail.head().seq
          : (sql.value<number>(`SELECT count(*) FROM trail WHERE ${where}`, ...values) ?? 0);
      const found = sql.all<{ seq: number; hash: string; entry: string }>(
        `SELECT seq, hash, entry FROM trail WHERE ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`,
        ...values,
        page.limit,
        page.from,
      );
      return { total, entries: found.map(({ entry, ...one }) => ({ ...one, entry: readEntry(entry) })) };
    },
    trailOf: async (rowId: number) => entries('SELECT entry FROM trail WHERE payout = ? ORDER BY seq', rowId),
    newestEntry: async (batch: string, ...whats: (RunEntry | ControlEntry)[]) =>
      entries(
        `SELECT entry FROM trail WHERE ${isEntryOf(...whats)} AND json_extract(entry, '$[1]') = ? ORDER BY seq DESC LIMIT 1`,
        batch,
      )[0] ?? null,
    /** Returns trail entries of these kinds without a row, oldest first. Null for `batch` means all batches. */
    entries: async (batch: string | null, ...whats: ('scheduled' | 'schedule ended' | 'policy')[]) =>
      entries(
        `SELECT entry FROM trail WHERE ${isEntryOf(...whats)}${batch === null ? '' : " AND json_extract(entry, '$[1]') = ?"} ORDER BY seq`,
        ...(batch === null ? [] : [batch]),
      ),
    planEntries: async (batch: string, rowId: number) =>
      entries(
        `SELECT entry FROM (SELECT seq, entry FROM trail WHERE payout = ? UNION ALL SELECT seq, entry FROM trail
           WHERE ${isEntryOf(...ofPlans)} AND json_extract(entry, '$[1]') = ?) AS told ORDER BY seq`,
        rowId,
        batch,
      ),
    declineOf: async (plan: string) => newestDecline("json_extract(entry, '$[4].plan') = ?", plan),
    declinedBefore: async (batch: string, rows: string) =>
      newestDecline(
        "json_extract(entry, '$[4].did') = 'plan-declined' AND (json_extract(entry, '$[1]') = ? OR json_extract(entry, '$[4].rows') = ?)",
        batch,
        rows,
      ),
    newestAt: async () => entries('SELECT entry FROM trail ORDER BY seq DESC LIMIT 1')[0]?.at ?? null,
    head: async () => trail.head(),
    hashAt: (seq: number) => sql.value<string>('SELECT hash FROM trail WHERE seq = ?', seq),
    eachTrail: () =>
      sql.each<{ seq: number; text: string; hash: string }>('SELECT seq, entry AS text, hash FROM trail ORDER BY seq'),
  };
}
