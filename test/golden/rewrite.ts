/**
 * Rewrites what the golden cases expect, and the console's pages: all of them, or those named, where `pages` is all pages. The
 * diff is then the review of the change.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { databaseOn } from '../database.ts';
import { startPostgres } from '../postgres-server.ts';
import { caseNames, rewrite, runCase } from './runner.ts';

const named = process.argv.slice(2);
const names = (await caseNames()).filter((name) => named.length === 0 || named.includes(name));
const limit = pLimit(8);
let server: ReturnType<typeof startPostgres> | null = null;
async function newDatabase() {
  server ??= startPostgres({ durable: true });
  return await databaseOn((await server).url);
}
const changes = await Promise.all(
  names.map((name) => limit(async () => ({ name, files: await rewrite(name, await runCase(name, newDatabase)) }))),
);
await (await (server as ReturnType<typeof startPostgres> | null))?.stop();
const changed = changes.filter(({ files }) => files.length > 0);
for (const { name, files } of changed) process.stdout.write(`${name}: ${files.join(', ')}\n`);
process.stdout.write(`${changed.length} of ${names.length} cases were rewritten\n`);
if (named.length === 0 || named.includes('pages')) {
  // It has the types of a browser, and a project of its own for them.
  const pages = join(import.meta.dirname, '../console/page/rewrite-pages.ts');
  process.exitCode = spawnSync(process.execPath, [pages], { stdio: 'inherit' }).status ?? 1;
}
