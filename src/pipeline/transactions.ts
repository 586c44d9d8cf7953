/** What is said of a file of payments beside what is said of any sheet: which transaction a row is, and when it was to be paid. */
import { isoTime } from '../base/clock.ts';
import type { Problem } from '../base/problem.ts';
import { counted } from '../base/words.ts';
import { type Cell, shownText } from '../domain/cell.ts';
import type { Line, Sheet } from '../sheet/sheet.ts';
import { batchProblem } from './problem-codes.ts';

/** A file of more days is one that nobody looks at day by day. */
const shownDays = 20;

/** `now` is null where nothing of it is said. */
export function watchTransactions(sheet: Sheet, now: number | null) {
  const days = new Map<string, number>();
  const day = sheet.header.indexOf('ReqdExctnDt');
  const text = (cell: Cell | undefined) => shownText(cell ?? '');
  const today = now === null ? null : isoTime(now).slice(0, 10);

  return {
    /** The problems of these lines, each with the id by which the program that made the file knows its transaction. */
    named(lines: readonly Line[], problems: readonly Problem[]): readonly Problem[] {
      if (sheet.initiation === null) return problems;
      for (const { raw } of lines) days.set(text(raw[day]), (days.get(text(raw[day])) ?? 0) + 1);
      const ids = new Map(lines.map(({ number, cells }) => [number, text(cells.row_id)]));
      return problems.map((problem) => {
        const id = problem.row === null ? '' : (ids.get(problem.row) ?? '');
        return id === '' ? problem : { ...problem, message: `EndToEndId '${id}': ${problem.message}` };
      });
    },
    problems(): Problem[] {
      if (today === null) return [];
      const others = [...days].filter(([one]) => one !== '' && one !== today);
      return others.slice(0, shownDays).map(([one, count]) => {
        const message = `the file asks for ${one}, which ${one < today ? 'is past' : 'is still to come'}, for ${counted(count, 'transaction')}; Payrun pays when it is run`;
        return batchProblem('EXECUTION_DATE', 'warning', message, { value: one });
      });
    },
  };
}
