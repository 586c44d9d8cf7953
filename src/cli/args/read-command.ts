/** Reads the command line's texts into the values of a command. */
import { dirname, resolve } from 'node:path';
import type { BareCommand, Command, Options } from '../../app/batch/command.ts';
import { given, wordsIn } from '../../base/words.ts';
import { digestWords, isPlan, longestPlanMs, openPlan } from '../../pipeline/plans/plan-file.ts';
import { type Args, type CommandContext, flag, text, texts, usage } from '../compose/command-context.ts';
import { guardsOf } from '../compose/limits.ts';
import { settingsFor, sheetOptions } from './build-orders.ts';
import { readDuration, readPlace, readWhole } from './durations-and-numbers.ts';
import { corrections, limits, batch as ofBatch, updateNames } from './options.ts';

/** The options that a plan has itself. A run accepts `mayFollow` if the plan lacks them. */
const ofPlan = [...Object.keys({ ...corrections, ...ofBatch, ...limits, ...updateNames }), 'out'];
const mayFollow: readonly string[] = wordsIn('confirm-variance outside out');

/** Returns the run that a plan orders, if the file is a plan. */
export async function readOrder(args: Args, bare: BareCommand, { cwd }: Pick<CommandContext, 'cwd'>) {
  const path = resolve(cwd, text(args, 'file') ?? '');
  if (bare.do !== 'run' || !(await isPlan(path))) return { args, bare };
  const { head, digest } = await openPlan(path);
  const { repeat: confirmRepeat, confirm_variance, add, drop } = head.terms;
  const batch = head.batch_named ? head.batch : null;
  const said = given({ ...head.options, batch, add, drop, confirmRepeat, 'confirm-variance': confirm_variance });
  const twice = ofPlan.find((name) => args[name] !== undefined && (name in said || !mayFollow.includes(name)));
  if (twice !== undefined) throw usage(`--${twice} cannot stand beside a plan, which has its own options`);
  const plan = { plan: path, approve: text(args, 'approve') ?? digestWords(digest) };
  return { args: { ...args, ...said, ...plan }, bare: { ...bare, file: resolve(dirname(path), head.sheet) } };
}

/** Checks the map, settings, values, limits and expiry in this order, so that of two mistakes the same one is reported. */
export function readCommand(args: Args, bare: BareCommand, world: Pick<CommandContext, 'env' | 'cwd'>): Command {
  if ('file' in bare) sheetOptions(args, world);
  const settings = settingsFor({ ...args, ...bare }, world);
  const options = readOptions(args);
  guardsOf(args, settings);
  const expiresMs = readDuration(text(args, 'expires') ?? '24h', '--expires');
  if (expiresMs === 0 || expiresMs > longestPlanMs)
    throw usage('--expires is longer than 0, and at most 720h (30 days)');
  const rows = text(args, 'seen');
  const beside = ['add', 'drop', 'expect', 'series', 'confirmVariance'].find((name) => args[name] !== undefined);
  if (bare.do !== 'retry' && options.rows !== undefined && beside !== undefined)
    throw usage(`a plan of unpaid rows takes no --${beside}`);
  if (bare.do === 'retry' && rows !== null && !options.rows) throw usage('--seen takes the rows that it is about');
  return { ...options, expiresMs, ...bare, ...(rows === null ? {} : { seen: { rows } }) };
}

export function readOptions(args: Args): Options {
  const values = {
    concurrency: readWhole(text(args, 'concurrency') ?? '8', '--concurrency', 1, 64),
    waitMs: readDuration(text(args, 'wait') ?? '2m', '--wait'),
    rows: rowsAgain(args),
  };
  if (flag(args, 'fresh') && !flag(args, 'sandbox'))
    throw usage('--fresh empties the sandbox, and works only with --sandbox');
  const listen = text(args, 'listen');
  return { ...args, ...values, listen: listen === null ? undefined : readPlace(listen, '--listen') };
}

function rowsAgain(args: Args): Options['rows'] {
  const list = text(args, 'rows');
  const rows = [...texts(args, 'retryRow').map((row) => ({ row })), ...(list === null ? [] : [{ list }])];
  return flag(args, 'retry') ? 'all' : rows.length > 0 ? rows : undefined;
}
