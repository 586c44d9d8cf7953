/** Opens the uploaded file, and finds its format by its content. The file's name does not count. */
import { constants, readSync, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { fileFault, PayrunError } from '../../base/errors.ts';
import type { FileFault } from '../../base/faults/fault.ts';
import type { ForeignKind } from '../../base/refusal.ts';

const maxFileBytes = 1024 ** 3;

export type FileKind = 'csv' | 'zip' | 'payments';

export interface RegularFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Opens an ordinary file of at most 1 GiB. Refuses pipes and devices, because reading them might never end. */
export async function openRegular(path: string): Promise<RegularFile> {
  let handle: FileHandle;
  try {
    // Checks the path: opening a pipe could block. Then checks the open file, because the path may have changed.
    assertRegular(path, await stat(path));
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof PayrunError) throw error;
    throw new PayrunError('FILE_UNREADABLE', { path, why: fileFault(error) }, { cause: error });
  }
  try {
    const stats = await handle.stat();
    assertRegular(path, stats);
    return { handle, stats, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export async function openUnchanged(path: string, earlier: Stats): Promise<RegularFile> {
  const file = await openRegular(path);
  if (file.stats.size === earlier.size && file.stats.mtimeMs === earlier.mtimeMs) return file;
  await file.handle.close();
  throw fileChanged(path);
}

export const fileChanged = (path: string): PayrunError =>
  new PayrunError('FILE_UNREADABLE', { path, why: { fault: 'file-changed' } });

function assertRegular(path: string, stats: Stats): void {
  const unreadable = (why: FileFault) => new PayrunError('FILE_UNREADABLE', { path, why });
  if (stats.isDirectory()) throw unreadable({ fault: 'is-folder' });
  if (!stats.isFile()) throw unreadable({ fault: 'not-a-file' });
  if (stats.size > maxFileBytes) throw unreadable({ fault: 'sheet-is-too-large' });
}

export interface OpenFile {
  readonly fd: number;
}

/** Reads `length` bytes, or fewer at the file's end. Blocks the thread, because asynchronous reading is slower. */
export function readAt(file: OpenFile, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = readSync(file.fd, buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

export async function* chunksOf(file: OpenFile, from: number, to: number, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const chunk = readAt(file, at, Math.min(chunkBytes, to - at));
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const strangers: readonly (readonly [start: string, kind: ForeignKind])[] = [
  ['%PDF', 'pdf'],
  ['\x89PNG', 'picture'],
  ['\xff\xd8\xff', 'picture'],
  ['GIF8', 'picture'],
  ['{\\rtf', 'document'],
  ['\x1f\x8b', 'compressed'],
  ['7z\xbc\xaf', 'compressed'],
  ['Rar!', 'compressed'],
  ['SQLite format 3', 'sqlite'],
];

export function refuseForeign(kind: ForeignKind): never {
  throw new PayrunError('FOREIGN_FILE', { kind });
}

export function sniff(handle: OpenFile, size: number): FileKind {
  if (size === 0) throw new PayrunError('SHEET_EMPTY', {});
  const head = readAt(handle, 0, 4096);
  const start = head.toString('latin1');
  if (start.startsWith('PK\x03\x04')) return 'zip';
  if (start.startsWith('PK')) throw new PayrunError('WORKBOOK_DAMAGED', { row: null });
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) refuseOle(handle, head);
  for (const [magic, kind] of strangers) if (start.startsWith(magic)) refuseForeign(kind);
  // Recognises SYLK and DIF files by several lines, because one line like `ID;Payee` may be a sheet's header.
  if (/^ID;P[^\r\n]*\r?\n[A-Z];/.test(start)) refuseForeign('old-format');
  if (/^TABLE\r?\n0,1\r?\n"/.test(start)) refuseForeign('old-format');
  const text = start
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)+/, '')
    .replaceAll('\0', '')
    .trimStart()
    .slice(0, 200)
    .toLowerCase();
  if (/^(<!doctype html|<html|<table|<head|<body|<meta)/.test(text)) refuseForeign('web-page');
  if (/^<(?:\?xml|!--|(?:[\w.-]+:)?document[\s>])/.test(text)) {
    // Every ISO 20022 message passes here. The payments reader accepts only payment initiations (pain.001).
    if (start.replaceAll('\0', '').includes('urn:iso:std:iso:20022:tech:xsd:')) return 'payments';
  }
  if (text.startsWith('<?xml')) refuseForeign('xml');
  if (/^[[{]\s*["{[]/.test(text)) refuseForeign('json');
  return 'csv';
}

/** Refuses an OLE file: an .xls file, or an .xlsx file with a password or a sensitivity label. */
function refuseOle(handle: OpenFile, head: Buffer): never {
  const sectorBytes = 1 << (head.length > 31 ? Math.min(head.readUInt16LE(30), 16) : 9);
  const firstSector = head.length > 51 ? head.readUInt32LE(48) : 0;
  const directory = readAt(handle, (firstSector + 1) * sectorBytes, 8192);
  // Windows writes this name into a workbook that a sensitivity label encrypts.
  if (directory.includes(Buffer.from('DRM', 'utf16le'))) throw new PayrunError('WORKBOOK_LABELLED', {});
  const locked = Buffer.from('EncryptedPackage', 'utf16le');
  if (directory.includes(locked) || head.includes(locked)) throw new PayrunError('WORKBOOK_LOCKED', {});
  refuseForeign('old-format');
}
