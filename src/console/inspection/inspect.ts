/** Checks a sheet in a thread, so that the server keeps serving pages. */
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Looked, LookOrder } from '../../app/inspect-sheet.ts';
import type { Problem } from '../../base/problem.ts';
import type { Each } from '../../base/words.ts';
import type { Note, SheetForm } from '../../domain/note.ts';
import type { ShippedMapName } from '../../domain/problems/sheet-problems.ts';
import type { DocumentLimits } from '../../domain/rows/document.ts';
import type { RowRules } from '../../domain/rows/line.ts';
import type { LedgerPlace } from '../../ledger/ledger.ts';
import { wordsOf } from '../../messages/refusals.ts';
import type { PageMessage } from '../../messages/web/messages.ts';
import type { CellCorrection, RowChoice } from '../../sheet/sheet.ts';
import type { Upload } from '../api.ts';
import type { ChosenMap } from '../drafts/match-columns.ts';

export interface CheckSettings extends Pick<LookOrder, 'rails' | 'duplicatesWindow'> {
  readonly rules: Omit<RowRules, 'banks'>;
  readonly choices: readonly RowChoice[];
  readonly documents: DocumentLimits;
}

export interface LookGiven
  extends Each<'path documentsFolder address', string>,
    Each<'batch sheetName', string | null> {
  readonly ledger: LedgerPlace;
  /** The thread writes either its findings to the file `table`, or a checked workbook to the folder `handBack`. */
  readonly table?: string;
  readonly handBack?: string;
  readonly map: ChosenMap | null;
  readonly corrections: readonly (CellCorrection & { readonly id: number })[];
  readonly choices: readonly RowChoice[];
  readonly check: CheckSettings;
}

/** `shipped` is the map that comes with Payrun and fits the header. */
interface Advice extends Omit<NonNullable<Upload['advice']>, 'choices' | 'shipped'> {
  readonly shipped: ShippedMapName | null;
}

export interface Inspection
  extends Pick<Upload, 'header' | 'columns' | 'counts' | 'totals' | 'questions'>,
    Pick<Looked, 'seen' | 'sharedWith'> {
  readonly state: 'columns' | 'to_fix' | 'ready' | 'unreadable';
  readonly message: PageMessage | null;
  /** The workbook's sheet that was read; null for a file without sheets. */
  readonly sheetName: string | null;
  /** The form of the file; null if the file was not read. */
  readonly form: SheetForm | null;
  readonly reading: readonly Note[];
  readonly advice: Advice | null;
  readonly problems: readonly Problem[];
  readonly ownBatch: string | null;
  readonly checked?: string | null;
}

export type LookTold = { readonly done: number } | { readonly found: Inspection };

const entry = join(import.meta.dirname, `inspection-thread${extname(import.meta.filename)}`);
/** A small heap is enough, because rows are streamed and stored in files. */
const heapMiB = 512;
/** A thread ends after a sheet with more rows, to free its memory. */
const mostRowsKept = 10_000;
/** Idle threads wait for the next sheet, because loading the code takes longer than most checks. */
const idle: Worker[] = [];

/** Limits how many sheets are checked at once, because the machine also pays and serves pages. */
const limit = pLimit(2);

export type Look = ReturnType<typeof lookAt>;

export function lookAt(given: LookGiven, progress: (done: number) => void) {
  let thread: Worker | null = null;
  let isEnded = false;
  const ended = () => new Error('the look at the sheet was ended');
  const foundBy = (own: Worker) =>
    new Promise<Inspection>((done, failed) => {
      own.on('message', (told: LookTold) => {
        if ('done' in told) progress(told.done);
        else done(told.found);
      });
      own.once('error', (error) => failed(new Error(`the look at the sheet failed: ${wordsOf(error)}`)));
      own.once('exit', () => failed(ended()));
      own.postMessage(given);
    });
  const found = limit(async () => {
    if (isEnded) throw ended();
    const own = idle.pop() ?? new Worker(entry, { stdin: false, resourceLimits: { maxOldGenerationSizeMb: heapMiB } });
    own.ref();
    thread = own;
    let mayRest = false;
    try {
      const answer = await foundBy(own);
      mayRest = answer.state !== 'unreadable' && answer.counts.rows <= mostRowsKept;
      return answer;
    } finally {
      thread = null;
      // A thread that is being ended gets no other sheet.
      if (mayRest && !isEnded) rest(own);
      else void own.terminate();
    }
  });
  found.catch(() => undefined);
  return {
    found,
    async end() {
      isEnded = true;
      await thread?.terminate();
    },
  };
}

/** An idle thread does not keep the program alive. */
function rest(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
  const gone = () => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
  };
  thread.once('error', gone);
  thread.once('exit', gone);
  thread.unref();
  idle.push(thread);
}
