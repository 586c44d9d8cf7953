/** Supporting documents: their file types, and the default limits (interface 4.8, 4.23). */
import type { DocumentFileFault, DocumentKind } from '../problems/document-problems.ts';

/** The possible first bytes of a file, as Latin-1. Payrun does not trust a file's name or declared type. */
const heads: Readonly<Record<DocumentKind, readonly string[]>> = {
  pdf: ['%PDF-'],
  png: ['\x89PNG\r\n\x1a\n'],
  jpeg: ['\xff\xd8\xff'],
  // Scanners write TIFF. Payrun accepts it only if the settings allow it.
  tiff: ['II*\0', 'MM\0*'],
};

export type { DocumentKind };

export const documentKinds = Object.keys(heads) as readonly DocumentKind[];

export interface DocumentLimits {
  readonly kinds: readonly DocumentKind[];
  readonly maxBytes: number;
}

/** The limits of KYC documents (interface 8): PDF, PNG or JPEG, at most 10 MB. */
export const kycLimits: DocumentLimits = { kinds: ['pdf', 'png', 'jpeg'], maxBytes: 10 * 1024 * 1024 };

// The interface does not show the kinds and the size of payment documents (interface 4.23). The settings `documents.kinds` and
// `documents.maxSize` name them. The defaults are the kinds and the size of KYC documents.
export const defaultDocuments: DocumentLimits = kycLimits;

/** `head` is the start of the file; eight bytes are enough. Returns null for an unknown kind. */
export function kindOf(head: Uint8Array): DocumentKind | null {
  const start = String.fromCharCode(...head.subarray(0, 8));
  return documentKinds.find((kind) => heads[kind].some((one) => start.startsWith(one))) ?? null;
}

export const mediaTypeOf = (kind: DocumentKind): string => (kind === 'pdf' ? 'application/pdf' : `image/${kind}`);

export function kindWords(kinds: readonly DocumentKind[]): string {
  const words = kinds.map((kind) => kind.toUpperCase());
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const unitBytes = { MB: 1024 * 1024, KB: 1024 } as const;

export function sizeWords(bytes: number): string {
  for (const [unit, size] of Object.entries(unitBytes)) if (bytes % size === 0) return `${bytes / size} ${unit}`;
  return `${bytes} bytes`;
}

/** Reads `10MB` or `512KB` as bytes (1 MB is 1,048,576 bytes); null for any other text. */
export function readSize(text: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,5}) ?(KB|MB)$/.exec(text.trim()) ?? [];
  return count === undefined ? null : Number(count) * unitBytes[unit as keyof typeof unitBytes];
}

export const limitsWords = ({ kinds, maxBytes }: DocumentLimits): string =>
  `documents.kinds (${kindWords(kinds)}) and documents.maxSize (${sizeWords(maxBytes)})`;

export function judgeDocument(
  { sizeBytes, head }: { readonly sizeBytes: number; readonly head: Uint8Array },
  { kinds, maxBytes }: DocumentLimits,
  bySetting = true,
): { readonly kind: DocumentKind } | { readonly fault: DocumentFileFault } {
  if (sizeBytes > maxBytes) return { fault: { code: 'DOCUMENT_TOO_LARGE', facts: { sizeBytes, maxBytes, bySetting } } };
  const kind = kindOf(head);
  if (kind !== null && kinds.includes(kind)) return { kind };
  return { fault: { code: 'DOCUMENT_TYPE', facts: { why: 'content', kinds, bySetting } } };
}
