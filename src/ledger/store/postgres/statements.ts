/** Runs statements on Postgres. In a transaction, a fault may appear later, at the latest at the commit. */
import { assert } from '../../../base/errors.ts';
import { faultAtWork } from '../faults.ts';
import type { Changed, Sql, SqlValue } from '../sql.ts';
import { forPostgres, forRows } from './dialect.ts';
import { PostgresFault } from './fault.ts';
import type { Link, LinkAnswer } from './link.ts';

/** Releases the writer's lock before the data is on the disk. A second commit (`flush`) then waits for the disk. */
const waitLater = 'SET LOCAL synchronous_commit = off';
const flush = "SELECT pg_logical_emit_message(true, 'payrun', '') IS NULL";

const atOnce = 500;
const underWay = 1000;
const kept = 300;

interface PendingStatement {
  readonly number: number;
  /** Returns the error message if the statement does not change exactly one row. Null allows any number of rows. */
  readonly otherwise: (() => string) | null;
  readonly table: string | null;
  answer: LinkAnswer | null;
}

/** A table is analysed again after this many new rows, if the table has grown by half. */
const manyRows = 1000;

export function openPostgresSql(link: Link, path: string, writer: bigint): Sql {
  const names = new Map<string, string>();
  const texts = new Map<string, string>();
  const waiting = new Map<number, PendingStatement>();
  let answered = 0;
  let cursors = 0;
  let within: object | null = null;
  let failure: Error | null = null;

  const growing = new Map<string, { known: number; since: number }>();

  function grow(table: string, rows: number): void {
    const growth = growing.get(table) ?? { known: 0, since: 0 };
    growth.since += rows;
    growing.set(table, growth);
  }

  /** Analyses grown tables, because the server rarely analyses large tables and never analyses temporary tables. */
  function lookAgain(text: string): void {
    for (const [table, growth] of growing) {
      if (growth.since < manyRows || growth.since < growth.known / 2 || !text.includes(table)) continue;
      growth.known += growth.since;
      growth.since = 0;
      ask(`ANALYZE ${table}`, [], null);
    }
  }

  function translated(text: string): string {
    const known = texts.get(text) ?? forPostgres(text);
    if (texts.size < kept) texts.set(text, known);
    return known;
  }

  function nameOf(text: string): string | null {
    if (names.size < kept && !names.has(text)) names.set(text, `s${names.size}`);
    return names.get(text) ?? null;
  }

  function takeOne(): void {
    const answer = link.next();
    answered = answer.number;
    const statement = waiting.get(answered)!;
    statement.answer = answer;
    waiting.delete(answered);
    if (answer.fault !== undefined) failure ??= new PostgresFault(answer.fault);
    else if (statement.otherwise !== null && answer.changes !== 1)
      failure ??= new Error(`assertion failed: ${statement.otherwise()}`);
    if (statement.table !== null) grow(statement.table, answer.changes);
  }

  function ask(
    text: string,
    values: readonly SqlValue[],
    prepare: string | null,
    otherwise: PendingStatement['otherwise'] = null,
  ): PendingStatement {
    while (waiting.size >= underWay) takeOne();
    const number = link.ask(text, values.map(writable), prepare);
    const table = /^\s*INSERT INTO ([\w.]+)/.exec(text)?.[1] ?? null;
    const statement: PendingStatement = { number, otherwise, table, answer: null };
    waiting.set(number, statement);
    return statement;
  }

  function answerTo(statement: PendingStatement): LinkAnswer {
    while (answered < statement.number) takeOne();
    if (failure !== null) {
      const first = failure;
      // Outside a transaction, clears the failure, because the next statement does not depend on the failed one.
      if (within === null) failure = null;
      throw faultAtWork(first, path);
    }
    assert(statement.answer !== null, 'each statement has its answer');
    return statement.answer;
  }

  const send = (text: string, values: readonly SqlValue[], otherwise: PendingStatement['otherwise'] = null) => {
    const sql = translated(text);
    if (!sql.startsWith('INSERT')) lookAgain(sql);
    return ask(sql, values, values.length === 0 ? null : nameOf(sql), otherwise);
  };

  function changesOf(statements: readonly PendingStatement[]): Changed {
    let changes: number | null = null;
    const count = () => (changes ??= statements.reduce((sum, statement) => sum + answerTo(statement).changes, 0));
    if (within === null) count();
    return {
      get changes() {
        return count();
      },
    };
  }

  function recordsOf<T>({ columns, rows }: LinkAnswer): T[] {
    return rows.map((row) => {
      const record: Record<string, unknown> = {};
      for (const [at, column] of columns.entries()) record[column] = row[at];
      return record as T;
    });
  }

  const all = <T>(text: string, ...values: SqlValue[]) => recordsOf<T>(answerTo(send(text, values)));

  const column = <T>(text: string, ...values: SqlValue[]) =>
    answerTo(send(text, values)).rows.map(([first]) => first as T);

  /** Reads a SELECT page by page through a cursor. Other statements return all rows at once. */
  function* each<T>(text: string, ...values: SqlValue[]): Generator<T> {
    if (!/^\s*(?:SELECT|WITH)\b/.test(text)) {
      yield* all<T>(text, ...values);
      return;
    }
    cursors += 1;
    const cursor = `cursor_${cursors}`;
    lookAgain(translated(text));
    const fetch = () => ask(`FETCH ${atOnce} FROM ${cursor}`, [], null);
    const opened = ask(`DECLARE ${cursor} NO SCROLL CURSOR WITH HOLD FOR ${translated(text)}`, values, null);
    if (within === null) answerTo(opened);
    let page = fetch();
    try {
      for (;;) {
        const answer = answerTo(page);
        const last = answer.rows.length < atOnce;
        if (!last) page = fetch();
        yield* recordsOf<T>(answer);
        if (last) return;
      }
    } finally {
      if (failure === null) changesOf([ask(`CLOSE ${cursor}`, [], null)]);
    }
  }

  function inside<T>(begin: readonly string[], work: () => T): T {
    assert(within === null, 'one transaction at a time');
    within = {};
    failure = null;
    try {
      for (const text of begin) ask(text, [], null);
      const value = work();
      // Reads all answers before the commit, so that the fault of an earlier statement prevents the commit.
      while (waiting.size > 0) takeOne();
      if (failure !== null) throw failure;
      answerTo(ask('COMMIT', [], null));
      if (begin.includes(waitLater)) answerTo(ask(flush, [], null));
      return value;
    } catch (error) {
      rollBack();
      throw faultAtWork(error, path);
    } finally {
      within = null;
    }
  }

  function rollBack(): void {
    try {
      const last = ask('ROLLBACK', [], null);
      while (answered < last.number) takeOne();
    } catch {
      // Ignores this error, because the server rolls back by itself after a lost connection.
    }
    failure = null;
  }

  return {
    all,
    one: <T>(text: string, ...values: SqlValue[]) => all<T>(text, ...values)[0] ?? null,
    column,
    value: <T>(text: string, ...values: SqlValue[]) => column<T>(text, ...values)[0] ?? null,
    each,
    run: (text, ...values) => changesOf([send(text, values)]),
    change(otherwise, text, ...values) {
      assert(within !== null, 'one row is changed within a transaction');
      send(text, values, otherwise);
    },
    many(text, rows, distinct) {
      assert(within !== null, 'many rows are written within a transaction');
      // One DO UPDATE statement cannot change a row twice, so rows go one by one if two rows may share a key.
      const apart = distinct !== undefined && rows.every((row) => row.every((value) => writable(value) === value));
      const size = text.includes('DO UPDATE') && !apart ? 1 : atOnce;
      const sent: PendingStatement[] = [];
      for (let from = 0; from < rows.length; from += size) {
        const page = rows.slice(from, from + size);
        const words = translated(page.length === 1 ? text : forRows(text, page.length));
        sent.push(ask(words, page.flat(), page.length === size ? nameOf(words) : null));
      }
      return changesOf(sent);
    },
    exec: (text) => void changesOf([ask(translated(text), [], null)]),
    transaction: (work) => inside(['BEGIN', waitLater, `SELECT pg_advisory_xact_lock(${writer})`], work),
    besideLedger: (work) => (within === null ? inside(['BEGIN'], work) : work()),
    turn: () => within,
    version: () => Number(column<string>('SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT)')[0]),
  };
}

/** Replaces NUL, which Postgres cannot store, with the sign ␀. */
const writable = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '␀') : value;
