/** Opens a ledger for commands that need no service. These commands never lock the ledger. */
import { existsSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import {
  type BatchFacts,
  elsewhereFault,
  isPostgres,
  type Ledger,
  type OpenOptions,
  openLedger,
} from '../../ledger/ledger.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import { type View, viewOf } from '../../pipeline/outcome.ts';
import { doubtSettings, ledgerPlace } from './assemble.ts';
import { type Args, flag, type Heard, text, usage } from './command-context.ts';
import { loadSettings } from './config.ts';

type Work<T> = (ledger: Ledger) => Promise<T>;

export const withLedgerOnly = async <T>(args: Args, world: Heard, work: Work<T>) =>
  await withOpened(args, world, { existing: true }, work);

/** Opens the ledger read-only. All reads see its state at one time, even while a run changes it. */
export const withLedgerToRead = async <T>(args: Args, world: Heard, work: Work<T>) =>
  await withOpened(args, world, { readOnly: 'at one moment' }, work);

async function withOpened<T>(args: Args, world: Heard, how: OpenOptions, work: Work<T>): Promise<T> {
  const { place, options } = ledgerPlace(loadSettings(world, args, false));
  if (isMissing(place)) throw usage(`there is no ledger at ${place} yet${await otherPlace(args, world, null)}`);
  const ledger = openLedger(place, systemClock, { ...how, ...options });
  try {
    await tellElsewhere(ledger, world);
    return await work(ledger);
  } catch (error) {
    if (!(error instanceof PayrunError) || error.code !== 'BATCH_UNKNOWN') throw error;
    const hint = await otherPlace(args, world, text(args, 'batch'));
    throw hint === '' ? error : usage(`the ledger ${place} has no such batch${hint}`);
  } finally {
    await ledger.close();
  }
}

/** A command that only reads or copies must not create a ledger. */
export const isMissing = (place: string) => !isPostgres(place) && !existsSync(place);

async function tellElsewhere(ledger: Ledger, { streams }: Heard): Promise<void> {
  const elsewhere = await ledger.elsewhere();
  if (elsewhere === null) return;
  streams.err.write(`payrun: ${ledger.path}: ${faultWords(elsewhereFault(elsewhere, ledger.path))}\n`);
}

/** Returns a hint if the other ledger, of the sandbox or of the real service, exists and has the batch. */
async function otherPlace(args: Args, world: Heard, batch: string | null): Promise<string> {
  const here = flag(args, 'sandbox');
  const { ledgerPath: path, ledgerNamed } = loadSettings(world, { ...args, sandbox: !here }, false);
  // A ledger on Postgres is always named, so it needs no hint.
  if (ledgerNamed || !existsSync(path) || (batch !== null && !(await hasBatch(path, batch)))) return '';
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

export function ledgerView(batch: BatchFacts, world: Heard): View {
  const doubt = doubtSettings(loadSettings(world, {}, false), batch.service === 'sandbox');
  return viewOf({ clock: systemClock, limits: { doubt } });
}
