/** Receives an uploaded file: streams, counts and names it, and deletes it if it is too large or cut off. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import type { Ledger } from '../../ledger/ledger.ts';
import { Refused, refused, type Who } from './route.ts';

export interface Received {
  /** Safe for a folder, as close to the person's name as possible. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Streams the form's one file to `path`; `most` limits the bytes that come. */
export async function receiveFile(request: FastifyRequest, path: string, most: number): Promise<Received> {
  try {
    // One byte more shows that a file is too large.
    const part = await request.file({ limits: { files: 1, fields: 0, parts: 1, fileSize: most + 1, headerPairs: 20 } });
    if (part === undefined) throw refused(400, 'FORM_EMPTY');
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
    // The form continues after its file: an incomplete form counts as nothing.
    await finished(request.raw.resume());
    if (bytes === 0) throw refused(422, 'FILE_EMPTY');
    return { name: safeName(part.filename), bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(path, { force: true });
    // Nobody waits for the answer.
    if (request.raw.destroyed && !(error instanceof Refused)) throw refused(400, 'FILE_CUT');
    throw error;
  }
}

/** One file at a time per person; none if the disk is full. */
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
/** Folders limit bytes, and derived files add to the name. */
const mostStemBytes = 120;

/** Removes paths, reserved and invisible characters; keeps the ending. */
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
  // Names of devices on some systems.
  const free = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(cut) ? `${cut}-` : cut;
  return `${free === '' ? 'sheet' : free}${ending.toLowerCase()}`;
}
