/** Finds the day on which a sheet asks to be paid. Adds transaction ids to the problems of a payments file. */
import { isoTime } from '../../base/clock.ts';
import type { Problem } from '../../base/problem.ts';
import { daysBetween, daysIn } from '../../domain/calendar/day.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import { type Cell, isUnknown, shownText } from '../../domain/rows/cell.ts';
import { valueKey } from '../../domain/rows/decision-column.ts';
import { headerWords } from '../../domain/rows/text.ts';
import { isChosen, type Line, type Sheet, type SheetOptions } from '../../sheet/sheet.ts';
import { columnAt } from './suspicious-columns.ts';

const shownDays = 20;
/** A payment day further away than this is an error, since the sheet is not meant for today. */
const mostDaysAway = 35;

/** Matches headers such as `Payment Date` and `Zahldatum`, but not the day of an invoice or a due day. */
const payWord =
  /^not before$|\b(?:pay|payment|payout|payroll|value|execution|transfer|settlement|disbursement|effective|paiement|virement|versement|pago|pagamento|betaal\w*|buchungs?|valuta|release|schedul\w*|planned|processing|malipo|kulipa)\b|zahl|uberweis|ausfuhr/;
const dateWord =
  /dat(?:e|um|a)\b|\bfecha\b|\bday\b|tag\b|^(?:pay(?:ment)? on|pay after|not before)$|\btarehe\b|^(?:schedul\w*|planned|release) (?:for|on)\b|\bvaluta\b/;
const dueDate = /\bdue\b|fallig|echeance|vencimiento/;
const otherDate = /\b(?:last|previous|prev|first|next|invoice|terms)\b|letzt|dernier/;

const isPaymentDate = (words: string) =>
  payWord.test(words) && dateWord.test(words) && !otherDate.test(words) && !dueDate.test(words);

/** `now` is null if days are not compared with today. */
export function watchTransactions(sheet: Sheet, { choices }: SheetOptions, now: number | null) {
  const text = (cell: Cell | undefined) => shownText(cell ?? '');
  const today = now === null ? null : isoTime(now).slice(0, 10);
  const isFile = sheet.initiation !== null;
  const watched = sheet.header.flatMap((header, index) => {
    const isRead = isFile ? header !== 'ReqdExctnDt' : sheet.columns[index] !== null || isChosen(choices, header);
    return isRead ? [] : [{ index, words: headerWords(header) }];
  });
  const columns = watched.filter(({ words }) => isFile || isPaymentDate(words));
  const dueColumns = watched.filter(({ words }) => dueDate.test(words));
  const asked = new Map<string, number[]>();
  let rows = 0;

  const distance = (day: string) => daysBetween(day, today!);
  /** Returns the first date in the columns that is not today; null for none. Reads an unclear date as the day nearest today. */
  const otherDay = ({ raw }: Line, among: typeof columns): string | null =>
    among
      .map(({ index }) => daysIn(text(raw[index])))
      .find((days) => days.length > 0 && !days.includes(today!))
      ?.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;

  const unread = ({ raw, number }: Line): Problem[] =>
    columns.flatMap(({ index }) => {
      const cell = raw[index] ?? '';
      const value = text(cell).trim();
      if (!isUnknown(cell) && (valueKey(value) === '' || daysIn(value).length > 0)) return [];
      const facts = { ...columnAt(sheet, index), says: isUnknown(cell) ? null : value };
      return [batchProblem('EXECUTION_DATE', 'warning', facts, { row: number, value })];
    });

  const asks = isFile ? 'file' : 'sheet';
  const problemOf = (day: string, severity: 'error' | 'warning', of: { rows: number | null; row: number | null }) => {
    const away = severity === 'error' ? mostDaysAway : null;
    const facts = { day, isPast: day < today!, asks, rows: of.rows, mostDaysAway: away } as const;
    return batchProblem('EXECUTION_DATE', severity, facts, { row: of.row, value: day });
  };

  return {
    see(line: Line): Problem[] {
      if (today === null) return [];
      rows += 1;
      const paid = otherDay(line, columns);
      const due = otherDay(line, dueColumns);
      const isFar = distance(paid ?? due ?? today) > mostDaysAway;
      if (paid !== null && !isFile && isFar) return [problemOf(paid, 'error', { rows: null, row: line.number })];
      const day = paid ?? (due !== null && due > today && isFar ? due : null);
      if (day !== null && asked.get(day)?.push(line.number) === undefined) asked.set(day, [line.number]);
      return paid !== null || isFile ? [] : unread(line);
    },
    /** Adds the transaction's EndToEndId to each problem, so that people find the transaction. */
    named(lines: readonly Line[], problems: readonly Problem[]): readonly Problem[] {
      if (!isFile) return problems;
      const ids = new Map(lines.map(({ number, cells }) => [number, text(cells.row_id)]));
      return problems.map((problem) => {
        const id = problem.row === null ? '' : (ids.get(problem.row) ?? '');
        return id === '' ? problem : { ...problem, facts: { ...problem.facts, endToEndId: id } };
      });
    },
    /** Returns one warning for each day of a payments file, or for the common day of all rows. If days differ, returns one for each row. */
    problems(): Problem[] {
      const days = [...asked];
      const whole = isFile ? days.slice(0, shownDays) : days.filter(([, numbers]) => numbers.length === rows);
      if (isFile || whole.length > 0)
        return whole.map(([day, numbers]) => problemOf(day, 'warning', { rows: numbers.length, row: null }));
      return days.flatMap(([day, numbers]) => numbers.map((row) => problemOf(day, 'warning', { rows: null, row })));
    },
  };
}
