/** Writes the sheet that all clients pay: payments of money to a hundred payees, no two rows alike. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';

export interface BenchMerchant {
  readonly id: string;
  readonly name: string;
  readonly country: 'SouthAfrica';
  readonly bankName: string;
  readonly accountNumber: string;
}

/** The number of merchants on one page of GET /merchants (interface 4.17). */
const payees = 100;

/** The payees, all known to the server. Their bank has no check digits, so the sheet has no warnings. */
export const merchants: readonly BenchMerchant[] = Array.from({ length: payees }, (_, index) => ({
  id: `merchant-${index}`,
  name: `Example Payee ${index}`,
  country: 'SouthAfrica',
  bankName: 'TymeBank',
  accountNumber: String(51_000_000_000 + index),
}));

export async function writeSheet(path: string, rows: number): Promise<void> {
  await write(path, 'row_id,name,country,bank_name,account_number,amount,reference', rows, (row) => {
    const { name, bankName, accountNumber } = payeeOf(row);
    // No row and no payee reaches 50,000 ZAR, from which a document is needed.
    return `R-${row},${name},South Africa,${bankName},${accountNumber},${1 + (row % 4)},PAY ${row}`;
  });
}

/** Writes a first month: each row has a payee that the service does not know, and each tenth row needs the document beside the sheet. */
export async function writeFirstSheet(path: string, rows: number): Promise<void> {
  await writeFile(join(dirname(path), 'slip.pdf'), '%PDF-1.4\n%%EOF\n');
  await write(path, 'row_id,name,country,bank_name,account_number,amount,reference,documents', rows, (row) => {
    const [amount, document] = row % 10 === 0 ? [60_000, 'slip.pdf'] : [1000, ''];
    return `R-${row},New Payee ${row},South Africa,TymeBank,${52_000_000_000 + row},${amount},PAY ${row},${document}`;
  });
}

/** Writes a payroll with one reference and few payees, so that many rows of a payee are alike. */
export async function writeMonth(path: string, rows: number, month: string): Promise<void> {
  await write(path, 'row_id,name,country,bank_name,account_number,amount,reference', rows, (row) => {
    const { name, bankName, accountNumber } = payeeOf(row);
    return `R-${row},${name},South Africa,${bankName},${accountNumber},${1 + (row % 4)},SALARY ${month}`;
  });
}

async function write(path: string, header: string, rows: number, lineOf: (row: number) => string): Promise<void> {
  const out = createWriteStream(path);
  out.write(`${header}\r\n`);
  for (let row = 0; row < rows; row += 1) if (!out.write(`${lineOf(row)}\r\n`)) await once(out, 'drain');
  out.end();
  await finished(out);
}

export function payeeOf(row: number): BenchMerchant {
  const payee = merchants[row % payees];
  if (payee === undefined) throw new Error(`row ${row} has no payee`);
  return payee;
}
