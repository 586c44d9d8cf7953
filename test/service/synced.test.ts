/**
 * What the kernel sees of the service: before an answer tells that something was done, every file of it is on the disk, and so
 * is every name that leads there; a power cut after that takes nothing away. Where nobody can look (no strace, or not
 * allowed to), nothing is tested.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addTenant } from '../../src/service/service.ts';
import { newFormWith } from './forms.ts';
import { callerOf, merchantOf, paymentOf, temporaryFolder } from './started.ts';

const canLook = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const main = join(import.meta.dirname, '../../src/cli/main.ts');
const calls =
  'trace=mkdir,mkdirat,openat,link,linkat,rename,renameat,renameat2,unlink,fsync,fdatasync,write,writev,pwrite64';

/** A command of the service under watch; what is said of its trace when it has ended. */
function watched(folder: string, ...words: string[]) {
  const trace = join(folder, 'trace.txt');
  const watch = ['-f', '-y', '-s', '300', '-e', calls, '-o', trace, process.execPath, main, 'service', ...words];
  const child = spawn('strace', watch, { stdio: ['pipe', 'pipe', 'inherit'] });
  return { child, told: () => atRisk(readFileSync(trace, 'utf8'), folder) };
}

interface Told {
  /** The first line of what was written out. */
  readonly answer: string;
  /** Files and names that a power cut would have taken at that moment. */
  readonly lost: readonly string[];
}

/** What was at risk each time that something was told. What SQLite rebuilds, and uploads that nobody was told of, may be. */
function atRisk(trace: string, folder: string): Told[] {
  const unwritten = new Set<string>();
  const unnamed = new Set<string>();
  const known = new Set<string>();
  const told: Told[] = [];
  const named = (path: string, from?: string) => {
    if (!path.startsWith(join(folder, 'new')) || /-shm$|\.part$/.test(path)) return;
    if (!known.has(path)) unnamed.add(path);
    known.add(path);
    if (from !== undefined && unwritten.has(from)) unwritten.add(path);
  };
  for (const call of wholeCalls(trace)) {
    const [, name, rest] = /^(\w+)\((.*)$/.exec(call) ?? [];
    if (name === undefined || / = -1 /.test(call)) continue;
    const paths = [...rest!.matchAll(/"([^"]*)"/g)].map(([, path]) => path!);
    const file = /^\d+<([^>]*)>/.exec(rest!)?.[1] ?? '';
    if (name.startsWith('mkdir') || (name === 'openat' && rest!.includes('O_CREAT'))) named(paths[0]!);
    else if (name.startsWith('link') || name.startsWith('rename')) named(paths[1]!, paths[0]);
    else if (name === 'unlink') {
      unnamed.delete(paths[0]!);
      unwritten.delete(paths[0]!);
    } else if (name.endsWith('sync')) {
      unwritten.delete(file);
      for (const path of unnamed) if (dirname(path) === file) unnamed.delete(path);
    } else if (file.startsWith(join(folder, 'new')) && !file.endsWith('-shm')) unwritten.add(file);
    else if (/^1<|^\d+<(TCP|socket)/.test(rest!)) told.push({ answer: call, lost: [...unwritten, ...unnamed] });
  }
  return told;
}

/** Calls in the order in which they ended; strace cuts one in two where another thread comes in between. */
function wholeCalls(trace: string): string[] {
  const begun = new Map<string, string>();
  return trace.split('\n').flatMap((line) => {
    const [, thread, call] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (call === undefined) return [];
    if (call.endsWith(' <unfinished ...>')) {
      begun.set(thread!, call.slice(0, -' <unfinished ...>'.length));
      return [];
    }
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(call) ?? [];
    return [end === undefined ? call : begun.get(thread!)! + end];
  });
}

const toldOf = (told: readonly Told[], words: RegExp) => told.filter(({ answer }) => words.test(answer));

describe.skipIf(!canLook)('a power cut takes nothing of what was told', () => {
  it('a tenant’s key and secret, in a folder that is new', async () => {
    const folder = temporaryFolder();
    const { child, told } = watched(folder, 'tenant', 'add', 'Acme', '--json', '--data', join(folder, 'new/deep/data'));
    await once(child, 'close');
    const [answer, ...others] = toldOf(told(), /apiSecret/);
    expect([answer?.lost, others]).toEqual([[], []]);
  });

  it('a payment and its document', async () => {
    const folder = temporaryFolder();
    const { child, told } = watched(folder, '--json', '--port', '0', '--until-eof', '--data', join(folder, 'new/data'));
    const { url, data } = JSON.parse(String((await once(child.stdout, 'data'))[0])) as { url: string; data: string };
    const credentials = await addTenant({ dataDir: data }, 'Acme');
    const { token } = (await callerOf(url)('POST', '/token', credentials)).body;
    const call = callerOf(url, token);
    const { id } = await paymentOf(call, await merchantOf(call));
    for (let count = 0; count < 2; count += 1) {
      const { status } = await call('POST', `/payments/${id}/document`, newFormWith({}));
      expect(status).toBe(201);
    }
    child.stdin.end();
    await once(child, 'close');
    const answers = toldOf(told(), /HTTP\/1\.1 201/);
    expect(answers.map(({ lost }) => lost)).toEqual([[], [], [], []]);
  });
});
