/** Stores the sheets that people upload at the console, with corrections, column choices and jobs. */
import pLimit from 'p-limit';
import { keepProposal } from '../batches/proposals.ts';
import { quoted } from '../rows/columns.ts';
import { whenFree } from '../store/retry-when-locked.ts';
import type { Writing } from '../store/unit-of-work.ts';

export interface UploadRecord {
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly account: number;
  readonly by: string;
  readonly at: number;
  readonly state: string;
  readonly message: string | null;
  /** A digest of the header row. Payrun uses a person's column choice for every sheet with the same digest. */
  readonly header: string | null;
  readonly batch: string | null;
  readonly plan: string | null;
  readonly facts: string;
}

export interface UploadBrief
  extends Pick<UploadRecord, 'id' | 'file' | 'bytes' | 'by' | 'at' | 'state' | 'message' | 'header'> {
  /** The name of the batch. Before the import, the plan or an uploaded result file names the batch. May be empty. */
  readonly batch: string;
  readonly counts: string | null;
  readonly totals: string | null;
  readonly plan: string | null;
  readonly declined: string | null;
  readonly lookedAt: number | null;
  readonly job: JobRecord | null;
}

export type UploadChange = Partial<Pick<UploadRecord, 'state' | 'message' | 'header' | 'batch' | 'plan' | 'facts'>>;

export interface CorrectionRecord {
  readonly id: number;
  /** A row number, or ranges of rows such as [[2, 5], [9, 9]]. */
  readonly row: number | readonly (readonly [number, number])[];
  readonly column: number;
  readonly was: string;
  readonly becomes: string;
  readonly account: number;
  readonly by: string;
  readonly at: number;
}

export interface JobRecord {
  readonly id: number;
  readonly kind: string;
  readonly account: number;
  readonly by: string;
  readonly upload: string | null;
  readonly batch: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly state: string;
  readonly message: string | null;
  readonly exit: number | null;
}

export type Change = (now: UploadRecord) => UploadChange | null;

export interface Doing {
  readonly account: number;
  readonly by: string;
  readonly did: string;
  readonly batch?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Uploads {
  list(states: readonly string[]): readonly UploadRecord[];
  briefs(text: string, limit: number): readonly UploadBrief[];
  find(id: string): UploadRecord | null;
  /** Unlike `find`, also returns a discarded upload. */
  everKnown(id: string): UploadRecord | null;
  ofBatch(batch: string): UploadRecord | null;
  everOfBatch(batch: string): readonly UploadRecord[];
  alike(id: string, sha256: string): readonly UploadRecord[];
  /** Returns the names of all batches, and the batch names in the plans of all uploads except `id`. */
  takenNames(id: string): ReadonlySet<string>;
  add(upload: Pick<UploadRecord, 'id' | 'file' | 'bytes' | 'sha256' | 'state' | 'facts'>, doing: Doing): Promise<void>;
  change(id: string, change: Change, doing?: Doing): Promise<void>;
  /** Like `change`, but never gives up while another process writes, because the caller cannot try again. */
  keep(id: string, change: Change, doing?: Doing): Promise<void>;
  corrections(id: string): readonly CorrectionRecord[];
  correct(
    id: string,
    correction: Pick<CorrectionRecord, 'row' | 'column' | 'was' | 'becomes'>,
    change: Change,
    doing: Doing,
  ): Promise<number>;
  undo(id: string, correction: number, change: Change, doing: Doing): Promise<void>;
  choice(header: string): string | null;
  choose(header: string, choice: string, upload: string, change: Change, doing: Doing): Promise<void>;
  preparers(id: string): readonly number[];
  beginJob(job: Pick<JobRecord, 'kind' | 'upload' | 'batch'>, doing: Doing): Promise<number>;
  changeJob(id: number, change: Partial<Pick<JobRecord, 'state' | 'message' | 'exit' | 'batch'>>): Promise<void>;
  jobOf(of: { readonly upload: string } | { readonly batch: string }): JobRecord | null;
  endJobs(message: string): Promise<number>;
  tell(doing: Doing): Promise<void>;
}

const uploadColumns = `u.id, u.file, u.bytes, u.sha256, u.account, coalesce(a.name, '') AS "by", u.at, u.state, u.message, u.header, u.batch, u.plan, u.facts`;
const selectUploads = `SELECT ${uploadColumns} FROM upload u LEFT JOIN account a ON a.id = u.account`;
const selectJobs = `SELECT j.id, j.kind, j.account, coalesce(a.name, '') AS "by", j.upload, j.batch, j.started_at AS startedAt,
  j.ended_at AS endedAt, j.state, j.message, j."exit" FROM job j LEFT JOIN account a ON a.id = j.account`;

const waits = `u.state IN ('planned', 'approved') AND json_extract(u.facts, '$.plan.path') IS NOT NULL`;
/** `halt` stops the sending of a batch. The transaction that stores a plan for the batch calls `halt`. */
export function openUploads(
  { sql, commits, trail, clock }: Writing,
  halt: (batch: string) => void = () => undefined,
): Uploads {
  const waitingPlan = (id: string) =>
    sql.one<{ batch: string; digest: string }>(
      `SELECT json_extract(u.facts, '$.plan.request.batch') AS batch, json_extract(u.facts, '$.plan.digest') AS digest
       FROM upload u WHERE u.id = ? AND ${waits}`,
      id,
    );
  const everKnown = (id: string) => sql.one<UploadRecord>(`${selectUploads} WHERE u.id = ?`, id);
  const find = (id: string) => sql.one<UploadRecord>(`${selectUploads} WHERE u.id = ? AND u.state <> 'discarded'`, id);

  const alone = async <T>(work: () => T, mostMs?: number): Promise<T> =>
    await whenFree(() => commits.alone(work), mostMs);
  // Each attempt to lock the ledger blocks the console for a moment, so only one write at a time keeps trying.
  const inTurn = pLimit(1);
  const patiently = async <T>(work: () => T): Promise<T> => await inTurn(() => alone(work, Number.POSITIVE_INFINITY));

  function record({ by, did, batch = null, data = {} }: Doing): void {
    trail.append({ batch, row: null, what: 'person', data: { by, did, ...data } });
  }

  function write(id: string, change: Change): void {
    const now = find(id);
    const changed = now === null ? null : change(now);
    if (now === null || changed === null) return;
    const { state, message, header, batch, plan, facts } = { ...now, ...changed };
    sql.run(
      'UPDATE upload SET state = ?, message = ?, header = ?, batch = ?, plan = ?, facts = ? WHERE id = ?',
      state,
      message,
      header,
      batch,
      plan,
      facts,
      id,
    );
    propose(id);
  }

  function propose(id: string): void {
    const plan = waitingPlan(id);
    if (keepProposal(sql, id, plan)) halt(plan!.batch);
  }

  function writeRecorded(id: string, change: Change, doing: Doing | undefined): void {
    write(id, change);
    if (doing !== undefined) record(doing);
  }

  return {
    list: (states) =>
      sql.all<UploadRecord>(`${selectUploads} WHERE u.state IN (${quoted(states)}) ORDER BY u.at DESC, u.id`),
    briefs(text, limit) {
      const lines = sql.all<Omit<UploadBrief, 'job'> & { job: number | null }>(
        `SELECT * FROM (
           SELECT u.id, u.file, u.bytes, coalesce(a.name, '') AS "by", u.at, u.state, u.message, u.header,
             CAST(json_extract(facts, '$.lookedAt') AS BIGINT) AS lookedAt,
             coalesce(u.batch, json_extract(facts, '$.plan.request.batch'), json_extract(facts, '$.found.ownBatch'), '') AS batch,
             json_extract(facts, '$.found.counts') AS counts, json_extract(facts, '$.found.totals') AS totals,
             json_extract(facts, '$.plan') AS plan, json_extract(facts, '$.declined') AS declined,
             (SELECT max(id) FROM job WHERE upload = u.id) AS job
           FROM upload u LEFT JOIN account a ON a.id = u.account WHERE u.state <> 'discarded')
         WHERE instr(lower(file), ?1) > 0 OR instr(lower(batch), ?1) > 0 ORDER BY at DESC, id LIMIT ?2`,
        text.toLowerCase(),
        limit,
      );
      return lines.map(({ job, ...line }) => ({
        ...line,
        job: job === null ? null : sql.one<JobRecord>(`${selectJobs} WHERE j.id = ?`, job),
      }));
    },
    find,
    everKnown,
    ofBatch: (batch) =>
      sql.one<UploadRecord>(
        `${selectUploads} WHERE u.batch = ? ORDER BY u.state = 'batch' DESC, u.at DESC LIMIT 1`,
        batch,
      ),
    everOfBatch: (batch) => sql.all<UploadRecord>(`${selectUploads} WHERE u.batch = ?`, batch),
    alike: (id, sha256) =>
      sql.all<UploadRecord>(
        `${selectUploads} WHERE u.sha256 = ? AND u.id <> ? AND u.state <> 'discarded' ORDER BY u.at DESC LIMIT 5`,
        sha256,
        id,
      ),
    takenNames: (id) =>
      new Set(
        sql
          .all<{ name: string }>(
            `SELECT name FROM batch UNION SELECT json_extract(facts, '$.plan.request.batch') FROM upload
             WHERE id <> ? AND state IN ('planned', 'approved', 'declined') AND plan IS NOT NULL`,
            id,
          )
          .map(({ name }) => name),
      ),
    add: ({ id, file, bytes, sha256, state, facts }, doing) =>
      alone(() => {
        sql.run(
          'INSERT INTO upload (id, file, bytes, sha256, account, at, state, facts) VALUES (?,?,?,?,?,?,?,?)',
          id,
          file,
          bytes,
          sha256,
          doing.account,
          clock.now(),
          state,
          facts,
        );
        propose(id);
        record(doing);
      }),
    change: (id, change, doing) => alone(() => writeRecorded(id, change, doing)),
    keep: (id, change, doing) => patiently(() => writeRecorded(id, change, doing)),
    corrections: (id) =>
      sql
        .all<Omit<CorrectionRecord, 'row'> & { readonly row: string }>(
          `SELECT c.id, coalesce(c.row_runs, CAST(c.row_number AS TEXT)) AS row, c.column_index AS "column", c.was, c.becomes, c.account,
             coalesce(a.name, '') AS "by", c.at
           FROM correction c LEFT JOIN account a ON a.id = c.account WHERE c.upload = ? AND c.undone_at IS NULL ORDER BY c.id`,
          id,
        )
        .map(({ row, ...one }) => ({ ...one, row: JSON.parse(row) as CorrectionRecord['row'] })),
    correct: (id, { row, column, was, becomes }, change, doing) =>
      alone(() => {
        const isRuns = typeof row !== 'number';
        const made = sql.one<{ id: number }>(
          `INSERT INTO correction (upload, row_number, row_runs, column_index, was, becomes, account, at)
           VALUES (?,?,?,?,?,?,?,?) RETURNING id`,
          id,
          isRuns ? null : row,
          isRuns ? JSON.stringify(row) : null,
          column,
          was,
          becomes,
          doing.account,
          clock.now(),
        )!;
        writeRecorded(id, change, doing);
        return made.id;
      }),
    undo: (id, correction, change, doing) =>
      alone(() => {
        sql.run('UPDATE correction SET undone_at = ? WHERE id = ? AND upload = ?', clock.now(), correction, id);
        writeRecorded(id, change, doing);
      }),
    choice: (header) =>
      sql.one<{ choice: string }>('SELECT choice FROM column_choice WHERE header = ?', header)?.choice ?? null,
    choose: (header, choice, upload, change, doing) =>
      alone(() => {
        sql.run(
          `INSERT INTO column_choice (header, choice, account, at) VALUES (?,?,?,?)
           ON CONFLICT (header) DO UPDATE SET choice = excluded.choice, account = excluded.account, at = excluded.at`,
          header,
          choice,
          doing.account,
          clock.now(),
        );
        writeRecorded(upload, change, doing);
      }),
    preparers: (id) =>
      sql
        .all<{ account: number }>(
          `SELECT account FROM upload WHERE id = ?1 UNION SELECT account FROM correction WHERE upload = ?1
           UNION SELECT account FROM job WHERE upload = ?1 AND kind IN ('plan', 'pay')`,
          id,
        )
        .map(({ account }) => account),
    beginJob: ({ kind, upload, batch }, doing) =>
      alone(() => {
        const made = sql.one<{ id: number }>(
          `INSERT INTO job (kind, account, upload, batch, started_at, state) VALUES (?,?,?,?,?,'running') RETURNING id`,
          kind,
          doing.account,
          upload,
          batch,
          clock.now(),
        );
        record(doing);
        return made!.id;
      }),
    changeJob: (id, { state, message, exit, batch }) =>
      patiently(() => {
        sql.run(
          `UPDATE job SET state = coalesce(?, state), message = coalesce(?, message), "exit" = coalesce(?, "exit"),
             batch = coalesce(?, batch), ended_at = CASE WHEN CAST(? AS TEXT) IN ('done', 'failed') THEN CAST(? AS BIGINT) ELSE ended_at END WHERE id = ?`,
          state ?? null,
          message ?? null,
          exit ?? null,
          batch ?? null,
          state ?? null,
          clock.now(),
          id,
        );
      }),
    jobOf: (of) =>
      'upload' in of
        ? sql.one<JobRecord>(`${selectJobs} WHERE j.upload = ? ORDER BY j.id DESC LIMIT 1`, of.upload)
        : sql.one<JobRecord>(
            `${selectJobs} WHERE j.batch = ? AND j.kind <> 'plan' ORDER BY j.id DESC LIMIT 1`,
            of.batch,
          ),
    endJobs: (message) =>
      alone(
        () =>
          sql.run(
            `UPDATE job SET state = 'failed', message = ?, ended_at = ? WHERE state IN ('running', 'stopping', 'waiting')`,
            message,
            clock.now(),
          ).changes,
      ),
    tell: (doing) => alone(() => record(doing)),
  };
}
