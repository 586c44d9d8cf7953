/** The command line: what each command takes, and what it does with the pipeline. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import yargs, { type Argv } from 'yargs';
import { systemClock } from '../base/clock.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import type { BankCountry } from '../domain/bank.ts';
import { offlineBanks } from '../domain/bank.ts';
import type { Cells } from '../domain/cell.ts';
import { payoutCountryOf, sourceCountries, sourceCountryOf } from '../domain/country.ts';
import type { RowRules } from '../domain/line.ts';
import { type Ledger, openLedger, wordOf } from '../ledger/ledger.ts';
import { exitOfCode, type Outcome } from '../pipeline/outcome.ts';
import type { RunOrder } from '../pipeline/run.ts';
import { assemble, sandboxFolders } from './assemble.ts';
import { loadSettings, stateFolder } from './config.ts';
import {
  withBatch,
  withFresh,
  withJson,
  withLedger,
  withOutput,
  withResult,
  withSending,
  withSheet,
} from './options.ts';
import { firstLine, grouped, type Kind, progressLine, type Streams, summary, table } from './screen.ts';
import { readDuration, readWhole } from './values.ts';

const version = '0.1.0';

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly streams: Streams;
  readonly signals: {
    on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
    off(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
    exit(code: number): never;
  };
}

type Args = Record<string, unknown>;
type Handler = (args: Args, world: World) => Promise<number>;
type Handle = (handler: Handler) => (args: Args) => Promise<void>;

/** Runs one command to its exit code. Whatever goes wrong is said in one sentence on stderr. */
export async function runCommand(argv: readonly string[], world: World): Promise<number> {
  const { err, out } = world.streams;
  let exit = 0;
  const handle: Handle = (handler) => async (args) => {
    refuseRepeats(args);
    exit = await handler(args, world);
  };
  try {
    const parser = commands(yargs([...argv]), handle);
    let helped = '';
    await parser.parseAsync([...argv], {}, (error, _args, text) => {
      helped = text;
      if (error) throw error;
    });
    if (helped !== '') out.write(`${helped}\n`);
    return exit;
  } catch (error) {
    if (error instanceof PayrunError) {
      const failedExit = exitOfCode[error.code];
      if (argv.includes('--json'))
        out.write(`${JSON.stringify({ error: { code: error.code, message: error.message }, exit: failedExit })}\n`);
      err.write(`payrun: ${error.message}\n`);
      return failedExit;
    }
    err.write(
      `payrun: ${wordsOf(error)}\n${error instanceof Error && world.env.PAYRUN_DEBUG ? `${error.stack}\n` : ''}`,
    );
    return 1;
  }
}

function commands(cli: Argv, handle: Handle): Argv {
  const file = (y: Argv) => y.positional('file', { type: 'string', demandOption: true, describe: 'CSV or XLSX' });
  const batch = (y: Argv, describe: string) => y.positional('batch', { type: 'string', describe });
  return cli
    .scriptName('payrun')
    .usage('$0 <command>\n\nPays a sheet of payouts: never twice, never a lost row, never a hidden doubt.')
    .command(
      'run <file>',
      'Check, pay, attach, follow, and write the result',
      (y) => withFresh(withSending(withBatch(withSheet(withLedger(withOutput(file(y))))))),
      handle(runFile),
    )
    .command(
      'check <file>',
      'Every problem of every row; needs no service',
      (y) => withSheet(withOutput(file(y))),
      handle(checkFile),
    )
    .command(
      'plan <file>',
      'What paying would do: payees, payments, totals',
      (y) => withBatch(withSheet(withLedger(withOutput(file(y))))),
      handle(planFile),
    )
    .command(
      'resume <batch>',
      'Go on with a batch',
      (y) =>
        withSending(withLedger(withOutput(batch(y, "The batch's name")))).option('skip-invalid', {
          type: 'boolean',
          default: false,
          describe: 'Go on without payees that the service refused',
        }),
      handle(resumeBatch),
    )
    .command(
      'status [batch]',
      'Where a batch stands',
      (y) =>
        withLedger(withJson(batch(y, 'Its name (default: the newest)'))).option('exit-code', {
          type: 'boolean',
          default: false,
          describe: "Exit with the batch's own code",
        }),
      handle(statusOf),
    )
    .command(
      'list [batch]',
      'The batches of a ledger, or the rows of a batch',
      (y) => withLedger(withJson(batch(y, 'A batch, for its rows'))),
      handle(listOf),
    )
    .command(
      'report <batch>',
      'Write the result again',
      (y) => withResult(withLedger(withJson(batch(y, "The batch's name")))),
      handle(reportOf),
    )
    .command(
      'template',
      'Write a blank sheet with drop-downs',
      (y) =>
        y
          .option('country', { type: 'string', requiresArg: true, describe: 'Only the columns of this country' })
          .option('csv', { type: 'boolean', default: false, describe: 'CSV instead of XLSX' })
          .option('out', {
            type: 'string',
            requiresArg: true,
            describe: 'The file to write (default: payouts.xlsx here)',
          }),
      handle(templateFile),
    )
    .command(
      'banks [country]',
      'The banks that Payrun knows by name, alias and code',
      (y) => withJson(y.positional('country', { type: 'string', describe: 'SouthAfrica, Nigeria or Kenya' })),
      handle(banksOf),
    )
    .command(
      'service',
      'Run the payout service by itself',
      (y) =>
        withData(y)
          .option('port', { type: 'string', requiresArg: true, describe: 'Port to listen on (default: 8080; 0: any)' })
          .option('base-path', { type: 'string', requiresArg: true, describe: 'What stands before every path: /v1' })
          .command(
            'tenant add <name>',
            'Add a tenant and print its key and secret, once',
            (t) =>
              withJson(withData(t)).positional('name', {
                type: 'string',
                demandOption: true,
                describe: "The tenant's name, for people",
              }),
            handle(tenantAdd),
          ),
      handle(serviceAlone),
    )
    .demandCommand(1, 'name a command')
    .strict()
    .strictCommands()
    .help()
    .version(version)
    .wrap(100)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // Throwing is what keeps the handler from running: an unknown flag must send nothing.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw new PayrunError('USAGE', { detail: `${usageWords(message ?? error?.message)}; payrun --help tells more` });
    });
}

/** The parser's words, where they would puzzle a person. */
function usageWords(message: string | undefined): string {
  if (message === undefined) return 'the command line cannot be read';
  if (message.startsWith('Not enough non-option arguments'))
    return 'the command needs one more word, such as a file or a batch';
  return message.replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** A list would be taken for its first or last value: an option that is given twice is a slip. */
function refuseRepeats(args: Args): void {
  for (const [name, value] of Object.entries(args))
    if (name !== '_' && Array.isArray(value)) throw new PayrunError('USAGE', { detail: `--${name} was given twice` });
}

const text = (args: Args, name: string): string | null =>
  typeof args[name] === 'string' ? (args[name] as string) : null;
const flag = (args: Args, name: string): boolean => args[name] === true;

// --- Paying

async function runFile(args: Args, world: World): Promise<number> {
  const { run } = await import('../pipeline/run.ts');
  return await withDeps(args, world, async (deps, settings) => await run(deps, runOrder(args, world, settings)));
}

async function planFile(args: Args, world: World): Promise<number> {
  const { plan } = await import('../pipeline/preview.ts');
  return await withDeps(
    args,
    world,
    async (deps, settings) => await plan(deps, runOrder(args, world, settings)),
    'look',
  );
}

async function resumeBatch(args: Args, world: World): Promise<number> {
  const { resume } = await import('../pipeline/run.ts');
  return await withDeps(
    args,
    world,
    async (deps) => await resume(deps, advanceOrder(args, world), text(args, 'batch') ?? ''),
  );
}

type Deps = import('../pipeline/deps.ts').Deps;
type Settings = ReturnType<typeof loadSettings>;

/** Puts the program together, listens for Ctrl-C, shows progress, prints the outcome, and takes it all down again. */
async function withDeps(
  args: Args,
  world: World,
  work: (deps: Deps, settings: Settings) => Promise<Outcome>,
  kind: Kind = 'run',
): Promise<number> {
  const { streams, env, cwd } = world;
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined });
  const concurrency = readWhole(text(args, 'concurrency') ?? '8', '--concurrency', 1, 64);
  const waitMs = readDuration(text(args, 'wait') ?? '2m', '--wait');
  const sandbox = flag(args, 'sandbox');
  if (flag(args, 'fresh') && !sandbox)
    throw new PayrunError('USAGE', { detail: '--fresh begins the sandbox anew, and goes with --sandbox only' });
  const quiet = flag(args, 'quiet') || flag(args, 'json');
  const stopping = stopSignals(world);
  const line = progressLine(streams);
  const show = streams.err.isTTY === true && !quiet;
  const { deps, close } = await assemble({
    settings,
    env,
    sandbox,
    fresh: flag(args, 'fresh'),
    concurrency,
    waitMs,
    stop: stopping.signal,
    again: againFlags(args),
    progress: show ? line.show : () => {},
    say: (sentence) => {
      line.end();
      streams.err.write(`${sentence}\n`);
    },
  });
  try {
    if (!quiet) streams.out.write(firstLine(deps.service.label, deps.ledger.path));
    const outcome = await work(deps, settings);
    line.end();
    const exit = stopping.exit(outcome.exit);
    print({ ...outcome, exit }, args, streams, kind);
    return exit;
  } finally {
    line.end();
    stopping.end();
    await close();
  }
}

function againFlags(args: Args): string {
  const ledger = text(args, 'ledger');
  return `${ledger === null ? '' : ` --ledger ${JSON.stringify(ledger)}`}${flag(args, 'sandbox') ? ' --sandbox' : ''}`;
}

/** The first signal lets what is in flight end; the second ends at once, and leaves those rows in doubt. */
function stopSignals(world: World): { signal: AbortSignal; exit(otherwise: number): number; end(): void } {
  const controller = new AbortController();
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  let code = 0;
  const listeners = (Object.keys(codes) as (keyof typeof codes)[]).map((signal) => {
    const listener = () => {
      if (controller.signal.aborted) world.signals.exit(codes[signal]);
      code = codes[signal];
      world.streams.err.write('\nStopping: payments in flight are finished first. Once more ends at once.\n');
      controller.abort();
    };
    world.signals.on(signal, listener);
    return () => world.signals.off(signal, listener);
  });
  return {
    signal: controller.signal,
    exit: (otherwise) => (code !== 0 && otherwise !== 27 ? code : otherwise),
    end: () => {
      for (const off of listeners) off();
    },
  };
}

function print(outcome: Outcome, args: Args, streams: Streams, kind: Kind): void {
  if (flag(args, 'json')) streams.out.write(`${JSON.stringify(outcome)}\n`);
  else if (!flag(args, 'quiet') || outcome.exit !== 0) streams.out.write(summary(outcome, streams, kind));
}

function runOrder(args: Args, world: World, settings: Settings): RunOrder {
  const file = resolve(world.cwd, text(args, 'file') ?? '');
  return {
    ...advanceOrder(args, world),
    file,
    batch: batchName(args),
    add: flag(args, 'add'),
    confirmRepeat: confirmedRepeat(args),
    allowMomoPush: flag(args, 'allow-momo-push'),
    sheet: sheetOptions(args),
    rules: rowRules(args, {
      btcUnit: flag(args, 'sandbox') ? 'sat' : settings.btcUnit,
      networkProvider: settings.networkProvider,
    }),
    documentsFolder: documentsFolder(args, world, file),
  };
}

function advanceOrder(args: Args, world: World) {
  const out = text(args, 'out');
  return {
    updateNames: flag(args, 'update-names'),
    skipInvalid: flag(args, 'skip-invalid'),
    outDir: out === null ? null : resolve(world.cwd, out),
    format: text(args, 'format') as 'csv' | 'xlsx' | null,
  };
}

/** A repeat is a batch of its own: without a name it would be the first one again. */
function confirmedRepeat(args: Args): string | null {
  const reason = text(args, 'confirm-repeat');
  if (reason !== null && (reason.trim() === '' || text(args, 'batch') === null))
    throw new PayrunError('USAGE', { detail: '--confirm-repeat takes the reason, and goes with a new --batch NAME' });
  return reason;
}

/** A name that a person can say, type and find again: it is part of every tag. */
function batchName(args: Args): string | null {
  const name = text(args, 'batch');
  if (name === null) return null;
  if (name.trim() !== name || name === '' || name.length > 64 || /[\p{C}]/u.test(name))
    throw new PayrunError('USAGE', { detail: `--batch '${name}' is not a name of 1 to 64 visible characters` });
  return name;
}

function sheetOptions(args: Args) {
  const sheetName = text(args, 'sheet');
  return {
    ...(sheetName === null ? {} : { sheetName }),
    ...(flag(args, 'include-hidden') ? { includeHidden: true } : {}),
  };
}

function documentsFolder(args: Args, world: World, file: string): string {
  const folder = text(args, 'documents');
  return folder === null ? dirname(file) : resolve(world.cwd, folder);
}

/** A slip here would else be told once a row. */
function fromCountryCell(args: Args): Cells {
  const given = text(args, 'from-country');
  if (given === null) return {};
  if (sourceCountryOf(given) === undefined)
    throw new PayrunError('USAGE', { detail: `--from-country '${given}' is not one of ${sourceCountries.join(', ')}` });
  return { from_country: given };
}

function rowRules(args: Args, facts: Pick<RowRules, 'btcUnit' | 'networkProvider'>): Omit<RowRules, 'banks'> {
  return {
    ...facts,
    numberFormat: text(args, 'number-format') as RowRules['numberFormat'],
    accountChecks: (text(args, 'account-checks') ?? 'by-rule') as RowRules['accountChecks'],
    documents: (text(args, 'documents-policy') ?? 'require') as RowRules['documents'],
    defaults: fromCountryCell(args),
  };
}

// --- Looking

async function checkFile(args: Args, world: World): Promise<number> {
  const { check } = await import('../pipeline/preview.ts');
  const { streams, env, cwd } = world;
  const settings = loadSettings({ env, cwd }, {});
  const file = resolve(cwd, text(args, 'file') ?? '');
  const line = progressLine(streams);
  const ledger = openLedger(null, systemClock);
  try {
    const show = streams.err.isTTY === true && !flag(args, 'quiet') && !flag(args, 'json');
    const outcome = await check(
      ledger,
      {
        file,
        sheet: sheetOptions(args),
        // A sheet is checked before it is known where it will be paid; the unit of BTC amounts is asked for when it is.
        rules: {
          ...rowRules(args, { btcUnit: settings.btcUnit ?? 'sat', networkProvider: settings.networkProvider }),
          banks: offlineBanks(),
        },
        documentsFolder: documentsFolder(args, world, file),
        skipInvalid: flag(args, 'skip-invalid'),
      },
      show ? line.show : () => {},
    );
    line.end();
    print(outcome, args, streams, 'look');
    return outcome.exit;
  } finally {
    line.end();
    await ledger.close();
  }
}

/** Reading commands open the ledger that the same flags would pay from, and never take its lock. */
async function withLedgerOnly<T>(args: Args, world: World, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { env, cwd } = world;
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined });
  const path = flag(args, 'sandbox') ? sandboxFolders(settings, env).ledgerPath : settings.ledgerPath;
  if (!existsSync(path)) throw new PayrunError('USAGE', { detail: `there is no ledger at ${path} yet` });
  const ledger = openLedger(path, systemClock);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

async function statusOf(args: Args, world: World): Promise<number> {
  const { batchOutcome } = await import('../pipeline/outcome.ts');
  return await withLedgerOnly(args, world, async (ledger) => {
    const batch = await batchNamed(ledger, text(args, 'batch'));
    const outcome = await batchOutcome(ledger, batch, systemClock.now(), againFlags(args));
    if (!flag(args, 'json')) world.streams.out.write(firstLine(batch.service, ledger.path));
    print(outcome, { ...args, quiet: false }, world.streams, 'status');
    return flag(args, 'exit-code') ? outcome.exit : 0;
  });
}

async function batchNamed(ledger: Ledger, name: string | null) {
  if (name === null) {
    const [newest] = await ledger.batches();
    if (newest === undefined) throw new PayrunError('USAGE', { detail: `the ledger ${ledger.path} has no batch yet` });
    return newest;
  }
  const batch = await ledger.batch(name);
  if (batch === null) throw new PayrunError('BATCH_UNKNOWN', { batch: name });
  return batch;
}

async function listOf(args: Args, world: World): Promise<number> {
  const { out } = world.streams;
  return await withLedgerOnly(args, world, async (ledger) => {
    const name = text(args, 'batch');
    if (name === null) return await listBatches(ledger, args, world);
    const batch = await batchNamed(ledger, name);
    const rows = [];
    for (let afterId = 0; ; ) {
      const page = await ledger.rows({ batch: batch.name, afterId, limit: 1000 });
      const last = page.at(-1);
      if (last === undefined) break;
      rows.push(...page);
      afterId = last.id;
    }
    if (flag(args, 'json')) {
      const shown = rows.map((row) => ({
        row: row.number,
        key: row.key,
        status: wordOf[row.state],
        amount: row.amount,
        unit: row.unit,
        currency: row.currency,
        payment_id: row.paymentId,
        payment_status: row.paymentStatus,
        reason: row.reason,
        tag: row.tag,
      }));
      out.write(`${JSON.stringify({ batch: batch.name, rows: shown })}\n`);
      return 0;
    }
    const lines = rows.map((row) => [
      String(row.number),
      wordOf[row.state],
      grouped(row.amount),
      row.unit === 'whole' ? row.currency : `${row.currency} (${row.unit})`,
      row.paymentId ?? '',
      row.reason ?? '',
    ]);
    out.write(`${table([['row', 'status', 'amount', 'currency', 'payment', 'reason'], ...lines], 9).join('\n')}\n`);
    return 0;
  });
}

async function listBatches(ledger: Ledger, args: Args, world: World): Promise<number> {
  const { standing } = await import('../pipeline/outcome.ts');
  const { out } = world.streams;
  const batches = await Promise.all(
    (await ledger.batches()).map(async (batch) => ({
      batch: batch.name,
      sheet: batch.sheet.name,
      service: batch.service,
      received: new Date(batch.sheet.receivedAt).toISOString(),
      rows: (await standing(ledger, batch)).rows,
    })),
  );
  if (flag(args, 'json')) {
    out.write(`${JSON.stringify({ ledger: ledger.path, batches })}\n`);
    return 0;
  }
  out.write(firstLine(batches[0]?.service ?? 'none', ledger.path));
  const lines = batches.map(({ batch, sheet, received, rows }) => {
    const words = Object.entries(rows).filter(([word, count]) => word !== 'total' && count > 0);
    return [
      batch,
      sheet,
      received.slice(0, 16).replace('T', ' '),
      words.map(([word, count]) => `${grouped(count)} ${word.replace('_', ' ')}`).join(', '),
    ];
  });
  out.write(
    lines.length === 0
      ? 'No batches yet.\n'
      : `${table([['batch', 'sheet', 'received', 'rows'], ...lines], 9).join('\n')}\n`,
  );
  return 0;
}

async function reportOf(args: Args, world: World): Promise<number> {
  const { report } = await import('../pipeline/report.ts');
  return await withLedgerOnly(args, world, async (ledger) => {
    const batch = await batchNamed(ledger, text(args, 'batch'));
    const { outDir, format } = advanceOrder(args, world);
    const path = await report({ ledger, batch, outDir, format, now: systemClock.now() });
    world.streams.out.write(
      flag(args, 'json') ? `${JSON.stringify({ batch: batch.name, result: path })}\n` : `${path}\n`,
    );
    return 0;
  });
}

// --- Reference

async function templateFile(args: Args, world: World): Promise<number> {
  const { writeTemplate } = await import('../sheet/sheet.ts');
  const asked = text(args, 'country');
  const country = asked === null ? null : payoutCountryOf(asked);
  if (country === undefined)
    throw new PayrunError('USAGE', { detail: `--country '${asked}' is not South Africa, Nigeria, Kenya or BTC` });
  const name = `payouts${country === null ? '' : `-${country.toLowerCase()}`}.${flag(args, 'csv') ? 'csv' : 'xlsx'}`;
  const path = resolve(world.cwd, text(args, 'out') ?? name);
  const written = await writeTemplate(path, country === null ? {} : { countries: [country] });
  world.streams.out.write(`${written}\n`);
  return 0;
}

async function banksOf(args: Args, world: World): Promise<number> {
  const { bankTable } = await import('../domain/bank.ts');
  const asked = text(args, 'country');
  const country = asked === null ? null : payoutCountryOf(asked);
  if (asked !== null && (country === undefined || country === null || country === 'BTC'))
    throw new PayrunError('USAGE', { detail: `'${asked}' has no banks here; name South Africa, Nigeria or Kenya` });
  const countries: readonly BankCountry[] = country === null ? ['SouthAfrica', 'Nigeria'] : [country as BankCountry];
  const banks = countries.flatMap((one) => bankTable[one]);
  const { out } = world.streams;
  if (flag(args, 'json')) out.write(`${JSON.stringify(banks)}\n`);
  else
    out.write(
      `${table([['country', 'bank', 'code'], ...banks.map(({ country: one, name, code }) => [one, name, code ?? ''])], 9).join('\n')}\n`,
    );
  return 0;
}

// --- The service by itself

function withData(yargs: Argv) {
  return yargs.option('data', {
    type: 'string',
    requiresArg: true,
    describe: 'Folder of its data (default: under $XDG_STATE_HOME/payrun)',
  });
}

function serviceData(args: Args, world: World): string {
  const data = text(args, 'data');
  return data === null ? join(stateFolder(world.env), 'service') : resolve(world.cwd, data);
}

async function serviceAlone(args: Args, world: World): Promise<number> {
  const { startService } = await import('../service/service.ts');
  const port = readWhole(text(args, 'port') ?? '8080', '--port', 0, 65_535);
  const dataDir = serviceData(args, world);
  const basePath = text(args, 'base-path');
  const service = await startService({ dataDir, port, ...(basePath === null ? {} : { basePath }) });
  const { out } = world.streams;
  out.write(`The payout service listens on ${service.url}\n`);
  out.write(`Its data: ${dataDir}\n`);
  out.write(`A key and secret: payrun service tenant add NAME --data ${JSON.stringify(dataDir)}\n`);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  world.signals.on('SIGINT', stop);
  world.signals.on('SIGTERM', stop);
  if (!stopped.signal.aborted) await once(stopped.signal, 'abort');
  await service.close();
  return 0;
}

async function tenantAdd(args: Args, world: World): Promise<number> {
  const { addTenant } = await import('../service/service.ts');
  const made = await addTenant(serviceData(args, world), text(args, 'name') ?? '');
  const { out } = world.streams;
  if (flag(args, 'json')) out.write(`${JSON.stringify(made)}\n`);
  else
    out.write(
      `PAYRUN_API_KEY=${made.apiKey}\nPAYRUN_API_SECRET=${made.apiSecret}\nThe secret is shown once and cannot be read again.\n`,
    );
  return 0;
}
