/** A sheet while it is being checked, in temporary tables: a million rows cost disk, not memory. */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Problem, Severity } from '../base/problem.ts';
import type { AmountUnit } from '../domain/row.ts';
import type { Draft, DraftTotal } from './contract.ts';

interface ProblemRecord {
  number: number | null;
  col: string | null;
  code: string;
  severity: Severity;
  message: string;
  value: string | null;
  suggestion: string | null;
}

export interface TotalRecord {
  currency: string;
  unit: AmountUnit;
  from_country: string | null;
  row_count: number;
  /** The sum in two parts, since together they may pass what 64 bits hold. */
  high: number;
  low: number;
}

/** Amounts are summed in two halves: a sheet's sum may pass what SQLite counts, and must be refused, not crash. */
const lowBits = 26;
export const totalColumns = `currency, unit, from_country, count(*) AS row_count,
  sum(amount >> ${lowBits}) AS high, sum(amount & ${2 ** lowBits - 1}) AS low`;

export function readTotal(record: TotalRecord): DraftTotal {
  return {
    currency: record.currency,
    unit: record.unit,
    from: record.from_country,
    rows: record.row_count,
    amount: (BigInt(record.high) << BigInt(lowBits)) + BigInt(record.low),
  };
}

export function openDraft(db: DatabaseSync): Draft {
  const begin = db.prepare('SAVEPOINT draft');
  const end = db.prepare('RELEASE draft');
  const insertRow = db.prepare('INSERT INTO temp.draft VALUES (?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (key) DO NOTHING');
  const insertDocument = db.prepare('INSERT INTO temp.draft_document VALUES (?,?,?,?,?)');
  const insertProblem = db.prepare(
    'INSERT INTO temp.draft_problem (number, col, code, severity, message, value, suggestion) VALUES (?,?,?,?,?,?,?)',
  );
  const insertInvalid = db.prepare('INSERT OR IGNORE INTO temp.draft_invalid VALUES (?,?)');
  const firstOf = db.prepare('SELECT number FROM temp.draft WHERE key = ?');
  // Errors first, then in the sheet's order: the first fifty on the screen are the ones that stop the batch.
  const problemQuery =
    "SELECT number, col, code, severity, message, value, suggestion FROM temp.draft_problem ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, number, id";
  const count = (sql: string): number => (db.prepare(sql).get() as { n: number }).n;

  return {
    clear: () =>
      db.exec(
        'DELETE FROM temp.draft; DELETE FROM temp.draft_document; DELETE FROM temp.draft_invalid; DELETE FROM temp.draft_problem',
      ),
    add(rows) {
      const again: { row: (typeof rows)[number]; first: number }[] = [];
      begin.run();
      for (const row of rows) {
        const { changes } = insertRow.run(
          row.number,
          row.key,
          row.digest,
          row.likeness,
          row.content,
          row.amount,
          row.unit,
          row.currency,
          row.fromCountry,
          row.country,
          row.destination,
          row.collection,
        );
        if (changes === 0) again.push({ row, first: (firstOf.get(row.key) as { number: number }).number });
        else
          for (const document of row.documents)
            insertDocument.run(row.number, document.name, document.path, document.sha256, document.sizeBytes);
      }
      end.run();
      return again;
    },
    addInvalid(number, key) {
      insertInvalid.run(number, key);
    },
    addProblems(problems) {
      if (problems.length === 0) return;
      begin.run();
      for (const p of problems)
        insertProblem.run(p.row, p.column, p.code, p.severity, p.message, p.value, p.suggestion);
      end.run();
    },
    problems: (limit) =>
      (db.prepare(`${problemQuery} LIMIT ?`).all(limit) as unknown as ProblemRecord[]).map(readProblem),
    counts: () => ({
      rows: count('SELECT count(*) AS n FROM temp.draft'),
      invalid: count(
        "SELECT count(DISTINCT number) AS n FROM temp.draft_problem WHERE severity = 'error' AND number IS NOT NULL",
      ),
      errors: count("SELECT count(*) AS n FROM temp.draft_problem WHERE severity = 'error'"),
      problems: count('SELECT count(*) AS n FROM temp.draft_problem'),
    }),
    totals: () =>
      (
        db
          .prepare(`SELECT ${totalColumns} FROM temp.draft GROUP BY currency, unit, from_country ORDER BY 1, 2, 3`)
          .all() as unknown as TotalRecord[]
      ).map(readTotal),
    digest() {
      const digest = createHash('sha256');
      for (const row of db.prepare('SELECT digest FROM temp.draft ORDER BY digest').iterate())
        digest.update((row as { digest: string }).digest);
      return digest.digest('hex');
    },
    destinations: () => count('SELECT count(DISTINCT destination) AS n FROM temp.draft'),
    hasDestination: (key) =>
      db.prepare('SELECT 1 FROM temp.draft WHERE destination = ? LIMIT 1').get(key) !== undefined,
    documents: () => count('SELECT count(*) AS n FROM temp.draft_document'),
    collections: () => count("SELECT count(*) AS n FROM temp.draft WHERE collection = 'MOMO'"),
  };
}

function readProblem(record: ProblemRecord): Problem {
  const { number, col, ...rest } = record;
  return { row: number, column: col, ...rest };
}
