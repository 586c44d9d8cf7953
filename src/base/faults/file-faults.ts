/** Why a file or a folder cannot be used. */

export interface FileFaults {
  /** The words of the system, a library or another program. */
  system: { detail: string };
  'no-file': object;
  'no-folder': object;
  'not-a-file': object;
  'not-a-folder': object;
  'is-folder': object;
  'is-link': object;
  'not-regular': object;
  'may-not-read': object;
  'may-not-write': object;
  'read-only': object;
  'disk-full': object;
  'disk-full-for-user': object;
  'too-large': { kilobytes: number };
  // Sheets.
  'sheet-is-folder': object;
  'sheet-is-no-file': object;
  'sheet-is-too-large': object;
  'file-changed': object;
  // Files in a hot folder.
  'hot-file-is-link': object;
  'hot-file-is-strange': object;
  'hot-file-is-empty': object;
  'hot-file-is-not-plain': object;
  'hot-file-has-long-name': object;
  'hot-file-is-unreadable': object;
  // JSON that a person wrote. An empty `place` is the whole file.
  'not-json': { detail: string };
  'wrong-shape': { place: string; detail: string };
  'key-is-twice': { key: string };
  'totals-are-not-json': object;
}
