/**
 * The asynchronous functions of files, performed at once: a story has thousands of small files in memory, and the way
 * to another thread and back takes longer than the file. Processes die in a story, not the power, so nothing is flushed.
 */
import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Returns a function that does its work at once, and answers by a promise. */
const soon =
  <Values extends unknown[], Value>(work: (...values: Values) => Value) =>
  async (...values: Values): Promise<Value> =>
    work(...values);

/** Node's `FileHandle`, as far as the product uses it. */
class QuickFile {
  readonly fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  readonly stat = soon(() => fs.fstatSync(this.fd));
  readonly readFile = soon(() => fs.readFileSync(this.fd));
  readonly appendFile = soon((data: string | Uint8Array) => fs.appendFileSync(this.fd, data));
  readonly sync = soon(() => {});
  readonly close = soon(() => fs.closeSync(this.fd));
  readonly [Symbol.asyncDispose] = this.close;
  readonly read = soon((buffer: Uint8Array, from: number, length: number, at: number) => ({
    bytesRead: fs.readSync(this.fd, buffer, from, length, at),
  }));
  readonly write = soon((data: Uint8Array, from?: number, length?: number, at?: number) => ({
    bytesWritten: fs.writeSync(this.fd, data, from, length, at),
  }));
}

type Call = (...values: unknown[]) => unknown;

const names = ['access', 'chmod', 'copyFile', 'link', 'lstat', 'readdir', 'readFile', 'realpath'] as const;
const changing = ['rename', 'rm', 'stat', 'unlink'] as const;
const quick: Readonly<Record<string, Call>> = {
  ...Object.fromEntries([...names, ...changing].map((name) => [name, soon(fs[`${name}Sync`] as Call)])),
  open: soon(
    (path: string, flags: string | number, mode?: number) => new QuickFile(fs.openSync(path, flags, mode)),
  ) as Call,
};

/** The functions of Node's streams, which answer by a callback. */
const quickStreams = Object.fromEntries(
  (['open', 'read', 'close'] as const).map((name) => [name, calledBack(fs[`${name}Sync`] as Call)]),
);

function calledBack(work: Call): Call {
  return (...values) => {
    const done = values.pop() as Call;
    let answer: unknown[];
    try {
      // The second value of a reading is its buffer.
      answer = [null, work(...values), values[1]];
    } catch (error) {
      answer = [error];
    }
    process.nextTick(done, ...answer);
  };
}

/** Performs work whose files are quick. Puts the slow ones back after it, because other tests share the process. */
export async function withQuickFiles<T>(work: () => Promise<T>): Promise<T> {
  const [slow, slowStreams] = [{ ...files }, { open: fs.open, read: fs.read, close: fs.close }];
  Object.assign(files, quick);
  Object.assign(fs, quickStreams);
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(files, slow);
    Object.assign(fs, slowStreams);
    syncBuiltinESMExports();
  }
}
