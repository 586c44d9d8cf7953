/** Holds connections to Postgres in a thread, so that the ledger can wait for each answer (link.ts). */
import { parentPort } from 'node:worker_threads';
import pg from 'pg';
import type { LedgerFault } from '../../../base/faults/fault.ts';
import { beats, endings, type Given, type LinkAnswer, type LinkRequest, nothing, rings } from './link.ts';

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

async function answerOf(client: pg.Client, { number, text, values, prepare }: LinkRequest): Promise<LinkAnswer> {
  try {
    // A text without values may hold several statements. Returns only the answer of the last statement.
    const done: pg.QueryArrayResult | pg.QueryArrayResult[] = await client.query({
      text,
      rowMode: 'array',
      ...(prepare !== null && { name: prepare }),
      ...(values.length > 0 && { values: [...values] }),
    });
    const { fields, rows, rowCount } = Array.isArray(done) ? done.at(-1)! : done;
    return { number, columns: fields.map(({ name }: pg.FieldDef) => name), rows, changes: rowCount ?? 0 };
  } catch (error) {
    return { number, ...nothing, fault: faultOf(error) };
  }
}

/** Connects, and answers until the connection ends. The port closes then. */
async function serve({ address, name, port, signal }: Given): Promise<void> {
  const beating = setInterval(() => Atomics.add(signal, beats, 1), 1000);
  const ring = () => {
    Atomics.add(signal, rings, 1);
    Atomics.notify(signal, rings);
  };
  const send = (answer: LinkAnswer) => {
    port.postMessage(answer);
    ring();
  };
  const end = () => {
    clearInterval(beating);
    Atomics.store(signal, endings, 1);
    ring();
    port.close();
  };
  try {
    const client = new pg.Client({
      connectionString: address,
      application_name: name,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      pipeline: true,
      types: { getTypeParser: (type) => readers[type] ?? String },
    });
    // Ignores this error, because the connection then ends.
    client.on('error', () => {});
    port.on('close', () => void client.end());
    await client.connect();
    client.on('end', end);
    port.on('message', (asked: LinkRequest | 'end') => {
      if (asked === 'end') void client.end().then(end);
      else void answerOf(client, asked).then(send);
    });
    send({ number: 0, ...nothing });
  } catch (error) {
    send({ number: 0, ...nothing, fault: faultOf(error) });
    end();
  }
}

parentPort?.on('message', (given: Given) => void serve(given));
