/**
 * Reads a workbook in a process of its own, so that no file can take the program down: what crashes, hangs or needs too much
 * memory is that process, and the sheet is refused. It reads no further than its rows are taken.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { PayrunError, wordsOf } from '../../../base/errors.ts';
import type { CellRange } from '../../columns/column-name.ts';
import { refuse } from '../../file/open-file.ts';
import type { RawRow } from '../../lines/lines.ts';
import type { CellStyle } from '../style/cell-style.ts';
import type { LookForm } from '../style/read-appearance.ts';
import type { SheetExtras, Workbook, WorkbookSheet } from '../workbook.ts';
import type { Merge } from '../worksheet-rows.ts';
import { otherwise, type Question, refuseNonsense } from './reader-answers.ts';
import { answersOf, type DecodedAnswer } from './reader-decoding.ts';
import { createRowDecoder } from './reader-rows.ts';

export interface ReadWorkbook extends Workbook {
  look(sheet: WorkbookSheet): Promise<LookForm<CellStyle>>;
  /** Ends the process; until then a reading that is broken off may be followed by another. */
  close(): void;
}

export interface ReaderSettings {
  /** For all waiting together; what the program does between two answers is not counted. */
  readonly deadlineMs?: number;
  /** The program of the process. */
  readonly entry?: string;
}

/** To start, and to read what is small. A busy machine takes many times what a quiet one does. */
const leastDeadlineMs = 30_000;
/** Of a million rows at the worst ratio, two megabytes, as of forty at the usual one: several times what they need. */
const deadlineMsPerMiB = 2000;
/** JavaScript's own; rows come and go, and what lies outside the heap is watched by the process itself. */
const heapMiB = 64;
/** Small, since unpacked chunks are given back no sooner than the young objects around them. */
const youngMiB = 2;

/** What the process may load: all sources where it starts from them, else the folder of the built program. */
const program = extname(import.meta.filename) === '.ts' ? join(import.meta.dirname, '../../..') : import.meta.dirname;
const readerEntry = join(import.meta.dirname, `reader-process${extname(import.meta.filename)}`);
/** The sheet is not among what may be read: the process gets it as an open file. */
const confinement = (entry: string) => [
  '--permission',
  ...[program, join(dirname(program), 'package.json'), dirname(entry)].map((path) => `--allow-fs-read=${path}`),
  '--disallow-code-generation-from-strings',
  `--max-old-space-size=${heapMiB}`,
  `--max-semi-space-size=${youngMiB}`,
];

/** How long a workbook of so many bytes may take. */
export function deadlineFor(size: number): number {
  return leastDeadlineMs + (size / 1024 ** 2) * deadlineMsPerMiB;
}

/** The process has the file open too, so that it may be closed when this has answered. */
export async function openReader(file: FileHandle, size: number, settings: ReaderSettings = {}): Promise<ReadWorkbook> {
  const { deadlineMs = deadlineFor(size), entry = readerEntry } = settings;
  const child = await start(entry, file);
  const stdin = child.stdin as Socket;
  const stdout = child.stdout as Socket;
  const exit = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
  });
  // That the process has ended is seen by its answers.
  stdin.on('error', () => {});
  // Waiting for a question it keeps nobody from leaving, and ends with the program.
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
      // Asked for when the first are taken.
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

  /** Passes over the rest of a reading that was broken off. */
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
    // What came while the program was busy elsewhere is looked at first.
    const timer = setTimeout(() => setImmediate(onDeadline), Math.max(0, deadlineMs - waitedMs));
    try {
      const { value, done } = await answers.next();
      if (done === true) return await refuseEnded();
      if (value.kind === 'refused') refuse(value.detail);
      return value;
    } catch (error) {
      if (error instanceof PayrunError) throw error;
      if (late) refuse(`The workbook could not be read within ${Math.ceil(deadlineMs / 1000)} seconds. ${otherwise}`);
      return await refuseEnded();
    } finally {
      waiting = false;
      clearTimeout(timer);
      waitedMs += performance.now() - began;
    }
  }

  async function refuseEnded(): Promise<never> {
    // It may have closed its answers and live on.
    child.kill('SIGKILL');
    child.ref();
    const how = await exit;
    // How the engine ends a process whose heap is full.
    if (how === 'SIGABRT' || how === '134') refuse(`The workbook needs too much memory to be read. ${otherwise}`);
    refuse(`The workbook could not be read: its reader ended (${how}). ${otherwise}`);
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
      // None of the program's secrets; nor its terminal, since what Ctrl-C means is for the program to say.
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
