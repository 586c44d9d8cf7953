/** Stores a sheet in temporary tables during its check, so that a million rows need disk space, not memory. */
import { createHash } from 'node:crypto';
import type { Problem } from '../../base/problem.ts';
import { wordsIn } from '../../base/words.ts';
import { foldedPayee } from '../../domain/accounts/payee.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { AmountSpan, CountLine, DraftDocument, DraftRow, DraftTotal, ProblemKind } from '../facts.ts';
import { beyondSpans, foldedReference, insertOf, quoted, sentStates } from '../rows/columns.ts';
import type { Sql, SqlValue } from '../store/sql.ts';
import type { Claim } from './claims.ts';

type ProblemRecord = Omit<Problem, 'facts'> & { readonly facts: string };

export interface Halves {
  readonly high: number;
  readonly low: number;
}

/** The columns of a draft's row, without its payee, in the order of the table. */
const draftFacts = wordsIn(
  'number key rowId digest likeness content amount unit currency fromCountry country destination collection',
);
const problemFacts = wordsIn('row column code severity facts value suggestion');
const problemColumns = 'number AS row, col AS "column", code, severity, facts, value, suggestion';
const errorsFirst = "CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END";

/** SQL sums the low 26 bits and the higher bits of each amount separately, because one sum could overflow 64 bits. */
export const lowBits = 26;
export const halfMask = 2 ** lowBits - 1;
export const halvesOf = `coalesce(sum(amount >> ${lowBits}), 0) AS high, coalesce(sum(amount & ${halfMask}), 0) AS low`;
const totalColumns = `currency, unit, from_country AS "from", count(*) AS rows, ${halvesOf}`;

export const wholeOf = ({ high, low }: Halves): bigint => (BigInt(high) << BigInt(lowBits)) + BigInt(low);

export const withWhole = <T extends Halves>({ high, low, ...record }: T) => ({
  ...record,
  amount: wholeOf({ high, low }),
});

export const readTotals = (sql: Sql, rows: string, ...values: SqlValue[]): readonly DraftTotal[] =>
  sql
    .all<Omit<DraftTotal, 'amount'> & Halves>(
      `SELECT ${totalColumns} FROM ${rows} GROUP BY currency, unit, from_country
       ORDER BY currency, unit, from_country NULLS FIRST`,
      ...values,
    )
    .map(withWhole);

type CountRecord = Omit<CountLine, 'amount' | 'closed' | 'listed' | 'differs'> &
  Halves & { readonly closed: 0 | 1; readonly listed: 0 | 1; readonly differs: number };

/** Counts rows that have, beside the columns of the ledger, `shut` for a closed row and `listed`. */
export const readCounts = (sql: Sql, rows: string, ...values: SqlValue[]): readonly CountLine[] =>
  sql
    .all<CountRecord>(
      `SELECT state, shut AS closed, listed, ${totalColumns}, sum(coalesce(paid_amount - amount, 0)) AS differs FROM (${rows}) counted
       GROUP BY currency, unit, from_country, state, shut, listed ORDER BY currency, unit, from_country NULLS FIRST, state`,
      ...values,
    )
    .map((one) => ({
      ...withWhole(one),
      closed: one.closed === 1,
      listed: one.listed === 1,
      differs: BigInt(one.differs),
    }));

/** A floating-point sum cannot overflow, and is exact enough for the limit of 50,000 ZAR in `withoutDocuments`. */
const inWhole = 'sum(CAST(amount AS DOUBLE PRECISION))';
const knownRow = (row: string) =>
  `payout p ON p.id = c.payout AND p.key = ${row}.key AND p.batch = coalesce(?, p.batch)`;
const knownAs = (row: string) => `payout_content c JOIN ${knownRow(row)} AND c.likeness = ${row}.likeness`;
const notSent = (row: string) => `NOT EXISTS (SELECT 1 FROM ${knownAs(row)} WHERE p.state IN (${sentStates}))`;
/** True for a sent row, and for an unpaid row with the same content. Only a retry sends that unpaid row again. */
const isOver = (row: string) =>
  `(p.state IN (${sentStates}) OR (p.state IN (${quoted(['expired', 'refused'])}) AND c.content = ${row}.content))`;

export interface InvalidLine {
  readonly number: number;
  readonly key: string | null;
  /** The id that the line has in its sheet; null for a line that only its content identifies. */
  readonly id: string | null;
  readonly name: string;
  readonly content: string;
}

export type Draft = ReturnType<typeof openDraft>;

export function openDraft(sql: Sql) {
  const count = (text: string, ...values: string[]): number => sql.value<number>(text, ...values) ?? 0;
  const cameBefore = (row: DraftRow) => {
    const first = count('SELECT number FROM temp.draft WHERE key = ?', row.key);
    return first === row.number ? [] : [{ row, first }];
  };

  let digest: string | null = null;

  function reject(number: number): void {
    digest = null;
    sql.run(
      `INSERT INTO temp.draft_invalid SELECT number, key, row_id, name_key, content
       FROM temp.draft WHERE number = ? ON CONFLICT (number) DO NOTHING`,
      number,
    );
    sql.run('DELETE FROM temp.draft_document WHERE number = ?', number);
    sql.run('DELETE FROM temp.draft WHERE number = ?', number);
  }

  function digestOfRows(): string {
    const hash = createHash('sha256');
    for (const row of sql.each<{ digest: string }>('SELECT digest FROM temp.draft ORDER BY digest'))
      hash.update(row.digest);
    return hash.digest('hex');
  }

  function addInvalid({ number, key, id, name, content }: InvalidLine): void {
    const line = { number, key, id, nameKey: foldedPayee(name), content };
    sql.run(...insertOf('temp.draft_invalid', line, 'ON CONFLICT (number) DO NOTHING'));
  }

  function add(problems: readonly Problem[]): void {
    sql.many(
      `INSERT INTO temp.draft_problem (number, col, code, severity, facts, value, suggestion) VALUES (?,?,?,?,?,?,?)`,
      problems.map((one) => problemFacts.map((name) => (name === 'facts' ? JSON.stringify(one.facts) : one[name]))),
    );
  }

  const replace = (table: 'draft_retry' | 'draft_held', rows: Iterable<string | number>) =>
    sql.besideLedger(() => {
      sql.exec(`DELETE FROM temp.${table}`);
      sql.many(
        `INSERT INTO temp.${table} VALUES (?)`,
        Array.from(rows, (row) => [row]),
      );
    });

  return {
    clear() {
      digest = null;
      sql.exec(
        'DELETE FROM temp.draft; DELETE FROM temp.draft_claim; DELETE FROM temp.draft_retry; DELETE FROM temp.draft_odd; DELETE FROM temp.draft_held; DELETE FROM temp.draft_document; DELETE FROM temp.draft_invalid; DELETE FROM temp.draft_problem',
      );
    },
    /** Adds the rows. A row that repeats a key becomes invalid, and is returned with the number of the first row. */
    add: (rows: readonly DraftRow[]) =>
      sql.besideLedger(() => {
        digest = null;
        const { changes } = sql.many(
          'INSERT INTO temp.draft VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (key) DO NOTHING',
          rows.map(({ payee, ...row }) => [
            ...draftFacts.map((fact) => row[fact]),
            payee.id,
            payee.name,
            payee.account,
          ]),
        );
        const again = changes === rows.length ? [] : rows.flatMap(cameBefore);
        const left = new Set(again.map(({ row }) => row));
        for (const { row } of again) {
          const { name } = rowOfContent(row.content, row.number);
          addInvalid({ ...row, id: row.rowId, name });
        }
        const documents = rows.flatMap((row) => (left.has(row) ? [] : row.documents.map((one) => ({ row, ...one }))));
        if (documents.length > 0)
          sql.many(
            'INSERT INTO temp.draft_document VALUES (?,?,?,?,?)',
            documents.map(({ row, name, path, sha256, sizeBytes }) => [row.number, name, path, sha256, sizeBytes]),
          );
        return again;
      }),
    addInvalid,
    claim: (claims: readonly Claim[]) =>
      sql.besideLedger(() => sql.many('INSERT INTO temp.draft_claim VALUES (?,?,?,?) ON CONFLICT DO NOTHING', claims)),
    /** Returns draft rows outside the limits in `spans`. Leaves out rows that `batch` (null: any batch) already sent. */
    beyond: (spans: readonly AmountSpan[], batch: string | null) =>
      sql.each<{ number: number; amount: number; country: string; currency: string }>(
        `SELECT number, amount, country, currency FROM temp.draft WHERE ${beyondSpans(spans)} AND ${notSent('draft')} ORDER BY number`,
        batch,
      ),
    addDocument(number: number, { name, path, sha256, sizeBytes }: DraftDocument) {
      sql.run(
        `INSERT INTO temp.draft_document SELECT number, ?, ?, ?, CAST(? AS BIGINT) FROM temp.draft WHERE number = ?
           AND NOT EXISTS (SELECT 1 FROM temp.draft_document d WHERE d.number = draft.number AND d.path = ?)`,
        name,
        path,
        sha256,
        sizeBytes,
        number,
        path,
      );
    },
    /** For rows that Payrun will not send, copies missing documents from the ledger. Returns the documents' names. */
    keepDocuments: ({ named, unnamed }: { readonly named: string; readonly unnamed: string }, batch: string | null) =>
      sql.besideLedger(() => {
        const lacking = `temp.draft_problem q JOIN temp.draft ON draft.number = q.number AND q.code IN (?, ?)`;
        const over = `FROM ${lacking} JOIN payout_content c ON c.likeness = draft.likeness
          JOIN ${knownRow('draft')} AND ${isOver('draft')}`;
        const kept = sql.all<{ name: string }>(
          `INSERT INTO temp.draft_document SELECT number, name, path, sha256, size_bytes FROM (
             SELECT draft.number, d.name, d.path, d.sha256, d.size_bytes,
               row_number() OVER (PARTITION BY draft.number, d.name ORDER BY d.id DESC) AS place ${over}
             JOIN document d ON d.payout = p.id AND (q.code = ? OR d.name = q.value)) known
           WHERE place = 1 AND NOT EXISTS (SELECT 1 FROM temp.draft_document o WHERE o.number = known.number AND o.name = known.name)
           RETURNING name`,
          named,
          unnamed,
          batch,
          unnamed,
        );
        sql.run(
          `DELETE FROM temp.draft_problem WHERE id IN (SELECT q.id ${over} WHERE q.code = ? OR EXISTS (
             SELECT 1 FROM temp.draft_document d WHERE d.number = q.number AND d.name = q.value))`,
          named,
          unnamed,
          batch,
          unnamed,
        );
        const left = `SELECT DISTINCT draft.number FROM ${lacking} AND q.severity = 'error'`;
        for (const number of sql.column<number>(left, named, unnamed)) reject(number);
        return [...new Set(kept.map(({ name }) => name))];
      }),
    /** Returns unsent South African rows without a document, if these rows pay one account more than `above` ZAR. */
    withoutDocuments: (above: number, batch: string | null) =>
      sql.each<{ number: number; amount: number; total: number; rows: number }>(
        `WITH bare AS (SELECT number, key, content, likeness, amount, destination FROM temp.draft
           WHERE country = 'SouthAfrica' AND currency = 'ZAR' AND number NOT IN (SELECT number FROM temp.draft_document))
         SELECT number, amount, total, rows FROM bare JOIN (
           SELECT destination AS account, ${inWhole} AS total, count(*) AS rows FROM bare GROUP BY +destination HAVING ${inWhole} > ?)
         ON destination = account WHERE NOT EXISTS (SELECT 1 FROM temp.draft_problem p
           WHERE p.severity = 'warning' AND p.number = bare.number AND p.code = 'DOCUMENT_MISSING_FOR_AMOUNT')
           AND NOT EXISTS (SELECT 1 FROM ${knownAs('bare')} WHERE ${isOver('bare')}) ORDER BY number`,
        above,
        batch,
      ),
    /** Returns rows with the account and amount of another row: of one with the same reference, if there is one. `lacksId`: that reference is the same, and this row has no id. */
    alike: () =>
      sql.each<{ number: number; other: number; reference: string; otherReference: string; lacksId: 0 | 1 }>(
        `WITH found AS (SELECT number, row_id, account, amount, unit, currency, json_extract(content, '$.reference') AS reference
             FROM temp.draft JOIN (SELECT account, amount, unit, currency FROM temp.draft GROUP BY account, amount, unit, currency
               HAVING count(*) > 1) twice USING (account, amount, unit, currency)),
           folded AS (SELECT *, ${foldedReference('reference')} AS fold FROM found),
           pair AS (SELECT number, row_id, reference, lag(number) OVER same AS above, lag(reference) OVER same AS aboveReference,
               lag(number) OVER near AS near, lag(reference) OVER near AS nearReference,
               min(number) FILTER (WHERE row_id IS NOT NULL) OVER (PARTITION BY account, amount, unit, currency, fold) AS withId
             FROM folded WINDOW same AS (PARTITION BY account, amount, unit, currency, fold ORDER BY number),
               near AS (PARTITION BY account, amount, unit, currency ORDER BY number)),
           judged AS (SELECT *, row_id IS NULL AND coalesce(above, withId) IS NOT NULL AS lacks FROM pair)
         SELECT number, reference, CASE WHEN lacks THEN coalesce(above, withId) ELSE coalesce(above, near) END AS other,
           coalesce(aboveReference, nearReference) AS otherReference, CASE WHEN lacks THEN 1 ELSE 0 END AS lacksId
         FROM judged WHERE lacks OR near IS NOT NULL ORDER BY number`,
      ),
    /** Returns rows that pay another payee than the first row of the account. `above` is that first row's number. */
    sharedAccounts: (limit: number) =>
      sql.all<{ number: number; above: number }>(
        `SELECT number, first AS above FROM (SELECT number, id_key, name_key, first_value(number) OVER same AS first,
             first_value(id_key) OVER same AS first_id, first_value(name_key) OVER same AS first_name
           FROM temp.draft WINDOW same AS (PARTITION BY account ORDER BY number))
         WHERE coalesce(id_key <> first_id, name_key <> first_name) ORDER BY number LIMIT ?`,
        limit,
      ),
    /** Keeps only the rows with these keys, and selects the unpaid rows that a retry sends again. */
    retry(unpaid: readonly string[], keys: readonly string[]) {
      digest = null;
      replace('draft_retry', keys);
      sql.besideLedger(() => {
        sql.exec('DELETE FROM temp.draft_invalid');
        sql.exec('DELETE FROM temp.draft WHERE key NOT IN (SELECT key FROM temp.draft_retry)');
        for (const table of ['draft_document', 'draft_problem'])
          sql.exec(`DELETE FROM temp.${table} WHERE number NOT IN (SELECT number FROM temp.draft)`);
      });
      replace('draft_retry', unpaid);
    },
    /** Makes these rows count as held: a person must decide on them before Payrun sends them. */
    hold: (rows: ReadonlySet<number>) => replace('draft_held', rows),
    addProblems: (problems: readonly Problem[]) => sql.besideLedger(() => add(problems)),
    judge: (problems: readonly Problem[]) =>
      sql.besideLedger(() => {
        for (const { row, severity } of problems) if (severity === 'error' && row !== null) reject(row);
        add(problems);
      }),
    // Errors come first, because people see only the first problems.
    problems: (limit: number) =>
      sql
        .all<ProblemRecord>(
          `SELECT ${problemColumns} FROM temp.draft_problem ORDER BY ${errorsFirst}, number NULLS FIRST, id LIMIT ?`,
          limit,
        )
        .map(readProblem),
    *eachProblem() {
      for (const record of sql.each<ProblemRecord>(
        `SELECT ${problemColumns} FROM temp.draft_problem ORDER BY number NULLS FIRST, id`,
      ))
        yield readProblem(record);
    },
    problemKinds: (limit: number) =>
      sql.all<ProblemKind>(
        `SELECT code, severity, count(*) AS count, min(number) AS firstRow FROM temp.draft_problem
         GROUP BY code, severity ORDER BY ${errorsFirst}, count(*) DESC, code LIMIT ?`,
        limit,
      ),
    counts: () => ({
      rows: count('SELECT count(*) FROM temp.draft'),
      invalid: count(
        "SELECT count(DISTINCT number) FROM temp.draft_problem WHERE severity = 'error' AND number IS NOT NULL",
      ),
      errors: count("SELECT count(*) FROM temp.draft_problem WHERE severity = 'error'"),
      warnings: count("SELECT count(*) FROM temp.draft_problem WHERE severity = 'warning'"),
      problems: count('SELECT count(*) FROM temp.draft_problem'),
    }),
    /** Returns a digest that does not depend on the order of the rows, so a sorted sheet counts as the same sheet. */
    digest: () => (digest ??= digestOfRows()),
    totals: () => readTotals(sql, 'temp.draft'),
    countryTotals: () =>
      sql
        .all<Omit<DraftTotal, 'amount'> & Halves & { country: string }>(
          `SELECT country, ${totalColumns} FROM temp.draft GROUP BY country, currency, unit, from_country
           ORDER BY country, currency, unit, from_country NULLS FIRST`,
        )
        .map(withWhole),
    /** Returns the SHA-256 (hex) of the sorted destinations of all rows, each followed by a line feed. */
    accounts() {
      const hash = createHash('sha256');
      for (const row of sql.each<{ destination: string }>('SELECT destination FROM temp.draft ORDER BY destination'))
        hash.update(`${row.destination}\n`);
      return hash.digest('hex');
    },
    collections: () => count("SELECT count(*) FROM temp.draft WHERE collection = 'MOMO'"),
  };
}

const readProblem = (record: ProblemRecord): Problem => ({ ...record, facts: JSON.parse(record.facts) as object });
