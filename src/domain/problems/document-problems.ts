/** The data of problems with supporting documents, by code. */

export type DocumentKind = 'pdf' | 'png' | 'jpeg' | 'tiff';

/** `bySetting`: the limits of types and size come from a setting. */
export interface DocumentFileFaults {
  DOCUMENT_UNREADABLE: { why: 'not-opened' | 'damaged' | 'encrypted' };
  DOCUMENT_TYPE:
    | { why: 'not-plain' | 'empty' }
    | { why: 'ending'; ending: string; kind: DocumentKind }
    | { why: 'content'; kinds: readonly DocumentKind[]; bySetting: boolean };
  DOCUMENT_TOO_LARGE: { sizeBytes: number; maxBytes: number; bySetting: boolean };
}

export type DocumentFileFault = {
  readonly [C in keyof DocumentFileFaults]: { readonly code: C; readonly facts: DocumentFileFaults[C] };
}[keyof DocumentFileFaults];

type FaultsOfNamed = { readonly [C in keyof DocumentFileFaults]: { name: string } & DocumentFileFaults[C] };

export interface DocumentProblems extends FaultsOfNamed {
  DOCUMENT_OUTSIDE: { name: string; folder: string };
  /** `within` is the path of a file with this name in a subfolder; null if no subfolder has such a file. */
  DOCUMENT_MISSING: { name: string; folder: string; hasFolder: boolean; within: string | null };
  DOCUMENT_AMBIGUOUS: { name: string; rows: readonly number[]; total: number };
  DOCUMENT_AGAIN: { name: string; row: number; batch: string; paidAt: number };
}

export type DocumentFault = {
  readonly [C in keyof DocumentProblems]: { readonly code: C; readonly facts: DocumentProblems[C] };
}[keyof DocumentProblems];
