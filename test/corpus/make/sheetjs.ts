/**
 * Writes workbooks and files of other kinds with SheetJS: `node test/corpus/make/sheetjs.ts FOLDER`, where FOLDER is one
 * in which `npm install xlsx` was run. It is no dependency: the reading of its files is what is tested, not itself.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { ada, ade, thandi, words } from './payouts.ts';
import { place } from './place.ts';

type Sheet = Record<string, unknown>;
interface SheetJs {
  readonly version: string;
  readonly utils: {
    aoa_to_sheet(rows: readonly (readonly unknown[])[], options?: object): Sheet;
    book_new(): object;
    book_append_sheet(book: object, sheet: Sheet, name: string): void;
    book_set_sheet_visibility(book: object, name: string, state: number): void;
  };
  write(book: object, options: object): Buffer;
}

const require = createRequire(join(resolve(process.argv[2] ?? '.'), 'folder.js'));
const { utils, write } = require('xlsx') as SheetJs;

interface Making {
  readonly sheet?: (sheet: Sheet) => void;
  readonly book?: (book: object) => void;
  readonly options?: object;
  readonly reading?: object;
}

function put(name: string, about: string, rows: readonly (readonly unknown[])[], making: Making = {}): void {
  const sheet = utils.aoa_to_sheet(rows, making.reading);
  making.sheet?.(sheet);
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Payouts');
  making.book?.(book);
  const bookType = name.slice(name.lastIndexOf('.') + 1);
  place({ name: `sheetjs/${name}`, about }, write(book, { type: 'buffer', bookType, ...making.options }));
}

const all = [words, ada, ade, thandi];
const date = new Date(Date.UTC(2026, 2, 12, 12));

put('plain.xlsx', 'Three payouts: texts are called calculated (`t="str"`) here, and are none.', all);
put('shared-strings.xlsx', 'The same with shared texts.', all, { options: { bookSST: true } });
put('compressed.xlsx', 'The same, compressed.', all, { options: { compression: true, bookSST: true } });
put('dates.xlsx', 'A date as a serial number, and a time.', [
  words,
  [...ada.slice(0, 5), date],
  [...ade.slice(0, 5), new Date(Date.UTC(2026, 2, 1))],
]);
put('dates-as-texts.xlsx', 'A date as ISO text.', [words, [...ada.slice(0, 5), date]], {
  reading: { cellDates: true },
  options: { cellDates: true },
});
put('formulas.xlsx', 'Formulas with and without results, an error, TRUE.', [words, ada, ade, thandi, ada], {
  sheet: (sheet) => {
    Object.assign(sheet, {
      E2: { t: 'n', v: 350_000, f: '100000*3.5' },
      E3: { t: 'n', f: '100000*2.5' },
      E4: { t: 'e', v: 23, f: 'X1' },
      A5: { t: 'b', v: true },
    });
  },
});
put(
  'formats-and-gaps.xlsx',
  'Formats, empty rows and cells, texts with spaces around.',
  [
    words,
    [],
    [...ada.slice(0, 3), 14_579, 350_000, ' PO 7781 '],
    [],
    [null, ...ade.slice(1)],
    ['', '', '', '', '', ''],
  ],
  {
    sheet: (sheet) => {
      Object.assign(sheet.D3 as object, { z: '0000000000' });
      Object.assign(sheet.E3 as object, { z: '[$$-409]#,##0.00' });
    },
  },
);
put('hidden-and-merged.xlsx', 'A hidden row, a hidden column, a merge over payees.', all, {
  sheet: (sheet) => {
    Object.assign(sheet, {
      '!rows': [{}, {}, { hidden: true }],
      '!cols': [{}, {}, { hidden: true }],
      '!merges': [{ s: { r: 2, c: 0 }, e: { r: 3, c: 0 } }],
    });
  },
});
put('several-sheets.xlsx', 'A second sheet of payouts that is hidden, and one of notes.', all, {
  options: { compression: true },
  book: (book) => {
    utils.book_append_sheet(book, utils.aoa_to_sheet(all), 'Old');
    utils.book_append_sheet(book, utils.aoa_to_sheet([['Please pay by Friday.']]), 'Notes');
    utils.book_set_sheet_visibility(book, 'Old', 1);
  },
});
put(
  'odd-texts.xlsx',
  'A line break, control characters, what looks like an escape, other scripts, a lone half of a character.',
  [
    words,
    ['Ọládélé\nÀjàyí', ...ada.slice(1)],
    ['Ada_x000D_Obi', ...ada.slice(1)],
    ['Ada\u0007Obi', ...ada.slice(1)],
    ['李小龍 😀', ...ada.slice(1)],
    ["'=Ada", ...ada.slice(1)],
  ],
);
put('macros.xlsm', 'The type of a workbook with macros.', all);
put('binary.xlsb', 'A binary workbook: refused by its name.', all);
put('old.xls', 'An old Excel workbook: refused.', all, { options: { bookType: 'biff8' } });
put('open-document.ods', 'An OpenDocument sheet: refused.', all);
put('xml-2003.xml', "Excel's XML of 2003: refused.", all, { options: { bookType: 'xlml' } });
put('symbolic-link.slk', 'A symbolic-link file, which Excel opens: refused.', all, { options: { bookType: 'sylk' } });
put('data-interchange.dif', 'A data-interchange file, which Excel opens: refused.', all);
put('unicode-text.tab', 'Unicode text, as "save as" writes it.', all, { options: { bookType: 'txt' } });
put('list.csv', 'A CSV.', all);
put('page.html', 'A web page.', all);
put('dbase.dbf', 'A dBase table, which Excel opens: refused.', all);
