/** Reads batches and their sheets, and records facts about a batch after its import. */

import { assert, PayrunError } from '../../base/errors.ts';
import type { FoundProblem } from '../../base/problem.ts';
import type { Ledger } from '../contract.ts';
import type { BatchFacts, SheetFacts } from '../facts.ts';
import type { Sql } from '../store/sql.ts';
import type { Writing } from '../store/unit-of-work.ts';

interface BatchRecord {
  name: string;
  identity: string;
  service: string;
  tag_scope: string;
  created_at: number;
  sheet: number;
  listed_since: number;
  repeat_reason: string | null;
  quiet_until: number | null;
  listed_at: number | null;
}

interface SheetRecord {
  id: number;
  name: string;
  origin: string;
  copy: string;
  digest: string;
  received_at: number;
  options: string;
  row_count: number;
  invalid: number;
}

export type Batches = Pick<
  Ledger,
  | 'batches'
  | 'batch'
  | 'sheetsOf'
  | 'newestSheet'
  | 'sheetAt'
  | 'invalidRows'
  | 'looseLines'
  | 'bind'
  | 'proveList'
  | 'doubtLists'
  | 'keepQuiet'
>;

export function openBatches({ sql, commits, trail, clock }: Writing): Batches {
  return {
    batches: async () =>
      sql
        .all<BatchRecord>('SELECT * FROM batch ORDER BY created_at DESC, name')
        .map((record) => batchFacts(sql, record)),
    batch: async (name) => findBatch(sql, name),
    sheetsOf: (batch) =>
      sql
        .all<{ id: number }>('SELECT id FROM sheet WHERE batch = ? ORDER BY id', batch)
        .map(({ id }) => findSheet(sql, id)),
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
  };
}

export const countLoose = (sql: Sql, sheet: number): number =>
  sql.one<{ n: number }>('SELECT count(*) AS n FROM invalid_row WHERE sheet = ? AND payout IS NULL', sheet)!.n;

export function findBatch(sql: Sql, name: string): BatchFacts | null {
  const record = sql.one<BatchRecord>('SELECT * FROM batch WHERE name = ?', name);
  return record === null ? null : batchFacts(sql, record);
}

function batchFacts(sql: Sql, record: BatchRecord): BatchFacts {
  return {
    name: record.name,
    identity: record.identity,
    service: record.service,
    tagScope: record.tag_scope,
    createdAt: record.created_at,
    repeatReason: record.repeat_reason,
    quietUntil: record.quiet_until,
    listedAt: record.listed_at,
    sheet: findSheet(sql, record.sheet),
    listedSince: record.listed_since,
  };
}

export function findSheet(sql: Sql, id: number): SheetFacts {
  const record = sql.one<SheetRecord>('SELECT * FROM sheet WHERE id = ?', id);
  assert(record !== null, `sheet ${id} is in the ledger`);
  return {
    id: record.id,
    name: record.name,
    origin: record.origin,
    copy: record.copy,
    digest: record.digest,
    receivedAt: record.received_at,
    options: JSON.parse(record.options) as Record<string, unknown>,
    rows: record.row_count,
    invalid: record.invalid,
  };
}

/** Returns VERSION_CONFLICT if the batch has a newer sheet than `base`, because nobody compared that sheet with the draft. Returns null if the batch has no newer sheet. */
export function versionConflict(batch: BatchFacts | null, base: number): PayrunError | null {
  if (batch === null || batch.sheet.id <= base) return null;
  const { name: sheet, receivedAt: at } = batch.sheet;
  return new PayrunError('VERSION_CONFLICT', { batch: batch.name, sheet, at });
}
