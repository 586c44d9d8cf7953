/** Finds supporting documents inside their folder only, and identifies each by the hash of its content. */
import { constants, existsSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { extname, isAbsolute, resolve, sep } from 'node:path';
import { sha256 } from '../../base/digest.ts';
import type { Problem } from '../../base/problem.ts';
import { byWord } from '../../base/words.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import type { DocumentFault, DocumentFileFault, DocumentKind } from '../../domain/problems/document-problems.ts';
import { type DocumentLimits, judgeDocument } from '../../domain/rows/document.ts';
import type { DraftDocument } from '../../ledger/ledger.ts';

export type FoundDocument = { readonly document: DraftDocument } | { readonly fault: DocumentFault };

export function documentFinder(folder: string, limits: DocumentLimits): (name: string) => Promise<FoundDocument> {
  const found = new Map<string, Promise<FoundDocument>>();
  return (name) => {
    const one = found.get(name) ?? findDocument(folder, limits, name);
    found.set(name, one);
    return one;
  };
}

async function findDocument(folder: string, limits: DocumentLimits, name: string): Promise<FoundDocument> {
  const outside = { fault: { code: 'DOCUMENT_OUTSIDE', facts: { name, folder } } } as const;
  const missing = (facts: { hasFolder: boolean; within: string | null }): FoundDocument => ({
    fault: { code: 'DOCUMENT_MISSING', facts: { name, folder, ...facts } },
  });
  if (name.includes('\0') || name.includes('\\') || isAbsolute(name)) return outside;
  const root = await realpath(folder).catch(() => null);
  if (root === null) return missing({ hasFolder: false, within: null });
  const path = await realpath(resolve(root, name)).catch(() => null);
  if (path === null) {
    if (!resolve(root, name).startsWith(root + sep)) return outside;
    const within = `documents/${name}`;
    return missing({ hasFolder: true, within: existsSync(resolve(root, within)) ? within : null });
  }
  if (!path.startsWith(root + sep)) return outside;
  const read = await readSound(path, name, limits);
  if ('fault' in read) {
    const { code, facts } = read.fault;
    return { fault: { code, facts: { name, ...facts } } as DocumentFault };
  }
  return { document: { name, path, sha256: sha256(read.bytes), sizeBytes: read.bytes.length } };
}

export async function readSound(
  path: string,
  name: string,
  limits: DocumentLimits,
): Promise<{ bytes: Buffer } | { fault: DocumentFileFault }> {
  const read = await readDocument(path, limits);
  const wrong = 'fault' in read ? null : unsoundness(read.bytes, read.kind, name);
  return wrong === null ? read : { fault: wrong };
}

/** Reads a plain file of an accepted kind and size. Never follows a symbolic link at the end of the path. */
export async function readDocument(
  path: string,
  limits: DocumentLimits,
): Promise<{ bytes: Buffer; kind: DocumentKind } | { fault: DocumentFileFault }> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await using file = await open(path, flags).catch(() => null);
  if (file === null) return { fault: { code: 'DOCUMENT_UNREADABLE', facts: { why: 'not-opened' } } };
  const stat = await file.stat();
  if (!stat.isFile()) return { fault: { code: 'DOCUMENT_TYPE', facts: { why: 'not-plain' } } };
  if (stat.size === 0) return { fault: { code: 'DOCUMENT_TYPE', facts: { why: 'empty' } } };
  // Checks the size first, so that a file that is too large is never read whole.
  const head = Buffer.alloc(8);
  await file.read(head, 0, head.length, 0);
  const judged = judgeDocument({ sizeBytes: stat.size, head }, limits);
  return 'fault' in judged ? judged : { bytes: await file.readFile(), kind: judged.kind };
}

const kindOfEnding = byWord<DocumentKind>({ pdf: '.pdf', png: '.png', jpeg: '.jpg .jpeg', tiff: '.tif .tiff' });

/** Checks that people can open the file: its ending fits the content, and a PDF needs no password. */
function unsoundness(bytes: Buffer, kind: DocumentKind, name: string): DocumentFileFault | null {
  const ending = extname(name).toLowerCase();
  const named = kindOfEnding.get(ending);
  if (named !== undefined && named !== kind) return { code: 'DOCUMENT_TYPE', facts: { why: 'ending', ending, kind } };
  if (kind !== 'pdf') return null;
  if (!/^%PDF-\d\.\d/.test(bytes.toString('latin1', 0, 8)))
    return { code: 'DOCUMENT_UNREADABLE', facts: { why: 'damaged' } };
  return isEncrypted(bytes) ? { code: 'DOCUMENT_UNREADABLE', facts: { why: 'encrypted' } } : null;
}

function isEncrypted(bytes: Buffer): boolean {
  const word = '/Encrypt';
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1))
    if (/^\s*(?:\d+\s+\d+\s+R|<<)/.test(bytes.toString('latin1', at + word.length, at + word.length + 32))) return true;
  return false;
}

export const documentProblem = (row: number, name: string, { code, facts }: DocumentFault): Problem =>
  batchProblem(code, 'error', facts as never, { row, column: 'documents', value: name });
