/** The numbered steps: what an earlier version wrote is there afterwards, and a newer version's data is left alone. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { forKysely, openSqlite } from '../../src/base/sqlite.ts';
import { addTenant, startService } from '../../src/service/service.ts';
import { newDatabase } from '../database.ts';
import { newFormWith } from './forms.ts';
import { started, temporaryFolder } from './started.ts';

/** A database as the first version made it, with a tenant, a user, a merchant and a payment. */
async function firstVersion(folder: string): Promise<void> {
  const { credentials, service, call } = await started({ dataDir: folder });
  await service.users.add(credentials.apiKey, { email: 'a@example.com', name: 'A' });
  const { body } = await call('POST', '/merchants', { name: 'A', country: 'BTC', lnurl: 'a@example.com' });
  const payment = (await call('POST', '/payments', { merchantId: body.id, amount: 5, reference: 'Pay' })).body;
  for (let count = 0; count < 2; count += 1) await call('POST', `/payments/${payment.id}/document`, newFormWith({}));
  await service.close();
  const db = openSqlite(join(folder, 'service.db'));
  // What later steps added is taken away again.
  db.exec(`
    DROP INDEX users_listed; DROP TABLE kyc_documents; DROP TABLE peppers; DROP TABLE deployments; DROP TABLE webhook_calls;
    ALTER TABLE users DROP COLUMN profile; ALTER TABLE users DROP COLUMN momo_accounts;
    ALTER TABLE users DROP COLUMN verified_at; ALTER TABLE users DROP COLUMN revision;
    ALTER TABLE payments DROP COLUMN collect_from; ALTER TABLE merchants DROP COLUMN revision;
    ALTER TABLE tenants DROP COLUMN uploads; ALTER TABLE tenants DROP COLUMN upload_bytes;
    PRAGMA user_version = 1`);
  db.close();
}

it('bring the data of the first version along', async () => {
  const folder = temporaryFolder();
  await firstVersion(folder);
  const { service } = await started({ dataDir: folder });
  const [old] = await service.tenants.list();
  const db = new DatabaseSync(join(folder, 'service.db'), { readOnly: true });
  const { tenant_id } = db.prepare('SELECT tenant_id FROM api_keys WHERE api_key = ?').get(old!.apiKey) as {
    tenant_id: string;
  };
  expect(
    db.prepare('SELECT email, profile, momo_accounts, revision FROM users WHERE tenant_id = ?').all(tenant_id),
  ).toEqual([{ email: 'a@example.com', profile: '{}', momo_accounts: '[]', revision: 0 }]);
  expect(db.prepare('SELECT amount, collect_from FROM payments WHERE tenant_id = ?').all(tenant_id)).toEqual([
    { amount: 5, collect_from: null },
  ]);
  const bytes = 2 * (newFormWith({}).get('file') as File).size;
  expect(db.prepare('SELECT uploads, upload_bytes FROM tenants WHERE id = ?').all(tenant_id)).toEqual([
    { uploads: 2, upload_bytes: bytes },
  ]);
  db.close();
});

it('refuse the data of a newer version, and change nothing of it', async () => {
  const folder = temporaryFolder();
  await addTenant({ dataDir: folder }, 'Acme');
  const db = openSqlite(join(folder, 'service.db'));
  db.exec('PRAGMA user_version = 99');
  await expect(startService({ dataDir: folder })).rejects.toThrow(/newer version \(schema 99/);
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
  db.close();

  const elsewhere = temporaryFolder();
  const database = await newDatabase();
  await addTenant({ dataDir: elsewhere, database: database.url }, 'Acme');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('update payrun_service.schema_version set steps = 99');
  await expect(startService({ dataDir: elsewhere, database: database.url })).rejects.toThrow(
    /newer version \(schema 99/,
  );
  await client.end();
  await database.drop();
});

it('make the same columns on both', async () => {
  const folder = temporaryFolder();
  await started({ dataDir: folder });
  const sqlite = new Kysely({
    dialect: new SqliteDialect({ database: forKysely(openSqlite(join(folder, 'service.db'))) }),
  });
  const ours = await sqlite.introspection.getTables();
  await sqlite.destroy();
  const database = await newDatabase();
  await addTenant({ dataDir: temporaryFolder(), database: database.url }, 'Acme');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ table_name: string; column_name: string; nullable: boolean }>(
    "select table_name, column_name, is_nullable = 'YES' as nullable from information_schema.columns where table_schema = 'payrun_service'",
  );
  await client.end();
  await database.drop();
  const theirs = rows
    .filter(({ table_name }) => table_name !== 'schema_version')
    .map(({ table_name, column_name, nullable }) => `${table_name}.${column_name}${nullable ? '?' : ''}`);
  const columns = ours.flatMap(({ name, columns }) =>
    // SQLite calls a key nullable that is none.
    columns.map(
      (column) => `${name}.${column.name}${column.isNullable && !theirs.includes(`${name}.${column.name}`) ? '?' : ''}`,
    ),
  );
  expect(new Set(columns)).toEqual(new Set(theirs));
});
