/** What the product reads in a file, through its own doors, in a form that two readings can be compared by. */
import { EventEmitter } from 'node:events';
import { PayrunError } from '../../src/base/errors.ts';
import { runCommand } from '../../src/cli/args/command-line.ts';
import type { SheetForm } from '../../src/domain/note.ts';
import type { Cell } from '../../src/domain/rows/cell.ts';
import { type ClassifiedRow, openSheet } from '../../src/sheet/sheet.ts';
import type { Stored } from './reference.ts';

export interface ReadRow {
  readonly number: number;
  readonly kind: ClassifiedRow['kind'];
  readonly hidden: boolean;
  readonly cells: readonly Stored[];
}

export interface Reading {
  readonly format: 'csv' | 'xlsx';
  readonly form: SheetForm;
  readonly delimiter: string | null;
  readonly own: boolean;
  readonly sheet: string;
  readonly headerRow: number;
  readonly columns: readonly (string | null)[];
  readonly problems: readonly string[];
  readonly rows: readonly ReadRow[];
}

/** Null where the file is refused in words; anything else that is thrown is a fault of ours. */
export async function readingOf(path: string): Promise<Reading | null> {
  try {
    const sheet = await openSheet(path);
    const rows: ReadRow[] = [];
    for await (const batch of sheet.rows())
      for (const { number, kind, cells, line } of batch) {
        const hidden = line?.problems.some(({ code }) => code === 'ROW_HIDDEN') === true;
        rows.push({ number, kind, hidden, cells: storedCells(cells) });
      }
    const { format, form, csv, own, name, headerRow, columns } = sheet;
    const problems = [...sheet.problems, ...sheet.lateProblems()].map(({ code }) => code);
    return {
      format,
      form,
      delimiter: csv?.delimiter ?? null,
      own,
      sheet: format === 'csv' ? '' : name,
      headerRow,
      columns,
      problems,
      rows,
    };
  } catch (error) {
    if (error instanceof PayrunError) return null;
    throw error;
  }
}

export function storedCells(cells: readonly Cell[]): Stored[] {
  const out = cells.map(
    (cell): Stored => (typeof cell === 'string' ? cell : { kind: cell.kind, text: cell.text, formula: cell.formula }),
  );
  while (out.at(-1) === '') out.pop();
  return out;
}

/** Whether anything of the file would be paid, or shown as a row. */
export function isUsed(reading: Reading | null): reading is Reading {
  return reading !== null && reading.rows.length > 0;
}

/** `payrun check --json` must answer in JSON and end as a sheet or a slip ends, whatever the file is; the words of what it did else. */
export async function commandFault(path: string, cwd: string): Promise<string | null> {
  let out = '';
  let err = '';
  const signals = Object.assign(new EventEmitter(), {
    exit(code: number): never {
      throw new Error(`the program ended itself with ${code}`);
    },
  });
  const streams = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text) },
    color: false,
  };
  const exit = await runCommand(['check', path, '--json'], {
    env: { HOME: cwd, XDG_STATE_HOME: cwd, PAYRUN_DEBUG: '1' },
    cwd,
    streams,
    signals,
  });
  if (![0, 2, 20, 21].includes(exit)) return `payrun check ended with ${exit}: ${err}`;
  const answer = JSON.parse(out) as { exit?: number; problems?: { message: string }[]; error?: { message: string } };
  if (answer.exit !== exit) return `payrun check says exit ${answer.exit} and ended with ${exit}`;
  const messages = [...(answer.problems ?? []), ...(answer.error === undefined ? [] : [answer.error])];
  const unsafe = messages.find(({ message }) => /[\p{Cc}\p{Cf}]/u.test(message));
  return unsafe === undefined ? null : `a message could steer a terminal: ${JSON.stringify(unsafe.message)}`;
}
