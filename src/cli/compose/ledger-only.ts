/** Opens a ledger for commands that need no service. These commands never lock the ledger. */
import { existsSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { type BatchFacts, elsewhereFault, isPostgres, type Ledger, openLedger } from '../../ledger/ledger.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import { type View, viewOf } from '../../pipeline/outcome.ts';
import { doubtSettings, openOptions, requireLedgerAt, sandboxFolders } from './assemble.ts';
import { type Args, flag, type Heard, text, usage } from './command-context.ts';
import { loadSettings } from './config.ts';

export async function withLedgerOnly<T>(args: Args, world: Heard, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { env, cwd } = world;
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined }, false);
  const path = flag(args, 'sandbox') ? sandboxFolders(settings, env).ledgerPath : settings.ledgerPath;
  if (!isPostgres(path) && !existsSync(path)) {
    const hint = await otherPlace(args, world, null);
    throw usage(`there is no ledger at ${path} yet${hint}`);
  }
  const ledger = openLedger(path, systemClock, { existing: true, ...openOptions(settings, path) });
  try {
    await tellElsewhere(ledger, world);
    return await work(ledger);
  } catch (error) {
    if (!(error instanceof PayrunError) || error.code !== 'BATCH_UNKNOWN') throw error;
    const hint = await otherPlace(args, world, text(args, 'batch'));
    throw hint === '' ? error : usage(`the ledger ${path} has no such batch${hint}`);
  } finally {
    await ledger.close();
  }
}

export async function tellElsewhere(ledger: Ledger, { streams }: Heard): Promise<void> {
  const elsewhere = await ledger.elsewhere();
  if (elsewhere === null) return;
  streams.err.write(`payrun: ${ledger.path}: ${faultWords(elsewhereFault(elsewhere, ledger.path))}\n`);
}

/** Returns a hint if the other ledger, of the sandbox or of the real service, exists and has the batch. */
async function otherPlace(args: Args, { env, cwd }: Heard, batch: string | null): Promise<string> {
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined }, false);
  const here = flag(args, 'sandbox');
  const path = here ? settings.ledgerPath : sandboxFolders(settings, env).ledgerPath;
  // A ledger on Postgres is always named, so it needs no hint.
  if (settings.ledgerNamed || !existsSync(path) || (batch !== null && !(await hasBatch(path, batch)))) return '';
  const what = batch === null ? 'one' : `a batch ${batch}`;
  return here ? `; without --sandbox there is ${what}` : `; the sandbox has ${what}: add --sandbox`;
}

async function hasBatch(path: string, batch: string): Promise<boolean> {
  let ledger: Ledger | null = null;
  try {
    ledger = openLedger(path, systemClock, { readOnly: true });
    return (await ledger.batch(batch)) !== null;
  } catch {
    // The ledger is opened for a hint only, so an error is ignored.
    return false;
  } finally {
    await ledger?.close();
  }
}

/** Opens the ledger read-only. All reads see its state at one time, even while a run changes it. */
export async function withLedgerToRead<T>(args: Args, world: Heard, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { env, cwd } = world;
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined });
  const path = flag(args, 'sandbox') ? sandboxFolders(settings, env).ledgerPath : settings.ledgerPath;
  requireLedgerAt(path);
  const ledger = openLedger(path, systemClock, { readOnly: 'at one moment', ...openOptions(settings, path) });
  try {
    await tellElsewhere(ledger, world);
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

export function ledgerView(batch: BatchFacts, world: Heard): View {
  const { env, cwd } = world;
  const doubt = doubtSettings(loadSettings({ env, cwd }, {}, false), batch.service === 'sandbox');
  return viewOf({ clock: systemClock, limits: { doubt } });
}
