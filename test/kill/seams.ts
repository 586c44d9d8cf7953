/**
 * The seams between Payrun and the world, watched from outside: statements of SQLite, bytes of HTTP, calls on files.
 * Each passing of a seam has names (`before commit of intent`, `after POST /payments`, `call fsync`); a watcher counts
 * them, and may have the process die at one, or the call fail. Nothing in the product knows of this.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { basename, dirname } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * What becomes of a call: the process dies at once; it dies when half of the bytes are out; half of the bytes are
 * written and that is told; the connection is reset, the answer is cut, nobody listens; a commit waits for the next
 * one; or the call fails with an error.
 */
export type Act = 'die' | 'half' | 'short' | 'reset' | 'cut' | 'refuse' | 'postpone' | Error;

/** `name:k`: the k-th passing of that name, counted from 1; k = 0 is every passing. */
export interface Plan {
  readonly name: string;
  readonly k: number;
  readonly act: Act;
}

export interface Watcher {
  /** Only files below it are watched; the machine's own are not the product's. */
  readonly folder: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly fired: () => boolean;
  meet(names: readonly string[]): Act | undefined;
}

export function newWatcher(folder: string, plans: readonly Plan[]): Watcher {
  const counts = new Map<string, number>();
  let fired = false;
  return {
    folder,
    counts,
    fired: () => fired,
    meet(names) {
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      const due = plans.find(({ name, k }) => names.includes(name) && (k === 0 || counts.get(name) === k));
      if (due !== undefined) fired = true;
      return due?.act;
    },
  };
}

const scoped = new AsyncLocalStorage<Watcher>();
let everywhere: Watcher | null = null;

/** For a whole process. */
export function watchProcess(watcher: Watcher): void {
  everywhere = watcher;
}

/** For one command of several in a process. */
export const watchWithin = <T>(watcher: Watcher, run: () => Promise<T>): Promise<T> => scoped.run(watcher, run);

const watching = (): Watcher | null => scoped.getStore() ?? everywhere;

function meet(...names: string[]): Act | undefined {
  const act = watching()?.meet(names);
  return act === 'die' ? die() : act;
}

/** The signal is delivered before the call returns: no line of JavaScript runs after it. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a process outlived its SIGKILL');
}

function throwIfError(act: Act | undefined): void {
  if (act instanceof Error) throw act;
}

/** What node:sqlite throws. */
export function sqliteError(errcode: number, words: string): Error {
  return Object.assign(new Error(words), { code: 'ERR_SQLITE_ERROR', errcode, errstr: words });
}

/** What a system call throws. */
export function systemError(code: string, errno: number): Error {
  return Object.assign(new Error(`${code}: made to fail by the test`), { code, errno, syscall: 'test' });
}

// --- SQLite

interface Connection {
  /** Which file this is; null for one that is not watched. */
  readonly file: 'ledger' | 'lock' | 'service' | null;
  /** What the open transaction decided so far. */
  kinds: Set<string>;
  postponed: boolean;
}

const connections = new WeakMap<DatabaseSync, Connection>();
const databases = new WeakMap<StatementSync, DatabaseSync>();

function connectionOf(db: DatabaseSync): Connection {
  let connection = connections.get(db);
  if (connection === undefined) {
    const path = db.location() ?? '';
    const file = path.endsWith('.lock')
      ? 'lock'
      : path.endsWith('ledger.db')
        ? 'ledger'
        : path.endsWith('.db')
          ? 'service'
          : null;
    connection = { file, kinds: new Set(), postponed: false };
    connections.set(db, connection);
  }
  return connection;
}

/** From the line that a decision leaves in the trail, in the same transaction. */
const decisions: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^sheet /, 'import'],
  [/^move ready>sending$/, 'intent'],
  [/^move sending>accepted$/, 'accepted'],
  [/^move sending>refused$/, 'refused'],
  [/^move sending>ready$/, 'not sent'],
  [/^move \w+>in_doubt$/, 'doubt'],
  [/^move \w+>accepted$/, 'found'],
  [/^move \w+>absent$/, 'absent'],
  [/^move absent>ready$/, 'released'],
  [/^move (refused|expired)>\w+$/, 'retried'],
  [/^move planned>ready$/, 'ready'],
  [/^move \w+>succeeded$/, 'paid'],
  [/^merchant \w+>creating$/, 'merchant intent'],
  [/^merchant \w+>known$/, 'merchant known'],
  [/^document \w+>uploading$/, 'upload intent'],
  [/^document \w+>attached$/, 'attached'],
];

function kindOf(sql: string, values: readonly unknown[]): string | null {
  if (/user_version\s*=/i.test(sql)) return 'new ledger';
  if (!/^\s*INSERT INTO trail\b/i.test(sql)) return null;
  const text = values.find((value): value is string => typeof value === 'string' && value.startsWith('['));
  if (text === undefined) return null;
  const [, , , what, data] = JSON.parse(text) as [unknown, unknown, unknown, string, Record<string, string>];
  const words = `${what} ${data.from === undefined ? '' : `${data.from}>${data.to}`}`;
  return decisions.find(([pattern]) => pattern.test(words))?.[1] ?? what;
}

const exec = DatabaseSync.prototype.exec;

function statement<T>(db: DatabaseSync | undefined, sql: string, values: readonly unknown[], call: () => T): T {
  if (db === undefined || watching() === null) return call();
  const connection = connectionOf(db);
  const { file } = connection;
  if (file === null) return call();
  const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? '';
  if (verb === 'BEGIN' && connection.postponed) {
    // The transaction that was not committed goes on in this one.
    connection.postponed = false;
    return undefined as T;
  }
  if (verb === 'BEGIN' || verb === 'ROLLBACK') connection.kinds = new Set();
  if (file === 'service') {
    const table = /^\s*insert into "?(\w+)/i.exec(sql)?.[1];
    if (table !== undefined) connection.kinds.add(table);
  } else {
    const kind = kindOf(sql, values);
    if (kind !== null) connection.kinds.add(kind);
  }
  const called = file === 'service' ? 'call service sql' : 'call sql';
  // What gives a transaction up cannot fail.
  if (verb === 'ROLLBACK') return call();
  if (verb !== 'COMMIT') {
    failSql(db, meet(called));
    return call();
  }
  const at = file === 'service' ? ' at the service' : '';
  const names = ['commit', ...Array.from(connection.kinds, (kind) => `commit of ${kind}`)].map((name) => name + at);
  const act = meet(...names.map((name) => `before ${name}`), called, `call commit${at}`);
  if (act === 'postpone') {
    connection.postponed = true;
    return { changes: 0, lastInsertRowid: 0 } as T;
  }
  failSql(db, act);
  const answer = call();
  connection.kinds = new Set();
  throwIfError(meet(...names.map((name) => `after ${name}`)));
  return answer;
}

/** Of these errors SQLite rolls back by itself; after the others the transaction stays open. */
const rollsBack = new Set([10, 13]);

function failSql(db: DatabaseSync, act: Act | undefined): void {
  if (!(act instanceof Error)) return;
  const { errcode } = act as Error & { errcode?: number };
  if (errcode !== undefined && rollsBack.has(errcode) && db.isTransaction) exec.call(db, 'ROLLBACK');
  throw act;
}

function watchSqlite(): void {
  const prepare = DatabaseSync.prototype.prepare;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given) {
    const made = prepare.apply(this, given);
    databases.set(made, this);
    return made;
  };
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    return statement(this, sql, [], () => exec.call(this, sql));
  };
  const methods = StatementSync.prototype as unknown as Record<string, (...values: unknown[]) => unknown>;
  for (const name of ['run', 'all', 'get', 'iterate']) {
    const original = methods[name]!;
    methods[name] = function (this: StatementSync, ...values) {
      return statement(databases.get(this), this.sourceSQL, values, () => original.apply(this, values));
    };
  }
}

// --- HTTP

interface Wire extends net.Socket {
  /** The request whose bytes pass now; a server's sockets have a response here. */
  _httpMessage?: unknown;
}
type Done = (error?: Error | null) => void;
interface Chunk {
  readonly chunk: Uint8Array | string;
  readonly encoding: NodeJS.BufferEncoding;
}

const requestOf = ({ _httpMessage: message }: Wire): http.ClientRequest | null =>
  message instanceof http.ClientRequest ? message : null;

/** `POST /payments/:id/document`, whatever the base path and the id. */
function routeOf(request: http.ClientRequest): string {
  const [path = ''] = request.path.split('?');
  const known = /\/(token|tokens\/user|merchants|payments|utils)(\/.*)?$/.exec(path);
  const rest = (known?.[2] ?? '').replace(/^\/[^/]+/, known?.[1] === 'utils' ? '$&' : '/:id');
  return `${request.method} /${known?.[1] ?? path}${rest}`;
}

/** How many bytes of a request are still to leave. */
const leaving = new WeakMap<http.ClientRequest, number>();
const answered = new WeakSet<http.ClientRequest>();
const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' });

function watchHttp(): void {
  const prototype = net.Socket.prototype as unknown as {
    _writev: (this: Wire, chunks: readonly Chunk[], done: Done) => void;
    _write: (this: Wire, chunk: Chunk['chunk'], encoding: Chunk['encoding'] | 'buffer', done: Done) => void;
    emit: (this: Wire, event: string | symbol, ...values: unknown[]) => boolean;
  };
  const { _write: write, _writev: writeMany, emit } = prototype;

  function bytesLeave(socket: Wire, chunks: readonly Chunk[], go: (done: Done) => void, done: Done): void {
    const request = requestOf(socket);
    if (request === null || watching() === null) {
      go(done);
      return;
    }
    // Node would keep the bytes until the connection stands: only from there on anything leaves.
    if (socket.connecting) {
      const closed = () => done(new Error('closed before it was connected'));
      socket.once('close', closed);
      socket.once('connect', () => {
        socket.off('close', closed);
        bytesLeave(socket, chunks, go, done);
      });
      return;
    }
    const route = routeOf(request);
    const bytes = Buffer.concat(chunks.map(({ chunk, encoding }) => Buffer.from(chunk as string, encoding)));
    let left = leaving.get(request);
    if (left === undefined) {
      left = bytes.indexOf('\r\n\r\n') + 4 + Number(request.getHeader('content-length') ?? 0);
      if (meet(`before ${route}`, 'call request') === 'reset') {
        done(reset());
        return;
      }
      if (meet(`half ${route}`) === 'half') {
        write.call(socket, bytes.subarray(0, Math.ceil(bytes.length / 2)), 'buffer', die);
        return;
      }
    }
    left -= bytes.length;
    leaving.set(request, left);
    // A form of unknown length ends with an empty piece.
    const whole = left === 0 || (left < 0 && bytes.subarray(-5).equals(Buffer.from('0\r\n\r\n')));
    go((error) => {
      const act = error == null && whole ? meet(`after ${route}`, 'after request') : undefined;
      done(error);
      if (act === 'reset') socket.destroy(reset());
    });
  }

  prototype._write = function (chunk, encoding, done) {
    bytesLeave(
      this,
      [{ chunk, encoding: encoding === 'buffer' ? 'utf8' : encoding }],
      (told) => write.call(this, chunk, encoding, told),
      done,
    );
  };
  prototype._writev = function (chunks, done) {
    bytesLeave(this, chunks, (told) => writeMany.call(this, chunks, told), done);
  };
  prototype.emit = function (event, ...values) {
    const request = event === 'data' ? requestOf(this) : null;
    if (request === null || answered.has(request) || watching() === null) return emit.call(this, event, ...values);
    answered.add(request);
    if (meet(`answer to ${routeOf(request)}`, 'answer') !== 'cut') return emit.call(this, event, ...values);
    const bytes = values[0] as Buffer;
    const body = bytes.indexOf('\r\n\r\n') + 4;
    emit.call(this, event, bytes.subarray(0, body + Math.floor((bytes.length - body) / 2)));
    this.destroy();
    return true;
  };
  const agent = http.Agent.prototype as unknown as { createConnection: (options: object, done: unknown) => net.Socket };
  const connect = agent.createConnection;
  agent.createConnection = function (options, done) {
    // Nothing listens on port 1 of this machine.
    return connect.call(this, meet('call connect') === 'refuse' ? { ...options, port: 1 } : options, done);
  };
}

// --- Files

const handles = new WeakMap<fs.promises.FileHandle, string>();

/** What a file is to Payrun, by where it lies. */
function fileWord(path: string): string {
  const name = basename(path);
  if (/^\.payrun-.*\.tmp$/.test(name)) return 'probe';
  if (name === '.payrun-files.jsonl') return 'record of files';
  const [, answer] = /\.(ACK|NACK|DUPS|RESULT)\b/.exec(name) ?? [];
  if (answer !== undefined) return answer;
  if (name.includes('taken.json')) return 'taken record';
  if (/\.result(-\d+)?\.(csv|xlsx)/.test(name)) return 'result';
  if (basename(dirname(path)) === 'sheets') return 'copy';
  if (name.endsWith('.pdf')) return 'document';
  if (basename(dirname(path)) === 'witness') return 'witness';
  if (name.includes('ledger.db')) return 'ledger';
  return name.includes('.') ? 'sheet' : 'folder';
}

/** What is done to a file, as a name; calls that only look at it are of one kind. */
const deeds: Readonly<Record<string, string>> = {
  open: 'open',
  copyFile: 'copy',
  rename: 'rename',
  // A file that is new gets its name so.
  link: 'rename',
  write: 'write',
  writeFile: 'write',
  appendFile: 'write',
  sync: 'fsync',
  read: 'read',
  readFile: 'read',
};

/** `null` where the call is not about a watched file. */
function fileNames(method: string, path: unknown): { names: (moment: string) => string[]; deed: string } | null {
  const watcher = watching();
  if (watcher === null || typeof path !== 'string' || !path.startsWith(watcher.folder)) return null;
  const deed = deeds[method.replace(/Sync$/, '')] ?? 'other';
  const word = fileWord(path);
  return { deed, names: (moment) => [...new Set([deed, method])].map((name) => `${moment} ${name} of ${word}`) };
}

type Call = (this: unknown, ...values: unknown[]) => Promise<unknown>;

/** `path`: which of the arguments, or of a handle's, names the file. */
function watchCall(
  on: Record<string, Call>,
  method: string,
  path: (self: unknown, values: unknown[]) => unknown,
): void {
  const original = on[method];
  if (original === undefined) return;
  on[method] = async function (...values) {
    const file = fileNames(method, path(this, values));
    if (file === null) return await original.apply(this, values);
    const act = meet(...file.names('before'), `call ${file.deed}`);
    // A file is closed even where closing it reports a failure.
    if (act instanceof Error && method === 'close') await original.apply(this, values);
    throwIfError(act);
    const dying = file.deed === 'write' && meet(...file.names('half')) === 'half';
    // Only a single write may come out short; those that write a whole file go on until all is written.
    const half = dying || (act === 'short' && method === 'write');
    const answer = await original.apply(this, half ? halfOf(values) : values);
    if (dying) die();
    if (method === 'open') handles.set(answer as fs.promises.FileHandle, String(path(this, values)));
    throwIfError(meet(...file.names('after')));
    return answer;
  };
}

function halfOf([data]: unknown[]): unknown[] {
  const bytes = Buffer.from(data as string);
  return [bytes.subarray(0, Math.ceil(bytes.length / 2))];
}

async function watchFiles(): Promise<void> {
  const promised = fs.promises as unknown as Record<string, Call>;
  const one = await fs.promises.open('/dev/null');
  const handle = Object.getPrototypeOf(one) as Record<string, Call>;
  await one.close();
  for (const method of ['open', 'stat', 'lstat', 'access', 'chmod', 'mkdir', 'readdir', 'realpath', 'rm', 'unlink'])
    watchCall(promised, method, (_, [path]) => path);
  for (const method of ['readFile', 'writeFile']) watchCall(promised, method, (_, [path]) => path);
  for (const method of ['rename', 'link', 'copyFile']) watchCall(promised, method, (_, [, to]) => to);
  for (const method of ['write', 'writeFile', 'appendFile', 'sync', 'read', 'readFile', 'stat', 'close'])
    watchCall(handle, method, (self) => handles.get(self as fs.promises.FileHandle));
  const sync = fs as unknown as Record<string, (...values: unknown[]) => unknown>;
  const plain = ['openSync', 'mkdirSync', 'chmodSync', 'statSync', 'readFileSync', 'writeFileSync', 'renameSync'];
  for (const method of plain) {
    const original = sync[method]!;
    sync[method] = (...values) => {
      const file = fileNames(method, method === 'renameSync' ? values[1] : values[0]);
      if (file === null) return original.apply(fs, values);
      throwIfError(meet(...file.names('before'), `call ${file.deed}`));
      const answer = original.apply(fs, values);
      throwIfError(meet(...file.names('after')));
      return answer;
    };
  }
}

watchSqlite();
watchHttp();
await watchFiles();
syncBuiltinESMExports();
