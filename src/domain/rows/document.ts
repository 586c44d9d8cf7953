/** Supporting documents: their file types, and the default limits (interface 4.8, 4.23). */
import type { DocumentFileFault, DocumentKind } from '../problems/document-problems.ts';

/** `heads` are the possible first bytes of a file. Payrun does not trust a file's name or declared type. */
const known = {
  pdf: { word: 'PDF', mediaType: 'application/pdf', heads: [[0x25, 0x50, 0x44, 0x46, 0x2d]] },
  png: { word: 'PNG', mediaType: 'image/png', heads: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]] },
  jpeg: { word: 'JPEG', mediaType: 'image/jpeg', heads: [[0xff, 0xd8, 0xff]] },
  // Scanners write TIFF. Payrun accepts it only if the settings allow it.
  tiff: {
    word: 'TIFF',
    mediaType: 'image/tiff',
    heads: [
      [0x49, 0x49, 0x2a, 0x00],
      [0x4d, 0x4d, 0x00, 0x2a],
    ],
  },
} as const satisfies Record<DocumentKind, object>;

export type { DocumentKind };

export const documentKinds = Object.keys(known) as readonly DocumentKind[];

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
  return documentKinds.find((kind) => known[kind].heads.some((bytes) => startsWith(head, bytes))) ?? null;
}

function startsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte);
}

export const mediaTypeOf = (kind: DocumentKind): string => known[kind].mediaType;

export function kindWords(kinds: readonly DocumentKind[]): string {
  const words = kinds.map((kind) => known[kind].word);
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

export function limitsWords({ kinds, maxBytes }: DocumentLimits): string {
  return `documents.kinds (${kindWords(kinds)}) and documents.maxSize (${sizeWords(maxBytes)})`;
}

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
