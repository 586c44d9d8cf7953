/** The plain script that an engineer might write instead, with csv-parse, p-limit and got. It does not survive a crash. */
import { createReadStream } from 'node:fs';
import http from 'node:http';
import { parse } from 'csv-parse';
import got from 'got';
import pLimit from 'p-limit';

const [baseUrl = '', file = '', concurrencyText = ''] = process.argv.slice(2);
const concurrency = Number(concurrencyText);
// The same terms as in Payrun's own client: one try, no redirects, a deadline, and one kept connection for each payment.
const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
const client = got.extend({
  prefixUrl: baseUrl,
  retry: { limit: 0 },
  followRedirect: false,
  decompress: false,
  headers: { 'user-agent': 'payrun-bench', accept: 'application/json' },
  timeout: { lookup: 5000, connect: 5000, secureConnect: 5000, request: 75_000 },
  agent: { http: agent },
});

interface Row {
  readonly row_id: string;
  readonly name: string;
  readonly bank_name: string;
  readonly account_number: string;
  readonly amount: string;
  readonly reference: string;
}
interface Merchant {
  readonly id: string;
  readonly bankName: string;
  readonly accountNumber: string;
}

const rows: Row[] = [];
for await (const row of createReadStream(file).pipe(parse({ columns: true, bom: true }))) rows.push(row as Row);

const { token } = await client
  .post('token', { json: { apiKey: 'bench', apiSecret: 'bench' } })
  .json<{ token: string }>();
const headers = { authorization: `Bearer ${token}` };
const known = new Map<string, string>();
let offset: string | null = null;
do {
  const searchParams: Record<string, string> = offset === null ? { limit: '100' } : { limit: '100', offset };
  const page = await client
    .get('merchants', { headers, searchParams })
    .json<{ items: Merchant[]; offsetMarker: string | null }>();
  for (const { id, bankName, accountNumber } of page.items) known.set(`${bankName}|${accountNumber}`, id);
  offset = page.offsetMarker;
} while (offset !== null);

const limit = pLimit(concurrency);
const results = await Promise.all(
  rows.map((row) =>
    limit(async () => {
      const merchantId = known.get(`${row.bank_name}|${row.account_number}`);
      const json = { merchantId, amount: Number(row.amount), reference: row.reference, tag: `plain-${row.row_id}` };
      const { id } = await client.post('payments', { json, headers }).json<{ id: string }>();
      return { row: row.row_id, id };
    }),
  ),
);
if (results.length !== rows.length) throw new Error('a row has no result');
agent.destroy();
