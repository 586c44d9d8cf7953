/** What an open file can be read as, by its content. */
import { type OpenFile, sniff } from './file.ts';
import { openPayments } from './payments-file.ts';
import { openWorkbook, type Workbook } from './workbook.ts';

export async function openReadable(file: OpenFile, size: number): Promise<Workbook> {
  return sniff(file, size) === 'payments' ? await openPayments(file, size) : await openWorkbook(file, size);
}
