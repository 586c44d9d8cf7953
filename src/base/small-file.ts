/** Reads a small file that a person names. It refuses pipes, which may never answer, and files that are too large. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Returns the file's text (UTF-8) without a byte order mark. Throws an Error with the reason; a system error has its `code`. */
export function readSmallFile(path: string, maxBytes: number): string {
  // O_NONBLOCK opens a pipe without waiting for its writer. The check below then refuses it.
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
