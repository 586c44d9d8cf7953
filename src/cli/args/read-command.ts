/** Reads the command line's texts into the values of a command. */
import type { BareCommand, Command, Options } from '../../app/batch/command.ts';
import { longestPlanMs } from '../../pipeline/plans/plan-file.ts';
import { type Args, type CommandContext, flag, text, texts, usage } from '../compose/command-context.ts';
import { guardsOf } from '../compose/limits.ts';
import { settingsFor, sheetOptions } from './build-orders.ts';
import { readDuration, readPlace, readWhole } from './durations-and-numbers.ts';

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
