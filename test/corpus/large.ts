/** Sheets that are too large to keep, and things that are no files: made when they are read. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync, constants as zlib } from 'node:zlib';
import { type Entry, row, worksheet, xlsxEntries, zip } from '../sheet/zip-builder.ts';

interface Large {
  /** One sentence: what it is, and what a careful reader should do with it. */
  readonly about: string;
  make(path: string): void;
}

const header = 'name,country,bank_name,account_number,amount,reference';
const payout = (name: string, reference: string) =>
  `${name},Nigeria,First Bank of Nigeria,0000014579,350000,${reference}`;
const words = header.split(',');
const rows = row(1, ...words) + row(2, 'Ada Obi', 'Nigeria', 'First Bank of Nigeria', '0000014579', 350_000, 'PO 7781');

const text = (content: () => string | Uint8Array) => (path: string) => writeFileSync(path, content());
const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

export const large: Readonly<Record<string, Large>> = {
  'quote-never-closed.csv': {
    about: 'A quotation mark that is never closed, and twenty million letters behind it: refused, naming its line.',
    make: text(() => csv(header, `"${payout('Ada Obi', 'PO 7781')}`) + `${payout('Eve', 'X')}\n`.repeat(330_000)),
  },
  'line-of-a-million.csv': {
    about: 'One line of a million letters: refused.',
    make: text(() => csv(header, payout('A'.repeat(1_000_000), 'PO 7781'))),
  },
  'hundred-thousand-columns.csv': {
    about: 'A hundred thousand columns: refused at the header.',
    make: text(() => csv(`${header}${',x'.repeat(25_000)}`, payout('Ada Obi', 'PO 7781'))),
  },
  'twenty-thousand-rows.csv': {
    about: 'Twenty thousand payouts, of which one cannot be paid: found, with its own row number.',
    make: text(() =>
      csv(header, ...Array.from({ length: 20_000 }, (_, k) => payout('Ada Obi', k === 12_345 ? 'INV-1' : `R ${k}`))),
    ),
  },
  'sheet-that-unpacks-to-256-mb.xlsx': {
    about: 'A quarter of a megabyte that unpacks to 256: refused before a byte is unpacked.',
    make: text(() => bomb('xl/worksheets/sheet1.xml', 256)),
  },
  'texts-that-unpack-to-128-mb.xlsx': {
    about: 'Shared texts that unpack to 128 megabytes: refused before a byte is unpacked.',
    make: text(() => bomb('xl/sharedStrings.xml', 128)),
  },
  'ten-thousand-parts.xlsx': {
    about: 'Ten thousand parts: refused.',
    make: text(() =>
      zip([
        ...xlsxEntries({ sheets: { A: rows } }),
        ...Array.from({ length: 10_000 }, (_, k) => ({ name: `x/${k}`, content: '', stored: true })),
      ]),
    ),
  },
  'a-million-empty-rows.xlsx': {
    about: 'Every row that a sheet can have, all empty but two, as when somebody coloured the whole sheet: read.',
    make: text(() => {
      const empty = Array.from({ length: 1_048_574 }, (_, k) => `<row r="${k + 3}" s="1"/>`).join('');
      return zip(xlsxEntries({ sheets: { A: rows + empty } }));
    }),
  },
  'rows-and-rows-of-nothing.csv': {
    about: 'Two million empty lines below one payout: read.',
    make: text(() => csv(header, payout('Ada Obi', 'PO 7781')) + '\n'.repeat(2_000_000)),
  },
  'deep-and-not-packed.xlsx': {
    about: 'Elements two hundred thousand deep in a part that is not compressed: refused, not climbed.',
    make: text(() =>
      zip(
        xlsxEntries({
          sheets: { A: worksheet(rows, '', `<extLst>${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}</extLst>`) },
        }).map((entry) => ({ ...entry, stored: true })),
      ),
    ),
  },
  'three-gigabytes.csv': {
    about: 'A file of three gigabytes of holes: refused by its size.',
    make(path) {
      writeFileSync(path, csv(header));
      truncateSync(path, 3 * 1024 ** 3);
    },
  },
  'folder.xlsx': { about: 'A folder.', make: (path) => mkdirSync(path) },
  'pipe.csv': {
    about: 'A pipe, which would be read for ever: refused before it is opened.',
    make: (path) => execFileSync('mkfifo', [path]),
  },
  'not-there.csv': { about: 'Nothing.', make() {} },
  'environment.csv': {
    about: "A link to this program's own environment: nothing in it is a sheet.",
    make: (path) => symlinkSync('/proc/self/environ', path),
  },
  'link-to-a-sheet.csv': {
    about: 'A link to a sheet is that sheet.',
    make(path) {
      writeFileSync(join(dirname(path), 'real.csv'), csv(header, payout('Ada Obi', 'PO 7781')));
      symlinkSync('real.csv', path);
    },
  },
  'documents.csv': {
    about:
      "Documents that lie outside the sheet's folder, that are no files, too large, or not what they are called: none is opened that should not be, and each is said.",
    make: makeDocuments,
  },
};

export function makeLarge(name: string, folder: string): void {
  large[name]!.make(join(folder, name));
}

/** Pipes and /proc are not everywhere. */
export const canBeMade = (name: string): boolean =>
  (name !== 'environment.csv' || existsSync('/proc/self/environ')) &&
  (name !== 'pipe.csv' || process.platform !== 'win32');

/** A part of spaces, packed as a thousandth of itself: blocks of one megabyte, each the same and each whole. */
function bomb(name: string, megabytes: number): Buffer {
  const block = Buffer.alloc(1024 * 1024, 0x20);
  const packed = deflateRawSync(block, { finishFlush: zlib.Z_FULL_FLUSH });
  const data = Buffer.concat([...Array.from({ length: megabytes }, () => packed), deflateRawSync(Buffer.alloc(0))]);
  let crc = 0;
  for (let k = 0; k < megabytes; k++) crc = crc32(block, crc);
  const entries: Entry[] = xlsxEntries({ sheets: { A: rows } }).filter((entry) => entry.name !== name);
  return zip([...entries, { name, content: data, stored: true, method: 8, bytes: megabytes * block.length, crc }]);
}

function makeDocuments(path: string): void {
  const folder = dirname(path);
  const at = (name: string) => join(folder, name);
  writeFileSync(at('invoice.pdf'), '%PDF-1.4 an invoice');
  writeFileSync(at('web-page.pdf'), '<html>an invoice</html>');
  writeFileSync(at('invoice.pdf.exe'), 'MZ');
  writeFileSync(at('large.pdf'), '%PDF-1.4');
  truncateSync(at('large.pdf'), 11 * 1024 * 1024);
  mkdirSync(at('folder.pdf'));
  symlinkSync('/etc/passwd', at('outside.pdf'));
  symlinkSync('invoice.pdf', at('inside.pdf'));
  symlinkSync('/dev/zero', at('zero.pdf'));
  execFileSync('mkfifo', [at('pipe.pdf')]);
  const names = [
    'invoice.pdf',
    'inside.pdf',
    'invoice.pdf; web-page.pdf',
    'invoice.pdf.exe',
    'large.pdf',
    'folder.pdf',
    'outside.pdf',
    'zero.pdf',
    'pipe.pdf',
    'missing.pdf',
    '../../etc/passwd',
    '/etc/shadow',
    'C:\\invoice.pdf',
    '\\\\host\\share\\invoice.pdf',
    'file:///etc/passwd',
    'http://169.254.169.254/',
    'a\0b.pdf',
    'invoice\x1b[2J.pdf',
  ];
  const lines = names.map((name, k) => `${payout('Ada Obi', `D ${k}`)},"${name}"`);
  writeFileSync(path, csv(`${header},documents`, ...lines));
}
