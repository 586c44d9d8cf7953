/** The auditor's commands, `audit verify` and `audit export`. They need no service and no lock. */
import { lstatSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { z } from 'zod';
import { entriesOf } from '../../audit/chain.ts';
import type { TrailLine } from '../../audit/evidence.ts';
import { collectFindings, type FindingList } from '../../audit/findings.ts';
import { createReplay, type Replay } from '../../audit/replay.ts';
import { batchesOfResult, checkHead, compareResult, compareWithTrail, headOfResult } from '../../audit/result.ts';
import { type AuditTotal, auditLedger, followTrail } from '../../audit/verify.ts';
import { isoTime, systemClock } from '../../base/clock.ts';
import { PayrunError, readOrRefuse } from '../../base/errors.ts';
import { quoted } from '../../base/words.ts';
import type { End } from '../../domain/sending/end.ts';
import { type BatchFacts, isUnanswered, type Ledger } from '../../ledger/ledger.ts';
import { findingLine, findingWords } from '../../messages/findings.ts';
import { counted, joined } from '../../messages/format/numbers.ts';
import { typed } from '../../messages/format/program.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { type BatchStatus, elsewhereFields } from '../../pipeline/outcome.ts';
import { type CellSheet, readCells, writeOutput } from '../../sheet/sheet.ts';
import { type Args, type CommandContext, flag, reply, text, usage } from '../compose/command-context.ts';
import { ledgerToRead } from '../compose/ledger-only.ts';
import { exitOf } from '../render/exit-code.ts';
import { table } from '../render/screen.ts';

/** Returns an alarm for a trail, ledger, result or pack that is not intact. */
export const endAfter = ({ total }: Pick<FindingList, 'total'>): End => (total === 0 ? 'done' : 'alarm');
const shownFindings = 50;

interface Audit extends Pick<BatchStatus, 'copied_to' | 'unfinished_copy_of'> {
  readonly ledger: string | null;
  readonly trail: { readonly file: string | null; readonly entries: number; readonly head: string };
  readonly rows: number | null;
  readonly totals: readonly AuditTotal[];
  readonly plans: ReturnType<typeof plansOf>;
  readonly result: { readonly file: string; readonly rows: number } | null;
}

export async function auditVerify(args: Args, world: CommandContext): Promise<End> {
  if (text(args, 'policy') !== null) throw usage(`--policy needs an evidence pack: ${typed('audit verify FILE.zip')}`);
  const named = text(args, 'ledger') !== null || flag(args, 'sandbox');
  const path = (name: string) => {
    const given = text(args, name);
    return given === null ? null : resolve(world.cwd, given);
  };
  const [trailFile, resultFile] = [path('trail'), path('result')];
  const findings = collectFindings();
  const found = resultFile === null ? null : await readResult(resultFile, findings);
  const exported = trailFile === null ? null : readTrail(trailFile, findings);
  const order: AuditOrder = { trailFile, exported, found, findings };
  // An exported trail is verified alone, unless the command names the ledger to which it belongs.
  if (exported !== null && !named) return tell(await auditTrail(exported, order), findings, args, world);
  await using ledger = await ledgerToRead(args, world);
  return tell(await auditAll(ledger, order), findings, args, world);
}

interface AuditOrder {
  readonly trailFile: string | null;
  readonly exported: readonly TrailLine[] | null;
  readonly found: FoundResult | null;
  readonly findings: FindingList;
}

async function auditAll(ledger: Ledger, order: AuditOrder): Promise<Audit> {
  const { trailFile, exported, findings } = order;
  let audited: ReturnType<typeof auditLedger> | null = null;
  try {
    audited = auditLedger(ledger.trail.evidence(), findings, exported);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    // A ledger that SQLite cannot read, or that reads differently than it was written, is a finding.
    findings.add({}, 'unreadable', 'ledger', undefined, wordsOf(error));
  }
  const result = await auditResult(ledger, order);
  const elsewhere = elsewhereFields(await ledger.elsewhere());
  return {
    ledger: ledger.path,
    ...elsewhere,
    trail: { file: trailFile, entries: audited?.entries ?? 0, head: audited?.hash ?? '' },
    rows: audited?.rows ?? 0,
    totals: audited?.totals ?? [],
    plans: audited === null ? [] : plansOf(audited.replay),
    result,
  };
}

/** Returns the plans under which rows were sent. `rows`: the rows with an attempt under the plan. */
function plansOf(replay: Replay) {
  return [...replay.batches()].flatMap((batch) => {
    const sheets = replay.plansOf(batch);
    return sheets.flatMap(({ plan, sent: rows }, nth) => {
      if (plan === null || (rows === 0 && nth < sheets.length - 1)) return [];
      const { digest, approvals } = plan;
      const approved = approvals.map(({ approver }) => approver);
      return [{ batch, plan: digest, rows, approved, approved_at: approvals.map(({ at }) => at) }];
    });
  });
}

async function auditResult(ledger: Ledger, { found, exported, findings }: AuditOrder): Promise<Audit['result']> {
  if (found === null) return null;
  const { file, sheets, batches } = found;
  try {
    // A damaged cell may name another batch, so the first batch that the ledger has is used.
    let batch: BatchFacts | null = null;
    for (const name of batches) batch ??= await ledger.batches.batch(name);
    if (batch !== null) {
      const about = { file, sheets, batch: batch.name };
      const olderAt = checkHead(about, exported ?? ledger.trail.eachTrail(), findings);
      const differences = olderAt === null ? findings : collectFindings();
      const rows = await compareWithReport(ledger, batch, found, differences);
      // An older result differs wherever a row has changed, so these cells prove nothing.
      if (olderAt !== null && differences.total > 0)
        findings.add({ file }, 'older', 'result', undefined, isoTime(olderAt));
      return { file, rows };
    }
  } catch (error) {
    findings.add({ file }, 'unreadable', 'result', undefined, wordsOf(error));
    return null;
  }
  refuseOther(found, 'ledger', ledger.path, findings);
  return null;
}

interface FoundResult {
  readonly file: string;
  readonly sheets: readonly CellSheet[];
  /** The batches that the file names. A sound result names one. */
  readonly batches: readonly string[];
}

/** Throws if the file cannot be read or is no result. A damaged CSV or XLSX file adds a finding and returns null. */
async function readResult(file: string, findings: FindingList): Promise<FoundResult | null> {
  let sheets: readonly CellSheet[] = [];
  try {
    sheets = await readCells(file);
  } catch (error) {
    if (error instanceof PayrunError && error.code === 'FILE_UNREADABLE') throw error;
    if (['.csv', '.xlsx'].includes(extname(file).toLowerCase())) {
      findings.add({ file }, 'unreadable', 'file', undefined, wordsOf(error));
      return null;
    }
  }
  const batches = batchesOfResult(sheets);
  if (batches !== null) return { file, sheets, batches };
  throw usage(
    `${file} is no result of Payrun. Name with --result a file that a run or \`${typed('report BATCH')}\` wrote.`,
  );
}

/** Throws if an intact ledger or trail lacks the batch. A damaged one, or a result without a batch, adds a finding. */
function refuseOther({ file, batches }: FoundResult, kind: 'ledger' | 'trail', place: string, findings: FindingList) {
  const names = batches.map(quoted).join(', ');
  if (batches.length === 0) findings.add({ file }, 'missing', 'batch');
  else if (findings.total > 0)
    findings.add({ file }, kind === 'trail' ? 'not-in-trail' : 'unlike-ledger', 'batch', undefined, names);
  else
    throw usage(
      `${file} is a result of batch ${names}, of which the ${kind} ${place} knows nothing; name the right one with --${kind} (an older copy may lack it), or another result with --result`,
    );
}

async function compareWithReport(ledger: Ledger, batch: BatchFacts, found: FoundResult, findings: FindingList) {
  const { file, sheets } = found;
  const { report } = await import('../../pipeline/results/report.ts');
  using folder = mkdtempDisposableSync(join(tmpdir(), 'payrun-audit-'));
  const format = extname(file).toLowerCase() === '.xlsx' ? 'xlsx' : 'csv';
  const order = { ledger, batch, outDir: folder.path, format, now: systemClock.now() } as const;
  const { result: written } = await report(order);
  if (!readFileSync(written).equals(readFileSync(file)))
    compareResult(file, await readCells(written), sheets, findings);
  return (await ledger.rows.counts(batch.name)).reduce((sum, line) => sum + line.rows, 0);
}

async function auditTrail(lines: readonly TrailLine[], { trailFile, found, findings }: AuditOrder): Promise<Audit> {
  const head = found === null ? null : headOfResult(found.sheets);
  const replay = createReplay(findings);
  const facts = followTrail(lines, findings, null);
  const linesToHead = head === null ? lines : lines.filter(({ seq }) => seq <= head.seq);
  followTrail(linesToHead, collectFindings(), replay);
  let result: Audit['result'] = null;
  if (found !== null) {
    const { file, sheets, batches } = found;
    const known = new Set(Array.from(entriesOf(lines), (entry) => entry.batch));
    const batch = batches.find((name) => known.has(name));
    if (batch === undefined) refuseOther(found, 'trail', trailFile ?? '', findings);
    else {
      checkHead({ file, sheets, batch }, lines, findings);
      const rows = compareWithTrail({ file, sheets, batch, replay, entries: entriesOf(linesToHead) }, findings);
      result = { file, rows };
    }
  }
  return {
    ledger: null,
    trail: { file: trailFile, entries: facts.entries, head: facts.hash },
    rows: null,
    totals: [],
    plans: plansOf(replay),
    result,
  };
}

/** Throws if the file cannot be read. Each unreadable line is a finding. */
export function readTrail(file: string, findings: FindingList): readonly TrailLine[] {
  const content = readOrRefuse(file, () => readFileSync(file, 'utf8'));
  if (content !== '' && !content.endsWith('\n'))
    findings.add({ file, line: content.split('\n').length }, 'unreadable', 'last-line');
  return readLines(file, content, findings, (line) => {
    const entry = trailLine.parse(JSON.parse(line));
    return lineText(entry) === line ? entry : null;
  });
}

const trailLine = z.strictObject({ seq: z.number(), text: z.string(), hash: z.string() });

export function readLines<T>(file: string, content: string, findings: FindingList, read: (line: string) => T | null) {
  return content
    .split('\n')
    .slice(0, -1)
    .flatMap((line, index): T[] => {
      let entry: T | null = null;
      try {
        entry = read(line);
      } catch {
        // A line that cannot be parsed is a finding too.
      }
      if (entry !== null) return [entry];
      findings.add({ file, line: index + 1 }, 'unreadable', 'line', undefined, line.slice(0, 200));
      return [];
    });
}

export const lineText = ({ seq, text: entry, hash }: TrailLine): string => JSON.stringify({ seq, text: entry, hash });

function tell(audit: Audit, findings: FindingList, args: Args, world: CommandContext): End {
  const { trail, ledger, rows, result } = audit;
  const totals = audit.totals.map((total) => ({ ...total, amount: String(total.amount) }));
  const sums = totals.map(({ batch, status, rows: count, amount, currency, unit, from }) => [
    batch,
    status,
    String(count),
    amount,
    `${currency}${unit === 'whole' ? '' : ` (${unit})`}${from === null ? '' : ` from ${from}`}`,
  ]);
  const lines = [
    `Trail: ${trail.file ?? ledger}, ${counted(trail.entries, 'entry', 'entries')}, the last ${trail.head}`,
    ...(rows === null ? [] : [`Ledger: ${ledger}, ${counted(rows, 'row')}`]),
    ...(result === null ? [] : [`Result: ${result.file}, ${counted(result.rows, 'row')}`]),
    ...audit.plans.map(({ batch, plan, rows: sent, approved, approved_at: when }) => {
      const who = approved.map((name, nth) => `${quoted(name ?? '')} (${when[nth] ?? 'no time recorded'})`);
      const by = who.length === 0 ? '' : `, approved by ${joined(who)}`;
      return `Batch ${quoted(batch)} ran under plan sha256:${plan}: ${counted(sent, 'row')}${by}`;
    }),
    ...(sums.length === 0 ? [] : table([['batch', 'status', 'rows', 'amount', 'currency'], ...sums], [2, 3])),
    findingLines(findings),
  ];
  reply(args, world, { ...audit, totals, ...findingFields(findings) }, lines.join('\n'));
  return endAfter(findings);
}

export function findingLines({ list, total }: FindingList): string {
  if (total === 0) return 'Whole: nothing was found that was changed, lost or added.\n';
  const shown = list.slice(0, shownFindings).map((finding) => `${findingLine(finding)}\n`);
  const more = total > shownFindings ? `and ${total - shownFindings} more; --json has them\n` : '';
  return `NOT WHOLE: ${counted(total, 'finding')}\n${shown.join('')}${more}`;
}

export const findingFields = ({ list, total }: FindingList) => ({
  whole: total === 0,
  findings: list.map((finding) => ({ ...finding, message: findingWords(finding) })),
  findings_total: total,
  exit: exitOf(endAfter({ total })),
});

/** An auditor can keep the exported trail away from everybody who can write to the ledger. */
export async function auditExport(args: Args, world: CommandContext): Promise<End> {
  const out = text(args, 'out');
  if (out === null) throw usage('name a batch, for its evidence, or with --out the file for the trail');
  const path = resolve(world.cwd, out);
  // A link counts even if its file is missing, because the output would get another name.
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw usage(`${path} is there already; name another file with --out`);
  await using ledger = await ledgerToRead(args, world);
  let entries = 0;
  let head = '';
  const file = await writeOutput({ path, subject: '', isPersonal: true }, async (handle) => {
    for (const line of ledger.trail.eachTrail()) {
      writeFileSync(handle.fd, `${lineText(line)}\n`);
      entries += 1;
      head = line.hash;
    }
  });
  const document = { ledger: ledger.path, file, entries, head };
  return reply(args, world, document, `${file}\n${counted(entries, 'entry', 'entries')}, the last ${head}\n`);
}
