/** What the tests of whole runs share: folders, sheets, a world for the command line, real processes, and the promises of every document. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { Clock } from '../src/base/clock.ts';
import type { ErrorCode } from '../src/base/refusal.ts';
import { runCommand } from '../src/cli/args/command-line.ts';
import type { CommandContext } from '../src/cli/compose/command-context.ts';
import type { ShownOutcome } from '../src/cli/render/outcome-document.ts';
import type { NoteKind, NoteOf } from '../src/domain/note.ts';
import { atEnd } from './endings.ts';
import { type Independent, type Shape, startIndependent } from './independent/service.ts';
import { mainFile, ownEnv } from './program.ts';
import { temporary } from './temporary.ts';

/** A folder that is gone when the test file ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(temporary, 'payrun-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A service of one's own: batches are named by their rows, so the same rows at the same service are found again, as they should be. */
export async function newService(shape: Shape = {}): Promise<Independent> {
  const service = await startIndependent(shape);
  atEnd(() => service.close());
  return service;
}

export type SheetRow = Readonly<Record<string, string>>;

const columns = [
  'row_id',
  'payee_id',
  'name',
  'country',
  'bank_name',
  'account_number',
  'contact_number',
  'network_provider',
  'lnurl',
  'amount',
  'amount_unit',
  'currency',
  'reference',
  'from_country',
  'collection_method',
  'documents',
  'merchant_id',
  'note',
];

export function csvOf(rows: readonly SheetRow[]): string {
  const used = columns.filter((column) => rows.some((row) => row[column] !== undefined));
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [used, ...rows.map((row) => used.map((column) => quoted(row[column] ?? '')))];
  return `${lines.map((line) => line.join(',')).join('\n')}\n`;
}

/** Rows that every service takes, each with a reference of its own; phones cycle through `phones` merchants. */
export function kenyanRows(count: number, phones = 5): SheetRow[] {
  return Array.from({ length: count }, (_, index) => ({
    row_id: `k${index + 1}`,
    name: `Payee ${(index % phones) + 1}`,
    country: 'Kenya',
    contact_number: `+2547123456${String(10 + (index % phones))}`,
    amount: String(100 + index),
    reference: `Ref ${index + 1}`,
  }));
}

export const southAfrican: SheetRow = {
  row_id: 'za1',
  name: 'Thandi Mokoena',
  country: 'SouthAfrica',
  bank_name: 'Standard Bank',
  account_number: '10004291601',
  amount: '4500',
  reference: 'Salary Nov',
};

export const nigerian: SheetRow = {
  row_id: 'ng1',
  name: 'Ade Bello',
  country: 'Nigeria',
  bank_name: 'Guaranty Trust Bank',
  account_number: '0123456785',
  amount: '250000',
  reference: 'INV 204',
};

export const lightning: SheetRow = {
  row_id: 'btc1',
  name: 'Satoshi',
  country: 'BTC',
  lnurl: 'satoshi@bitcoin.org',
  amount: '21000',
  amount_unit: 'sat',
  reference: 'Tip',
};

export const oneOfEach: readonly SheetRow[] = [southAfrican, nigerian, ...kenyanRows(1), lightning];

export interface Desk {
  readonly folder: string;
  readonly sheet: string;
  readonly env: Record<string, string>;
  readonly ledger: string;
  /** By which its commands check, plan and pay; absent: the machine's. */
  clock?: Clock;
}

/** A sheet in a folder of its own, and the environment that pays at a service. */
export function deskFor(
  service: Independent | null,
  rows: readonly SheetRow[],
  env: Record<string, string> = {},
): Desk {
  const folder = newFolder();
  const sheet = join(folder, 'november.csv');
  writeFileSync(sheet, csvOf(rows));
  mkdirSync(join(folder, 'state'));
  const ledger = join(folder, 'state', 'ledger.db');
  return {
    folder,
    sheet,
    ledger,
    env: {
      PAYRUN_LEDGER: ledger,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_DATA_HOME: join(folder, 'data'),
      ...(service === null
        ? {}
        : {
            PAYRUN_BASE_URL: service.url,
            PAYRUN_API_KEY: service.apiKey,
            PAYRUN_DOUBT_VISIBLE: '0',
            PAYRUN_API_SECRET: service.apiSecret,
          }),
      ...env,
    },
  };
}

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, as `main.ts` does in its own; what `keyboard` emits are its signals. */
export async function command(
  desk: Pick<Desk, 'env' | 'folder' | 'clock'> & Pick<CommandContext, 'actor' | 'program'>,
  argv: readonly string[],
  keyboard = new EventEmitter(),
): Promise<Ran> {
  let out = '';
  let err = '';
  const signals = Object.assign(keyboard, {
    exit(code: number): never {
      throw new Error(`exit ${code}`);
    },
  });
  const world: CommandContext = {
    env: desk.env,
    cwd: desk.folder,
    ...(desk.clock === undefined ? {} : { clock: desk.clock }),
    ...(desk.actor === undefined ? {} : { actor: desk.actor }),
    ...(desk.program === undefined ? {} : { program: desk.program }),
    streams: {
      out: { write: (text) => (out += text) },
      err: {
        write: (text) => {
          err += text;
          keyboard.emit('told', err);
        },
      },
      color: false,
    },
    signals,
  };
  const exit = await runCommand(argv, world);
  return { exit, out, err };
}

export interface Paid extends Ran {
  readonly document: ShownOutcome;
}

/** `run SHEET --json`: the outcome, after the promises that hold for every document. */
export async function pay(desk: Desk, ...more: string[]): Promise<Paid> {
  const wait = more.includes('--wait') ? [] : ['--wait', '0'];
  const ran = await command(desk, ['run', desk.sheet, '--json', ...wait, ...more]);
  if (!ran.out.startsWith('{"batch"')) throw new Error(`no document, exit ${ran.exit}: ${ran.out}${ran.err}`);
  return { ...ran, document: documentOf(ran) };
}

export function documentOf(ran: Ran): ShownOutcome {
  const document = JSON.parse(ran.out) as ShownOutcome;
  expectSound(document);
  expect(document.exit, 'the exit code stands in the document').toBe(ran.exit);
  return document;
}

/** Returns the refusal of a command that ran with --json. */
export const refusalOf = ({ out }: Ran) => (JSON.parse(out) as { error: { code: ErrorCode; facts: object } }).error;

/** Matches a mistake in a command or a setting, which has a sentence and no facts. The sentence has this name or value. */
const mistakeAbout = (code: 'USAGE' | 'CONFIG') => (text: string) => ({
  code,
  message: expect.stringContaining(text) as string,
});
export const usageAbout = mistakeAbout('USAGE');
export const configAbout = mistakeAbout('CONFIG');

/** Matches PLAN_DIFFERS with these faults, and maybe others. */
export const planDiffers = (...faults: object[]) => ({
  code: 'PLAN_DIFFERS',
  facts: { differences: { shown: expect.arrayContaining(faults.map((one) => expect.objectContaining(one))) } },
});

/** Matches a note of the kind that has these facts. */
export const noted = <K extends NoteKind>(note: K, facts: Partial<NoteOf<K>> = {}): unknown =>
  expect.objectContaining<object>({ note, ...facts });

/** Expects that the counts add up to the total, and that the parts of each currency add up to its planned sum. */
export function expectSound({ rows, totals }: Pick<ShownOutcome, 'rows' | 'totals'>): void {
  const { total, ...counts } = rows;
  expect(
    Object.values(counts).reduce((sum, count) => sum + count, 0),
    'the counts add up to the total',
  ).toBe(total);
  for (const { currency, unit: _, from: __, planned, paid_twice: ___, differs, ...parts } of totals)
    expect(
      Object.values(parts).reduce((sum, part) => sum + part, 0),
      `the money in ${currency} adds up to what was planned`,
    ).toBe(planned + differs);
}

/** A result file as records, its apostrophes against formulas taken off. */
export function resultOf(path: string | null): Record<string, string>[] {
  if (path === null) throw new Error('no result was written');
  const records = parse(readFileSync(path, 'utf8'), { columns: true, bom: true }) as Record<string, string>[];
  return records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, cell]) => [name, cell.replace(/^'(?=[+=@-])/, '')])),
  );
}

/** The heart of the matter: every row of the sheet has exactly one payment at the service, with its amount. */
export function expectOnePaymentEach(service: Independent, rows: readonly SheetRow[]): void {
  const counts = new Map<string, number>();
  for (const { reference } of service.payments) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(rows.map(({ reference }) => [reference, 1])));
  const amounts = Object.fromEntries(service.payments.map(({ reference, amount }) => [reference, amount]));
  expect(amounts).toEqual(Object.fromEntries(rows.map(({ reference, amount }) => [reference, Number(amount)])));
}

export function expectNoTwins(service: Independent): void {
  const tags = service.payments.map(({ tag }) => tag?.toLowerCase());
  expect(new Set(tags).size, 'no tag is on two payments').toBe(tags.length);
}

export interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran & { readonly signal: NodeJS.Signals | null }>;
}

/** `payrun …`, a process of its own. */
export function start(
  desk: Pick<Desk, 'env' | 'folder'>,
  argv: readonly string[],
  program = mainFile,
  node: readonly string[] = [],
): Process {
  const child = spawn(process.execPath, [...node, program, ...argv], {
    cwd: desk.folder,
    env: { ...ownEnv, HOME: desk.folder, ...desk.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atEnd(() => child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<Ran & { signal: NodeJS.Signals | null }>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => done({ exit: code ?? -1, out, err, signal }));
  });
  return { child, ended };
}

/** Waits for something that another part of the test brings about. */
export async function until(what: string, holds: () => boolean, timeoutMs = 80_000): Promise<void> {
  const giveUp = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > giveUp) throw new Error(`waited in vain for: ${what}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

/** As a shell takes a line apart, up to its comment. */
export function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:'[^']*'|\\'|[^\s'#]+)+|#.*/g)].map(([word]) => word);
  const comment = words.findIndex((word) => word.startsWith('#'));
  return (comment < 0 ? words : words.slice(0, comment)).map((word) => word.replaceAll(/'([^']*)'|\\(')/g, '$1$2'));
}
