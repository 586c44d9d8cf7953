/** The batch side of the console put together: what reads, what works, and the routes that lead there. */
import { batchRoutes } from './batch-routes.ts';
import { type BatchOrder, openBatchDesk } from './batches.ts';
import { type GiveCommand, openFewAtOnce } from './command.ts';
import { openJobs } from './jobs.ts';
import { openReader, type ReaderGiven } from './reading.ts';
import type { Route } from './route.ts';
import { openUploadDesk, type UploadOrder } from './uploads.ts';

export interface DeskOrder extends Omit<UploadOrder, 'fewAtOnce'>, BatchOrder, Pick<ReaderGiven, 'doubt'> {
  /** What is no fault, for whoever ends the console. */
  readonly tell?: (words: string) => void;
}

export interface Desk {
  readonly routes: readonly Route[];
  /** Lets what is in flight end, and nothing more begin. */
  close(): Promise<void>;
}

export async function openDesk(order: DeskOrder): Promise<Desk> {
  const { ledger, command, doubt } = order;
  const reader = openReader({ ledger: ledger.at, doubt });
  const jobs = await openJobs(ledger, command, order.tell);
  const fewAtOnce = openFewAtOnce();
  const uploads = openUploadDesk({ ...order, fewAtOnce }, reader, jobs);
  const forFiles: GiveCommand = async (argv, given) => await fewAtOnce(() => command(argv, given));
  const batches = openBatchDesk({ ...order, command: forFiles }, reader, jobs, uploads);
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
