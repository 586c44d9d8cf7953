/** Makes the result: the rows and columns of the uploaded sheet, and Payrun's columns on the right. */
import { basename, extname } from 'node:path';
import { assert, PayrunError } from '../../base/errors.ts';
import type { Cell, Field } from '../../domain/rows/cell.ts';
import { filledStart } from '../file/raw-row.ts';
import { type Output, writeOutput } from './owned-files.ts';
import type { MergedResult, MergedRow, ResultPlan } from './result-layout.ts';

export async function writeResult(output: Output, plan: ResultPlan): Promise<string> {
  const { path } = output;
  const format = extname(path).toLowerCase();
  if (format !== '.csv' && format !== '.xlsx') throw new PayrunError('RESULT_FORMAT_UNKNOWN', { file: basename(path) });
  const merged = mergeResult(plan);
  return await writeOutput(output, async (handle) => {
    if (format === '.csv') {
      const { writeCsvResult } = await import('./result-csv.ts');
      await writeCsvResult(handle, plan, merged);
    } else {
      const { writeXlsxResult } = await import('./result-xlsx.ts');
      await writeXlsxResult(handle, plan, merged);
    }
  });
}

/** Joins each line of the sheet with its result. Throws if a line has no result, or a result has no line. */
function mergeResult(plan: ResultPlan): MergedResult {
  const { source, columns } = plan;
  const kept = source.header.flatMap((_, index) => (source.ours[index] ? [] : [index]));
  const fields = kept.map((index) => source.columns[index] ?? null);
  const width = source.header.length;

  async function* rows(): AsyncGenerator<readonly MergedRow[]> {
    const results = oneByOne(plan.rows());
    let number = 0;
    for await (const batch of source.rows()) {
      const out: MergedRow[] = [];
      for (const row of batch) {
        number = row.number;
        const theirs = kept.map((index) => row.cells[index] ?? '');
        const beyond = filledStart(row.cells.slice(width));
        if (row.kind !== 'line') {
          const values = row.kind === 'left out' ? (plan.leftOut ?? null) : null;
          out.push({ number, theirs, kind: row.kind, values, beyond });
          continue;
        }
        const next = await results.next();
        assert(next.done !== true, `line ${number} of the sheet has no result`);
        const result = next.value;
        assert(result.number === number, `line ${number} of the sheet met the result of line ${result.number}`);
        assert(result.values.length === columns.length, `line ${number} has ${result.values.length} result values`);
        out.push({ number, theirs, kind: 'line', values: result.values, beyond });
      }
      yield out;
    }
    assert((await results.next()).done === true, 'there are more results than lines in the sheet');
    for await (const batch of plan.extra()) {
      yield batch.map((row): MergedRow => {
        assert(row.values.length === columns.length, `an extra row has ${row.values.length} result values`);
        const theirs = cellsByColumn(fields, row.cells);
        return { number: ++number, theirs, kind: 'extra', values: row.values, beyond: [] };
      });
    }
  }

  return { kept, rows };
}

export async function* oneByOne<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, undefined> {
  for await (const batch of batches) yield* batch;
}

function cellsByColumn(fields: readonly (Field | null)[], cells: Partial<Record<Field, string>>): Cell[] {
  const seen = new Set<Field>();
  return fields.map((field) => {
    if (field === null || seen.has(field)) return '';
    seen.add(field);
    const text = cells[field] ?? '';
    // Writes a whole amount as a number, so that sums in the workbook include it.
    const isNumber = field === 'amount' && /^[1-9]\d{0,14}$/.test(text);
    return isNumber ? { kind: 'number', text, shown: text, formula: false } : text;
  });
}
