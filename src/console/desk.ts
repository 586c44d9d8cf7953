/** Builds the parts of the console for sheets and batches: reader, jobs and routes. */
import type { Perform } from '../app/command.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { type BatchOrder, openBatchDesk } from './batches/batches.ts';
import { openFewAtOnce } from './batches/few-at-once.ts';
import { openJobs } from './batches/jobs.ts';
import { openReader, type ReaderGiven } from './batches/reading.ts';
import { openUploadDesk, type UploadOrder } from './drafts/uploads.ts';
import type { Route } from './http/route.ts';

export interface DeskOrder extends Omit<UploadOrder, 'fewAtOnce'>, BatchOrder, Pick<ReaderGiven, 'doubt'> {
  readonly tell?: (batch: string | null) => void;
}

export interface Desk {
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

export async function openDesk(order: DeskOrder): Promise<Desk> {
  const { ledger, perform, doubt } = order;
  const reader = openReader({ ledger: ledger.at, doubt, duplicatesWindow: order.check.duplicatesWindow });
  const jobs = await openJobs(ledger, perform, order.tell);
  const fewAtOnce = openFewAtOnce();
  const uploads = openUploadDesk({ ...order, fewAtOnce }, reader, jobs);
  const forFiles: Perform = async (command, given) => await fewAtOnce(() => perform(command, given));
  const batches = openBatchDesk({ ...order, perform: forFiles }, reader, jobs, uploads);
  return {
    routes: batchRoutes({ uploads, batches, reader }),
    async close() {
      batches.close();
      await jobs.close();
      await uploads.close();
      await reader.close();
    },
  };
}
