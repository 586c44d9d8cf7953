/** The hot folder: pays its sheets as `payrun run` does, and answers each sheet with files, as banks do. */
import { extname } from 'node:path';
import { type Clock, isoTime } from '../base/clock.ts';
import { failureOf, PayrunError } from '../base/errors.ts';
import type { Fault } from '../base/faults/fault.ts';
import type { Failure } from '../base/refusal.ts';
import { type Each, visible } from '../base/words.ts';
import { type End, refusalKinds } from '../domain/sending/end.ts';
import { faultWords } from '../messages/faults/fault-words.ts';
import { forOthers } from '../messages/format/program.ts';
import type { Place } from '../messages/next-actions.ts';
import { wordsOf } from '../messages/refusals.ts';
import type { RowCounts } from '../pipeline/figures.ts';
import { ackOf, againAt, dupsOf, type FileState, isDue, nackOf, type RunEnd, standingOf, whyOf } from './answers.ts';
import { type HotFolder, type HotJob, isFinal, openHotFolder } from './hot-folder.ts';

export type { FileState, RunEnd } from './answers.ts';
export type { HotJob } from './hot-folder.ts';

export interface WatchEvent extends Each<'name file batch why', string | null> {
  readonly time: string;
  readonly what: 'taken' | HotJob['state'] | 'left' | 'failed';
  readonly end: End | null;
  readonly rows: RowCounts | null;
}

export interface WatchOrder {
  readonly folder: string;
  /** Null for the subfolder `out` of the hot folder. */
  readonly out: string | null;
  readonly once: boolean;
  /** How long a file's size and time must stay unchanged before the file counts as complete. */
  readonly stillMs: number;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly place: Place;
  /** Returns the id of the ledger's newest sheet; 0 for none. */
  newestSheet(): Promise<number>;
  /** Pays the sheet, or reports why it cannot be read. The result goes into the sheet's own folder. `documents` is the folder with the rows' documents. */
  run(sheet: string, documents: string, taken: HotJob): Promise<RunEnd>;
  /** `isNews` is false if the same was reported before. */
  tell(told: WatchEvent, isNews?: boolean): void;
  /** Notifies people that a sheet needs somebody, once for each state. */
  notify(taken: HotJob, end: RunEnd, standing: FileState): Promise<void>;
}

const worst: readonly End[] = [...refusalKinds, 'unpaid', 'done'];
const worse = (a: End, b: End) => (worst.indexOf(a) <= worst.indexOf(b) ? a : b);

export async function watch(order: WatchOrder): Promise<End> {
  const { once, everyMs, clock, stop } = order;
  const left = newOnce();
  let opened: HotFolder | null = null;
  let everOpened = false;
  const say = (why: string) => order.tell(eventOf(clock, 'left', { why }));
  try {
    for (;;) {
      left.turn();
      try {
        if (opened !== null && !(await opened.isThere())) {
          const gone: HotFolder = opened;
          opened = null;
          gone.close();
        }
        opened ??= await openHotFolder(order.folder, { ...order, say, isNew: !everOpened });
        everOpened = true;
        const end = await pass(order, opened, left);
        if (once || stop.aborted) return once ? end : 'done';
      } catch (error) {
        // Until the folder was open once, or was found in use, an error ends the watch. After that, a missing folder may come back.
        everOpened ||= error instanceof PayrunError && error.code === 'FOLDER_BUSY';
        if (once || !everOpened) throw error;
        if (left.isNew(['', failureOf(error)])) order.tell(eventOf(clock, 'failed', { why: wordsOf(error) }));
      }
      await clock.sleep(everyMs, stop);
      if (stop.aborted) return 'done';
    }
  } finally {
    opened?.close();
  }
}

function newOnce() {
  let before = new Set<string>();
  let now = new Set<string>();
  return {
    isNew(report: readonly [name: string, why: Failure | Fault]): boolean {
      const facts = JSON.stringify(report);
      now.add(facts);
      return !before.has(facts);
    },
    turn(): void {
      before = now;
      now = new Set();
    },
  };
}

function eventOf(clock: Clock, what: WatchEvent['what'], facts: Partial<WatchEvent>): WatchEvent {
  const nothing = { name: null, file: null, batch: null, end: null, rows: null, why: null };
  return { time: isoTime(clock.now()), what, ...nothing, ...facts };
}

async function pass(order: WatchOrder, folder: HotFolder, left: ReturnType<typeof newOnce>): Promise<End> {
  const { once, stillMs, clock, stop, tell } = order;
  let end: End = 'done';
  const leave = (name: string, fault: Fault) => {
    end = worse('usage', end);
    if (left.isNew([name, fault])) tell(eventOf(clock, 'left', { why: `${visible(name)}: ${faultWords(fault)}` }));
  };
  const fail = (name: string, error: unknown, words: string) => {
    end = worse('machine', end);
    if (left.isNew([name, failureOf(error)]))
      tell(eventOf(clock, 'failed', { why: `${visible(name)}${words}: ${wordsOf(error)}` }));
  };
  const each = async (work: (taken: HotJob) => Promise<void>) => {
    for (const taken of folder.taken) {
      if (stop.aborted) return;
      if (isFinal(taken)) continue;
      try {
        await work(taken);
      } catch (error) {
        fail(taken.name, error, '');
      }
    }
  };
  const mended = folder.mendOut();
  if (mended !== null) tell(eventOf(clock, 'failed', { why: mended }));
  let look = await folder.look();
  if (once && look.unsettled) {
    // Waits a millisecond more, because a timer may fire slightly too early.
    await clock.sleep(stillMs + 1, stop);
    look = await folder.look();
  }
  for (const { name, why } of look.left) leave(name, why);
  for (const file of look.sheets) {
    if (stop.aborted) return end;
    try {
      const taken = await folder.take(file, await order.newestSheet());
      if (taken !== null) tell(eventOf(clock, 'taken', { name: taken.name, file }));
    } catch (error) {
      fail(file, error, ' cannot be accepted');
    }
  }
  const came = new Set<HotJob>();
  // Answers all new sheets first, so that no sheet waits for its ACK while others are paid.
  await each(async (taken) => {
    if (await folder.fetch(taken)) came.add(taken);
    if (taken.sha256 !== null || taken.fault !== null) return;
    if (!(await folder.identify(taken))) {
      if (once) await clock.sleep(stillMs, stop);
      if (!once || !(await folder.identify(taken))) {
        end = worse('later', end);
        return;
      }
    }
    await folder.answer(taken, `${taken.name}.ACK`, ackOf(taken, null, null, []));
    await folder.keep(taken);
  });
  await each(async (taken) => {
    if (taken.sha256 === null && taken.fault === null) return;
    if (!came.has(taken) && !isDue(taken, clock.now())) {
      if (once) end = worse(tellOpen(order, taken), end);
      return;
    }
    end = worse(await advance(order, folder, taken, came.has(taken)), end);
  });
  return end;
}

/** Records the sheet's state last, so that after a crash the whole step is repeated. */
async function advance(order: WatchOrder, folder: HotFolder, taken: HotJob, came: boolean): Promise<End> {
  const { clock, stop, place } = order;
  const { name, file } = taken;
  const ran = await order.run(folder.placeOf(taken), folder.path, taken);
  const { end } = ran;
  const stands = standingOf(ran, await folder.has(taken, '.totals.json'));
  const standing = { ...stands, why: forOthers(() => whyOf(stands, place)) };
  const files = await answerFiles(folder, taken, ran);
  const dups = dupsOf(taken, ran, standing, folder.taken);
  if (dups !== null) await folder.answer(taken, `${name}.DUPS`, dups);
  if (standing.state === 'refused') await folder.answer(taken, `${name}.NACK`, nackOf(taken, ran, standing, files));
  await folder.answer(taken, `${name}.ACK`, ackOf(taken, ran, standing, files));
  const report = { end, failure: standing.failure };
  const isSame = JSON.stringify([taken.state, taken.report]) === JSON.stringify([standing.state, report]);
  const isNews = !isSame && !(stop.aborted && end === 'signal');
  const tries = came ? 1 : taken.tries + 1;
  const again_at = againAt(standing, ran, tries, clock.now());
  const { batch = null, rows = null } = ran.outcome ?? {};
  const became = standing.state === 'refused' ? null : (taken.batch ?? batch);
  const kept: HotJob = { ...taken, batch: became, state: standing.state, report, again_at, tries };
  await folder.keep(kept);
  Object.assign(taken, kept);
  if (isNews) {
    const { state } = standing;
    order.tell(eventOf(clock, state, { name, file, batch, end, rows, why: whyOf(stands, place) }));
    await order.notify(taken, ran, standing);
  } else if (order.once && !stop.aborted && !isFinal(taken)) tellOpen(order, taken);
  return end;
}

/** Reports an unfinished sheet after a single scan, unless its rows are only pending or unsent. Returns its end. */
function tellOpen({ clock, tell, place }: WatchOrder, { name, file, batch, state, report }: HotJob): End {
  if (report === null) return 'done';
  const { end, failure } = report;
  const why = whyOf({ state, failure }, place);
  if (end !== 'later') tell(eventOf(clock, state, { name, file, batch, end, why }), false);
  return end;
}

const endings = { result: 'RESULT', answer: 'ANSWER', checked: 'CHECKED' } as const;

async function answerFiles(folder: HotFolder, taken: HotJob, { outcome }: RunEnd): Promise<string[]> {
  const names: string[] = [];
  for (const [field, ending] of Object.entries(endings)) {
    const path = outcome?.[field as keyof typeof endings] ?? null;
    if (path === null) continue;
    const put = `${taken.name}.${ending}${extname(path)}`;
    names.push(await folder.copy(taken, put, path));
  }
  return names;
}
