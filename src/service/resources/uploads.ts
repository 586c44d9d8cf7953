/** Receives the multipart form of an upload, and checks its file (interface 4.8, 4.23). */
import { type DocumentLimits, kindWords, sizeWords } from '../../domain/rows/document.ts';
import { type GuardedCall, HttpRefusal } from '../http/call.ts';
import type { Arrived, Files, Unkept } from '../http/files.ts';
import type { Store, UploadRoom } from '../store/store.ts';

// The interface does not show the error statuses of uploads, and the kinds and size of payment documents (interface
// 4.8, 4.23, 7). By default this service accepts PDF, PNG and JPEG files of at most 10,485,760 bytes. A larger file
// gets 413, another kind gets 415, and a form without exactly one file gets 400.
const refusals: { readonly [U in Unkept]: (limits: DocumentLimits) => HttpRefusal } = {
  'too-large': ({ maxBytes }) => tooLarge(maxBytes),
  empty: () => new HttpRefusal(400, 'file is empty'),
  'unknown-kind': ({ kinds }) => new HttpRefusal(415, `file must be a ${kindWords(kinds)}`),
};

export function tooLarge(mostBytes: number): HttpRefusal {
  return new HttpRefusal(413, `file is larger than ${sizeWords(mostBytes)}, the most that is taken`);
}

export interface Upload {
  readonly file: Arrived;
  readonly fields: ReadonlyMap<string, string>;
}

export interface UploadDeps {
  readonly store: Store;
  readonly files: Files;
  readonly room: UploadRoom;
}

export function uploadsInto({ store, files, room }: UploadDeps) {
  /** Counts the file before `keep`, so that a tenant never exceeds the limit. If `keep` fails, subtracts the file. */
  async function counted<T>(tenantId: string, { sizeBytes }: Arrived, keep: () => Promise<T>): Promise<T> {
    // The interface does not show how much a tenant may upload (4.8, 4.23, 8). In this service the default limit is
    // 100,000 files and 20 GiB. A further upload gets 422.
    if (!(await store.uploads.take(tenantId, sizeBytes, room)))
      throw new HttpRefusal(
        422,
        `a tenant may upload ${room.files} files and ${room.bytes} bytes in all, and this one is more`,
      );
    try {
      return await keep();
    } catch (error) {
      await store.uploads.giveBack(tenantId, sizeBytes);
      throw error;
    }
  }

  return {
    /** Reads the form and gives its file to `use`. Then deletes the file, unless `use` called `keep`. */
    async receive<T>(call: GuardedCall, limits: DocumentLimits, use: (upload: Upload) => Promise<T>): Promise<T> {
      let file: Arrived | null = null;
      const fields = new Map<string, string>();
      try {
        for await (const part of call.parts(limits.maxBytes)) {
          if (part.kind === 'field') fields.set(part.name, part.value);
          else if (part.name !== 'file' || file !== null) {
            throw new HttpRefusal(400, 'send one file in each call, in the field `file`');
          } else {
            const outcome = await files.receive(part.stream, limits.kinds);
            if (typeof outcome === 'string') throw refusals[outcome](limits);
            file = outcome;
          }
        }
        if (file === null) throw new HttpRefusal(400, 'file is required, as a file of a multipart form');
        const upload = { file, fields };
        return await counted(call.caller.tenantId, file, () => use(upload));
      } finally {
        await file?.discard();
      }
    },
  };
}

export type Uploads = ReturnType<typeof uploadsInto>;
