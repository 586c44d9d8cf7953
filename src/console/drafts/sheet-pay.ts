/** Pays a sheet under an approved plan, or sends its unpaid rows again. */
import { join } from 'node:path';
import type { Command } from '../../app/batch/command.ts';
import { makeFolder } from '../../base/folder.ts';
import { deedOf } from '../../messages/web/deeds.ts';
import type { Requests } from '../api.ts';
import { errorCode, type Jobs, requireNoError } from '../batches/jobs.ts';
import { refusedBy, type Who } from '../http/route.ts';
import type { Approval } from './sheet-approval.ts';
import type { Mending } from './sheet-corrections.ts';
import { batchOptions } from './sheet-plan.ts';
import type { SheetOrder, SheetRecords } from './sheet-records.ts';

/** How long a run follows payments. After this time a person continues the batch by a button. */
export const payWaitMs = 3_600_000;
export const atOnceMs = 300;

export function openPaying(
  order: SheetOrder,
  records: SheetRecords,
  mending: Mending,
  approval: Approval,
  jobs: Jobs,
  lookAgain: (id: string) => void,
) {
  const { ledger, clock } = order;
  const { uploads } = ledger;
  const { folderOf } = records;

  return async function pay(id: string, { digest }: Requests['pay'], person: Who): Promise<void> {
    const seen = approval.waiting(id, digest);
    // The run checks the approvals too, but a job would count as the person's work on the sheet.
    await approval.requirePayable(seen, person);
    // Reads the sheet again, because it may have changed or been declined. Nothing waits between this and the job.
    const record = approval.waiting(id, digest);
    const facts = approval.planFacts(record, digest);
    const { batch } = facts.request;
    const paused = ledger.holds.pausedBy(batch);
    if (paused !== null) throw refusedBy(paused);
    const out = join(folderOf(id), 'out');
    makeFolder(out);
    const command: Command = {
      do: 'run',
      file: records.sheetOf(record),
      ...mending.reading(record),
      ...batchOptions(facts.request),
      policy: order.policy(),
      approve: digest,
      plan: facts.path,
      out,
      waitMs: payWaitMs,
    };
    const deed = deedOf('payment-begun', { upload: id, file: record.file, batch, plan: digest });
    const ended = jobs.give(person, { kind: 'pay', upload: id, batch, command, deed });
    const end = await Promise.race([ended, clock.sleep(atOnceMs)]);
    void ended
      .then((one) => {
        // A sheet whose plan was refused is checked again, because a terminal may have sent its rows.
        if (errorCode(one) !== null && uploads.find(id)?.state === 'planned') lookAgain(id);
      })
      .catch((error: unknown) => order.log(error));
    if (end !== undefined) requireNoError(end);
  };
}
