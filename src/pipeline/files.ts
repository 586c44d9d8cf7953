/** Supporting documents on disk: found under their folder and nowhere else, and known by their content (design 6). */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { sha256 } from '../base/digest.ts';
import type { Problem } from '../base/problem.ts';
import { visible } from '../base/words.ts';
import type { DraftDocument } from '../ledger/ledger.ts';

/** not shown: the kinds and size of payment documents (interface 4.23); by default those of KYC documents (4.8). */
export const documentLimits = { maxBytes: 10 * 1024 * 1024 } as const;

export type DocumentKind = 'application/pdf' | 'image/png' | 'image/jpeg';

/** By content, never by name: an invoice.pdf may be a web page. */
export function documentKind(bytes: Uint8Array): DocumentKind | null {
  const starts = (...head: number[]) => head.every((byte, index) => bytes[index] === byte);
  if (starts(0x25, 0x50, 0x44, 0x46, 0x2d)) return 'application/pdf';
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  return null;
}

export type FoundDocument =
  | { readonly document: DraftDocument }
  | { readonly fault: { code: string; message: string } };

/** Looks a document up once per file, however many rows name it. */
export function documentFinder(folder: string): (name: string) => Promise<FoundDocument> {
  const found = new Map<string, Promise<FoundDocument>>();
  return (name) => {
    let one = found.get(name);
    if (one === undefined) {
      one = findDocument(folder, name);
      found.set(name, one);
    }
    return one;
  };
}

async function findDocument(folder: string, name: string): Promise<FoundDocument> {
  const outside = fault(
    'DOCUMENT_OUTSIDE',
    `document '${name}' is not under ${folder}; put it there, or name the folder with --documents`,
  );
  if (name.includes('\0') || name.includes('\\') || isAbsolute(name)) return outside;
  const root = await realpath(folder).catch(() => null);
  if (root === null) return fault('DOCUMENT_MISSING', `the documents folder ${folder} does not exist`);
  const path = await realpath(resolve(root, name)).catch(() => null);
  if (path === null)
    return resolve(root, name).startsWith(root + sep)
      ? fault('DOCUMENT_MISSING', `document '${name}' was not found under ${folder}`)
      : outside;
  if (!path.startsWith(root + sep)) return outside;
  const bytes = await readDocument(path);
  if ('fault' in bytes) return fault(bytes.fault.code, `document '${name}' ${bytes.fault.message}`);
  return { document: { name, path, sha256: sha256(bytes.bytes), sizeBytes: bytes.bytes.length } };
}

/** Opened once, never through a last link, and only if it is a plain file of a kind and size that the service takes. */
export async function readDocument(
  path: string,
): Promise<{ bytes: Buffer; kind: DocumentKind } | { fault: { code: string; message: string } }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return fault('DOCUMENT_UNREADABLE', 'cannot be opened; check its permissions');
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return fault('DOCUMENT_TYPE', 'is not a plain file');
    if (stat.size > documentLimits.maxBytes)
      return fault(
        'DOCUMENT_TOO_LARGE',
        `is ${stat.size} bytes; at most ${documentLimits.maxBytes} (10 MB) are taken: make it smaller`,
      );
    const bytes = await file.readFile();
    const kind = documentKind(bytes);
    if (kind === null)
      return fault('DOCUMENT_TYPE', 'is neither PDF, PNG nor JPEG by its content; save it as one of these');
    return { bytes, kind };
  } finally {
    await file.close();
  }
}

function fault(code: string, message: string): { fault: { code: string; message: string } } {
  return { fault: { code, message } };
}

export function documentProblem(row: number, name: string, found: { code: string; message: string }): Problem {
  return {
    row,
    column: 'documents',
    code: found.code,
    severity: 'error',
    message: visible(found.message),
    value: name,
    suggestion: null,
  };
}
