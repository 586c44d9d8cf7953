/** Reads batches and their sheets, and records facts about a batch after its import. */
import { assert, PayrunError } from '../../base/errors.ts';
import type { FoundProblem } from '../../base/problem.ts';
import type { OfVersion } from '../../base/refusal.ts';
import { fold } from '../../domain/rows/text.ts';
import type { BatchFacts, SheetFacts } from '../facts.ts';
import { isEntryOf } from '../rows/columns.ts';
import type { Writing } from '../store/commit.ts';
import type { Sql } from '../store/sql.ts';

const selectBatches = `SELECT name, identity, service, created_at AS createdAt, repeat_reason AS repeatReason,
  quiet_until AS quietUntil, listed_at AS listedAt, sheet, listed_since AS listedSince FROM batch`;
const selectSheets = `SELECT id, name, origin, copy, digest, received_at AS receivedAt, options, row_count AS rows, invalid FROM sheet`;

type BatchRecord = Omit<BatchFacts, 'sheet'> & { readonly sheet: number };
type SheetRecord = Omit<SheetFacts, 'options'> & { readonly options: string };

export function openBatches({ sql, commits, trail, clock }: Writing) {
  return {
    list: async () =>
      sql.all<BatchRecord>(`${selectBatches} ORDER BY created_at DESC, name`).map((record) => batchFacts(sql, record)),
    batch: async (name: string) => findBatch(sql, name),
    sheetsOf: (batch: string) =>
      sql.all<SheetRecord>(`${selectSheets} WHERE batch = ? ORDER BY id`, batch).map(sheetFacts),
    hasCopy: async (path: string) => sql.one('SELECT 1 FROM sheet WHERE copy = ?', path) !== null,
    /** Throws if a new batch has another one's name but for case, spaces and punctuation. People would confuse the two. */
    requireOwnName: (batch: string) => {
      const known = sql.column<string>('SELECT name FROM batch').find((name) => fold(name) === fold(batch));
      if (known !== undefined) throw new PayrunError('BATCH_NAMES_ALIKE', { batch, known });
    },
    newestOf: (batch: string) => newestOf(sql, batch),
    newestSheet: () => sql.value<number>('SELECT max(id) FROM sheet') ?? 0,
    invalidRows: async (sheet: number, afterNumber: number, limit: number) =>
      sql
        .all<{ number: number; payout: number | null; problems: string }>(
          'SELECT number, payout, problems FROM invalid_row WHERE sheet = ? AND number > ? ORDER BY number LIMIT ?',
          sheet,
          afterNumber,
          limit,
        )
        .map(({ problems, ...line }) => ({ ...line, problems: JSON.parse(problems) as FoundProblem[] })),
    looseLines: async (sheet: number) => countLoose(sql, sheet),
    /** Moves the batch to another identity and service. Call this only before the first row is sent. */
    bind: async (batch: string, identity: string, service: string) =>
      commits.alone(() => {
        const before = findBatch(sql, batch);
        assert(before !== null, `batch ${batch} is in the ledger`);
        if (before.identity === identity && before.service === service) return before;
        sql.run('UPDATE batch SET identity = ?, service = ? WHERE name = ?', identity, service, batch);
        trail.append({ batch, what: 'bound', data: { identity, service } });
        return { ...before, identity, service };
      }),
    proveList: async (batch: string) =>
      commits.alone(() => {
        const at = clock.now();
        sql.run('UPDATE batch SET listed_at = ? WHERE name = ?', at, batch);
        trail.append({ batch, what: 'listed', data: { at } });
      }),
    /** Clears `listedAt` of all batches, because this ledger may not know all payments. */
    doubtLists: async () =>
      commits.alone(() => {
        const { changes } = sql.run('UPDATE batch SET listed_at = NULL WHERE listed_at IS NOT NULL');
        if (changes > 0) trail.append({ batch: null, what: 'listed', data: { at: null } });
      }),
    keepQuiet: async (batch: string, until: number) =>
      commits.alone(() => {
        sql.run('UPDATE batch SET quiet_until = ? WHERE name = ?', until, batch);
        trail.append({ batch, what: 'quiet', data: { until } });
      }),
  };
}

export const countLoose = (sql: Sql, sheet: number): number =>
  sql.value<number>('SELECT count(*) FROM invalid_row WHERE sheet = ? AND payout IS NULL', sheet)!;

export function findBatch(sql: Sql, name: string): BatchFacts | null {
  const record = sql.one<BatchRecord>(`${selectBatches} WHERE name = ?`, name);
  return record === null ? null : batchFacts(sql, record);
}

function batchFacts(sql: Sql, record: BatchRecord): BatchFacts {
  const sheet = sql.one<SheetRecord>(`${selectSheets} WHERE id = ?`, record.sheet);
  assert(sheet !== null, `sheet ${record.sheet} is in the ledger`);
  return { ...record, sheet: sheetFacts(sheet) };
}

const sheetFacts = (record: SheetRecord): SheetFacts => ({
  ...record,
  options: JSON.parse(record.options) as Record<string, unknown>,
});

/** Throws VERSION_CONFLICT if the batch has a newer sheet than `base`. The draft was compared with an older sheet. */
export function requireHead(sql: Sql, batch: string, base: number): void {
  const head = findBatch(sql, batch)?.sheet;
  if (head === undefined || head.id <= base) return;
  const none = { shown: [], total: 0 };
  const facts = { paid: none, rows: none, dropped: none, added: 0, command: null };
  throw new PayrunError('VERSION_CONFLICT', { batch, newest: newestOf(sql, batch), head: head.id, ...facts });
}

function newestOf(sql: Sql, batch: string): OfVersion['newest'] {
  const { name: sheet, options } = findBatch(sql, batch)!.sheet;
  const { maker: planned } = (options.plan ?? {}) as { maker?: string };
  const by = (planned ?? options.maker ?? options.by ?? null) as string | null;
  // A retry opens a version with the file, and the file's time, of an older version.
  const at = sql.value<number>(
    `SELECT CAST(json_extract(entry, '$[0]') AS BIGINT) FROM trail WHERE ${isEntryOf('sheet')} AND json_extract(entry, '$[1]') = ? ORDER BY seq DESC LIMIT 1`,
    batch,
  )!;
  return { sheet, by, at };
}
