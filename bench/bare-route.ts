/**
 * The yardstick for the service: a single fastify route that reads a JSON body, commits one row durably and answers.
 * `node bare-route.ts FOLDER [postgres://…]`.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Fastify from 'fastify';
import pg from 'pg';
import { openSqlite } from '../src/base/sqlite.ts';

interface Order {
  readonly merchantId: string;
  readonly amount: number;
  readonly reference: string;
}
type Insert = (id: string, order: Order) => Promise<void>;

const [folder = '', database] = process.argv.slice(2);
const insert = database === undefined ? intoSqlite() : await intoPostgres(database);

const app = Fastify({ keepAliveTimeout: 60_000 });
app.post('/payments', async (request, reply) => {
  const order = request.body as Order;
  const id = randomUUID();
  await insert(id, order);
  return await reply.code(201).send({ id, ...order, status: 'pending' });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });

function intoSqlite(): Insert {
  const db = openSqlite(join(folder, 'bare.db'));
  db.exec('CREATE TABLE payment (id TEXT PRIMARY KEY, merchant TEXT, amount INTEGER, reference TEXT)');
  const statement = db.prepare('INSERT INTO payment VALUES (?,?,?,?)');
  return async (id, { merchantId, amount, reference }) => {
    statement.run(id, merchantId, amount, reference);
  };
}

async function intoPostgres(connectionString: string): Promise<Insert> {
  const pool = new pg.Pool({ connectionString, max: 20 });
  await pool.query('CREATE TABLE bare (id TEXT PRIMARY KEY, merchant TEXT, amount BIGINT, reference TEXT)');
  return async (id, { merchantId, amount, reference }) => {
    await pool.query('INSERT INTO bare VALUES ($1,$2,$3,$4)', [id, merchantId, amount, reference]);
  };
}
