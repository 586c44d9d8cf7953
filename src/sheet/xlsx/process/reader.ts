/**
 * Reads a workbook in a separate process, so that no file can stop the main program. Refuses the sheet if the process
 * crashes, hangs or needs too much memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { errorOf, PayrunError } from '../../../base/errors.ts';
import type { RawRow } from '../../file/raw-row.ts';
import type { CellStyle } from '../style/cell-style.ts';
import type { LookForm } from '../style/read-appearance.ts';
import type { SheetExtras, Workbook, WorkbookSheet } from '../workbook.ts';
import { type RequestKind, refuseNonsense } from './reader-answers.ts';
import { answersOf, type DecodedAnswer } from './reader-decoding.ts';
import { createRowDecoder } from './reader-rows.ts';

export interface ReadWorkbook extends Workbook, Disposable {
  look(sheet: WorkbookSheet): Promise<LookForm<CellStyle>>;
  close(): void;
}

export interface ReaderSettings {
  /** The longest total wait for answers. The main program's own time between answers does not count. */
  readonly deadlineMs?: number;
  readonly entry?: string;
}

/** The deadline for the smallest file. A busy machine needs many times as long as an idle one. */
const leastDeadlineMs = 30_000;
/** Each MiB of the file adds this time to the deadline. A real file takes less time. */
const deadlineMsPerMiB = 2000;
/** The limit of the process's JavaScript heap. The process itself limits its total memory. */
const heapMiB = 64;
/** The heap size for new objects. With a small size, Node frees unpacked chunks early. */
const youngMiB = 2;

/** The folder from which the reader process may load code: all sources, or the built program. */
const program = extname(import.meta.filename) === '.ts' ? join(import.meta.dirname, '../../..') : import.meta.dirname;
const readerEntry = join(import.meta.dirname, `reader-process${extname(import.meta.filename)}`);
/** Returns Node options. The reader process may read the program's code, but not the sheet's folder. */
const confinement = (entry: string) => [
  '--permission',
  ...[program, join(dirname(program), 'package.json'), dirname(entry)].map((path) => `--allow-fs-read=${path}`),
  '--disallow-code-generation-from-strings',
  `--max-old-space-size=${heapMiB}`,
  `--max-semi-space-size=${youngMiB}`,
];

export const deadlineFor = (size: number): number => leastDeadlineMs + (size / 1024 ** 2) * deadlineMsPerMiB;

/** Starts the reader process. The caller may close `file` afterwards, because the process has its own descriptor. */
export async function openReader(file: FileHandle, size: number, settings: ReaderSettings = {}): Promise<ReadWorkbook> {
  const { deadlineMs = deadlineFor(size), entry = readerEntry } = settings;
  const child = await start(entry, file);
  const stdin = child.stdin as Socket;
  const stdout = child.stdout as Socket;
  const exit = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
  });
  // Ignores errors of stdin: if the process ends, `next` refuses the sheet.
  stdin.on('error', () => {});
  // Lets the main program end without waiting for the reader process, which then ends too.
  for (const one of [child, stdin, stdout]) one.unref();
  const answers = answersOf(stdout);
  let waitedMs = 0;
  let late = false;
  let readings = 0;

  try {
    const opened = await next();
    if (opened.kind !== 'opened') refuseNonsense();
    const { date1904, sheets } = opened;
    const ask = (what: RequestKind, sheet: WorkbookSheet) => {
      readings += 1;
      stdin.write(`${what} ${sheets.indexOf(sheet)}\n`);
      return readings;
    };
    return {
      date1904,
      sheets,
      // A generator sends the request only when the caller takes the first rows.
      rows: async function* (sheet, extras) {
        yield* rows(ask('rows', sheet), extras);
      },
      look: (sheet) => look(ask('look', sheet)),
      close,
      [Symbol.dispose]: close,
    };
  } catch (error) {
    close();
    throw error;
  }

  async function* rows(reading: number, extras?: (extras: SheetExtras) => void): AsyncGenerator<RawRow[]> {
    const decode = createRowDecoder();
    for (;;) {
      const answer = await answerTo(reading);
      if (answer.kind === 'look') refuseNonsense();
      if (answer.kind === 'rows') yield decode(answer.bytes);
      else {
        extras?.(answer.extras);
        if (answer.isLast) return;
      }
    }
  }

  async function look(reading: number): Promise<LookForm<CellStyle>> {
    const answer = await answerTo(reading);
    return answer.kind === 'look' ? answer.look : refuseNonsense();
  }

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
    // `setImmediate` lets a busy main program read the waiting answers before the deadline counts.
    const timer = setTimeout(() => setImmediate(onDeadline), Math.max(0, deadlineMs - waitedMs));
    try {
      const { value, done } = await answers.next();
      if (done === true) return await refuseEnded();
      if (value.kind === 'refused') throw errorOf(value.refusal);
      return value;
    } catch (error) {
      if (error instanceof PayrunError) throw error;
      if (late) throw new PayrunError('READER_LATE', { seconds: Math.ceil(deadlineMs / 1000) });
      return await refuseEnded();
    } finally {
      waiting = false;
      clearTimeout(timer);
      waitedMs += performance.now() - began;
    }
  }

  async function refuseEnded(): Promise<never> {
    // The process may still run, although it closed its output.
    child.kill('SIGKILL');
    child.ref();
    const how = await exit;
    // Node ends with this signal or exit code when the heap is full.
    if (how === 'SIGABRT' || how === '134') throw new PayrunError('READER_LACKS_MEMORY', {});
    throw new PayrunError('READER_FAILED', { how });
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
      // The environment may hold secrets. `detached` keeps the terminal's Ctrl-C away from the process.
      env: {},
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'ignore', file.fd],
    });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    return child;
  } catch (error) {
    throw new PayrunError('READER_FAILED', { how: (error as Error).message });
  }
}
