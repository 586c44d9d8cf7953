/** Runs `payrun watch DIR`: the hot folder. The code of `payrun run` runs each sheet. */
import { join, resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { assert, PayrunError } from '../../base/errors.ts';
import { visible } from '../../base/words.ts';
import { refusalWords, wordsOf } from '../../messages/refusals.ts';
import { exitOfCode } from '../../pipeline/exit-code.ts';
import { rowWords } from '../../pipeline/outcome.ts';
import type { RunEnd, Taken, Told, WatchOrder } from '../../watch/watch.ts';
import { approveOrder, policyInForce, sheetOptions } from '../args/order.ts';
import { readDuration, readWhole } from '../args/values.ts';
import { openOptions, sandboxFolders } from '../compose/assemble.ts';
import { loadSettings, refusePolicyBeside, refuseUnread } from '../compose/config.ts';
import {
  type Args,
  type CommandEnd,
  flag,
  placeFlags,
  type Signal,
  signalExits,
  stopOn,
  text,
  type World,
} from '../compose/world.ts';
import { seeing } from '../observe/observe.ts';
import { runOrResume } from '../perform/perform.ts';
import { firstLine, shownOutcome } from '../render/screen.ts';
import { atTerminal } from './pay.ts';

export async function watchFolder(args: Args, world: World): Promise<number> {
  const { watch } = await import('../../watch/watch.ts');
  const { cwd, streams, signals, clock = systemClock } = world;
  const folder = resolve(cwd, text(args, 'folder') ?? '');
  const once = flag(args, 'once');
  const [json, quiet] = [flag(args, 'json'), flag(args, 'quiet')];
  // Checks settings and options first, so that no sheet gets the blame for a mistake in them.
  const settings = loadSettings(world, { ledger: text(args, 'ledger') ?? undefined });
  refuseUnread(settings, join(folder, 'sheet'));
  refusePolicyBeside(policyInForce(args, world, settings), join(folder, 'sheet'));
  sheetOptions(args, world);
  approveOrder(args, world, policyInForce(args, world, settings));
  readWhole(text(args, 'concurrency') ?? '8', '--concurrency', 1, 64);
  readDuration(text(args, 'wait') ?? '2m', '--wait');
  const stop = stopOn(signals, Object.keys(signalExits) as Signal[]);
  const sheets: Told[] = [];
  const out = text(args, 'out');
  const sandbox = flag(args, 'sandbox');
  const ledger = sandbox ? sandboxFolders(settings, world.env).ledgerPath : settings.ledgerPath;
  seeing()?.ledger({ place: ledger, options: openOptions(settings, ledger) });
  let begun = false;
  /** Prints the first line. A single scan without news prints nothing. */
  function begin(): void {
    if (!begun) {
      const service = sandbox ? 'sandbox' : (settings.baseUrl ?? 'none');
      streams.out.write(`${firstLine(service, ledger, settings.configPath)}It watches ${visible(folder)}.\n`);
    }
    begun = true;
  }
  const order: WatchOrder = {
    folder,
    out: out === null ? null : resolve(cwd, out),
    once,
    stillMs: readDuration(text(args, 'still') ?? '10s', '--still'),
    everyMs: Math.max(50, readDuration(text(args, 'every') ?? '5s', '--every')),
    clock,
    stop: stop.signal,
    totalsRequired: settings.requiresTotals,
    run: async (...given) => await runSheet(args, world, ...given),
    tell(told, isNews = true) {
      if (json && once) sheets.push(told);
      else if (json) streams.out.write(`${JSON.stringify(told)}\n`);
      else if (told.what === 'left' || told.what === 'failed') streams.err.write(`payrun: ${told.why}\n`);
      else if (!quiet || (isNews && isTrouble(told))) {
        if (!quiet) begin();
        streams.out.write(`${wordsOfTold(told)}\n`);
      }
    },
    async notify(taken, { exit, outcome }, { code, state }) {
      const { notify } = await import('../observe/notify.ts');
      await notify({ exit, code, outcome, batch: null, sheet: taken.name, waits: state === 'waits' }, world);
    },
  };
  if (!once && !json && !quiet) begin();
  try {
    const exit = await watch(order);
    if (json && once) streams.out.write(`${JSON.stringify({ folder, sheets, exit })}\n`);
    return exit;
  } finally {
    stop.end();
  }
}

/** Runs a sheet. Its own folder gets the result and all other files; documents are in the hot folder. */
async function runSheet(args: Args, world: World, sheet: string, place: string, taken: Taken): Promise<RunEnd> {
  let end: CommandEnd | null = null;
  let began = false;
  const quietly = { ...args, file: sheet, json: true, out: undefined, documents: text(args, 'documents') ?? place };
  const nowhere = { write: () => true };
  const within: World = {
    ...world,
    streams: { out: nowhere, err: nowhere, color: false },
    ended: (how) => {
      end = how;
    },
  };
  try {
    await atTerminal(quietly, within, 'run', async (around) => {
      const actor = { ...around.actor, driver: 'hot folder' } as const;
      return await runOrResume(quietly, { ...around, actor }, taken, () => {
        began = true;
      });
    });
  } catch (error) {
    // An error in one run must not end the watch, because the ledger has every decision.
    const code = error instanceof PayrunError ? error.code : 'FAILED';
    const exit = error instanceof PayrunError ? exitOfCode(error.code) : 1;
    return { exit, outcome: null, error: { code, message: wordsOf(error) }, began };
  }
  const how = end as CommandEnd | null;
  assert(how !== null, 'a run tells how it ended');
  const flags = placeFlags(args, world);
  return 'outcome' in how
    ? { exit: how.exit, outcome: shownOutcome(how.outcome, flags), error: null, began }
    : {
        exit: how.exit,
        outcome: null,
        error: { code: how.error.code, message: refusalWords(how.error, flags) },
        began,
      };
}

/** True for a report that a quiet watcher shows: a sheet that was refused or is not fully paid. */
const isTrouble = ({ what, exit }: Told) => what !== 'taken' && exit !== 0;

const stateWords: { readonly [W in Exclude<Told['what'], 'left' | 'failed'>]: string } = {
  taken: 'taken',
  waits: 'waits',
  open: 'is gone on with later',
  ended: 'ended',
  refused: 'refused, nothing was sent',
};

function wordsOfTold({ time, what, name, file, batch, exit, rows, why }: Told): string {
  const facts = [
    ...(batch === null ? [] : [`batch ${batch}`]),
    ...(rows === null ? [] : [rowWords(rows)]),
    ...(exit === null ? [] : [`exit ${exit}`]),
  ];
  const told = stateWords[what as keyof typeof stateWords];
  // Shows the first line only. The answer files have the whole text.
  const reason = why === null ? '' : `: ${why.split('\n', 1)[0]}`;
  return `${time}  ${visible(name ?? '')} (${visible(file ?? '')}) ${told}${facts.length === 0 ? '' : `; ${facts.join(', ')}`}${reason}`;
}
