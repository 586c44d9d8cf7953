/** Writes a batch's result again, as a sheet or as a page. */
import { systemClock } from '../../base/clock.ts';
import { visible } from '../../base/words.ts';
import { inZone, isZone } from '../../messages/format/times.ts';
import { commandOf, pageWords as onPage } from '../../messages/next-actions.ts';
import { noteOnPage, noteWords } from '../../messages/notes.ts';
import type { ReportOrder } from '../../pipeline/results/report.ts';
import { type Args, type Heard, placeFlags, usage } from '../compose/command-context.ts';
import { ledgerView } from '../compose/ledger-only.ts';

interface ResultOrder extends Pick<ReportOrder, 'ledger' | 'batch' | 'outDir' | 'format' | 'page'> {
  /** Null for a sheet. A null `zone` means this machine's time zone. */
  readonly html: { readonly zone: string | null } | null;
}

export async function writeResult({ html, format, ...said }: ResultOrder, args: Args, world: Heard) {
  const { report, requireResultPlace } = await import('../../pipeline/results/report.ts');
  const { batch, outDir } = said;
  await requireResultPlace(batch, { outDir, format });
  const order = { ...said, now: systemClock.now() };
  if (html === null) return await report({ ...order, format });
  const { writeReportPage } = await import('../../pipeline/results/report-page.ts');
  const place = placeFlags(args, world, batch.service === 'sandbox');
  const atTerminal: NonNullable<ReportOrder['page']> = {
    note: (note) => noteWords(note, place),
    step: (step) => commandOf(step, place),
  };
  const zone = html.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!isZone(zone))
    throw usage(`--zone '${visible(zone)}' is no time zone that is known here. Write one such as Africa/Johannesburg`);
  return await inZone(zone, () =>
    writeReportPage({ ...order, words: said.page ?? atTerminal, view: ledgerView(batch, world) }),
  );
}

export const wordsOnPage: NonNullable<ReportOrder['page']> = { note: noteOnPage, step: onPage };
