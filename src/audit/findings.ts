/** The findings of an audit, each with its place, expected value and found value. */

/** The place of a finding. A missing part is unknown or does not apply. */
export interface FindingPlace {
  readonly entry?: number;
  readonly batch?: string;
  /** The row's key in its batch. `number` is the row number that the spreadsheet shows. */
  readonly row?: string;
  readonly number?: number;
  /** `file`, `sheet`, `line` and `column` locate a cell of the result file. */
  readonly file?: string;
  readonly sheet?: string;
  readonly line?: number;
  readonly column?: string;
}

export interface Finding {
  readonly where: FindingPlace;
  readonly message: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** Keeps the first findings up to a limit, and counts all of them. */
export interface Findings {
  readonly list: readonly Finding[];
  readonly total: number;
  add(where: FindingPlace, message: string, expected?: unknown, found?: unknown): void;
}

const maxFindings = 1000;

export function collectFindings(): Findings {
  const list: Finding[] = [];
  let total = 0;
  return {
    list,
    get total() {
      return total;
    },
    add(where, message, expected, found) {
      total += 1;
      if (list.length < maxFindings) list.push({ where, message, expected: shown(expected), found: shown(found) });
    },
  };
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (value === null) return 'nothing';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? null);
}
