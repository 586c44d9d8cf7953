/** Places for ledgers that are new: files, or schemas of one real Postgres. */
import { join } from 'node:path';
import { newDatabase } from '../database.ts';
import { atEnd } from '../endings.ts';
import { newFolder } from '../support.ts';

export const stores = ['SQLite', 'Postgres'] as const;
export type StoreName = (typeof stores)[number];

/** Of the test file that is under way. */
let database: ReturnType<typeof newDatabase> | null = null;
let schemas = 0;

export async function newPlace(store: StoreName): Promise<string> {
  if (store === 'SQLite') return join(newFolder(), 'ledger.db');
  database ??= open();
  schemas += 1;
  return `${(await database).url}?schema=ledger_${schemas}`;
}

async function open(): ReturnType<typeof newDatabase> {
  const opened = await newDatabase();
  atEnd(() => {
    database = null;
    return opened.drop();
  });
  return opened;
}
