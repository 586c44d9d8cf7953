/** Receives the multipart form of an upload (interface 4.8, 4.23). */
import type { Clock } from '../../base/clock.ts';
import type { DocumentLimits } from '../../domain/rows/document.ts';
import { type GuardedCall, HttpRefusal, uuidFrom } from '../http/call.ts';
import type { Arrived, Files } from '../http/files.ts';
import type { DocumentRow, Store, UploadRoom } from '../store/store.ts';

export interface UploadDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly files: Files;
  readonly room: UploadRoom;
}

interface Upload {
  readonly fields: ReadonlyMap<string, string>;
  /** Moves the file to its final place, and returns the columns that every document has. */
  readonly keep: () => Promise<Omit<DocumentRow, 'seq' | 'payment_id'>>;
}

export function uploadsInto({ store, clock, files, room }: UploadDeps) {
  /** Counts the file before `use`, so that a tenant never exceeds the limit. If `use` fails, subtracts the file. */
  async function counted<T>(tenantId: string, { sizeBytes }: Arrived, use: () => Promise<T>): Promise<T> {
    // The interface does not show how much a tenant may upload (4.8, 4.23, 8). In this service the default limit is
    // 100,000 files and 20 GiB. A further upload gets 422.
    if (!(await store.uploads.take(tenantId, sizeBytes, room)))
      throw new HttpRefusal(
        422,
        `a tenant may upload ${room.files} files and ${room.bytes} bytes in all, and this one is more`,
      );
    try {
      return await use();
    } catch (error) {
      await store.uploads.giveBack(tenantId, sizeBytes);
      throw error;
    }
  }

  /** Reads the form and gives it to `use`. Then deletes the file, unless `use` called `keep`. */
  return async function receive<T>(
    call: GuardedCall,
    limits: DocumentLimits,
    use: (upload: Upload) => Promise<T>,
  ): Promise<T> {
    let arrived: Arrived | null = null;
    const fields = new Map<string, string>();
    try {
      for await (const part of call.parts(limits.maxBytes)) {
        if (part.type === 'field') fields.set(part.fieldname, String(part.value));
        else if (part.fieldname !== 'file' || arrived !== null) {
          throw new HttpRefusal(400, 'send one file in each call, in the field `file`');
        } else arrived = await files.receive(part.file, limits);
      }
      if (arrived === null) throw new HttpRefusal(400, 'file is required, as a file of a multipart form');
      const file = arrived;
      const { tenantId } = call.caller;
      const keep = async () => {
        await file.keep();
        return {
          id: uuidFrom(clock.randomHex(16)),
          tenant_id: tenantId,
          sha256: file.sha256,
          size_bytes: file.sizeBytes,
          kind: file.kind,
          created_at: clock.now(),
        };
      };
      return await counted(tenantId, file, () => use({ fields, keep }));
    } finally {
      await arrived?.discard();
    }
  };
}

export type Uploads = ReturnType<typeof uploadsInto>;
