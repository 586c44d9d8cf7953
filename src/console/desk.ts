/** Builds the parts of the console for sheets and batches: reader, jobs and routes. */
import type { Perform } from '../app/command.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import type { ViewSettings } from './batches/batch-views.ts';
import { type BatchOrder, openBatchDesk } from './batches/batches.ts';
import { openFewAtOnce } from './batches/few-at-once.ts';
import { openJobs } from './batches/jobs.ts';
import { openReader } from './batches/reading.ts';
import type { SheetOrder } from './drafts/sheet-records.ts';
import { openUploadDesk } from './drafts/uploads.ts';

export interface DeskOrder extends SheetOrder, BatchOrder, Pick<ViewSettings, 'doubt'> {
  /** Called for a batch whose sending the console stops when it closes. */
  readonly tell?: (batch: string | null) => void;
}

export async function openDesk(order: DeskOrder) {
  const { ledger, perform, doubt } = order;
  const reader = openReader({ ledger: ledger.at, doubt, duplicatesWindow: order.check.duplicatesWindow });
  const jobs = await openJobs(ledger, perform, order.tell);
  const fewAtOnce = openFewAtOnce();
  const uploads = openUploadDesk({ ...order, fewAtOnce }, reader, jobs);
  const forFiles: Perform = async (command, given) => await fewAtOnce(() => perform(command, given));
  const batches = openBatchDesk({ ...order, perform: forFiles }, reader, jobs, uploads);
  return {
    routes: batchRoutes(uploads, batches, reader),
    async close() {
      batches.close();
      await jobs.close();
      await uploads.close();
      await reader.close();
    },
  };
}
