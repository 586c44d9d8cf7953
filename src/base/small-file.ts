/** Reads a small file that a person names. Refuses pipes, which may never answer, and large files. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { FaultError } from './errors.ts';

/** Returns the file's UTF-8 text, without a byte order mark. Throws a FaultError, or the system's error. */
export function readSmallFile(path: string, maxBytes: number): string {
  // O_NONBLOCK opens a pipe without waiting for its writer, so that `isFile` can refuse the pipe.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) throw new FaultError({ fault: 'not-a-file' });
    const bytes = Buffer.alloc(maxBytes + 1);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
      read = readSync(file, bytes, filled, bytes.length - filled, filled);
    if (filled > maxBytes) throw new FaultError({ fault: 'too-large', kilobytes: maxBytes / 1024 });
    return bytes.toString('utf8', 0, filled).replace(/^\uFEFF/, '');
  } finally {
    closeSync(file);
  }
}
