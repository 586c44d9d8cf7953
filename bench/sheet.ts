/** The sheet that all clients pay: one row of money after the other, a hundred payees, no two rows alike. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

export interface BenchMerchant {
  readonly id: string;
  readonly name: string;
  readonly country: 'SouthAfrica';
  readonly bankName: string;
  readonly accountNumber: string;
}

/** As many as one page of GET /merchants holds (interface 4.17). */
const payees = 100;

/** All of them are known to the server. The bank has no rule for check digits, so that the sheet has no warnings. */
export const merchants: readonly BenchMerchant[] = Array.from({ length: payees }, (_, index) => ({
  id: `merchant-${index}`,
  name: `Example Payee ${index}`,
  country: 'SouthAfrica',
  bankName: 'TymeBank',
  accountNumber: String(51_000_000_000 + index),
}));

export async function writeSheet(path: string, rows: number): Promise<void> {
  const out = createWriteStream(path);
  out.write('row_id,name,country,bank_name,account_number,amount,reference\r\n');
  for (let row = 0; row < rows; row += 1) {
    const { name, bankName, accountNumber } = payeeOf(row);
    // Below 50,000 ZAR no document is asked for.
    const line = `R-${row},${name},South Africa,${bankName},${accountNumber},${100 + (row % 9000)},PAY ${row}\r\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}

export function payeeOf(row: number): BenchMerchant {
  const payee = merchants[row % payees];
  if (payee === undefined) throw new Error(`row ${row} has no payee`);
  return payee;
}
