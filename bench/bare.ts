/** The bare loop, a yardstick: sends every payment from memory with Payrun's HTTP client. It has no file, no ledger and no result. */
import { systemClock } from '../src/base/clock.ts';
import { openHttp } from '../src/client/http.ts';
import { payeeOf } from './sheet.ts';

const [baseUrl = '', rowsText = '', concurrencyText = ''] = process.argv.slice(2);
const rows = Number(rowsText);
const concurrency = Number(concurrencyText);
const http = openHttp({ baseUrl, concurrency, timeoutMs: 75_000, connectTimeoutMs: 5000, after: systemClock.after });

const { body } = await http.send({ method: 'POST', path: '/token', json: { apiKey: 'bench', apiSecret: 'bench' } });
const { token } = body as { token: string };
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
    const answer = await http.send({ method: 'POST', path: '/payments', json, token, paying: true });
    ids[row] = (answer.body as { id: string }).id;
  }
}

await Promise.all(Array.from({ length: concurrency }, payInTurn));
http.close();
