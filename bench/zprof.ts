import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startServer } from './processes.ts';
import { writeSheet } from './sheet.ts';
const n = Number(process.argv[2] ?? 2);
const more = process.argv.slice(3);
const folder = mkdtempSync('/tmp/zprof-');
const server = await startServer();
const sheet = join(folder, 's.csv');
await writeSheet(sheet, 10000);
for (let i = 0; i < n; i++) {
  await server.reset({ latencyMs: 20 });
  const home = mkdtempSync(join(folder, 'r-'));
  const t = performance.now();
  const c = spawn(process.execPath, ['--import', '/tmp/keep/hook.mjs', ...more, process.env.ENTRY ?? resolve('dist/program/main.mjs'), 'run', sheet, '--ledger', join(home, 'l.db'), '--out', home, '--wait', '0', '--json', '--concurrency', '32'], { cwd: home, env: { ...process.env, PAYRUN_DOUBT_VISIBLE: '0', XDG_DATA_HOME: home, PAYRUN_BASE_URL: server.url, PAYRUN_API_KEY: 'b', PAYRUN_API_SECRET: 'b' }, stdio: ['ignore', 'ignore', 'inherit'] });
  await once(c, 'exit');
  console.log((performance.now() - t) | 0);
}
await server.close();
rmSync(folder, { recursive: true, force: true });
