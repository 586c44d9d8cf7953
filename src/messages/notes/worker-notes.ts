/** The sentences of the lines that a worker writes. */
import { resumeOf } from '../../domain/next-action.ts';
import { faultWords } from '../faults/fault-words.ts';
import { type NoteWords, passage } from '../passage.ts';
import { failureWords } from '../refusals.ts';
import { hourWords } from './batch-notes.ts';

export const workerNotes = {
  'worker-joined': ({ ledger, service }) =>
    `The worker joined the fleet of ${ledger}. It sends the open rows of batches at ${service}.`,
  'ledger-back': () => 'The ledger answers again. The worker continues.',
  'worker-leads-nothing': ({ why }, place) => `The worker leads no batch: ${failureWords(why, place)}`,
  'worker-tries-again': ({ why }, place) => `${failureWords(why, place)} The worker tries again.`,
  'engine-fault': ({ why }) => `pg-boss: ${faultWords(why)}`,
  'batch-hour-missed': ({ batch, ...facts }) => `Batch ${batch}: its ${hourWords(facts)}`,
  'hours-pass': ({ batch }) =>
    passage`Batch ${batch}: a person stopped it, so Payrun skips its hours until a person continues it: ${resumeOf(batch)}`,
  'hours-left-to-others': ({ batch }) =>
    `Batch ${batch}: it uses another service, key or user, so this worker leaves its hours to a worker with these.`,
} satisfies Partial<NoteWords>;
