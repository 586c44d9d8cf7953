/** Recognises columns that may decide which rows to pay, by the header or by a small number of values. */
import { daysIn } from '../calendar/day.ts';
import { stopMarkIn } from './stop-mark.ts';
import { headerKey, withoutAccents } from './text.ts';

const mostTexts = 1000;
/** Three groups are, for example, yes, no and empty. A column with more groups probably describes the rows. */
const fewGroups = 3;

export function valueKey(text: string): string {
  const key = withoutAccents(text).trim().replaceAll(/\s+/g, ' ');
  return /^(?:[-–—]+|n\/?a)$/.test(key) ? '' : key;
}

const decides =
  /(?<!\p{L})(?:\p{L}*status|statut|state|etat|estado|situacao|results?|resultado|resultaat|outcome|response|action|decision|errors?|(?:un)?paid|(?:un)?approv\p{L}*|(?:un)?authori[sz]\p{L}*|includ\p{L}*|exclu\p{L}*|releas\p{L}*|ready|active|hold|blocked|stato|zustand|hali|genehmig\p{L}*|freigegeben|gesperrt|approuv\p{L}*|apro[bv]ad\p{L}*|goedgekeur\p{L}*|imeidhin\p{L}*|bloqu\p{L}*)(?!\p{L})|\p{L} (?:by|von|par|por|deur|reason|because|since|seit|depuis)$|^(?:(?:ok|please|do not|don t) (?:to )?)?pay(?: y n)?$/u;

function namesDecision(header: string): boolean {
  const key = headerKey(header);
  return /\?\s*$/.test(header.slice(0, 200)) || decides.test(key) || stopMarkIn(key) !== null;
}

export interface ColumnValue {
  /** The text in the first row that has this value; empty for empty cells. */
  readonly text: string;
  readonly rows: number;
}

export function createTally(header: string) {
  const isNamed = namesDecision(header);
  const texts = new Map<string, number>();
  let others = 0;
  let unknown = 0;

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
    /** `text` must be trimmed. Null stands for an error, or a formula without a current result. */
    add(text: string | null): void {
      if (text === null) unknown += 1;
      else if (texts.has(text) || text === '' || texts.size < mostTexts) texts.set(text, (texts.get(text) ?? 0) + 1);
      else others += 1;
    },
    /** True if Payrun must ask a person, because the column may decide which rows to pay. */
    asks(): boolean {
      const all = values();
      const isEmpty = unknown === 0 && all.every(({ text }) => text === '');
      return !isEmpty && (isNamed || divides(all, { others, unknown }));
    },
    /** True if the header names a state or a decision. Then `asks` is true unless all cells are empty. */
    isNamed,
    values,
    others: () => others,
    unknown: () => unknown,
  };
}

/** Each value is a group. All days are one group, and so are unknown cells and the texts after `mostTexts`. */
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

/** Also true for an id without letters, such as `0000012345-2`. */
export const isNumber = (text: string) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text) && daysIn(text).length === 0;

const isDay = (text: string) => daysIn(text).length > 0 && /\d.*\D.*\d/.test(text);
