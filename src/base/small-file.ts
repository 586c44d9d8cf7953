/** A small file that a person hands over, whole: never a pipe that does not answer, and never more than such a file can be. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Reads it as UTF-8, without a byte order mark. Throws an Error whose message says why; its `code` is the system's. */
export function readSmallFile(path: string, maxBytes: number): string {
  // A pipe is opened without waiting for its writer, and then refused.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is not a file');
    const bytes = Buffer.alloc(maxBytes + 1);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
      read = readSync(file, bytes, filled, bytes.length - filled, filled);
    if (filled > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024} KB, which no such file is`);
    return bytes.toString('utf8', 0, filled).replace(/^\uFEFF/, '');
  } finally {
    closeSync(file);
  }
}
