/** Stores uploaded files in a folder. The name of each file is its SHA-256. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/folder.ts';
import { type DocumentKind, type DocumentLimits, kindOf, kindWords, sizeWords } from '../../domain/rows/document.ts';
import { HttpRefusal } from './call.ts';

/** A received file. `keep` moves the file to its final place. `discard` deletes a file that was not kept. */
export interface Arrived {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly kind: DocumentKind;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

export const tooLarge = (mostBytes: number): HttpRefusal =>
  new HttpRefusal(413, `file is larger than ${sizeWords(mostBytes)}, the most that is taken`);

/** The age from which `sweep` deletes an unfinished upload. The server ends each upload after 30 seconds. */
const abandonedMs = 10 * 60_000;

export function filesIn(folder: string, clock: Clock) {
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);

  /** Syncs both folders, because a crash can undo a move that is not synced. */
  async function settle(from: string, to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(from, to);
    for (const path of [dirname(to), folder]) {
      await using handle = await open(path, 'r');
      await handle.sync();
    }
  }

  return {
    /** Stores a file under a temporary name. At the stream's end, `truncated` is true if the file was too large. */
    async receive(stream: Readable & { readonly truncated: boolean }, limits: DocumentLimits): Promise<Arrived> {
      makeFolder(folder);
      const arriving = join(folder, `${clock.randomHex(16)}.part`);
      const digest = createHash('sha256');
      let sizeBytes = 0;
      let head = Buffer.alloc(0);
      const discard = () => rm(arriving, { force: true });
      try {
        await pipeline(
          stream,
          async function* measure(chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              digest.update(chunk);
              sizeBytes += chunk.length;
              if (head.length < 8) head = Buffer.concat([head, chunk.subarray(0, 8)]);
              yield chunk;
            }
          },
          createWriteStream(arriving, { flags: 'wx', mode: 0o600, flush: true }),
        );
        const kind = kindOf(head);
        // The interface does not show the error statuses of uploads, and the kinds and size of payment documents
        // (interface 4.8, 4.23, 7). By default this service accepts PDF, PNG and JPEG files of at most 10,485,760 bytes.
        // A larger file gets 413, another kind gets 415, and a form without exactly one file gets 400.
        if (stream.truncated) throw tooLarge(limits.maxBytes);
        if (sizeBytes === 0) throw new HttpRefusal(400, 'file is empty');
        if (kind === null || !limits.kinds.includes(kind))
          throw new HttpRefusal(415, `file must be a ${kindWords(limits.kinds)}`);
        const sha256 = digest.digest('hex');
        // Two uploads of the same bytes share one stored file, because the name is the digest.
        return { sha256, sizeBytes, kind, keep: () => settle(arriving, pathOf(sha256)), discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },
    /** Deletes old unfinished uploads of killed processes. Keeps new ones, which another node may still receive. */
    async sweep(): Promise<void> {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        if (!name.endsWith('.part')) continue;
        const path = join(folder, name);
        const written = await stat(path).catch(() => null);
        if (written !== null && clock.now() - written.mtimeMs > abandonedMs) await rm(path, { force: true });
      }
    },
    read: (sha256: string): ReadStream => createReadStream(pathOf(sha256)),
  };
}

export type Files = ReturnType<typeof filesIn>;
