/** A person's desk: a sheet, a ledger and a machine; and the commands that are run there, each a process of its own. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Decision } from '../../src/app/batch/command.ts';
import { decideRow } from '../../src/app/decide-row.ts';
import { reconcileRows } from '../../src/app/reconcile-batch.ts';
import { retryRows } from '../../src/app/retry-rows.ts';
import { resume, run } from '../../src/app/run-batch.ts';
import { PayrunError } from '../../src/base/errors.ts';
import type { Refusal } from '../../src/base/refusal.ts';
import { refusalWords } from '../../src/messages/refusals.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import type { RunOrder } from '../../src/pipeline/order.ts';
import type { Outcome } from '../../src/pipeline/outcome.ts';
import { stopOf } from '../../src/pipeline/sending/backoff.ts';
import { plainRules } from '../plain-rules.ts';
import { Hang, type Machine } from './clock.ts';
import { forgetLedgers, restoreKept } from './memory-store.ts';
import { type Fate, startProcess } from './process.ts';
import { rowOfReference, sheetText } from './sheet.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

export interface Desk {
  readonly name: string;
  readonly sheet: string;
  readonly ledger: string;
  /** Outside the ledger's folder, as the program keeps it. */
  readonly witness: string;
  readonly machine: Machine;
  /** How often each row was corrected in this desk's sheet. */
  readonly corrections: Map<number, number>;
  /** The last outcome that was told here, and the result that went with it. */
  last: { readonly outcome: Outcome; readonly lines: readonly ResultLine[] } | null;
  /** Whether this ledger may lack what was sent: it was lost or restored, or another one sends the same rows. */
  forgetful: boolean;
  backup: Uint8Array | null;
  /** The last command said that everything of this sheet was paid. */
  ended: boolean;
  /** The payment that the last word named, where the word was refused. */
  inVain: string | null;
  commands: number;
}

/** A command as a person gives it; all but the first need a batch that was told of before. */
export type Command =
  | { readonly kind: 'run'; readonly add?: boolean }
  | { readonly kind: 'resume' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'reconcile' }
  | Settling;

/** A person's word. */
type Settling =
  | { readonly kind: 'release' }
  | { readonly kind: 'not-paid' | 'not-a-repeat' | 'known'; readonly key: string }
  | { readonly kind: 'paid'; readonly key: string; readonly paymentId: string };

export interface ResultLine {
  readonly row: number | null;
  /** As the ledger knows it. */
  readonly key: string;
  readonly status: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly reason: string;
}

export type Ending =
  | { readonly kind: 'told'; readonly outcome: Outcome; readonly lines: readonly ResultLine[] }
  | { readonly kind: 'refused'; readonly code: string; readonly refusal: Refusal }
  | { readonly kind: 'died' }
  | { readonly kind: 'broken' };

export function newDesk(story: Story, folder: string, name: string): Desk {
  const own = join(folder, name);
  mkdirSync(join(own, 'state'), { recursive: true });
  // The smallest file that the service takes as a document.
  writeFileSync(join(own, 'proof.pdf'), '%PDF-1.4\n%%EOF\n');
  const desk: Desk = {
    name,
    sheet: join(own, 'november.csv'),
    ledger: join(own, 'state', 'ledger.db'),
    witness: join(own, 'witness', 'witness.json'),
    machine: { wallOffsetMs: 0, boot: `${name}-boot-1`, bootedAt: -60_000 },
    corrections: new Map(),
    last: null,
    forgetful: false,
    backup: null,
    ended: false,
    inVain: null,
    commands: 0,
  };
  writeSheet(story, desk);
  return desk;
}

export function writeSheet({ parameters }: Story, desk: Desk): void {
  writeFileSync(desk.sheet, sheetText(parameters, desk.corrections));
}

export function loseLedger(desk: Desk, withWitness: boolean): void {
  if (withWitness) rmSync(dirname(desk.witness), { recursive: true, force: true });
  forgetLedgers(desk.ledger);
  rmSync(dirname(desk.ledger), { recursive: true });
  mkdirSync(dirname(desk.ledger));
  desk.forgetful = true;
  desk.last = null;
}

export function restoreLedger(desk: Desk, copy: Uint8Array): void {
  restoreKept(desk.ledger, copy);
  desk.forgetful = true;
  desk.last = null;
}

/** What a process does at most in one command, its wait for payments apart. */
const slackMs = 12 * 60 * 60 * 1000;

/** Runs one command to its end, or to its death. */
export async function execute(
  story: Story,
  world: World,
  desk: Desk,
  { command, fate }: { command: Command; fate: Fate },
): Promise<Ending> {
  const { parameters, timeline, tell } = story;
  desk.commands += 1;
  const name = `${desk.name}.${desk.commands}`;
  const batch = desk.last?.outcome.batch ?? (parameters.named ? 'nov' : null);
  const words = wordsOf(command, parameters.named, batch);
  tell(name, `payrun ${words}`);
  const { ledger: ledgerPath, witness, machine } = desk;
  const started = startProcess(story, world, { name, ledgerPath, witnessPath: witness, machine, fate });
  const work = perform(started.deps, orderOf(story, desk, command), command, batch).catch((error: unknown) => {
    throw stopOf(started.deps, error);
  });
  // After a death nobody hears what else becomes of it.
  work.catch(() => undefined);
  try {
    const outcome = await timeline.until(Promise.race([work, started.death]), parameters.waitMs + slackMs, started);
    if (outcome === 'died') return { kind: 'died' };
    const result = outcome.run?.result ?? null;
    const lines = result === null ? [] : readResult(result);
    tell(name, outcomeWords(outcome));
    if (started.paying.size > 0)
      story.blame('no crash', `${name} ended while ${[...started.paying].join(', ')} had no answer yet`);
    desk.last = { outcome, lines };
    return { kind: 'told', outcome, lines };
  } catch (error) {
    if (error instanceof PayrunError) {
      tell(name, `refused (${error.code}): ${refusalWords(error).split('\n')[0]}`);
      // A refused word may have moved rows all the same: the person reads the file.
      const path = desk.last?.outcome.run?.result ?? null;
      if (desk.last !== null && path !== null && existsSync(path))
        desk.last = { ...desk.last, lines: readResult(path) };
      desk.ended = error.code === 'BATCH_PAID';
      if ('key' in command) desk.inVain = command.kind === 'paid' ? command.paymentId : null;
      return { kind: 'refused', code: error.code, refusal: error.refusal };
    }
    if (error instanceof Hang) story.blame('no hang', `${name} (payrun ${words}): ${error.message}`);
    else story.blame('no crash', `${name} (payrun ${words}): ${error instanceof Error ? error.stack : String(error)}`);
    return { kind: 'broken' };
  } finally {
    await started.end();
  }
}

function wordsOf(command: Command, named: boolean, batch: string | null): string {
  switch (command.kind) {
    case 'run':
      return `run november.csv${named ? ' --batch nov' : ''}${command.add ? ' --add' : ''}`;
    case 'release':
      return `resolve ${batch} --release-absent`;
    case 'not-paid':
    case 'not-a-repeat':
    case 'known':
      return `resolve ${batch} --row ${command.key} --${command.kind}`;
    case 'paid':
      return `resolve ${batch} --row ${command.key} --paid ${command.paymentId}`;
    case 'resume':
    case 'reconcile':
    case 'retry':
      return `${command.kind} ${batch}`;
  }
}

/** Calls the use cases that the command line calls. */
async function perform(deps: Deps, order: RunOrder, command: Command, name: string | null): Promise<Outcome> {
  if (command.kind === 'run' || name === null) return await run(deps, order);
  const batchOrder = { ...order, batch: name };
  if (command.kind === 'resume') return await resume(deps, batchOrder);
  if (command.kind === 'retry') return await retryRows(deps, batchOrder);
  if (command.kind === 'reconcile') return await reconcileRows(deps, batchOrder);
  return await decideRow(deps, { ...batchOrder, decision: decisionOf(command) }, async () => null);
}

function decisionOf(command: Settling): Decision {
  switch (command.kind) {
    case 'release':
      return { way: 'release-absent', row: null, reason: 'nothing was paid' };
    case 'not-paid':
      return { way: 'not-paid', row: command.key, reason: 'the service says so' };
    case 'paid':
      return { way: 'paid', row: command.key, payment: command.paymentId, reason: '' };
    case 'known':
      return { way: 'known', row: command.key, reason: 'the service returns one' };
    case 'not-a-repeat':
      return { way: 'not-a-repeat', row: command.key, reason: 'it is meant' };
  }
}

function outcomeWords({ rows, end, run: ran, stopped, batch }: Outcome): string {
  const counts = Object.entries(rows).filter(([, count]) => count > 0);
  const why = stopped === undefined ? '' : `, stopped by ${stopped.code}: ${refusalWords(stopped).slice(0, 160)}`;
  return `${end}: ${counts.map(([word, count]) => `${count} ${word}`).join(', ')}; sent ${ran?.sent ?? 0} (${batch})${why}`;
}

function orderOf({ parameters }: Story, desk: Desk, command: Command): RunOrder {
  return {
    file: desk.sheet,
    batch: parameters.named ? 'nov' : null,
    add: command.kind === 'run' && command.add === true,
    drop: command.kind === 'run' && command.add === true,
    prompts: 5,
    repeated: {},
    confirmRepeat: null,
    skipInvalid: true,
    updateNames: false,
    outDir: null,
    format: null,
    sheet: {},
    rules: plainRules,
    documentsFolder: dirname(desk.sheet),
  };
}

function readResult(path: string): ResultLine[] {
  const records = parse(readFileSync(path), { columns: true, bom: true }) as Record<string, string>[];
  return records.map((record) => ({
    row: rowOfReference(record.reference),
    status: record.payrun_status ?? '',
    key: record.payrun_row ?? '',
    paymentId: record.payment_id ?? '',
    amount: Number(record.amount),
    reason: record.payrun_reason ?? '',
  }));
}

/** A second person gets the sheet as the first one has it now. */
export function copySheet(from: Desk, to: Desk): void {
  copyFileSync(from.sheet, to.sheet);
  for (const [row, times] of from.corrections) to.corrections.set(row, times);
}
