/** Stores the sheets that people upload at the console, with corrections, column choices and jobs. */

import pLimit from 'p-limit';
import type { Each, Words } from '../../base/words.ts';
import { keepProposal } from '../batches/holds.ts';
import { insertOf, quoted, replacing } from '../rows/columns.ts';
import type { Writing } from '../store/commit.ts';
import type { SqlValue } from '../store/sql.ts';

export interface UploadRecord
  extends Each<'id file sha256 by facts', string>,
    Each<'bytes account at', number>,
    Each<'message batch plan', string | null> {
  /** Derived: `planned` while its plan waits, else `batch` after the import, else the state of the reading. */
  readonly state: string;
  /** A digest of the header row. Payrun uses a person's column choice for every sheet with the same digest. */
  readonly header: string | null;
}

interface UploadBrief
  extends Pick<UploadRecord, Words<'id file bytes by at state message header'>>,
    Each<'counts totals plan declined', string | null> {
  /** The name of the batch. Before the import, the plan or an uploaded result file names the batch. May be empty. */
  readonly batch: string;
  readonly changedAt: number | null;
  readonly job: JobRecord | null;
}

export interface CorrectionRecord extends Each<'id column account at', number>, Each<'was becomes by', string> {
  /** A row number, or ranges of rows such as [[2, 5], [9, 9]]. */
  readonly row: number | readonly (readonly [number, number])[];
}

export interface JobRecord
  extends Each<'id account startedAt', number>,
    Each<'kind by state', string>,
    Each<'upload batch message', string | null> {}

export type Change = (now: UploadRecord) => Partial<
  Pick<UploadRecord, 'message' | 'header' | 'facts'> & {
    readonly state: string;
    /** The digest of the plan that waits; null ends the waiting plan. */
    readonly plan: string | null;
  }
> | null;

/** `account` is null for a person at a terminal, and `name` is empty for an account that is gone. */
export interface Maker {
  readonly account: number | null;
  readonly name: string;
}

export interface Doing {
  readonly account: number;
  readonly by: string;
  readonly did: string;
  readonly batch?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

const state = `CASE WHEN h.id IS NOT NULL THEN 'planned' WHEN u.batch IS NOT NULL THEN 'batch' ELSE u.state END`;
const fromUploads =
  'FROM upload u LEFT JOIN account a ON a.id = u.account LEFT JOIN hold h ON h.upload = u.id AND h.digest = u.plan';
const selectUploads = `SELECT u.id, u.file, u.bytes, u.sha256, u.account, coalesce(a.name, '') AS "by", u.at, ${state} AS state,
  u.message, u.header, u.batch, u.plan, u.facts ${fromUploads}`;
const selectJobs = `SELECT j.id, j.kind, j.account, coalesce(a.name, '') AS "by", j.upload, j.batch, j.started_at AS startedAt,
  j.state, j.message FROM job j LEFT JOIN account a ON a.id = j.account`;

/** A batch may have rows of each of its sheets, so the preparers of all of them count. */
const selectPreparers = (where: string) => `SELECT u.account FROM upload u WHERE ${where}
  UNION SELECT c.account FROM correction c JOIN upload u ON u.id = c.upload WHERE ${where}
  UNION SELECT j.account FROM job j JOIN upload u ON u.id = j.upload WHERE ${where} AND j.kind IN ('plan', 'pay')
  UNION SELECT one.value FROM upload u, json_each(coalesce(json_extract(u.facts, '$.changedBy'), '[]')) one WHERE ${where}`;

export type Uploads = ReturnType<typeof openUploads>;

export function openUploads({ sql, commits, trail, clock }: Writing) {
  const uploads = (where: string, ...values: SqlValue[]) =>
    sql.all<UploadRecord>(`${selectUploads} WHERE ${where}`, ...values);
  const everKnown = (id: string) => uploads('u.id = ?', id)[0] ?? null;
  const find = (id: string) => uploads("u.id = ? AND u.state <> 'discarded'", id)[0] ?? null;
  const job = (where: string, value: SqlValue) =>
    sql.one<JobRecord>(`${selectJobs} WHERE ${where} ORDER BY j.id DESC LIMIT 1`, value);

  // Each attempt to lock the ledger blocks the console for a moment, so only one write at a time keeps trying.
  const inTurn = pLimit(1);
  const patiently = async <T>(work: () => T): Promise<T> =>
    await inTurn(() => commits.whenFree(work, Number.POSITIVE_INFINITY));

  const byNow = ({ account }: Doing) => ({ account, at: clock.now() });

  function record({ by, did, batch = null, data = {} }: Doing): void {
    trail.append({ batch, what: 'person', data: { by, did, ...data } });
  }

  function write(id: string, change: Change, doing: Doing | undefined): void {
    const now = find(id);
    const changed = now && change(now);
    if (changed !== null) {
      const { plan, ...rest } = changed;
      const { message, header, facts } = { ...now!, ...rest };
      sql.run(
        'UPDATE upload SET state = coalesce(?, state), message = ?, header = ?, plan = ?, facts = ? WHERE id = ?',
        changed.state ?? null,
        message,
        header,
        plan === undefined ? now!.plan : plan,
        facts,
        id,
      );
      if (plan !== undefined) keepProposal(sql, id, plan);
    }
    if (doing !== undefined) record(doing);
  }

  return {
    list: (states: readonly string[]) => uploads(`${state} IN (${quoted(states)}) ORDER BY u.at DESC, u.id`),
    briefs(text: string, limit: number) {
      const lines = sql.all<Omit<UploadBrief, 'job'> & { job: number | null }>(
        `SELECT * FROM (
           SELECT u.id, u.file, u.bytes, coalesce(a.name, '') AS "by", u.at, ${state} AS state, u.message, u.header,
             CAST(json_extract(facts, '$.changedAt') AS BIGINT) AS changedAt,
             coalesce(u.batch, json_extract(facts, '$.plan.request.batch'), json_extract(facts, '$.found.ownBatch'), '') AS batch,
             json_extract(facts, '$.found.counts') AS counts, json_extract(facts, '$.found.totals') AS totals,
             json_extract(facts, '$.plan') AS plan, json_extract(facts, '$.declined') AS declined,
             (SELECT max(id) FROM job WHERE upload = u.id) AS job
           ${fromUploads} WHERE u.state <> 'discarded')
         WHERE instr(lower(file), ?1) > 0 OR instr(lower(batch), ?1) > 0 ORDER BY at DESC, id LIMIT ?2`,
        text.toLowerCase(),
        limit,
      );
      return lines.map(({ job: newest, ...line }) => ({ ...line, job: job('j.id = ?', newest) }));
    },
    find,
    /** Unlike `find`, also returns a discarded upload. */
    everKnown,
    ofBatch: (batch: string) => uploads('u.batch = ? ORDER BY u.at DESC LIMIT 1', batch)[0] ?? null,
    everOfBatch: (batch: string) => uploads('u.batch = ?', batch),
    alike: (id: string, sha256: string) =>
      uploads("u.sha256 = ? AND u.id <> ? AND u.state <> 'discarded' ORDER BY u.at DESC LIMIT 5", sha256, id),
    /** Returns the names of all batches, and the batch names in the plans of all uploads except `id`. */
    takenNames: (id: string) =>
      new Set(
        sql.column<string>(
          `SELECT name FROM batch UNION SELECT json_extract(facts, '$.plan.request.batch') FROM upload
             WHERE id <> ? AND plan IS NOT NULL`,
          id,
        ),
      ),
    add: (upload: Pick<UploadRecord, 'id' | 'file' | 'bytes' | 'sha256' | 'state' | 'facts'>, doing: Doing) =>
      commits.whenFree(() => {
        sql.run(...insertOf('upload', { ...upload, ...byNow(doing) }));
        record(doing);
      }),
    change: (id: string, change: Change, doing?: Doing) => commits.whenFree(() => write(id, change, doing)),
    /** Like `change`, but never gives up while another process writes, because the caller cannot try again. */
    keep: (id: string, change: Change, doing?: Doing) => patiently(() => write(id, change, doing)),
    corrections: (id: string) =>
      sql
        .all<Omit<CorrectionRecord, 'row'> & { readonly row: string }>(
          `SELECT c.id, coalesce(c.row_runs, CAST(c.row_number AS TEXT)) AS row, c.column_index AS "column", c.was, c.becomes, c.account,
             coalesce(a.name, '') AS "by", c.at
           FROM correction c LEFT JOIN account a ON a.id = c.account WHERE c.upload = ? AND c.undone_at IS NULL ORDER BY c.id`,
          id,
        )
        .map(({ row, ...one }) => ({ ...one, row: JSON.parse(row) as CorrectionRecord['row'] })),
    correct: (
      id: string,
      { row, column: columnIndex, ...words }: Pick<CorrectionRecord, 'row' | 'column' | 'was' | 'becomes'>,
      change: Change,
      doing: Doing,
    ) =>
      commits.whenFree(() => {
        const rows = typeof row === 'number' ? { rowNumber: row } : { rowRuns: JSON.stringify(row) };
        sql.run(...insertOf('correction', { upload: id, ...rows, columnIndex, ...words, ...byNow(doing) }));
        write(id, change, doing);
      }),
    undo: (id: string, correction: number, change: Change, doing: Doing) =>
      commits.whenFree(() => {
        sql.run('UPDATE correction SET undone_at = ? WHERE id = ? AND upload = ?', clock.now(), correction, id);
        write(id, change, doing);
      }),
    choice: (header: string) => sql.value<string>('SELECT choice FROM column_choice WHERE header = ?', header),
    choose: (header: string, choice: string, upload: string, change: Change, doing: Doing) =>
      commits.whenFree(() => {
        sql.run(...replacing('column_choice', 'header', { header, choice, ...byNow(doing) }));
        write(upload, change, doing);
      }),
    /** Returns the accounts that uploaded, changed or planned the sheet. They may never approve it. */
    preparers: (id: string) => sql.column<number>(selectPreparers('u.id = ?1'), id),
    /** Returns the people who prepared, planned or ran the batch at the console or a terminal, or who prepared its new plan, if any. */
    makersOf: (batch: string, plan: string | null): readonly Maker[] => [
      ...sql.all<Maker>(
        `SELECT one.account, coalesce(a.name, '') AS name FROM (${selectPreparers('(u.batch = ?1 OR u.plan = ?2)')}) one
         LEFT JOIN account a ON a.id = one.account`,
        batch,
        plan,
      ),
      ...['by', 'maker', 'plan.maker'].flatMap((path) =>
        sql
          .column<string>(
            `SELECT DISTINCT json_extract(options, '$.${path}') FROM sheet
             WHERE batch = ? AND json_extract(options, '$.${path}') IS NOT NULL`,
            batch,
          )
          .map((name) => ({ account: null, name })),
      ),
    ],
    beginJob: (job: Pick<JobRecord, 'kind' | 'upload' | 'batch'>, doing: Doing) =>
      commits.whenFree(() => {
        const begun = { ...job, account: doing.account, startedAt: clock.now(), state: 'running' };
        record(doing);
        return sql.value<number>(...insertOf('job', begun, 'RETURNING id'))!;
      }),
    changeJob: (id: number, { state, message, batch }: Partial<Pick<JobRecord, 'state' | 'message' | 'batch'>>) =>
      patiently(() => {
        sql.run(
          'UPDATE job SET state = coalesce(?, state), message = coalesce(?, message), batch = coalesce(?, batch) WHERE id = ?',
          state ?? null,
          message ?? null,
          batch ?? null,
          id,
        );
      }),
    jobOf: (of: { readonly upload: string } | { readonly batch: string }) =>
      'upload' in of ? job('j.upload = ?', of.upload) : job("j.batch = ? AND j.kind <> 'plan'", of.batch),
    endJobs: (message: string) =>
      commits.whenFree(
        () => sql.run("UPDATE job SET state = 'failed', message = ? WHERE state = 'running'", message).changes,
      ),
    tell: (doing: Doing) => commits.whenFree(() => record(doing)),
  };
}
