/** Receives an uploaded file in a stream, and deletes the file after any error. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import type { Ledger } from '../../ledger/ledger.ts';
import { Refused, refused, type Who } from './route.ts';

/** Streams the form's file to `path`. `most` is in bytes. Throws for a missing, empty, too large or cut-off file. */
export async function receiveFile(request: FastifyRequest, path: string, most: number) {
  try {
    // One byte more than the limit shows that a file is too large.
    const part = await request.file({ limits: { files: 1, fields: 0, parts: 1, fileSize: most + 1, headerPairs: 20 } });
    if (part === undefined) throw refused(400, 'FORM_NEEDED');
    const hash = createHash('sha256');
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        hash.update(chunk);
        if (bytes > most) done(refused(413, 'FILE_TOO_LARGE', { mostBytes: most }));
        else done(null, chunk);
      },
    });
    await pipeline(part.file, count, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    // Reads the form to its end, because an incomplete form must not count as an upload.
    await finished(request.raw.resume());
    if (bytes === 0) throw refused(422, 'FILE_EMPTY');
    return { name: safeName(part.filename), bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(path, { force: true });
    // The connection has ended, so any error means a cut-off upload.
    if (request.raw.destroyed && !(error instanceof Refused)) throw refused(400, 'REQUEST_CUT');
    throw error;
  }
}

/** Accepts one file at a time for each person. Throws for a second file, and if the disk is full. */
export function openReceiving(ledger: Pick<Ledger, 'requireRoom'>) {
  const busy = new Set<number>();
  return async <T>({ id }: Who, work: () => Promise<T>): Promise<T> => {
    if (busy.has(id)) throw refused(409, 'UPLOAD_UNDER_WAY');
    ledger.requireRoom();
    busy.add(id);
    try {
      return await work();
    } finally {
      busy.delete(id);
    }
  };
}

export type Receive = ReturnType<typeof openReceiving>;

const longestStem = 80;
/** The longest name without its ending, in bytes. File systems limit the bytes, and Payrun makes longer names from this one. */
const mostStemBytes = 120;

export function safeName(said: string): string {
  const last = said.split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[<>:"|?*']/g, '-')
    .trim();
  const ending = /^\.[A-Za-z0-9]{1,5}$/.exec(extname(clean))?.[0] ?? '';
  const stem = clean.slice(0, clean.length - ending.length).replaceAll(/^[.\s-]+|[.\s]+$/g, '');
  let cut = '';
  for (const letter of Array.from(stem).slice(0, longestStem)) {
    if (Buffer.byteLength(cut + letter) > mostStemBytes) break;
    cut += letter;
  }
  cut = cut.trim();
  // Adds a hyphen to a name that Windows reserves for a device.
  const free = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(cut) ? `${cut}-` : cut;
  return `${free === '' ? 'sheet' : free}${ending.toLowerCase()}`;
}
