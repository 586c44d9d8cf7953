/** Looks at a sheet in a thread, so that the pages are served meanwhile however long it is. */
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Looked, LookOrder } from '../../app/preview-batch.ts';
import type { DocumentLimits } from '../../domain/rows/document.ts';
import type { RowRules } from '../../domain/rows/line.ts';
import type { LedgerPlace } from '../../ledger/ledger.ts';
import { wordsOf } from '../../messages/refusals.ts';
import type { CellCorrection, RowChoice } from '../../sheet/sheet.ts';
import type { Upload } from '../api.ts';
import type { ChosenMap } from '../drafts/match-columns.ts';

/** How the machine's settings have sheets checked. */
export interface CheckSettings extends Pick<LookOrder, 'rails'> {
  readonly rules: Omit<RowRules, 'banks'>;
  readonly choices: readonly RowChoice[];
  readonly documents: DocumentLimits;
}

export interface LookGiven {
  readonly ledger: LedgerPlace;
  readonly path: string;
  /** Where the table of its rows is written; or the folder into which it is handed back as a checked workbook, and nothing else is told. */
  readonly table?: string;
  readonly handBack?: string;
  readonly documentsFolder: string;
  readonly address: string;
  readonly sheetName: string | null;
  readonly map: ChosenMap | null;
  readonly corrections: readonly (CellCorrection & { readonly id: number })[];
  readonly choices: readonly RowChoice[];
  readonly check: CheckSettings;
}

export interface Found
  extends Pick<Upload, 'found' | 'header' | 'columns' | 'advice' | 'counts' | 'totals' | 'problems' | 'questions'> {
  readonly state: 'columns' | 'to_fix' | 'ready' | 'unreadable';
  readonly message: string | null;
  /** Of a workbook: which of its sheets was read; one that an earlier version found lacks it. */
  readonly sheetName?: string | null;
  readonly seen: readonly string[];
  /** The batch that its rows are of, and how many of them were sent; null where none was. */
  readonly sent: Looked['sent'];
  /** It is the sheet of a batch that is paid at another address. */
  readonly elsewhere?: boolean;
  /** Whatever their age; one of those that an earlier version found lacks when it was sent. */
  readonly repeats: Looked['repeats'];
  /** How many of its rows were sent, as whatever batch. */
  readonly sentRows: number;
  /** What a plan under another name than that of the batch that was sent lacks. */
  readonly keptDocuments: readonly string[];
  /** The batch that one of our own files says it is of. */
  readonly ownBatch: string | null;
  /** Where the checked workbook stands, of a sheet that was to be handed back. */
  readonly checked?: string | null;
}

export type LookTold = { readonly done: number } | { readonly found: Found };

const entry = join(import.meta.dirname, `look-thread${extname(import.meta.filename)}`);
/** Of JavaScript's own heap: a sheet flows, and what is kept lies in files. */
const heapMiB = 512;
/** What a look at more rows leaves behind in memory goes with its thread; and so does whatever one that failed left open. */
const mostRowsKept = 10_000;
const leavesNothing = ({ state, counts }: Found) => state !== 'unreadable' && counts.rows <= mostRowsKept;
/** Threads that have looked and wait for the next sheet, or the same one mended: a look takes less time than to load what looks. */
const idle: Worker[] = [];

/** Many that come at once are looked at one after the other: the machine pays and serves meanwhile. */
const limit = pLimit(2);

export interface Look {
  readonly found: Promise<Found>;
  /** Until its thread writes no more. */
  end(): Promise<void>;
}

export function lookAt(given: LookGiven, progress: (done: number) => void): Look {
  let thread: Worker | null = null;
  let isEnded = false;
  const ended = () => new Error('the look at the sheet was ended');
  const foundBy = (own: Worker) =>
    new Promise<Found>((done, failed) => {
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
      mayRest = leavesNothing(answer);
      return answer;
    } finally {
      thread = null;
      // One that is being ended takes no other sheet.
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

/** Until the next sheet, or for as long as the program has something else to do. */
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
