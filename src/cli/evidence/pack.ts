/** Packs the evidence of one batch into one file (`audit export`). */
import { copyFileSync, existsSync, mkdtempDisposableSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { batchNamed } from '../../app/batch/find-batch.ts';
import { type BatchEvidence, exportEvidence } from '../../app/export-evidence.ts';
import { type EvidenceRow, statusOf } from '../../audit/evidence.ts';
import { sha256 } from '../../base/digest.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { End } from '../../domain/sending/end.ts';
import { reasonsIn } from '../../domain/sending/reason.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import { reasonWords } from '../../messages/reasons.ts';
import { rowReasonWords } from '../../messages/row-reasons.ts';
import { planOf } from '../../pipeline/opened-with.ts';
import { batchSubject, readDetails } from '../../pipeline/results/report.ts';
import { writeOutput } from '../../sheet/sheet.ts';
import { lineText } from '../commands/audit.ts';
import { type Args, type CommandContext, text, usage } from '../compose/command-context.ts';
import { ledgerToRead } from '../compose/ledger-only.ts';
import { tellPack } from './check-pack.ts';
import { decisionsOf } from './decisions.ts';
import { fileNames, jsonText, type Manifest, manifestName, type PackedRow, totalsOf, writePack } from './pack-files.ts';
import { howToCheck } from './page.ts';

/** Omits account numbers. Only the sheet, the plan and the result contain them. */
function packedRow(row: EvidenceRow, sheet: number): PackedRow & Record<string, unknown> {
  const content = row.content === null ? null : rowOfContent(row.content, row.number);
  return {
    row: row.key,
    number: row.number,
    newest_sheet: row.sheet === sheet,
    state: row.state,
    status: statusOf(row.state, row.closed),
    amount: row.amount,
    paid_amount: row.paidAmount,
    currency: row.currency,
    unit: row.unit,
    payment_id: row.paymentId,
    payment_status: row.paymentStatus,
    attempts: row.attempts,
    digest: row.digest,
    sent: {
      tag: row.tag,
      merchant_id: row.merchantId,
      reference: content?.reference ?? null,
      from_country: row.fromCountry,
      type: content?.type ?? null,
      slow: content?.slow ?? null,
    },
    answered: row.serviceDetails === null ? null : readDetails(row.serviceDetails),
    reason: rowReasonWords(row.reason, row.closed),
    reasons: reasonsIn(row.reason),
    evidence: reasonWords(row.evidence),
    evidence_facts: reasonsIn(row.evidence),
    submitted_at: row.submittedAt,
    accepted_at: row.acceptedAt,
    settled_at: row.settledAt,
    content_sha256: row.contentHash,
  };
}

export async function exportPack(args: Args, world: CommandContext): Promise<End> {
  await using ledger = await ledgerToRead(args, world);
  const batch = await batchNamed(ledger, text(args, 'batch'));
  const path = resolve(world.cwd, text(args, 'out') ?? packName(batch));
  if (existsSync(path)) throw usage(`${path} is there already; name another file with --out`);
  return await tellPack(await writePackOf(ledger, batch, path), args, world);
}

export const packName = ({ name }: BatchFacts) => `${name.replace(/[^A-Za-z0-9._-]/g, '-')}.evidence.zip`;

export async function writePackOf(ledger: Ledger, batch: BatchFacts, path: string): Promise<string> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'payrun-evidence-'));
  const outDir = mkdtempSync(join(folder.path, 'result-'));
  const evidence = await exportEvidence(ledger, { batch, outDir });
  const names = gather(batch, evidence, folder.path);
  return await writeOutput(
    { path, subject: batchSubject(batch) },
    async (handle) => await writePack(handle, folder.path, names),
  );
}

function gather(batch: BatchFacts, evidence: BatchEvidence, folder: string): string[] {
  const { trail, sheets, rows, documents, result, answer } = evidence;
  const names: string[] = [];
  const put = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    names.push(name);
  };
  const take = (from: string | null, name: string) => {
    if (from === null) return;
    copyFileSync(from, join(folder, name));
    names.push(name);
  };
  for (const sheet of sheets) {
    const name = fileNames(sheet);
    take(sheet.copy, name.sheet);
    take(sheet.planCopy, name.plan);
    if (sheet.plan !== null) put(name.approvals, jsonText(sheet.plan));
  }
  const packed = rows.map((row) => packedRow(row, batch.sheet.id));
  put('rows.jsonl', packed.map((row) => `${JSON.stringify(row)}\n`).join(''));
  put('totals.json', jsonText(totalsOf(packed)));
  put('documents.json', jsonText(documents));
  const decisions = decisionsOf(trail, batch.name);
  put('decisions.json', jsonText(decisions));
  take(result, 'result.csv');
  take(answer, 'answer.xml');
  put('trail.jsonl', trail.map((line) => `${lineText(line)}\n`).join(''));
  put('how-to-check.html', howToCheck(batch, decisions));
  const manifest: Manifest = {
    payrun: 'evidence',
    version: 2,
    batch: batch.name,
    service: batch.service,
    trail: { entries: trail.length, head: trail.at(-1)?.hash ?? '' },
    plan: planOf(batch)?.digest ?? null,
    files: names.map((name) => {
      const bytes = readFileSync(join(folder, name));
      return { name, bytes: bytes.length, sha256: sha256(bytes) };
    }),
  };
  writeFileSync(join(folder, manifestName), jsonText(manifest), { mode: 0o600 });
  return [manifestName, ...names];
}
