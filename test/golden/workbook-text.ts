/** A workbook as text: every sheet with its rows, what is hidden and what was stored as a number said beside it. */
import Excel from 'exceljs';

/** A sheet whose order and times are those of the run: its rows are told elsewhere, tests of the trail look at it. */
const untold = ['Trail'];

export async function workbookText(path: string): Promise<string> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook.worksheets.map(sheetText).join('\n');
}

function sheetText(sheet: Excel.Worksheet): string {
  const lines = [`[${sheet.name}]${sheet.state === 'visible' ? '' : ` (${sheet.state})`}`];
  if (untold.includes(sheet.name)) return `${lines[0]} (not shown here)\n`;
  sheet.eachRow((row, number) => {
    const cells: string[] = [];
    row.eachCell({ includeEmpty: true }, (cell) => cells.push(`${cellText(cell)}${noteText(cell)}`));
    lines.push(`${number}${row.hidden ? ' (hidden)' : ''}: ${cells.join(', ')}`);
  });
  return `${lines.join('\n')}\n`;
}

/** What stands on a cell, in one line. */
function noteText({ note }: Excel.Cell): string {
  if (note === undefined) return '';
  const text = typeof note === 'string' ? note : (note.texts ?? []).map((part) => part.text).join('');
  return ` (note: ${text.replaceAll('\n', ' ')})`;
}

/** Text is quoted, numbers are bare: the difference is what a lost zero is about. */
function cellText({ value, type }: Excel.Cell): string {
  if (type === Excel.ValueType.Merge) return '(merged)';
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && 'richText' in value)
    return JSON.stringify(value.richText.map(({ text }) => text).join(''));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
