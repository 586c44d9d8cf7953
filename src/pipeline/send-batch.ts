/** Sends the ready rows of a batch behind its canaries, attaches documents, and scans the list again. */
import { PayrunError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import type { Note } from '../domain/note.ts';
import type { BatchFacts } from '../ledger/ledger.ts';
import { payBehindCanaries } from './controls/canary.ts';
import type { Deps } from './deps.ts';
import { attach } from './documents/attach.ts';
import { alarmOf } from './reconcile/reconcile.ts';
import { refuseQuiet, scanAfterSending, scanBeforeSending } from './reconcile/run-scans.ts';

/** The course of a run. The stages change it, so that it is also known after an error. */
export interface Course {
  readonly beganAt: number;
  readonly problems: Problem[];
  readonly notes: Note[];
  sent: number;
  stopped: PayrunError | null;
  /** A stop that forbids sending only. Payments already sent are still followed. */
  later: PayrunError | null;
  /** True if a person must decide after a stop, for example once sending has begun. False if a worker may continue the batch. */
  ends: boolean;
}

/** In a fleet, also sends rows that the scan after the sending released. */
export async function sendBatch(deps: Deps, batch: BatchFacts, course: Course): Promise<void> {
  const { ledger, clock } = deps;
  let released = 0;
  do {
    // A released row may be sent only after another scan.
    if (released > 0) course.notes.push(...(await scanBeforeSending(deps, batch)));
    released = 0;
    const ready = await ledger.rows.readyKinds(batch.name, batch.listedSince);
    const rows = ready.reduce((sum, kind) => sum + kind.rows, 0);
    // A row that may be paid twice can show a fault of the service, so it stops the sending of all batches.
    if (rows > 0) course.later ??= await alarmOf(deps, batch, null);
    if (rows > 0 && course.later === null && !deps.stop.aborted) {
      await refuseQuiet(deps, batch);
      const sources = ready.flatMap(({ from }) => (from === null ? [] : [from]));
      const sourceWords = await sourceWordsFor(deps, sources);
      course.ends = true;
      const collecting = ready.some(({ collection }) => collection === 'MOMO');
      const { beganAt } = course;
      const paid = await payBehindCanaries(deps, batch, rows, { sourceWords, collecting, beganAt });
      course.sent += paid.sent;
      course.stopped = paid.stopped;
      course.later = paid.later;
    }
    const paidAt = clock.monotonic();
    if (course.stopped === null) await attach(deps, batch);
    // Scans even if every answer was lost, because a payment that appears settles the row's doubt.
    if (rows > 0) {
      const looked = await scanAfterSending(deps, batch, paidAt);
      course.notes.push(...looked.notes);
      course.stopped ??= looked.stopped;
      released = looked.released;
    }
    // In a fleet, only the leader can send released rows. It sends them now, before it follows thousands of payments.
  } while (ledger.fleet !== null && released > 0 && (course.stopped ?? course.later) === null && !deps.stop.aborted);
}

/** Payrun tries these names of a funding source in order: its own, then others of the service (interface 2.9, 4.20). */
const spellings: Readonly<Record<string, readonly string[]>> = {
  SouthAfrica: ['SouthAfrica'],
  Nigeria: ['Nigeria'],
  Kenya: ['Kenya', 'KE', 'KES'],
  UnitedKingdom: ['UnitedKingdom', 'UK'],
  Europe: ['Europe'],
  USDT: ['USDT', 'Tether'],
  BTC: ['BTC', 'Bitcoin'],
};

async function sourceWordsFor({ client }: Deps, sources: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  if (sources.length === 0) return words;
  const listed = new Set(await client.countries());
  for (const source of new Set(sources)) {
    const word = (spellings[source] ?? [source]).find((one) => listed.has(one));
    if (word === undefined)
      throw new PayrunError('SERVICE_ANSWER', {
        what: 'GET /utils/countries',
        why: { fault: 'source-is-not-listed', source },
      });
    words.set(source, word);
  }
  return words;
}
