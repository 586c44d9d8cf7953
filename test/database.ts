/** A PostgreSQL database of its own for each test file that asks for one. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

let server: Promise<string> | null = null;

export type NewDatabase = () => Promise<{ url: string; drop: () => Promise<void> }>;

/** The address of a new, empty database, and what removes it again. */
export const newDatabase: NewDatabase = async () => {
  server ??= askForServer();
  return await databaseOn(await server);
};

/** The same on the server at this address, as its user. */
export async function databaseOn(address: string): ReturnType<NewDatabase> {
  const url = new URL(address);
  const name = `payrun_${randomBytes(6).toString('hex')}`;
  const onServer = async (statement: string) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await onServer(`create database ${name}`);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`drop database ${name} with (force)`) };
}

/** The first to ask starts it (test/postgres-server.ts). */
async function askForServer(): Promise<string> {
  const answer = (await (await fetch(inject('postgresDesk'))).json()) as { url?: string; error?: string };
  if (answer.url !== undefined) return answer.url;
  throw new Error(
    `PostgreSQL could not be started for the tests: ${answer.error}. PAYRUN_TEST_DATABASE_URL names another.`,
  );
}
