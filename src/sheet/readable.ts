/** Opens an .xlsx workbook, or a file of payments (pain.001) as a workbook. */
import { type OpenFile, sniff } from './file/open-file.ts';
import { openPayments } from './iso20022/payments-file.ts';
import { openWorkbook, type Workbook } from './xlsx/workbook.ts';

export const openReadable = async (file: OpenFile, size: number): Promise<Workbook> =>
  sniff(file, size) === 'payments' ? await openPayments(file, size) : await openWorkbook(file, size);
