/** A form with one file in it, and fields beside it, as uploads send it (interface 4.8, 4.23). */
import { type GuardedCall, Refusal } from './call.ts';
import type { Arrived, Files, Unkept } from './files.ts';

// not shown: the error statuses of KYC uploads, and the kinds, the size and the error statuses of payment documents (4.8, 4.23, 7); ours are the same for both: PDF, PNG or JPEG of at most 10,485,760 bytes, with 413 for a larger file, 415 for another kind and 400 for a form without exactly one file.
const refusals: { readonly [U in Unkept]: () => Refusal } = {
  'too-large': () => new Refusal(413, 'file is larger than the service takes'),
  empty: () => new Refusal(400, 'file is empty'),
  'unknown-kind': () => new Refusal(415, 'file must be a PDF, PNG or JPEG'),
};

export interface Upload {
  readonly file: Arrived;
  readonly fields: ReadonlyMap<string, string>;
}

/** Reads the form to its end and hands it to `use`. The file stays only if that keeps it. */
export async function withUpload<T>(call: GuardedCall, files: Files, use: (upload: Upload) => Promise<T>): Promise<T> {
  let file: Arrived | null = null;
  const fields = new Map<string, string>();
  try {
    for await (const part of call.parts()) {
      if (part.kind === 'field') fields.set(part.name, part.value);
      else if (part.name !== 'file' || file !== null) {
        throw new Refusal(400, 'send one file in each call, in the field `file`');
      } else {
        const outcome = await files.receive(part.stream);
        if (typeof outcome === 'string') throw refusals[outcome]();
        file = outcome;
      }
    }
    if (file === null) throw new Refusal(400, 'file is required, as a file of a multipart form');
    return await use({ file, fields });
  } finally {
    await file?.discard();
  }
}
