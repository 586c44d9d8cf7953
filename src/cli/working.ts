/** `payrun worker`: a member of a fleet, until it is stopped. */
import { systemClock } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { counted } from '../base/words.ts';
import { driverAddress, isPostgres, readPostgres } from '../ledger/ledger.ts';
import type { Deed } from '../workers/waking.ts';
import { requireFleet } from '../workers/worker.ts';
import { assemble } from './assemble.ts';
import { loadSettings, type Settings } from './config.ts';
import { guardsOf } from './guarding.ts';
import { batchNamed, withLedgerOnly } from './looking.ts';
import { whoIsHere } from './order.ts';
import { commandsAt } from './thread.ts';
import { readWhole } from './values.ts';
import { type Args, againFlags, flag, stopOn, text, type World } from './world.ts';

/** How often unfinished batches are looked for. */
const sweepMs = 5000;

const placeFlags = (args: Args) =>
  ['ledger', 'as-user'].flatMap((name) => {
    const value = text(args, name);
    return value === null ? [] : [`--${name}`, value];
  });

/** Beside the ledger's schema, in its database: what is lost of it loses no batch. */
function engineOf({ ledgerPath, ledgerPassword }: Settings): { readonly address: string; readonly schema: string } {
  const address = driverAddress(ledgerPath, ledgerPassword?.reveal() ?? null);
  return { address, schema: `${readPostgres(ledgerPath).schema}_boss` };
}

/** `payrun pause [BATCH]`: a kill switch, until somebody ends it. */
export async function pauseBatches(args: Args, world: World): Promise<number> {
  const { out } = world.streams;
  return await withLedgerOnly(args, world, async (ledger) => {
    const fleet = requireFleet(ledger);
    await ledger.requireHome();
    const batch = text(args, 'batch');
    if (batch !== null) await batchNamed(ledger, batch);
    const what = batch === null ? 'All batches of this ledger' : `Batch ${batch}`;
    const by = whoIsHere(world);
    if (flag(args, 'end')) {
      const was = await fleet.endPause(batch, by);
      out.write(`${what}: ${was ? 'no longer paused; payrun resume BATCH goes on' : 'not paused by this word'}.\n`);
      return 0;
    }
    const reason = text(args, 'reason') ?? '';
    if (reason.trim() === '')
      throw new PayrunError('USAGE', { detail: 'pause takes a --reason, which the trail keeps' });
    const is = await fleet.pause(batch, by, reason);
    out.write(`${what}: ${is ? 'paused. Nothing more is sent; what is under way ends' : 'paused already'}.\n`);
    return 0;
  });
}

/** `payrun schedule BATCH`: the fleet goes on with it at its hours. */
export async function scheduleBatch(args: Args, world: World): Promise<number> {
  const { schedule } = await import('../workers/waking.ts');
  const { env, cwd, streams } = world;
  const batch = text(args, 'batch') ?? '';
  await withLedgerOnly(args, world, async (ledger) => {
    requireFleet(ledger);
    await ledger.requireHome();
    await batchNamed(ledger, batch);
  });
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined }, false);
  const cron = text(args, 'cron');
  if (cron === null && !flag(args, 'end'))
    throw new PayrunError('USAGE', { detail: 'schedule takes --cron, or --end' });
  const zone = text(args, 'zone') ?? 'Africa/Johannesburg';
  const say = (sentence: string) => streams.err.write(`${sentence}\n`);
  const was = await schedule({ ...engineOf(settings), say }, batch, cron === null ? null : { cron, zone });
  streams.out.write(
    cron === null
      ? `Batch ${batch}: ${was ? 'no longer scheduled' : 'was not scheduled'}.\n`
      : `Batch ${batch}: the fleet goes on with it at '${cron}' (${zone}).\n`,
  );
  return 0;
}

export async function joinFleet(args: Args, world: World): Promise<number> {
  const { work } = await import('../workers/worker.ts');
  const { env, cwd, streams, signals } = world;
  if (flag(args, 'sandbox'))
    throw new PayrunError('USAGE', {
      detail:
        'the sandbox is one process, and workers are several: run payrun service, and name it with PAYRUN_BASE_URL',
    });
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined });
  const concurrency = readWhole(text(args, 'concurrency') ?? '8', '--concurrency', 1, 64);
  const drain = stopOn(signals);
  const say = (sentence: string) => streams.err.write(`${sentence}\n`);
  const give = commandsAt(world, placeFlags(args));
  const lead = async (batch: string, deed: Deed, stop: AbortSignal) => {
    say(`It leads batch ${batch} (${deed}).`);
    const words = {
      resume: ['resume', batch, '--concurrency', String(concurrency)],
      follow: ['resume', batch, '--concurrency', String(concurrency), '--wait', '5s'],
      reconcile: ['reconcile', batch],
    }[deed];
    const { exit, said } = await give(words, { person: 'a worker', stop, handsOver: true });
    say(`Batch ${batch}, ${deed}: ${exit === 24 ? 'somebody else leads it.' : `exit ${exit}. ${said.trim()}`}`);
    return exit;
  };
  try {
    const sent = await work({
      assemble: async () =>
        await assemble({
          settings,
          env,
          sandbox: false,
          fresh: false,
          asUser: text(args, 'as-user'),
          concurrency,
          waitMs: 0,
          guards: guardsOf(args, settings),
          stop: drain.signal,
          again: againFlags(args, world),
          progress: () => {},
          say,
        }),
      clock: systemClock,
      stop: drain.signal,
      say,
      waking: args.lead === false || !isPostgres(settings.ledgerPath) ? null : { ...engineOf(settings), lead, sweepMs },
    });
    streams.out.write(
      flag(args, 'json') ? `${JSON.stringify({ sent })}\n` : `Drained: ${counted(sent, 'payment')} sent.\n`,
    );
    return 0;
  } finally {
    drain.end();
  }
}
