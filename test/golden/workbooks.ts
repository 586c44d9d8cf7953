/** Writes the workbooks of the cases that need one; run `node test/golden/workbooks.ts` after changing it. */
import { join } from 'node:path';
import Excel from 'exceljs';
import { casesFolder } from './runner.ts';

/** A workbook bears the time of its making: the day of the examples, not of the last rewriting. */
const made = new Date(Date.UTC(2026, 10, 20));

const header = ['name', 'country', 'bank_name', 'account_number', 'amount', 'reference'];
const ada = ['Ada Obi', 'Nigeria', 'First Bank of Nigeria', '0000014579', 350_000, 'PO 7781'];
const ade = ['Ade Bello', 'Nigeria', 'Guaranty Trust Bank', '0123456785', 250_000, 'INV 204'];

await write('hidden-row-is-refused', (sheet) => {
  sheet.addRows([header, ada, ade]);
  sheet.getRow(3).hidden = true;
});

async function write(name: string, fill: (sheet: Excel.Worksheet) => void): Promise<void> {
  const workbook = new Excel.Workbook();
  Object.assign(workbook, { creator: 'Payrun', created: made, modified: made });
  fill(workbook.addWorksheet('Payouts'));
  await workbook.xlsx.writeFile(join(casesFolder, name, 'sheet.xlsx'));
}
