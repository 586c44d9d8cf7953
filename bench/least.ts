/**
 * The least program that pays durably. It reads the sheet, writes each intent and each answer to the disk before it
 * continues, scans all payments once and writes a result. It checks nothing, knows no earlier payments and sends no
 * canary. The time that Payrun takes beyond this is the cost of those controls.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { genesis, link } from '../src/audit/chain.ts';
import { systemClock } from '../src/base/clock.ts';
import { openSqlite } from '../src/base/sqlite.ts';
import { openHttp } from '../src/client/http.ts';
import { committer } from '../src/ledger/store/commit.ts';
import { openSql } from '../src/ledger/store/sql.ts';

const [baseUrl = '', file = '', concurrencyText = ''] = process.argv.slice(2);
const concurrency = Number(concurrencyText);
const http = openHttp({ baseUrl, concurrency, timeoutMs: 75_000, connectTimeoutMs: 5000, after: systemClock.after });
const db = openSqlite(join(process.cwd(), 'least.db'));
db.exec(`CREATE TABLE ledger (id INTEGER) STRICT;
  CREATE TABLE payout (id INTEGER PRIMARY KEY, state TEXT NOT NULL, content TEXT NOT NULL, payment_id TEXT UNIQUE, at INTEGER) STRICT;
  CREATE TABLE trail (seq INTEGER PRIMARY KEY, payout INTEGER NOT NULL, entry TEXT NOT NULL, hash TEXT NOT NULL) STRICT`);
const sql = openSql(db, 'least.db');
const commits = committer(sql, systemClock);

interface Row {
  readonly row_id: string;
  readonly bank_name: string;
  readonly account_number: string;
  readonly amount: string;
  readonly reference: string;
}
interface Page {
  readonly items: readonly { readonly id: string; readonly bankName: string; readonly accountNumber: string }[];
  readonly offsetMarker: string | null;
}

const rows: Row[] = [];
for await (const row of createReadStream(file).pipe(parse({ columns: true, bom: true }))) rows.push(row as Row);
commits.alone(() =>
  sql.many(
    "INSERT INTO payout (id, state, content) VALUES (?, 'ready', ?)",
    rows.map((row, id) => [id, JSON.stringify(row)]),
  ),
);

const { body } = await http.send({ method: 'POST', path: '/token', json: { apiKey: 'bench', apiSecret: 'bench' } });
const { token } = body as { token: string };
const known = new Map<string, string>();
for await (const { id, bankName, accountNumber } of all('/merchants')) known.set(`${bankName}|${accountNumber}`, id);

let next = 0;
let seq = 0;
let head = genesis;
await Promise.all(Array.from({ length: concurrency }, payInTurn));

const listed = new Set<string>();
for await (const { id } of all('/payments')) listed.add(id);
const result = stringify({ header: true, columns: [...Object.keys(rows[0]!), 'payment_id', 'state'] });
const out = result.pipe(createWriteStream(join(process.cwd(), 'least.csv')));
for (const paid of sql.each<{ id: number; state: string; payment_id: string }>('SELECT * FROM payout ORDER BY id')) {
  if (!listed.has(paid.payment_id)) throw new Error(`payment ${paid.payment_id} is not listed`);
  result.write({ ...rows[paid.id], ...paid });
}
result.end();
await finished(out);
db.close();
http.close();

async function* all(path: string): AsyncGenerator<Page['items'][number]> {
  let offset: string | null = null;
  do {
    const query: Record<string, string> = offset === null ? { limit: '100' } : { limit: '100', offset };
    const page = (await http.send({ method: 'GET', path, query, token })).body as Page;
    yield* page.items;
    offset = page.offsetMarker;
  } while (offset !== null);
}

async function payInTurn(): Promise<void> {
  // An answer shares a commit with the next intent, as in Payrun.
  let answered: Promise<void> | null = null;
  while (next < rows.length) {
    const id = next;
    next += 1;
    const { bank_name, account_number, amount, reference } = rows[id]!;
    const intended = write(id, 'ready', 'sending', null);
    await answered;
    await intended;
    const merchantId = known.get(`${bank_name}|${account_number}`);
    const json = { merchantId, amount: Number(amount), reference, tag: `least-${id}` };
    const answer = await http.send({ method: 'POST', path: '/payments', json, token, paying: true });
    answered = write(id, 'sending', 'accepted', (answer.body as { id: string }).id);
  }
  await answered;
}

/** Stores the change and its trail entry in one transaction, as the ledger does. */
async function write(id: number, from: string, to: string, paymentId: string | null): Promise<void> {
  await commits.share(() => {
    const at = Date.now();
    sql.change(
      () => `row ${id} is not ${from}`,
      'UPDATE payout SET state = ?, payment_id = ?, at = ? WHERE id = ? AND state = ?',
      to,
      paymentId,
      at,
      id,
      from,
    );
    const entry = JSON.stringify([at, id, from, to, paymentId]);
    head = link(head, entry);
    seq += 1;
    sql.run('INSERT INTO trail VALUES (?,?,?,?)', seq, id, entry, head);
  });
}
