/** Checks that people can open a document: the file ending fits the content, and a PDF needs no password. */
import { extname } from 'node:path';
import type { DocumentFileFault, DocumentKind } from '../../domain/problems/document-problems.ts';

const kindOfEnding: Readonly<Record<string, DocumentKind>> = {
  '.pdf': 'pdf',
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.tif': 'tiff',
  '.tiff': 'tiff',
};

export function unsoundness(bytes: Buffer, kind: DocumentKind, name: string): DocumentFileFault | null {
  const ending = extname(name).toLowerCase();
  const named = kindOfEnding[ending];
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
