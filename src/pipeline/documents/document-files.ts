/** Finds supporting documents in their folder only, and identifies them by the hash of their content. */
import { constants, existsSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { sha256 } from '../../base/digest.ts';
import type { Problem } from '../../base/problem.ts';
import {
  type DocumentFault,
  type DocumentKind,
  type DocumentLimits,
  judgeDocument,
} from '../../domain/rows/document.ts';
import type { DraftDocument } from '../../ledger/ledger.ts';
import { unsoundness } from './document-soundness.ts';

export type FoundDocument = { readonly document: DraftDocument } | { readonly fault: DocumentFault };

/** Returns a finder that reads each file once, even if many rows name it. */
export function documentFinder(folder: string, limits: DocumentLimits): (name: string) => Promise<FoundDocument> {
  const found = new Map<string, Promise<FoundDocument>>();
  return (name) => {
    let one = found.get(name);
    if (one === undefined) {
      one = findDocument(folder, limits, name);
      found.set(name, one);
    }
    return one;
  };
}

async function findDocument(folder: string, limits: DocumentLimits, name: string): Promise<FoundDocument> {
  const outside = fault(
    'DOCUMENT_OUTSIDE',
    `document '${name}' is not under ${folder}; put it there, or name the folder with --documents`,
  );
  if (name.includes('\0') || name.includes('\\') || isAbsolute(name)) return outside;
  const root = await realpath(folder).catch(() => null);
  if (root === null) return fault('DOCUMENT_MISSING', `the documents folder ${folder} does not exist`);
  const path = await realpath(resolve(root, name)).catch(() => null);
  if (path === null) {
    if (!resolve(root, name).startsWith(root + sep)) return outside;
    const within = `documents/${name}`;
    const hint = existsSync(resolve(root, within)) ? `; did you mean '${within}'?` : '';
    return fault('DOCUMENT_MISSING', `document '${name}' was not found under ${folder}${hint}`);
  }
  if (!path.startsWith(root + sep)) return outside;
  const read = await readSound(path, name, limits);
  if ('fault' in read) return fault(read.fault.code, `document '${name}' ${read.fault.message}`);
  return { document: { name, path, sha256: sha256(read.bytes), sizeBytes: read.bytes.length } };
}

export async function readSound(
  path: string,
  name: string,
  limits: DocumentLimits,
): Promise<{ bytes: Buffer } | { fault: DocumentFault }> {
  const read = await readDocument(path, limits);
  const wrong = 'fault' in read ? null : unsoundness(read.bytes, read.kind, name);
  return wrong === null ? read : { fault: wrong };
}

/** Opens a plain file of an accepted kind and size, and never through a link in the path's last part. */
export async function readDocument(
  path: string,
  limits: DocumentLimits,
): Promise<{ bytes: Buffer; kind: DocumentKind } | { fault: DocumentFault }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return fault('DOCUMENT_UNREADABLE', 'cannot be opened; check its permissions');
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return fault('DOCUMENT_TYPE', 'is not a plain file');
    if (stat.size === 0) return fault('DOCUMENT_TYPE', 'is empty: nothing was saved in it');
    // Check the size first, so that a file that is too large is never read.
    const head = Buffer.alloc(8);
    await file.read(head, 0, head.length, 0);
    const judged = judgeDocument({ sizeBytes: stat.size, head }, limits);
    return 'fault' in judged ? judged : { bytes: await file.readFile(), kind: judged.kind };
  } finally {
    await file.close();
  }
}

function fault(code: string, message: string): { fault: DocumentFault } {
  return { fault: { code, message } };
}

export function documentProblem(row: number, name: string, found: DocumentFault): Problem {
  return {
    row,
    column: 'documents',
    code: found.code,
    severity: 'error',
    facts: { said: found.message },
    value: name,
    suggestion: null,
  };
}
