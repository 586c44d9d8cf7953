/** What the kernel sees of a process: whether every file, and every name that leads to it, is on the disk when something is told. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mainFile } from './program.ts';

/** Where nobody can look (no strace, or not allowed to), nothing is tested. */
export const canLook = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const calls =
  'trace=mkdir,mkdirat,openat,link,linkat,rename,renameat,renameat2,unlink,fsync,fdatasync,write,writev,pwrite64';

/** A command under watch, whose files are below `folder`/new; what is said of its trace when it has ended. */
export function watched(folder: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const trace = join(folder, 'trace.txt');
  const watch = ['-f', '-y', '-s', '300', '-e', calls, '-o', trace, process.execPath, mainFile, ...words];
  const child = spawn('strace', watch, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  return { child, told: () => atRisk(readFileSync(trace, 'utf8'), folder) };
}

export interface Told {
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

export const toldOf = (told: readonly Told[], words: RegExp) => told.filter(({ answer }) => words.test(answer));
