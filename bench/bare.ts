/** The bare loop, the yardstick: a token, then every payment from memory at the same concurrency; no file, no ledger, no result. */
import { openGot } from './got.ts';
import { payeeOf } from './sheet.ts';

const [baseUrl = '', rowsText = '', concurrencyText = ''] = process.argv.slice(2);
const rows = Number(rowsText);
const concurrency = Number(concurrencyText);
const { client, close } = openGot(baseUrl, concurrency);

const { token } = await client
  .post('token', { json: { apiKey: 'bench', apiSecret: 'bench' } })
  .json<{ token: string }>();
const headers = { authorization: `Bearer ${token}` };
const ids: string[] = [];
let next = 0;

async function payInTurn(): Promise<void> {
  while (next < rows) {
    const row = next;
    next += 1;
    const json = {
      merchantId: payeeOf(row).id,
      amount: 100 + (row % 9000),
      reference: `PAY ${row}`,
      tag: `bare-${row}`,
    };
    const { id } = await client.post('payments', { json, headers }).json<{ id: string }>();
    ids[row] = id;
  }
}

await Promise.all(Array.from({ length: concurrency }, payInTurn));
close();
