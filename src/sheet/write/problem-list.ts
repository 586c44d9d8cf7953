/** Writes all problems of a sheet, as CSV for a spreadsheet or as JSON for a program. */
import type { FileHandle } from 'node:fs/promises';
import type { ShownProblem } from '../../messages/problems.ts';
import { delimiters } from '../csv/csv.ts';
import { neutralised } from '../csv/formula-guard.ts';
import { problemHeader, problemJsonStart } from './output-names.ts';
import { type Output, writeOutput } from './owned-files.ts';
import { byteOrderMark, csvRecords } from './result-csv.ts';

const chunkProblems = 1000;

/** Uses the uploaded sheet's separator, which the person's program can read. A comma replaces an unusual separator. */
export async function writeProblemsCsv(output: Output, problems: Iterable<ShownProblem>, delimiter: string) {
  const recordText = csvRecords(delimiters.find((one) => one === delimiter) ?? ',');
  const lineOf = (values: readonly string[]) => `${recordText(values)}\r\n`;
  const cellOf = (problem: ShownProblem, name: (typeof problemHeader)[number]) =>
    name === 'row' ? String(problem.row ?? '') : neutralised(problem[name] ?? '');
  return await writeOutput(output, async (handle) => {
    await handle.appendFile(byteOrderMark + lineOf(problemHeader));
    await inChunks(handle, problems, (problem) => lineOf(problemHeader.map((name) => cellOf(problem, name))));
  });
}

export async function writeProblemsJson(
  output: Output,
  problems: Iterable<ShownProblem>,
  facts: Readonly<Record<string, string | null>>,
): Promise<string> {
  return await writeOutput(output, async (handle) => {
    await handle.appendFile(`${problemJsonStart}${JSON.stringify(facts).slice(1, -1)},"problems":[`);
    let first = true;
    await inChunks(handle, problems, (problem) => {
      const line = `${first ? '' : ','}\n${JSON.stringify(problem)}`;
      first = false;
      return line;
    });
    await handle.appendFile('\n]}\n');
  });
}

/** Writes in chunks, because a long sheet may have more than a million problems. */
async function inChunks(
  handle: FileHandle,
  problems: Iterable<ShownProblem>,
  textOf: (problem: ShownProblem) => string,
): Promise<void> {
  let text = '';
  let count = 0;
  for (const problem of problems) {
    text += textOf(problem);
    if (++count % chunkProblems !== 0) continue;
    await handle.appendFile(text);
    text = '';
  }
  await handle.appendFile(text);
}
