/** `audit export BATCH`: gathers the evidence of one batch. A shell packs it into a file. */
import { entriesOf } from '../audit/chain.ts';
import type { EvidenceRow, TrailLine } from '../audit/evidence.ts';
import { type AcceptedSheet, sheetsOf } from '../audit/plans.ts';
import type { BatchFacts, Ledger } from '../ledger/ledger.ts';
import { keptFile, planCopyOf } from '../pipeline/intake/intake.ts';
import { type ApprovedPlan, planOf } from '../pipeline/opened-with.ts';
import { type ResultFiles, report } from '../pipeline/results/report.ts';

/** `nth` counts the sheets from the oldest; null for the newest sheet. */
export type SentSheet = AcceptedSheet & { readonly nth: number | null };

interface SheetEvidence extends Pick<SentSheet, 'nth' | 'name'> {
  /** Null if the copy is lost. The trail still has everything that the signatures cover. */
  readonly copy: string | null;
  readonly plan: ApprovedPlan | null;
  readonly planCopy: string | null;
}

export interface BatchEvidence extends Pick<ResultFiles, 'result' | 'answer'> {
  readonly trail: readonly TrailLine[];
  readonly sheets: readonly SheetEvidence[];
  readonly rows: readonly EvidenceRow[];
  readonly documents: readonly object[];
}

/** Writes the result into `outDir`. Place and time of the export do not change its bytes. Throws if the newest sheet's copy is lost. */
export async function exportEvidence(
  ledger: Ledger,
  { batch, outDir }: { readonly batch: BatchFacts; readonly outDir: string },
): Promise<BatchEvidence> {
  const evidence = ledger.trail.evidence();
  const trail = [...evidence.trail()];
  const rows = Array.from(evidence.rows()).filter((row) => row.batch === batch.name);
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  const documents = Array.from(evidence.documents()).flatMap(
    ({ payout, name, sha256, sizeBytes: bytes, state, documentId: document_id }) => {
      const row = keys.get(payout);
      return row === undefined ? [] : [{ row, name, sha256, bytes, state, document_id }];
    },
  );
  const sheets = [await sheetEvidence(ledger, batch, null)];
  const numbers = new Map(sentSheets(trail, batch.name).map(({ sheet, nth }) => [sheet, nth]));
  for (const { options, rowCount, ...sheet } of evidence.sheets()) {
    const nth = numbers.get(sheet.id) ?? null;
    if (nth === null) continue;
    const facts = { ...sheet, rows: rowCount, options: JSON.parse(options) as Record<string, unknown> };
    sheets.push(await sheetEvidence(ledger, { sheet: facts }, nth));
  }
  const now = (await ledger.trail.newestAt()) ?? 0;
  return { trail, sheets, rows, documents, ...(await report({ ledger, batch, outDir, format: 'csv', now })) };
}

async function sheetEvidence(
  ledger: Ledger,
  { sheet }: Pick<BatchFacts, 'sheet'>,
  nth: number | null,
): Promise<SheetEvidence> {
  const plan = planOf({ sheet });
  const planCopy = plan === null ? null : await keptFile(ledger, planCopyOf(sheet.copy));
  return { nth, name: sheet.name, copy: await keptFile(ledger, sheet.copy), plan, planCopy };
}

/** Returns the newest sheet, and each earlier sheet under which rows were sent, from the oldest on. */
export function sentSheets(trail: readonly TrailLine[], batch: string): SentSheet[] {
  const sheets = sheetsOf(entriesOf(trail), batch);
  const newest = sheets.at(-1);
  return sheets
    .filter((one) => one.sent > 0 || one === newest)
    .map((one, before) => ({ ...one, nth: one === newest ? null : before + 1 }));
}
