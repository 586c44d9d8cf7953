/**
 * Reads a workbook in a separate process, so that no file can stop the program. If that process crashes, hangs or needs
 * too much memory, the sheet is refused. It reads only as far as the program takes rows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { PayrunError, wordsOf } from '../../../base/errors.ts';
import type { CellRange } from '../../columns/column-name.ts';
import { refuse } from '../../file/open-file.ts';
import type { RawRow } from '../../file/raw-row.ts';
import type { CellStyle } from '../style/cell-style.ts';
import type { LookForm } from '../style/read-appearance.ts';
import type { SheetExtras, Workbook, WorkbookSheet } from '../workbook.ts';
import type { Merge } from '../worksheet-rows.ts';
import { type Question, refuseNonsense, saveAgain } from './reader-answers.ts';
import { answersOf, type DecodedAnswer } from './reader-decoding.ts';
import { createRowDecoder } from './reader-rows.ts';

export interface ReadWorkbook extends Workbook {
  look(sheet: WorkbookSheet): Promise<LookForm<CellStyle>>;
  /** Ends the process; until then another reading may follow an abandoned one. */
  close(): void;
}

export interface ReaderSettings {
  /** Limits the total time of waiting; the program's own time between answers does not count. */
  readonly deadlineMs?: number;
  /** The script of the process. */
  readonly entry?: string;
}

/** Time to start and read a small file. A busy machine takes many times as long as an idle one. */
const leastDeadlineMs = 30_000;
/** Several times what a file needs: a million rows take 2 MiB at the highest ratio, and 40 MiB at the usual one. */
const deadlineMsPerMiB = 2000;
/** Limits JavaScript's heap; the process itself watches the memory outside of it. */
const heapMiB = 64;
/** Small, because unpacked chunks are freed only when the young space is collected. */
const youngMiB = 2;

/** The files that the process may load: all sources, or the folder of the built program. */
const program = extname(import.meta.filename) === '.ts' ? join(import.meta.dirname, '../../..') : import.meta.dirname;
const readerEntry = join(import.meta.dirname, `reader-process${extname(import.meta.filename)}`);
/** The sheet's path is not readable for the process, which gets the open file instead. */
const confinement = (entry: string) => [
  '--permission',
  ...[program, join(dirname(program), 'package.json'), dirname(entry)].map((path) => `--allow-fs-read=${path}`),
  '--disallow-code-generation-from-strings',
  `--max-old-space-size=${heapMiB}`,
  `--max-semi-space-size=${youngMiB}`,
];

/** Returns the time limit for a workbook of this size. */
export function deadlineFor(size: number): number {
  return leastDeadlineMs + (size / 1024 ** 2) * deadlineMsPerMiB;
}

/** Opens a workbook. The caller may close the file after this returns, because the process has it open too. */
export async function openReader(file: FileHandle, size: number, settings: ReaderSettings = {}): Promise<ReadWorkbook> {
  const { deadlineMs = deadlineFor(size), entry = readerEntry } = settings;
  const child = await start(entry, file);
  const stdin = child.stdin as Socket;
  const stdout = child.stdout as Socket;
  const exit = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
  });
  // The answers show that the process has ended.
  stdin.on('error', () => {});
  // An idle process does not keep the program alive, and ends with it.
  for (const one of [child, stdin, stdout]) one.unref();
  const answers = answersOf(stdout);
  let waitedMs = 0;
  let late = false;
  let readings = 0;

  try {
    const opened = await next();
    if (opened.kind !== 'opened') refuseNonsense();
    const { date1904, sheets } = opened;
    const ask = (what: Question, sheet: WorkbookSheet) => {
      readings += 1;
      stdin.write(`${what} ${sheets.indexOf(sheet)}\n`);
      return readings;
    };
    return {
      date1904,
      sheets,
      // The question is sent when the caller takes the first rows.
      rows: async function* (sheet, extras) {
        yield* rows(ask('rows', sheet), extras);
      },
      look: (sheet) => look(ask('look', sheet)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }

  async function* rows(reading: number, extras?: (extras: SheetExtras) => void): AsyncGenerator<RawRow[]> {
    const merges: Merge[] = [];
    const maybeStruck: CellRange[] = [];
    const staleColumns: number[] = [];
    const decode = createRowDecoder();
    for (;;) {
      const answer = await answerTo(reading);
      if (answer.kind === 'look') refuseNonsense();
      if (answer.kind === 'layout') extras?.({ layout: answer.layout, merges, maybeStruck, staleColumns });
      else if (answer.kind === 'rows') yield decode(answer.bytes);
      else {
        merges.push(...answer.merges);
        maybeStruck.push(...answer.maybeStruck);
        staleColumns.push(...answer.staleColumns);
        return;
      }
    }
  }

  async function look(reading: number): Promise<LookForm<CellStyle>> {
    const answer = await answerTo(reading);
    return answer.kind === 'look' ? answer.look : refuseNonsense();
  }

  /** Skips the remaining answers of an abandoned reading. */
  async function answerTo(reading: number) {
    for (;;) {
      const answer = await next();
      if (answer.kind === 'opened') refuseNonsense();
      if (answer.reading === reading) return answer;
    }
  }

  async function next(): Promise<Exclude<DecodedAnswer, { kind: 'refused' }>> {
    const began = performance.now();
    let waiting = true;
    const onDeadline = () => {
      late = waiting;
      if (late) close();
    };
    // Answers that arrived while the program was busy are read before the deadline counts.
    const timer = setTimeout(() => setImmediate(onDeadline), Math.max(0, deadlineMs - waitedMs));
    try {
      const { value, done } = await answers.next();
      if (done === true) return await refuseEnded();
      if (value.kind === 'refused') refuse(value.detail);
      return value;
    } catch (error) {
      if (error instanceof PayrunError) throw error;
      if (late) refuse(`The workbook could not be read within ${Math.ceil(deadlineMs / 1000)} seconds. ${saveAgain}`);
      return await refuseEnded();
    } finally {
      waiting = false;
      clearTimeout(timer);
      waitedMs += performance.now() - began;
    }
  }

  async function refuseEnded(): Promise<never> {
    // It may have closed its output without ending.
    child.kill('SIGKILL');
    child.ref();
    const how = await exit;
    // The engine ends a process with a full heap like this.
    if (how === 'SIGABRT' || how === '134') refuse(`The workbook needs too much memory to be read. ${saveAgain}`);
    refuse(`The workbook could not be read: its reader ended (${how}). ${saveAgain}`);
  }

  function close(): void {
    child.kill('SIGKILL');
    stdin.destroy();
    stdout.destroy();
  }
}

async function start(entry: string, file: FileHandle): Promise<ChildProcess> {
  try {
    const child = spawn(process.execPath, [...confinement(entry), entry], {
      // Passes none of the program's secrets, and no terminal, because the program alone handles Ctrl-C.
      env: {},
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'ignore', file.fd],
    });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    return child;
  } catch (error) {
    refuse(`The workbook cannot be read: its reader did not start (${wordsOf(error)}). Save the sheet as CSV.`);
  }
}
