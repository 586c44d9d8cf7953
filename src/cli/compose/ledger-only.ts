/** Opens a ledger for commands that need no service. These commands never lock the ledger. */
import { existsSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import {
  type BatchFacts,
  elsewhereFault,
  isPostgres,
  type Ledger,
  type OpenOptions,
  openLedger,
} from '../../ledger/ledger.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import { type View, viewOf } from '../../pipeline/doubt-step.ts';
import { doubtSettings, ledgerPlace } from './assemble.ts';
import { type Args, flag, type Heard, usage } from './command-context.ts';
import { loadSettings } from './config.ts';

export const ledgerOnly = async (args: Args, world: Heard) => await openExisting(args, world, { existing: true });

/** Opens the ledger read-only. All reads see its state at one time, even while a run changes it. */
export const ledgerToRead = async (args: Args, world: Heard) =>
  await openExisting(args, world, { readOnly: 'at-one-moment' });

async function openExisting(args: Args, world: Heard, how: OpenOptions): Promise<Ledger> {
  const { place, options } = ledgerPlace(loadSettings(world, args, false));
  requireLedgerAt(place, () => otherPlace(args, world));
  await using opened = new AsyncDisposableStack();
  const ledger = opened.use(openLedger(place, systemClock, { ...how, ...options }));
  await tellElsewhere(ledger, world);
  opened.move();
  return ledger;
}

/** A command that only reads or copies must not create a ledger. */
export function requireLedgerAt(place: string, hint = () => ''): void {
  if (!isPostgres(place) && !existsSync(place)) throw usage(`there is no ledger at ${place} yet${hint()}`);
}

async function tellElsewhere(ledger: Ledger, { streams }: Heard): Promise<void> {
  const elsewhere = await ledger.elsewhere();
  if (elsewhere === null) return;
  streams.err.write(`payrun: ${ledger.path}: ${faultWords(elsewhereFault(elsewhere, ledger.path))}\n`);
}

/** Returns a hint if the other ledger, of the sandbox or of the real service, exists. A named ledger has no other. */
function otherPlace(args: Args, world: Heard): string {
  const sandbox = flag(args, 'sandbox');
  const { ledgerPath, ledgerNamed } = loadSettings(world, { ...args, sandbox: !sandbox }, false);
  if (ledgerNamed || !existsSync(ledgerPath)) return '';
  return sandbox ? '; without --sandbox there is one' : '; the sandbox has one: add --sandbox';
}

export function ledgerView(batch: BatchFacts, world: Heard): View {
  const doubt = doubtSettings(loadSettings(world, {}, false), batch.service === 'sandbox');
  return viewOf({ doubt }, systemClock.now());
}
