/** Why a file or a folder cannot be used. */
import type { Each } from '../words.ts';

export interface FileFaults
  extends Each<
    | 'no-file no-folder not-a-file not-a-folder is-folder is-link may-not-read may-not-write read-only disk-full sheet-is-too-large'
    | 'file-changed hot-file-is-strange hot-file-is-empty hot-file-has-long-name hot-file-is-unreadable',
    object
  > {
  system: { detail: string };
  'too-large': { kilobytes: number };
  'not-json': { detail: string };
  /** `place` names the wrong part of the JSON; an empty text means the whole file. */
  'wrong-shape': { place: string; detail: string };
  'key-is-twice': { key: string };
}
