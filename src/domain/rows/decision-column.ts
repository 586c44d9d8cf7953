/** Recognises a column that may decide which rows to pay: its header says so, or its cells put the rows into few groups. */
import { daysIn } from '../calendar/day.ts';
import { stopMarkIn } from './stop-mark.ts';
import { headerWords, withoutAccents } from './text.ts';

const mostTexts = 1000;
/** Yes, no and empty, or paid, failed and pending. A column with more groups rather describes the rows. */
const fewGroups = 3;

/** Returns the value for comparison. A dash or `n/a` equals an empty cell. */
export function valueKey(text: string): string {
  const key = withoutAccents(text).trim().replaceAll(/\s+/g, ' ');
  return /^(?:[-–—]+|n\/?a)$/.test(key) ? '' : key;
}

/** Matches headers that name a state or a decision. */
const decides =
  /(?<!\p{L})(?:\p{L}*status|statut|state|etat|estado|situacao|results?|resultado|resultaat|outcome|response|action|decision|errors?|(?:un)?paid|(?:un)?approv\p{L}*|(?:un)?authori[sz]\p{L}*|includ\p{L}*|exclu\p{L}*|releas\p{L}*|ready|active)(?!\p{L})|^(?:(?:ok|please|do not|don t) (?:to )?)?pay(?: y n)?$/u;

function namesDecision(header: string): boolean {
  const words = headerWords(header);
  return /\?\s*$/.test(header.slice(0, 200)) || decides.test(words) || stopMarkIn(words) !== null;
}

export interface ColumnValue {
  /** The value as its first row writes it; empty for empty cells. */
  readonly text: string;
  readonly rows: number;
}

export function createTally(header: string) {
  const isNamed = namesDecision(header);
  const texts = new Map<string, number>();
  let others = 0;
  let unknown = 0;

  /** Returns the values, the most frequent first. */
  const values = (): ColumnValue[] => {
    const byKey = new Map<string, { text: string; rows: number }>();
    for (const [text, rows] of texts) {
      const key = valueKey(text);
      const value = byKey.get(key) ?? { text: key === '' ? '' : text, rows: 0 };
      value.rows += rows;
      byKey.set(key, value);
    }
    return [...byKey.values()].toSorted((a, b) => b.rows - a.rows);
  };

  return {
    /** Adds one trimmed cell. null stands for unknown content: a formula without a current result, or an error. */
    add(text: string | null): void {
      if (text === null) unknown += 1;
      else if (texts.has(text) || text === '' || texts.size < mostTexts) texts.set(text, (texts.get(text) ?? 0) + 1);
      else others += 1;
    },
    /** True if the column may decide which rows to pay, so that Payrun has to ask a person. */
    asks(): boolean {
      const all = values();
      const isEmpty = unknown === 0 && all.every(({ text }) => text === '');
      return !isEmpty && (isNamed || divides(all, { others, unknown }));
    },
    /** True if the header names a state or a decision. Payrun then asks even if every row says the same. */
    isNamed,
    values,
    others: () => others,
    unknown: () => unknown,
  };
}

/**
 * True if the cells differ and put the rows into few groups, or half of the rows say the same, as in a provider's results
 * with many messages of failure. All days are one group. Numbers make none, except single digits. If no two rows say the
 * same and none is empty, each cell describes its own row, except in a sheet of two rows with a word.
 */
function divides(values: readonly ColumnValue[], { others, unknown }: { others: number; unknown: number }): boolean {
  const texts = values.map(({ text }) => text);
  const isNumeric = texts.every((text) => text === '' || isNumber(text));
  if (isNumeric && !texts.every((text) => text === '' || isDigit(text))) return false;
  const days = texts.filter(isDay).length;
  const groups = texts.length - days + Math.sign(days) + Math.sign(others) + Math.sign(unknown);
  if (groups < 2) return false;
  const rows = values.reduce((sum, value) => sum + value.rows, others + unknown);
  if (values.some((value) => value.text !== '' && value.rows > 1 && value.rows * 2 >= rows)) return true;
  const hasGap = unknown > 0 || texts.some((text) => /^0?(?:[.,]0+)?$/.test(text));
  return (
    groups <= fewGroups && (groups < rows || hasGap || (groups === 2 && !texts.every((text) => /[\d@]/.test(text))))
  );
}

const isDigit = (text: string) => /^\D*\d\D*$/.test(text.replace(/[.,]0+$/, ''));

/** True for a number, and for an id without letters, such as `0000012345-2`. */
export const isNumber = (text: string) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text) && daysIn(text).length === 0;

const isDay = (text: string) => daysIn(text).length > 0 && /\d.*\D.*\d/.test(text);
