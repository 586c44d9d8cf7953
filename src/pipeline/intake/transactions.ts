/** Finds the days on which a sheet asks to be paid. Adds transaction ids to the problems of a payments file. */
import { isoTime } from '../../base/clock.ts';
import type { Problem } from '../../base/problem.ts';
import { daysBetween, daysIn } from '../../domain/calendar/day.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import { type Cell, isUnknown, shownText } from '../../domain/rows/cell.ts';
import { valueKey } from '../../domain/rows/decision-column.ts';
import { headerKey } from '../../domain/rows/text.ts';
import { isChosen, type Line, type Sheet, type SheetOptions } from '../../sheet/sheet.ts';
import { columnAt } from './suspicious-columns.ts';

const shownDays = 20;
/** The most days between today and a payment day. A day further away is an error, because the sheet is not meant for today. */
const mostDaysAway = 35;

/** Matches headers of payments, such as `Payment Date`, `Scheduled` and `Zahldatum`. */
const payWord =
  /^not before$|\b(?:pay|payable|payday|payment|payout|payroll|value|execut\w+|transfer|settle\w*|disburs\w+|effective|paiement|virement|versement|pago|pagamento|betaal\w*|buchungs?|valuta|release|schedul\w*|planned|process\w*|send|malipo|kulipa)\b|zahl|uberweis|ausfuhr/;
const dateWord =
  /dat(?:e|um|a)\b|\bfecha\b|\bday\b|tag\b|^(?:pay(?:ment)? on|pay after|not before)$|\btarehe\b|^(?:schedul\w*|planned|release) (?:for|on)\b|\bvaluta\b/;
const dueDate = /\bdue\b|fallig|echeance|venc|zahlungsziel/;
const otherDate = /\b(?:last|previous|prev|first|next|invoice|terms)\b|letzt|dernier/;

/** If `now` is null, checks no days. */
export function watchTransactions(sheet: Sheet, { choices }: SheetOptions, now: number | null) {
  const text = (cell: Cell | undefined) => shownText(cell ?? '');
  const today = now === null ? null : isoTime(now).slice(0, 10);
  const isFile = sheet.initiation !== null;
  const columns = sheet.header.flatMap((header, index) => {
    const isRead = isFile ? header !== 'ReqdExctnDt' : sheet.columns[index] !== null || isChosen(choices, header);
    const key = headerKey(header);
    const isDue = dueDate.test(key);
    const isPay = !isDue && payWord.test(key) && !otherDate.test(key);
    if (isRead) return [];
    return [{ index, isDue, isPay, isDated: isFile || (isPay && dateWord.test(key)) }];
  });
  const asked = new Map<string, { index: number; day: string; numbers: number[] }>();
  let rows = 0;

  const distance = (day: string) => daysBetween(day, today!);
  const problemOf = (index: number, day: string, of: { rows: number | null; row: number | null; isError: boolean }) => {
    const [column, away] = [isFile ? null : columnAt(sheet, index), of.isError ? mostDaysAway : null];
    const facts = { day, isPast: day < today!, of: column, rows: of.rows, mostDaysAway: away };
    return batchProblem('EXECUTION_DATE', of.isError ? 'error' : 'warning', facts, { row: of.row, value: day });
  };

  /** Returns a problem for an unreadable date in a date column, or for a payment day too far away. Keeps other days for `problems`. */
  function problemsOf({ index, isDue, isPay, isDated }: (typeof columns)[number], cell: Cell, row: number): Problem[] {
    const value = text(cell).trim();
    const days = isUnknown(cell) ? [] : daysIn(value);
    if (days.length === 0 && isDated && !isFile && (isUnknown(cell) || valueKey(value) !== '')) {
      const facts = { ...columnAt(sheet, index), says: isUnknown(cell) ? null : value };
      return [batchProblem('EXECUTION_DATE', 'error', facts, { row, value })];
    }
    const [day] = days.toSorted((a, b) => distance(a) - distance(b));
    if (day === undefined || day === today) return [];
    const isFar = distance(day) > mostDaysAway;
    if (!isDated && (day < today! || !/\d\D+\d/.test(value) || (isDue && !isFar))) return [];
    if (isPay && isFar) return [problemOf(index, day, { rows: null, row, isError: true })];
    const key = `${index} ${day}`;
    if (asked.get(key)?.numbers.push(row) === undefined) asked.set(key, { index, day, numbers: [row] });
    return [];
  }

  return {
    see({ raw, number }: Line): Problem[] {
      if (today === null) return [];
      rows += 1;
      return columns.flatMap((column) => problemsOf(column, raw[column.index] ?? '', number));
    },
    /** Adds the EndToEndId to each problem of a payments file, so that people find the transaction. */
    named(lines: readonly Line[], problems: readonly Problem[]): readonly Problem[] {
      if (!isFile) return problems;
      const ids = new Map(lines.map(({ number, cells }) => [number, text(cells.row_id)]));
      return problems.map((problem) => {
        const id = problem.row === null ? '' : (ids.get(problem.row) ?? '');
        return id === '' ? problem : { ...problem, facts: { ...problem.facts, endToEndId: id } };
      });
    },
    /** A payments file gets one warning for each of its first 20 days. Other sheets get one warning for a day that all rows have, else one for each row. */
    problems(): Problem[] {
      const days = [...asked.values()].slice(0, isFile ? shownDays : asked.size);
      return days.flatMap(({ index, day, numbers }) => {
        const at = isFile || numbers.length === rows ? [null] : numbers;
        return at.map((row) =>
          problemOf(index, day, { rows: row === null ? numbers.length : null, row, isError: false }),
        );
      });
    },
  };
}
