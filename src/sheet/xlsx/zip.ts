/** Reads a workbook's ZIP archive. Checks the archive's directory before it unpacks a part. */
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { PayrunError } from '../../base/errors.ts';
import type { Each } from '../../base/words.ts';
import { chunksOf, type OpenFile, readAt } from '../file/open-file.ts';

export interface Part extends Each<'packedBytes bytes crc headerAt dataAt', number> {
  readonly name: string;
  readonly stored: boolean;
}

export interface Archive {
  readonly parts: ReadonlyMap<string, Part>;
  /** Returns a part by its name, ignoring case. `openArchive` refuses names that differ only by case. */
  part(name: string): Part | undefined;
  /** Unpacks a part. Throws if its size or checksum differs from the directory. */
  read(part: Part): AsyncGenerator<Buffer>;
  text(part: Part, maxBytes?: number): Promise<string>;
}

// Limits of an archive. A sheet of a million rows unpacks to about 460 MB, ten times its packed size.
const maxParts = 200;
export const maxBytes = 1024 ** 3;
const maxRatio = 200;
const ratioFreeBytes = 1024 ** 2;
/** The bytes per read. Twice as many save no time, but need an eighth more memory. */
const readBytes = 64 * 1024;

export function openArchive(file: OpenFile, size: number): Archive {
  const directory = findDirectory(file, size);
  const entries = readDirectory(file, directory);
  const parts = new Map<string, Part>();
  const lower = new Map<string, string>();
  for (const entry of entries) {
    // Refuses names that differ only by case, because two programs could read different parts.
    if (lower.has(entry.name.toLowerCase())) throw new PayrunError('WORKBOOK_PART_DAMAGED', { part: entry.name });
    lower.set(entry.name.toLowerCase(), entry.name);
  }
  refuseBomb(entries);
  for (const entry of entries) parts.set(entry.name, locate(file, entry));
  refuseOverlap([...parts.values()], directory.at);
  return {
    parts,
    part: (name) => parts.get(name) ?? parts.get(lower.get(name.toLowerCase()) ?? ''),
    read: (part) => readPart(file, part),
    async text(part, limit = 16 * 1024 * 1024) {
      if (part.bytes > limit) throw new PayrunError('WORKBOOK_PART_DAMAGED', { part: part.name });
      const chunks: Buffer[] = [];
      for await (const chunk of readPart(file, part)) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

function findDirectory(file: OpenFile, size: number) {
  const tailBytes = Math.min(size, 22 + 65_535);
  const tail = readAt(file, size - tailBytes, tailBytes);
  const isEnd = (at: number) =>
    tail.readUInt32LE(at) === 0x06054b50 && at + 22 + tail.readUInt16LE(at + 20) === tail.length;
  let end = tail.length - 22;
  while (end >= 0 && !isEnd(end)) end--;
  if (end < 0) refuseDirectory();
  if (end >= 20 && tail.readUInt32LE(end - 20) === 0x07064b50) refuseDirectory();
  const disk = tail.readUInt16LE(end + 4);
  const count = tail.readUInt16LE(end + 10);
  const bytes = tail.readUInt32LE(end + 12);
  const at = tail.readUInt32LE(end + 16);
  if (count === 0xffff || bytes === 0xffffffff || at === 0xffffffff) refuseDirectory();
  const endAt = size - tailBytes + end;
  if (disk !== 0 || tail.readUInt16LE(end + 8) !== count || at + bytes !== endAt) refuseDirectory();
  if (count > maxParts) throw new PayrunError('WORKBOOK_PARTS_TOO_MANY', { count, most: maxParts });
  return { at, bytes, count };
}

/** Refuses an archive whose directory is damaged, or which is in the form for more than 4 GiB (zip64). */
function refuseDirectory(): never {
  throw new PayrunError('WORKBOOK_DAMAGED', { row: null });
}

type Entry = Omit<Part, 'dataAt'> & { readonly rawName: Buffer };

function readDirectory(file: OpenFile, directory: ReturnType<typeof findDirectory>): Entry[] {
  const raw = readAt(file, directory.at, directory.bytes);
  const entries: Entry[] = [];
  let at = 0;
  for (let index = 0; index < directory.count; index++) {
    if (at + 46 > raw.length || raw.readUInt32LE(at) !== 0x02014b50) refuseDirectory();
    const flags = raw.readUInt16LE(at + 8);
    const method = raw.readUInt16LE(at + 10);
    const nameBytes = raw.readUInt16LE(at + 28);
    const next = at + 46 + nameBytes + raw.readUInt16LE(at + 30) + raw.readUInt16LE(at + 32);
    const rawName = raw.subarray(at + 46, at + 46 + nameBytes);
    // Some Windows programs separate folders with backslashes.
    const name = rawName.toString('utf8').replaceAll('\\', '/');
    if (next > raw.length) refuseDirectory();
    if ((flags & 1) !== 0) throw new PayrunError('WORKBOOK_LOCKED', {});
    if (method !== 0 && method !== 8) throw new PayrunError('WORKBOOK_PART_DAMAGED', { part: name });
    refuseName(name);
    const packedBytes = raw.readUInt32LE(at + 20);
    const bytes = raw.readUInt32LE(at + 24);
    const headerAt = raw.readUInt32LE(at + 42);
    if (packedBytes === 0xffffffff || bytes === 0xffffffff || headerAt === 0xffffffff) refuseDirectory();
    if (!name.endsWith('/')) {
      const crc = raw.readUInt32LE(at + 16);
      entries.push({ name, rawName, packedBytes, bytes, crc, stored: method === 0, headerAt });
    }
    at = next;
  }
  if (at !== raw.length) refuseDirectory();
  return entries;
}

function refuseName(name: string): void {
  const bad =
    name.startsWith('/') || /^[A-Za-z]:/.test(name) || /[\0-\x1f\ufffd]/.test(name) || name.split('/').includes('..');
  if (bad) throw new PayrunError('FILE_HOSTILE', {});
}

function refuseBomb(entries: readonly Entry[]): void {
  let total = 0;
  for (const entry of entries) {
    total += entry.bytes;
    if (entry.bytes > ratioFreeBytes && entry.bytes > maxRatio * entry.packedBytes) {
      const mebibytes = Math.round(entry.bytes / 1024 ** 2);
      throw new PayrunError('WORKBOOK_PART_SWELLS', { part: entry.name, mebibytes });
    }
  }
  if (total > maxBytes) throw new PayrunError('WORKBOOK_TOO_LARGE', {});
}

/** Finds a part's data. The names in header and directory must be equal, or programs could read different parts. */
function locate(file: OpenFile, entry: Entry): Part {
  const header = readAt(file, entry.headerAt, 30 + entry.rawName.length);
  const { rawName, ...part } = entry;
  if (
    header.length !== 30 + rawName.length ||
    header.readUInt32LE(0) !== 0x04034b50 ||
    header.readUInt16LE(26) !== rawName.length ||
    !header.subarray(30).equals(rawName)
  ) {
    throw new PayrunError('WORKBOOK_PART_DAMAGED', { part: entry.name });
  }
  return { ...part, dataAt: entry.headerAt + 30 + rawName.length + header.readUInt16LE(28) };
}

function refuseOverlap(parts: readonly Part[], directoryAt: number): void {
  const inOrder = parts.toSorted((a, b) => a.headerAt - b.headerAt);
  inOrder.forEach((part, index) => {
    const next = inOrder[index + 1]?.headerAt ?? directoryAt;
    if (part.dataAt + part.packedBytes > next) throw new PayrunError('FILE_HOSTILE', {});
  });
}

async function* readPart(file: OpenFile, part: Part): AsyncGenerator<Buffer> {
  let crc = 0;
  let seen = 0;
  const chunks = part.stored ? packed(file, part) : inflated(file, part);
  try {
    for await (const chunk of chunks) {
      seen += chunk.length;
      if (seen > part.bytes) refuseContent(part);
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_') === true) refuseContent(part);
    throw error;
  }
  if (seen !== part.bytes || crc !== part.crc) refuseContent(part);
}

function refuseContent(part: Part): never {
  throw new PayrunError('WORKBOOK_PART_DAMAGED', { part: part.name });
}

const packed = (file: OpenFile, { dataAt, packedBytes }: Part): AsyncGenerator<Buffer> =>
  chunksOf(file, dataAt, dataAt + packedBytes, readBytes);

async function* inflated(file: OpenFile, part: Part): AsyncGenerator<Buffer> {
  // The stream unpacks at most one chunk ahead of its reader, so little memory is enough for any archive.
  const inflate = createInflateRaw({ chunkSize: readBytes });
  const feeding = pipeline(packed(file, part), inflate);
  // Ignores the error here. A failed `pipeline` also destroys the stream, so the loop below throws the error.
  feeding.catch(() => {});
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } finally {
    inflate.destroy();
    await feeding.catch(() => {});
  }
}
