/** The words of reasons why a file or a folder cannot be used. Each one is the end of a sentence. */
import type { FaultFacts } from '../../base/faults/fault.ts';
import type { FaultWords } from '../audience.ts';

const shapes: Readonly<Record<string, string>> = {
  'totals-say-nothing': 'it has no totals',
  'totals-number': 'a whole number, in digits alone',
  'totals-currency': 'not a currency',
  'totals-hash': '32 to 64 digits, 0 to 9 and a to f',
  'policy-digits': 'write whole digits in quotes',
  'policy-approver': 'write {"name": "…", "keys": ["the line of the .pub file"]}',
  'correction-runs': 'runs of rows stand in their order, each with its first row and its last',
};

export const fileFaults = {
  system: ({ detail }) => detail,
  'no-file': 'there is no such file',
  'no-folder': 'there is no such folder',
  'not-a-file': 'it is not a file',
  'not-a-folder': 'it is not a folder',
  'is-folder': 'it is a folder',
  'is-link': 'it is a symbolic link',
  'may-not-read': 'you have no read permission for it',
  'may-not-write': 'you have no write permission there',
  'read-only': 'it is read-only here (a unit of systemd writes to its ReadWritePaths alone)',
  'disk-full': 'its disk is full, or has no more room for this user',
  'too-large': ({ kilobytes }) => `it is larger than ${kilobytes} KB, too large for such a file`,
  'sheet-is-too-large': 'it is larger than 1 GiB. Split the sheet',
  'file-changed': 'it was changed while it was being read',
  'hot-file-is-strange': 'it is not a sheet, and belongs to no sheet',
  'hot-file-is-empty': 'it is empty',
  'hot-file-has-long-name': 'its name is too long',
  'hot-file-is-unreadable':
    "the user of the Payrun process has no read permission for it (chmod g+r, if its group is also that user's)",
  'not-json': ({ detail }) => `it is not JSON: ${detail.replaceAll(/\s+/g, ' ')}`,
  'wrong-shape': ({ place, detail }) => `${place === '' ? 'the whole file' : place}: ${shapes[detail] ?? detail}`,
  'key-is-twice': ({ key }) => `the key '${key}' is written twice inside the same braces; delete one of the two`,
} satisfies Partial<FaultWords<FaultFacts>>;
