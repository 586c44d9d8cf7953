/** Holds the connection to Postgres in a thread, so that the ledger can wait for each answer (link.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { LedgerFault } from '../../../base/faults/fault.ts';
import { beats, type Given, type LinkAnswer, type LinkRequest, rings } from './link.ts';

const { address, name, port, signal } = workerData as Given;

/** Returns values as SQLite does: numbers, with booleans as 1 and 0. */
const readers: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.INT4]: whole,
  [pg.types.builtins.INT8]: whole,
  [pg.types.builtins.NUMERIC]: whole,
  [pg.types.builtins.FLOAT8]: Number,
  [pg.types.builtins.BOOL]: (text) => (text === 't' ? 1 : 0),
};

function whole(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is no exact whole number`);
  return number;
}

const client = new pg.Client({
  connectionString: address,
  application_name: name,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  pipeline: true,
  types: { getTypeParser: (type) => readers[type] ?? String },
});
// Ignores this error, because the next query on the lost connection reports the error.
client.on('error', () => {});
client.on('end', () => parentPort?.postMessage('lost'));

function send(answer: LinkAnswer): void {
  port.postMessage(answer);
  Atomics.add(signal, rings, 1);
  Atomics.notify(signal, rings);
}

/** Leaves out the server's detail, because the detail may contain values of a row. */
function faultOf(error: unknown): NonNullable<LinkAnswer['fault']> {
  // A host with several addresses gives one error for each address. Payrun reports only the last error.
  const one = error instanceof AggregateError ? (error.errors.at(-1) as unknown) : error;
  const text = one instanceof Error ? one.message : String(one);
  const fault = plainer.find(([said]) => said.test(text))?.[1] ?? { fault: 'system', detail: text };
  return { fault, code: codeOf(one) };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Faults of the client library, which has no codes for them. */
const plainer: readonly (readonly [RegExp, LedgerFault])[] = [
  [/client password must be a (?:non-empty )?string/, { fault: 'password-is-missing' }],
  [/not queryable|Connection terminated/, { fault: 'connection-has-ended' }],
];

async function answer({ number, text, values, prepare }: LinkRequest): Promise<void> {
  try {
    // A text without values may hold several statements. Returns only the answer of the last statement.
    const done: pg.QueryArrayResult | pg.QueryArrayResult[] = await client.query({
      text,
      rowMode: 'array',
      ...(prepare !== null && { name: prepare }),
      ...(values.length > 0 && { values: [...values] }),
    });
    const last = Array.isArray(done) ? done.at(-1)! : done;
    send({
      number,
      columns: last.fields.map((field: { name: string }) => field.name),
      rows: last.rows,
      changes: last.rowCount ?? 0,
    });
  } catch (error) {
    send({ number, columns: [], rows: [], changes: 0, fault: faultOf(error) });
  }
}

const beating = setInterval(() => Atomics.add(signal, beats, 1), 1000);
try {
  await client.connect();
  send({ number: 0, columns: [], rows: [], changes: 0 });
} catch (error) {
  send({ number: 0, columns: [], rows: [], changes: 0, fault: faultOf(error) });
}
port.on('message', (asked: LinkRequest | 'end') => {
  if (asked !== 'end') {
    void answer(asked);
    return;
  }
  clearInterval(beating);
  port.close();
  client.end().catch(() => {});
});
