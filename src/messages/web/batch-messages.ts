/** The console's words on a batch, on its rows and on the jobs that work on it. */
import type { Fault } from '../../base/faults/fault.ts';
import type { End } from '../../domain/sending/end.ts';
import { faultOnPage } from '../faults/fault-words.ts';
import { isoTimeWords } from '../format/times.ts';
import type { Texts } from '../passage.ts';
import type { Waits } from './access-messages.ts';

type InBatch = Texts<'batch'>;
/** `by` is null if the console itself ended. */
type Stop = Texts<'at'> & { readonly by: string | null };

const stoppedBy = ({ by, at }: Stop) => (by === null ? 'the end of the console' : `${by}, ${isoTimeWords(at)}`);

export const endWords: { readonly [K in End]: string } = {
  done: 'Done.',
  sheet: 'The sheet was refused, and nothing was sent.',
  unpaid: 'Ended; some rows are unpaid or invalid, or lack their documents.',
  rule: 'A rule or a person forbids the payments: see the notes of the batch.',
  usage: 'A command, a setting or a file cannot be used: see the notes of the batch.',
  machine: 'A disk or the program failed. Nothing is lost: continue the batch.',
  service: 'The service cannot be used now. Continue the batch later.',
  doubt: 'Ended; some rows are in doubt or held, and wait for a person or another search.',
  later: 'Ended for now; some payments are still open, or not sent yet. Continue later.',
  busy: 'Another run is at work: wait for it to end.',
  alarm: 'An alarm: see the notes of the batch.',
  signal: 'Stopped.',
};

export const batchMessages = {
  BATCH_MISSING: ({ batch }: InBatch) => `There is no batch ${batch} here.`,
  NOT_FOUND: ({ what }: { readonly what: string }) => `There is no such ${what} here.`,
  NOTHING_TO_STOP: () => 'The batch is stopped already, or no row of it is left to send. Nothing was changed.',
  FOLLOWS_MANY: (() => 'You follow many batches in other windows: close some of them.') as (facts: Waits) => string,

  /** `by` is null if the same person started the other job; `batch` is null if that job has no batch yet. */
  OTHER_JOB: ({ by, batch }: { readonly by: string | null; readonly batch: string | null }) =>
    `${by === null ? 'You are' : `${by} is`} at work on ${batch === null ? 'another sheet' : `batch ${batch}`}. Payrun works on one at a time. Try again when that has ended.`,
  JOB_ON_SHEET: ({ by }: { readonly by: string }) =>
    `${by} is at work on this sheet just now. Wait until that has ended.`,
  JOB_DIED: () =>
    'The console, or its connection to the ledger, was ended while this was under way. Nothing is lost, because the ledger knows what was sent. Continue the batch.',
  JOB_BROKE: () => 'Something failed inside. The output of the console has the details. Try it again.',
  JOB_STOPPING: (stop: Stop) => `Being stopped by ${stoppedBy(stop)}.`,
  JOB_STOPPED: (stop: Stop) => `Stopped by ${stoppedBy(stop)}.`,
  JOB_ENDED: ({ end }: { readonly end: End }) => endWords[end],
  PROGRAM_FAULT: ({ why }: { readonly why: Fault }) => `The command failed: ${faultOnPage(why)}`,
};
