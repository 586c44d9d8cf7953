/** The service's tables: data of another build is left alone, and both databases have the same columns. */
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { forKysely, openSqlite } from '../../src/base/sqlite.ts';
import { startService } from '../../src/service/service.ts';
import { newDatabase } from '../database.ts';
import { addTenant, started, temporaryFolder } from './started.ts';

it('refuse the data of another build, and change nothing of it', async () => {
  const folder = temporaryFolder();
  await addTenant({ dataDir: folder }, 'Acme');
  const db = openSqlite(join(folder, 'service.db'));
  db.exec('PRAGMA user_version = 99');
  await expect(startService({ dataDir: folder })).rejects.toThrow(/another build .* \(format 99/);
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
  db.close();

  const elsewhere = temporaryFolder();
  const database = await newDatabase();
  await addTenant({ dataDir: elsewhere, database: database.url }, 'Acme');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('update payrun_service.schema_version set steps = 99');
  await expect(startService({ dataDir: elsewhere, database: database.url })).rejects.toThrow(
    /another build .* \(format 99/,
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
