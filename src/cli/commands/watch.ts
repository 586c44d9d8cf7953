/** Runs `payrun watch DIR`, the hot folder. Each sheet runs by the code of `payrun run`. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Options } from '../../app/batch/command.ts';
import { systemClock } from '../../base/clock.ts';
import { visible } from '../../base/words.ts';
import { isPostgres, type LedgerPlace, openLedger } from '../../ledger/ledger.ts';
import { rowCountWords } from '../../messages/format/numbers.ts';
import { forOthers } from '../../messages/format/program.ts';
import { endOf, reachedIn, whyStopped } from '../../pipeline/outcome.ts';
import type { RunEnd, WatchEvent, WatchOrder } from '../../watch/watch.ts';
import { refuseUnbound, sheetOptions } from '../args/build-orders.ts';
import type { Run } from '../args/command-table.ts';
import { readDuration } from '../args/durations-and-numbers.ts';
import { readOptions } from '../args/read-command.ts';
import { ledgerPlace } from '../compose/assemble.ts';
import { everySignal, flag, placeFlags, shownTo, stopOn, text, usage } from '../compose/command-context.ts';
import { foldersOf, loadSettings } from '../compose/config.ts';
import { seeing } from '../observe/observe.ts';
import { type Around, performHotJob } from '../perform/perform.ts';
import { endingOf } from '../perform/perform-to-end.ts';
import { exitOf } from '../render/exit-code.ts';
import { shownOutcome } from '../render/outcome-document.ts';
import { firstLine } from '../render/screen.ts';

export const watchFolder: Run = async (args, world) => {
  const { watch } = await import('../../watch/watch.ts');
  const { cwd, streams, signals, clock = systemClock } = world;
  const folder = resolve(cwd, text(args, 'folder') ?? '');
  const once = flag(args, 'once');
  const [json, quiet] = [flag(args, 'json'), flag(args, 'quiet')];
  // A mistake in settings or options is reported here, before it could look like a mistake in a sheet.
  const settings = loadSettings(world, args);
  refuseUnbound(args, world, settings, foldersOf(cwd, join(folder, 'sheet')));
  sheetOptions(args, world);
  const options = readOptions(args);
  using stop = stopOn(signals, everySignal);
  const sheets: ReturnType<typeof shownEvent>[] = [];
  const out = options.out === undefined ? null : resolve(cwd, options.out);
  if (out === folder) throw usage('--out: name another folder; answers here would be paid as sheets');
  const ledger = ledgerPlace(settings);
  seeing()?.ledger(ledger);
  let begun = false;
  function begin(): void {
    if (!begun) {
      const service = settings.sandbox ? 'sandbox' : (settings.baseUrl ?? 'none');
      streams.out.write(`${firstLine(service, ledger.place, settings.configPath)}It watches ${visible(folder)}.\n`);
    }
    begun = true;
  }
  const order: WatchOrder = {
    folder,
    out,
    once,
    stillMs: readDuration(text(args, 'still') ?? '10s', '--still'),
    everyMs: Math.max(50, readDuration(text(args, 'every') ?? '5s', '--every')),
    clock,
    stop: stop.signal,
    place: placeFlags(options, world),
    newestSheet: async () => await newestSheet(ledger),
    run: async (...given) => await forOthers(async () => await runSheet(options, world, stop.signal, ...given)),
    tell(event, isNews = true) {
      if (json && once) sheets.push(shownEvent(event));
      else if (json) streams.out.write(`${JSON.stringify(shownEvent(event))}\n`);
      else if (event.what === 'left' || event.what === 'failed') streams.err.write(`payrun: ${event.why}\n`);
      else if (!quiet || (isNews && isTrouble(event))) {
        if (!quiet) begin();
        streams.out.write(`${eventWords(event)}\n`);
      }
    },
    async notify(job, { end, outcome }, { code, state }) {
      const { notify } = await import('../observe/notify.ts');
      const placed = { ...world, place: placeFlags(options, world) };
      await notify({ end, code, outcome, batch: null, sheet: job.name, waits: state === 'waits' }, placed);
    },
  };
  if (!once && !json && !quiet) begin();
  const end = await shownTo(args, async () => await watch(order));
  if (json && once) streams.out.write(`${JSON.stringify({ folder, sheets, exit: exitOf(end) })}\n`);
  return end;
};

async function newestSheet({ place, options }: LedgerPlace): Promise<number> {
  const isFile = !isPostgres(place);
  if (isFile && !existsSync(place)) return 0;
  // A read-only file can be opened even if its disk is full.
  await using ledger = openLedger(place, systemClock, isFile ? { readOnly: true } : options);
  return ledger.batches.newestSheet();
}

/** The result goes into the sheet's own folder. Documents are in the hot folder, or in that of `--documents`. */
async function runSheet(
  options: Options,
  { env, cwd, clock }: Pick<Around, 'env' | 'cwd' | 'clock'>,
  stop: AbortSignal,
  ...[file, place, job]: Parameters<WatchOrder['run']>
): Promise<RunEnd> {
  const command = { ...options, file, out: undefined, documents: options.documents ?? place };
  // The watcher's user prepared and approved nothing of a sheet in the folder, so the actor has no person's name.
  const actor = { driver: 'hot folder', name: null } as const;
  const around = { env, cwd, clock, actor, stop, progress: () => {}, say: () => {} };
  let began = false;
  // An error in one sheet's run must not end the watch. The ledger knows what was sent.
  const ended = await endingOf(async () => await performHotJob(command, around, job, () => (began = true)), stop);
  const [end, reached] = [endOf(ended), reachedIn(ended)];
  const outcome = reached && shownOutcome(reached, placeFlags(options, { cwd }));
  return { end, exit: exitOf(end), outcome, failure: whyStopped(ended), began };
}

/** A quiet watcher prints only such reports: a sheet was refused or is not fully paid. */
const isTrouble = ({ what, end }: WatchEvent) => what !== 'taken' && end !== 'done';

const shownEvent = ({ end, rows, why, ...event }: WatchEvent) => ({ ...event, exit: end && exitOf(end), rows, why });

const stateWords: { readonly [W in Exclude<WatchEvent['what'], 'left' | 'failed'>]: string } = {
  taken: 'accepted',
  waits: 'waits',
  open: 'continues later',
  ended: 'ended',
  refused: 'refused, nothing was sent',
};

function eventWords({ time, what, name, file, batch, end, rows, why }: WatchEvent): string {
  const facts = [
    ...(batch === null ? [] : [`batch ${batch}`]),
    ...(rows === null ? [] : [rowCountWords(rows)]),
    ...(end === null ? [] : [`exit ${exitOf(end)}`]),
  ];
  const state = stateWords[what as keyof typeof stateWords];
  const reason = why === null ? '' : `: ${why}`;
  return `${time}  ${visible(name ?? '')} (${visible(file ?? '')}) ${state}${facts.length === 0 ? '' : `; ${facts.join(', ')}`}${reason}`;
}
