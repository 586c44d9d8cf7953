/** The limits of a workbook and its cells, for every writer. */

/** A longer result has no formats, because exceljs takes too much memory for more lines. */
export const maxFormattedLines = 20_000;

/** Rows of a sheet, including its header. */
export const maxSheetRows = 1_048_576;

/** Height of a row in points, and width of a column in characters. */
export const maxHeight = 409;
export const maxWidth = 255;

/** Characters in the name of a font, and in a number format. */
export const maxFontName = 31;
export const maxFormat = 255;

/** UTF-16 units in the text of a cell. */
const maxCellCharacters = 32_767;

/** Returns the text as a cell can hold it; a text that it cuts ends with `…`. */
export function fittingText(text: string): string {
  if (text.length <= maxCellCharacters) return text;
  // A cut must not split a character of two units.
  const cut = text.slice(0, maxCellCharacters - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** True for an error that a cell can have as its value; any other word is text. */
export function isErrorWord(text: string): boolean {
  return /^#(N\/A|REF!|NAME\?|DIV\/0!|NULL!|VALUE!|NUM!)$/.test(text);
}

/** Shown in a cell that has no value, because such a cell is not empty. */
export const noValue = '#N/A';

/** Our own sheets in a workbook that we write; a person's sheet there never has such a name. */
export const ownSheetNames: readonly string[] = ['Summary', 'Funding', 'Trail', 'History'];
