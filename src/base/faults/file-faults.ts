/** Why a file or a folder cannot be used. */

export interface FileFaults {
  system: { detail: string };
  'no-file': object;
  'no-folder': object;
  'not-a-file': object;
  'not-a-folder': object;
  'is-folder': object;
  'is-link': object;
  'may-not-read': object;
  'may-not-write': object;
  'read-only': object;
  'disk-full': object;
  'too-large': { kilobytes: number };
  'sheet-is-too-large': object;
  'file-changed': object;
  'hot-file-is-strange': object;
  'hot-file-is-empty': object;
  'hot-file-has-long-name': object;
  'hot-file-is-unreadable': object;
  'not-json': { detail: string };
  /** `place` names the wrong part of the JSON; an empty text means the whole file. */
  'wrong-shape': { place: string; detail: string };
  'key-is-twice': { key: string };
}
