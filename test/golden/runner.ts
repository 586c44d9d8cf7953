/** Runs one golden case: a sheet, its commands and perhaps a service of its own, and what came of them as plain text. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { runCommand } from '../../src/cli/args/command-line.ts';
import type { CommandContext } from '../../src/cli/compose/command-context.ts';
import { type Service, type ServiceOptions, startService } from '../../src/service/service.ts';
import { openArchive } from '../../src/sheet/sheet.ts';
import type { NewDatabase } from '../database.ts';
import { temporary } from '../temporary.ts';
import { callsText } from './calls.ts';
import { idsIn, knownWords, planDigests, type Words, worded } from './words.ts';
import { workbookText } from './workbook-text.ts';

export const casesFolder = join(import.meta.dirname, 'cases');

/** What a case expects, by file; null: the file is not there, because there is nothing to say in it. */
export interface Expectations {
  readonly 'screen.txt': string | null;
  readonly 'result.csv': string | null;
  readonly 'calls.txt': string | null;
  /** What `sheet.xlsx` holds, so that nobody has to open it to read the case. */
  readonly 'sheet.xlsx.txt': string | null;
}

export const expectationFiles = ['screen.txt', 'result.csv', 'calls.txt', 'sheet.xlsx.txt'] as const;
const settingFiles = ['command.txt', 'service.json', 'on-postgres'];

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: () => string;
}

export interface Step {
  readonly line: string;
  readonly screen: string;
  readonly exit: number;
  readonly calls: readonly Call[];
}

export async function caseNames(): Promise<string[]> {
  const entries = await readdir(casesFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

export async function expected(name: string): Promise<Expectations> {
  const read = (file: string) => readFile(join(casesFolder, name, file), 'utf8').catch(() => null);
  const [screen, result, calls, sheet] = await Promise.all(expectationFiles.map(read));
  return {
    'screen.txt': screen ?? null,
    'result.csv': result ?? null,
    'calls.txt': calls ?? null,
    'sheet.xlsx.txt': sheet ?? null,
  };
}

export async function rewrite(name: string, actual: Expectations): Promise<string[]> {
  const changed: string[] = [];
  const before = await expected(name);
  for (const file of expectationFiles) {
    const text = actual[file];
    if (text === before[file]) continue;
    const path = join(casesFolder, name, file);
    if (text === null) await rm(path);
    else await writeFile(path, text);
    changed.push(file);
  }
  return changed;
}

/** The lines of the case's `command.txt`. */
export async function linesOf(name: string): Promise<readonly string[]> {
  const commands = await readFile(join(casesFolder, name, 'command.txt'), 'utf8');
  return commands.split('\n').filter((text) => text.trim() !== '');
}

/** On a busy machine a run may take so long that it says how far it is; the console's page may have to be built first. */
const progressLine = /^(?:[A-Z][^.]*(?: …| {2}[\d ]+(?: of [\d ]+)?)|Building the page, .*)\n$/;

/** Each case has a folder, a state and (where it asks for one) a service and a database of its own, so that all can run at once. */
export async function runCase(name: string, newDatabase: NewDatabase): Promise<Expectations> {
  const root = await realpath(await mkdtemp(join(temporary, 'payrun-golden-')));
  running += 1;
  if (running === 1) subscribe(requests, keepCall);
  try {
    return await seen.run([], async () => await runIn(root, name, newDatabase));
  } finally {
    running -= 1;
    if (running === 0) unsubscribe(requests, keepCall);
    await rm(root, { recursive: true, force: true });
  }
}

/** Of the keys that cases bring. */
const passphrase = 'a passphrase of the golden cases';

async function runIn(root: string, name: string, newDatabase: NewDatabase): Promise<Expectations> {
  const folder = join(casesFolder, name);
  const here = join(root, 'desk');
  const state = join(root, 'state');
  const theirs = (await readdir(folder)).filter((file) => !isOurs(file));
  await mkdir(here);
  for (const file of theirs) await cp(join(folder, file), join(here, file), { recursive: true });
  const service = await serviceOf(folder, join(root, 'service'));
  // A fleet needs a ledger on Postgres: this empty file asks for one.
  const database = existsSync(join(folder, 'on-postgres')) ? await newDatabase() : null;
  try {
    const env = {
      HOME: root,
      XDG_STATE_HOME: state,
      XDG_DATA_HOME: state,
      PAYRUN_PASSPHRASE: passphrase,
      ...(database === null ? {} : { PAYRUN_LEDGER: database.url }),
      ...(await credentialsOf(service)),
    };
    const steps: Step[] = [];
    let clock: Clock | null = null;
    const ids = new Set<string>();
    const plans = new Set<string>();
    for (const line of await linesOf(name)) {
      const at = /^clock (\d{4}-\d\d-\d\d \d\d:\d\d)$/.exec(line)?.[1];
      if (at !== undefined) clock = clockAt(at);
      const step: Step = at === undefined ? await runLine(line, here, { env, clock, ids: [...ids] }) : silent(line);
      steps.push(step);
      for (const id of idsIn(step.screen)) ids.add(id);
      for (const digest of planDigests(here)) plans.add(digest);
    }
    const words = await knownWords({
      here,
      state,
      ledger: database?.url ?? null,
      serviceUrl: service?.url ?? null,
      plans,
      clocked: clock !== null,
    });
    const sheet = join(here, 'sheet.xlsx');
    return {
      'screen.txt': screenText(steps, words),
      'result.csv': await resultText(here, theirs, words),
      'calls.txt': callsText(steps, words),
      'sheet.xlsx.txt': existsSync(sheet) ? await workbookText(sheet) : null,
    };
  } finally {
    await service?.close();
    await database?.drop();
  }
}

const isOurs = (file: string) => (expectationFiles as readonly string[]).includes(file) || settingFiles.includes(file);

// --- The service

/** Only a case with a `service.json` has one; the others bring their `--sandbox`. */
async function serviceOf(folder: string, dataDir: string): Promise<Service | null> {
  const path = join(folder, 'service.json');
  if (!existsSync(path)) return null;
  const options = JSON.parse(await readFile(path, 'utf8')) as Partial<ServiceOptions>;
  return await startService({ ...options, dataDir });
}

async function credentialsOf(service: Service | null): Promise<Record<string, string>> {
  if (service === null) return {};
  const { apiKey, apiSecret } = await service.tenants.add('Golden');
  return {
    PAYRUN_DOUBT_VISIBLE: '0',
    PAYRUN_BASE_URL: service.url,
    PAYRUN_API_KEY: apiKey,
    PAYRUN_API_SECRET: apiSecret,
  };
}

/** The calls that reached a service, embedded or not; the context of whoever made a server listen goes with its requests. */
const seen = new AsyncLocalStorage<Call[]>();

/** Only as long as cases run: other test files run in the same process. */
let running = 0;
const requests = 'http.server.request.start';

function keepCall(message: unknown): void {
  const { request } = message as { request: IncomingMessage };
  const chunks: Uint8Array[] = [];
  // Listening to `data` would take the body away from the service.
  const push = request.push.bind(request);
  request.push = (chunk: Uint8Array | null, encoding) => {
    if (chunk !== null) chunks.push(chunk);
    return push(chunk, encoding);
  };
  const calls = seen.getStore();
  if (calls === undefined) throw new Error('a call reached a service that no case has started');
  calls.push({
    method: request.method ?? '',
    path: (request.url ?? '').replace(/\?.*/, ''),
    body: () => Buffer.concat(chunks).toString('utf8'),
  });
}

// --- The commands

/** What no program says anything of. */
const silent = (line: string): Step => ({ line, screen: '', exit: 0, calls: [] });

/**
 * `clock 2026-11-21 10:00`: seven seconds past that minute in Johannesburg; what falls on a minute is no time of the run. It goes on with
 * what is slept, which takes no time, and a little with each look: no machine is so slow that it comes to another minute.
 */
function clockAt(minute: string): Clock {
  const start = Date.parse(`${minute.replace(' ', 'T')}:07+02:00`);
  let moved = 0;
  return {
    ...systemClock,
    now() {
      moved += 1;
      return Math.floor(start + moved);
    },
    monotonic: () => performance.now() + moved,
    async sleep(delayMs, signal) {
      const over = moved + delayMs;
      await systemClock.sleep(1, signal);
      moved = Math.max(moved, over);
    },
  };
}

interface World {
  readonly env: CommandContext['env'];
  readonly clock: Clock | null;
  /** The ids that the case's screens showed, by their first appearance: a line names them ID1, ID2 and so on. */
  readonly ids: readonly string[];
}

async function runLine(line: string, here: string, { env, clock, ids }: World): Promise<Step> {
  const calls = seen.getStore() ?? [];
  const before = calls.length;
  const mended = /^mend (\S+): (.+) → (.+)$/.exec(line);
  if (mended !== null) {
    const [, file = '', old = '', fresh = ''] = mended;
    await mend(join(here, file), old, fresh);
    return silent(line);
  }
  const { command, until } = commandIn(line);
  const [program, ...argv] = wordsOfLine(
    command
      .replace('DIGEST', planDigests(here)[0] ?? 'DIGEST')
      .replace(/\bID(\d)\b/g, (word, nth) => ids[Number(nth) - 1] ?? word),
  );
  if (program !== 'payrun')
    throw new Error(`a line of command.txt begins with 'payrun', 'until', 'mend' or 'clock': ${line}`);
  let screen = '';
  let isStopped = false;
  const write = (text: string) => {
    screen += text;
    if (until === null || isStopped || !screen.includes(until)) return;
    isStopped = true;
    // A command listens for signals before it waits, but not before its first words.
    setImmediate(() => signals.emit('SIGTERM'));
  };
  const signals = Object.assign(new EventEmitter(), {
    exit(code: number): never {
      throw new Error(`the program ended itself with ${code}`);
    },
  });
  const exit = await runCommand(argv, {
    env,
    cwd: here,
    // The name must not depend on the machine.
    actor: { driver: 'terminal', name: 'Naledi Sithole' },
    ...(clock === null ? {} : { clock }),
    streams: { out: { write }, err: { write: (text: string) => progressLine.test(text) || write(text) }, color: false },
    signals,
  });
  return { line, screen, exit, calls: calls.slice(before) };
}

/** `until TEXT: payrun …`: the command runs until it has shown this text; a signal ends it then. */
export function commandIn(line: string): { readonly command: string; readonly until: string | null } {
  const [, until = null, command = line] = /^until ([^:]+): (payrun .+)$/.exec(line) ?? [];
  return { command, until };
}

/** `mend FILE: OLD → NEW`: what a person does between two commands. */
async function mend(path: string, old: string, fresh: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  if (text.split(old).length !== 2) throw new Error(`'${old}' does not stand exactly once in ${path}`);
  await writeFile(
    path,
    text.replace(old, () => fresh),
  );
}

/** As a shell would, as far as the cases need it: words, and quotes around words with spaces. */
function wordsOfLine(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

function screenText(steps: readonly Step[], words: Words): string {
  return steps
    .map(({ line, screen, exit }) =>
      commandIn(line).command.startsWith('payrun ')
        ? `$ ${line}\n${worded(screen, words)}exit ${exit}\n`
        : `$ ${line}\n`,
    )
    .join('\n');
}

// --- The results

async function madeText(path: string): Promise<string> {
  if (path.endsWith('.xlsx')) return await workbookText(path);
  if (path.endsWith('.zip')) return await packText(path);
  const text = await readFile(path, 'utf8');
  return path.endsWith('.result.html') ? text.replace(chart, '$1 (not shown here)\n') : text;
}

/** Its steps are as wide as the machine is slow; tests of the page look at it. */
const chart = /(<h2>Payments over time<\/h2>)\n<figure>.*?<\/table>\n/s;

/** What of a pack is not told elsewhere in the case, and is the same whenever it is made. */
const toldOfPack: readonly string[] = ['totals.json', 'documents.json', 'how-to-check.html'];

async function packText(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const archive = openArchive(handle, (await handle.stat()).size);
    const texts: string[] = [];
    for (const part of archive.parts.values()) {
      if (!toldOfPack.includes(part.name)) {
        texts.push(`[${part.name}] (not shown here)\n`);
        continue;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of archive.read(part)) chunks.push(chunk);
      texts.push(`[${part.name}]\n${Buffer.concat(chunks).toString('utf8')}`);
    }
    return texts.join('');
  } finally {
    await handle.close();
  }
}

/** Every file that a command left behind; a result file is there in its last state. */
async function resultText(here: string, theirs: readonly string[], words: Words): Promise<string | null> {
  const made = (await readdir(here, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(here.length + 1))
    // The record of what Payrun wrote has digests that change with each run.
    .filter((file) => basename(file) !== '.payrun-files.jsonl')
    .filter((file) => !theirs.some((one) => file === one || file.startsWith(`${one}/`)))
    .sort();
  if (made.length === 0) return null;
  const texts = await Promise.all(
    made.map(async (file) => {
      const path = join(here, file);
      const text = await madeText(path);
      const plain = worded(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'), words);
      return made.length === 1 && file === 'sheet.result.csv' ? plain : `# ${file}\n${plain}`;
    }),
  );
  return texts.join('\n');
}
