/** Reads batches and their sheets, and records facts about a batch after its import. */

import { assert, PayrunError } from '../../base/errors.ts';
import type { FoundProblem } from '../../base/problem.ts';
import type { Ledger } from '../contract.ts';
import type { BatchFacts, SheetFacts } from '../facts.ts';
import type { Sql } from '../store/sql.ts';
import type { Writing } from '../store/unit-of-work.ts';

const selectBatches = `SELECT name, identity, service, tag_scope AS tagScope, created_at AS createdAt, repeat_reason AS repeatReason,
  quiet_until AS quietUntil, listed_at AS listedAt, sheet, listed_since AS listedSince FROM batch`;
const selectSheets = `SELECT id, name, origin, copy, digest, received_at AS receivedAt, options, row_count AS rows, invalid FROM sheet`;

type BatchRecord = Omit<BatchFacts, 'sheet'> & { readonly sheet: number };
type SheetRecord = Omit<SheetFacts, 'options'> & { readonly options: string };

export function openBatches({ sql, commits, trail, clock }: Writing) {
  return {
    batches: async () =>
      sql.all<BatchRecord>(`${selectBatches} ORDER BY created_at DESC, name`).map((record) => batchFacts(sql, record)),
    batch: async (name) => findBatch(sql, name),
    sheetsOf: (batch) => sql.all<SheetRecord>(`${selectSheets} WHERE batch = ? ORDER BY id`, batch).map(sheetFacts),
    newestSheet: () => sql.one<{ id: number | null }>('SELECT max(id) AS id FROM sheet')?.id ?? 0,
    sheetAt: async (batch, at) =>
      sql.one<{ name: string }>(
        'SELECT name FROM sheet WHERE batch = ? ORDER BY received_at > ?, abs(received_at - ?), id DESC LIMIT 1',
        batch,
        at,
        at,
      )?.name ?? '',
    invalidRows: async (sheet, afterNumber, limit) =>
      sql
        .all<{ number: number; payout: number | null; problems: string }>(
          'SELECT number, payout, problems FROM invalid_row WHERE sheet = ? AND number > ? ORDER BY number LIMIT ?',
          sheet,
          afterNumber,
          limit,
        )
        .map(({ problems, ...line }) => ({ ...line, problems: JSON.parse(problems) as FoundProblem[] })),
    looseLines: async (sheet) => countLoose(sql, sheet),
    bind: async (batch, identity, service) =>
      commits.alone(() => {
        const before = findBatch(sql, batch);
        assert(before !== null, `batch ${batch} is in the ledger`);
        if (before.identity === identity && before.service === service) return before;
        sql.run('UPDATE batch SET identity = ?, service = ? WHERE name = ?', identity, service, batch);
        trail.append({ batch, row: null, what: 'bound', data: { identity, service } });
        return { ...before, identity, service };
      }),
    proveList: async (batch) =>
      commits.alone(() => {
        const at = clock.now();
        sql.run('UPDATE batch SET listed_at = ? WHERE name = ?', at, batch);
        trail.append({ batch, row: null, what: 'listed', data: { at } });
      }),
    doubtLists: async () =>
      commits.alone(() => {
        const { changes } = sql.run('UPDATE batch SET listed_at = NULL WHERE listed_at IS NOT NULL');
        if (changes > 0) trail.append({ batch: null, row: null, what: 'listed', data: { at: null } });
      }),
    keepQuiet: async (batch, until) =>
      commits.alone(() => {
        sql.run('UPDATE batch SET quiet_until = ? WHERE name = ?', until, batch);
        trail.append({ batch, row: null, what: 'quiet', data: { until } });
      }),
  } satisfies Partial<Ledger>;
}

export const countLoose = (sql: Sql, sheet: number): number =>
  sql.one<{ n: number }>('SELECT count(*) AS n FROM invalid_row WHERE sheet = ? AND payout IS NULL', sheet)!.n;

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

/** Returns VERSION_CONFLICT if the batch has a newer sheet than `base`. The draft was compared with an older sheet. */
export function versionConflict(batch: BatchFacts | null, base: number): PayrunError | null {
  if (batch === null || batch.sheet.id <= base) return null;
  const { name: sheet, receivedAt: at } = batch.sheet;
  return new PayrunError('VERSION_CONFLICT', { batch: batch.name, sheet, at });
}
