import { describe, expect, it } from 'vitest';
import type { BatchFacts, Ledger } from '../../src/ledger/ledger.ts';
import { requireRoom } from '../../src/pipeline/results/report.ts';

describe('room for the rows', () => {
  const ledgerOf = (rows: number) =>
    ({
      rows: {
        counts: async () => [
          { state: 'ready', rows, currency: 'ZAR', unit: 'whole', from: null, amount: 1n, differs: 0n },
        ],
      },
      batches: { looseLines: async () => 1 },
    }) as unknown as Ledger;
  const batchOf = (format: 'csv' | 'xlsx' | null) =>
    ({ name: 'long', sheet: { invalid: 1, options: { format } } }) as unknown as BatchFacts;
  const ask = (rows: number, kept: 'csv' | 'xlsx' | null, said: 'csv' | 'xlsx' | null = null) =>
    requireRoom(ledgerOf(rows), batchOf(kept), { outDir: null, format: said });

  it('a workbook has 1,048,576 rows, its header among them', async () => {
    await expect(ask(1_048_574, 'xlsx')).resolves.toBeUndefined();
    const full = { code: 'WORKBOOK_ROWS_TOO_MANY', facts: { row: 1_048_577, most: 1_048_576 } };
    await expect(ask(1_048_575, 'xlsx')).rejects.toMatchObject(full);
    await expect(ask(1_048_575, null, 'xlsx')).rejects.toMatchObject(full);
  });

  it('CSV has no end', async () => {
    await expect(ask(5_000_000, 'csv')).resolves.toBeUndefined();
    await expect(ask(5_000_000, 'xlsx', 'csv')).resolves.toBeUndefined();
    await expect(ask(5_000_000, null)).resolves.toBeUndefined();
  });
});
