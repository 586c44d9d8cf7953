/** Checks that people can open a document: its file ending fits its content, and it needs no password. */
import { extname } from 'node:path';
import { type DocumentFault, type DocumentKind, kindWords } from '../../domain/rows/document.ts';

const kindOfEnding: Readonly<Record<string, DocumentKind>> = {
  '.pdf': 'pdf',
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.tif': 'tiff',
  '.tiff': 'tiff',
};

export function unsoundness(bytes: Buffer, kind: DocumentKind, name: string): DocumentFault | null {
  const ending = extname(name).toLowerCase();
  const named = kindOfEnding[ending];
  if (named !== undefined && named !== kind)
    return {
      code: 'DOCUMENT_TYPE',
      message: `is named ${ending} and holds a ${kindWords([kind])}; whoever opens it by its name cannot: rename it`,
    };
  if (kind !== 'pdf') return null;
  if (!/^%PDF-\d\.\d/.test(bytes.toString('latin1', 0, 8)))
    return {
      code: 'DOCUMENT_UNREADABLE',
      message: 'begins as a PDF and is none: it was cut off or damaged; save it again',
    };
  if (isEncrypted(bytes))
    return {
      code: 'DOCUMENT_UNREADABLE',
      message: 'is a PDF that is encrypted; save it without a password, since nobody there has it',
    };
  return null;
}

/** True if the PDF names an encryption, by reference or in place. */
function isEncrypted(bytes: Buffer): boolean {
  const word = '/Encrypt';
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1))
    if (/^\s*(?:\d+\s+\d+\s+R|<<)/.test(bytes.toString('latin1', at + word.length, at + word.length + 32))) return true;
  return false;
}
