/** Runs `payrun report BATCH`: writes the result again, as a sheet or as a page. */
import { batchNamed } from '../../app/find-batch.ts';
import { systemClock, wordsInZone, type ZoneWords } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { visible } from '../../base/words.ts';
import { elsewhereFields } from '../../pipeline/outcome.ts';
import type { ReportOrder } from '../../pipeline/results/report.ts';
import { advanceOrder } from '../args/order.ts';
import { type Heard, ledgerView, withLedgerOnly } from '../compose/ledger-only.ts';
import { type Args, againFlags, flag, text, type World } from '../compose/world.ts';

export async function reportOf(args: Args, world: World): Promise<number> {
  return await withLedgerOnly(args, world, async (ledger) => {
    const batch = await batchNamed(ledger, text(args, 'batch'));
    const html = flag(args, 'html') ? { zone: text(args, 'zone') } : null;
    const { result, notes } = await writeResult({ ledger, batch, ...advanceOrder(args, world), html }, args, world);
    world.streams.out.write(
      flag(args, 'json')
        ? `${JSON.stringify({ batch: batch.name, ...elsewhereFields(await ledger.elsewhere()), result })}\n`
        : `${result}\n`,
    );
    for (const note of notes) world.streams.err.write(`${note}\n`);
    return 0;
  });
}

export interface ResultOrder extends Pick<ReportOrder, 'ledger' | 'batch' | 'outDir' | 'format' | 'page'> {
  /** Set for a page; its time zone is this machine's unless it is named. */
  readonly html: { readonly zone: string | null } | null;
}

export async function writeResult(
  { html, format, ...said }: ResultOrder,
  args: Args,
  world: Heard,
): Promise<{ readonly result: string; readonly notes: readonly string[] }> {
  const { reportBoth, requireResultPlace } = await import('../../pipeline/results/report.ts');
  const { batch, outDir } = said;
  await requireResultPlace(batch, { outDir, format });
  const again = againFlags(args, world, batch.service === 'sandbox');
  const order = { ...said, now: systemClock.now(), again };
  if (html === null) return await reportBoth({ ...order, format });
  const { writeReportPage } = await import('../../app/preview-batch.ts');
  return await writeReportPage({ ...order, view: ledgerView(batch, args, world), zone: zoneOf(html.zone) });
}

/** Returns the reader's time zone if the command names it, else this machine's. */
function zoneOf(said: string | null): ZoneWords {
  const zone = said ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return wordsInZone(zone);
  } catch {
    throw new PayrunError('USAGE', {
      detail: `--zone '${visible(zone)}' is no time zone that is known here. Write one such as Africa/Johannesburg`,
    });
  }
}

/** Returns the texts for the console's page, where a command is a button. */
export async function pageWords(): Promise<NonNullable<ReportOrder['page']>> {
  const { forPage } = await import('../../console/batches/page-words.ts');
  const { nextWords } = await import('../../console/batches/batch-views.ts');
  return { words: forPage, step: (step) => nextWords(step).words };
}
