/** A PostgreSQL database of its own for each test file that asks for one. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

/** The address of a new, empty database, and what removes it again. */
export async function newDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `payrun_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`drop database ${name} with (force)`) };
}

/** The server starts beside the tests: the first to need it may be too early. */
async function onServer(statement: string, tries = 150): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } catch (error) {
    const starting = ['ECONNREFUSED', '57P03'].includes((error as { code?: string }).code ?? '');
    if (!starting || tries === 0) throw error;
    await sleep(200);
    await onServer(statement, tries - 1);
  } finally {
    await client.end().catch(() => {});
  }
}
