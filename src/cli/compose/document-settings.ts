/** Reads which documents are accepted, and their largest size, from settings and flags. */
import {
  type DocumentKind,
  type DocumentLimits,
  defaultDocuments,
  documentKinds,
  readSize,
} from '../../domain/rows/document.ts';
import { badSetting } from './command-context.ts';

/** An upload holds the whole file in memory, and up to `--concurrency` uploads run at once. */
const largestBytes = 100 * 1024 * 1024;

/** `names` are the names of the settings or flags in an error. */
export function readDocuments(
  kinds: readonly string[] | null | undefined,
  size: string | null | undefined,
  names: { readonly kinds: string; readonly size: string },
): DocumentLimits {
  return {
    kinds: kinds?.map((kind) => kindOf(kind, names.kinds)) ?? defaultDocuments.kinds,
    maxBytes: size == null ? defaultDocuments.maxBytes : bytesOf(size, names.size),
  };
}

export const listOf = (text: string | null | undefined) => text?.split(',');

export const saidDocuments = ({ kinds, maxBytes }: DocumentLimits) => ({ kinds, maxSize: `${maxBytes / 1024}KB` });

function kindOf(said: string, name: string): DocumentKind {
  const kind = documentKinds.find((one) => one === said.trim().toLowerCase());
  if (kind !== undefined) return kind;
  throw badSetting(`${name}: '${said}' is none of ${documentKinds.join(', ')}`);
}

function bytesOf(said: string, name: string): number {
  const bytes = readSize(said);
  if (bytes !== null && bytes <= largestBytes) return bytes;
  throw badSetting(`${name} '${said}' is no size from 1KB to 100MB; write 512KB or 10MB`);
}
