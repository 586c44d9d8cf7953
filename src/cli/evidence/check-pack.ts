/** Checks an evidence pack (`audit verify FILE.zip`). It needs no ledger and no network. */
import { mkdtempDisposableSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type SentSheet, sentSheets } from '../../app/export-evidence.ts';
import { whyNot } from '../../approval/approval.ts';
import { entriesOf } from '../../audit/chain.ts';
import { statusOf, type TrailLine } from '../../audit/evidence.ts';
import { collectFindings, type FindingList } from '../../audit/findings.ts';
import type { TrailPlan } from '../../audit/plans.ts';
import { createReplay, type Replay } from '../../audit/replay.ts';
import { compareWithTrail } from '../../audit/result.ts';
import { followTrail } from '../../audit/verify.ts';
import { systemClock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { refuseUnreadable } from '../../base/errors.ts';
import { type Each, eachOf, quoted } from '../../base/words.ts';
import type { End } from '../../domain/sending/end.ts';
import type { RowWord } from '../../ledger/ledger.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import { counted, joined, moneyOf } from '../../messages/format/numbers.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { openPolicy } from '../../pipeline/plans/approved.ts';
import { openPlan } from '../../pipeline/plans/plan-file.ts';
import { transactionStatus } from '../../pipeline/results/report.ts';
import { type CellSheet, openArchive, readCells } from '../../sheet/sheet.ts';
import { endAfter, findingFields, findingLines, readLines, readTrail } from '../commands/audit.ts';
import { type Args, type CommandContext, flag, reply, text, usage } from '../compose/command-context.ts';
import { decisionsOf } from './decisions.ts';
import {
  fileNames,
  jsonText,
  type Manifest,
  manifestName,
  manifestShape,
  type PackedRow,
  rowShape,
  totalsOf,
  writePack,
} from './pack-files.ts';

export async function verifyPack(args: Args, world: CommandContext): Promise<End> {
  const more =
    ['ledger', 'trail', 'result'].find((name) => text(args, name) !== null) ?? (flag(args, 'sandbox') && 'sandbox');
  if (more !== false) throw usage(`a pack is checked by itself; leave --${more} out`);
  return await tellPack(resolve(world.cwd, text(args, 'pack') ?? ''), args, world);
}

export async function tellPack(path: string, args: Args, world: CommandContext): Promise<End> {
  const findings = collectFindings();
  const named = text(args, 'policy');
  const policy = named === null ? null : resolve(world.cwd, named);
  const { manifest, manifestDigest, rows, totals, sheets } = await checkPack(path, policy, findings);
  // People identify the pack by the digest of the whole file, which any tool can compute.
  const digest = sha256(readFileSync(path));
  const { batch = null, trail = null, plan = null, files = [] } = manifest ?? {};
  const document = { pack: path, sha256: digest, manifest_sha256: manifestDigest, batch, trail, plan, rows, totals };
  const lines = [
    `Pack: ${path}\nThe file's SHA-256: ${digest}\n`,
    batch && `Batch ${quoted(batch)}: ${counted(rows, 'row')}, ${counted(files.length, 'file')}\n`,
    trail && `Trail: ${counted(trail.entries, 'entry', 'entries')}, the last ${trail.head}\n`,
    plan && `Plan: sha256:${plan}\n`,
    sheetLines(sheets, policy),
    ...totals.map(({ status, rows: count, ...money }) => `  ${status}: ${counted(count, 'row')}, ${moneyOf(money)}\n`),
    findingLines(findings),
  ];
  reply(args, world, { ...document, sheets, ...findingFields(findings) }, lines.join(''));
  return endAfter(findings);
}

interface Pack {
  readonly path: string;
  readonly policy: string | null;
  readonly folder: string;
  readonly names: readonly string[];
  readonly manifest: Manifest;
  readonly findings: FindingList;
}

async function checkPack(path: string, policy: string | null, findings: FindingList) {
  const nothing = { manifest: null, manifestDigest: null, rows: 0, totals: [], sheets: [] };
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'payrun-evidence-'));
  const folder = temporary.path;
  await using handle = await open(path, 'r').catch(refuseUnreadable(path));
  const names = await unpack(handle, path, folder, findings);
  const found = names === null ? null : readManifest(folder, names, findings);
  if (names === null || found === null) return nothing;
  const { manifest, digest: manifestDigest } = found;
  const pack: Pack = { path, policy, folder, names, manifest, findings };
  checkFiles(pack);
  await checkBytes(pack);
  // Checks of the content prove nothing if a file changed after the pack was made.
  if (findings.total > 0) return { ...nothing, manifest, manifestDigest };
  return { manifest, manifestDigest, ...(await checkStory(pack)) };
}

/** Returns null if the file is no archive, which is a finding. */
async function unpack(handle: FileHandle, path: string, folder: string, findings: FindingList) {
  let archive: ReturnType<typeof openArchive>;
  try {
    archive = openArchive(handle, (await handle.stat()).size);
  } catch {
    findings.add({ file: path }, 'unreadable', 'pack');
    return null;
  }
  const names: string[] = [];
  for (const part of archive.parts.values()) {
    if (!/^[a-z][a-z-]*(?:[1-9]\d*)?\.[a-z]{3,5}$/.test(part.name)) {
      findings.add({ file: path }, 'unexpected', 'file', undefined, part.name);
      continue;
    }
    const file = join(folder, part.name);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of archive.read(part)) chunks.push(chunk);
      writeFileSync(file, Buffer.concat(chunks), { mode: 0o600 });
      names.push(part.name);
    } catch {
      findings.add({ file: part.name }, 'unreadable', 'file');
    }
  }
  return names;
}

function readManifest(folder: string, names: readonly string[], findings: FindingList) {
  const content = names.includes(manifestName) ? readFileSync(join(folder, manifestName), 'utf8') : null;
  const manifest = content === null ? null : readShape(content, manifestShape);
  if (content !== null && manifest !== null && jsonText(manifest) === content)
    return { manifest, digest: sha256(content) };
  findings.add({ file: manifestName }, content === null ? 'missing' : 'unreadable', 'manifest');
  return null;
}

/** Returns null for a text that is not as Payrun writes it. */
function readShape<S extends z.ZodType>(content: string, shape: S): z.infer<S> | null {
  try {
    return shape.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

const always = ['rows.jsonl', 'totals.json', 'documents.json', 'result.csv', 'trail.jsonl', 'how-to-check.html'];

function checkFiles({ folder, names, manifest: { files }, findings }: Pack): void {
  const listed = new Set([manifestName]);
  for (const { name, bytes, sha256: expected } of files) {
    listed.add(name);
    if (!names.includes(name)) {
      findings.add({ file: name }, 'missing', 'file');
      continue;
    }
    const content = readFileSync(join(folder, name));
    const found = sha256(content);
    if (content.length !== bytes || found !== expected)
      findings.add({ file: name }, 'changed', 'file', expected, found);
  }
  for (const name of names) if (!listed.has(name)) findings.add({ file: name }, 'unexpected', 'file');
  for (const name of always) if (!listed.has(name)) findings.add({ file: name }, 'missing', 'file');
}

/** Packs the files again and compares the bytes, which also finds a change outside the files of the archive. */
async function checkBytes({ path, folder, names, findings }: Pack): Promise<void> {
  if (findings.total > 0) return;
  const again = join(folder, 'again.zip');
  {
    await using handle = await open(again, 'wx', 0o600);
    await writePack(handle, folder, names);
  }
  const [expected, found] = [readFileSync(again), readFileSync(path)];
  if (expected.equals(found)) return;
  let at = 0;
  while (expected[at] === found[at]) at += 1;
  findings.add({ file: path, byte: at }, 'changed', 'archive', expected.length, statSync(path).size);
}

/** Checks the other files against the trail, whose hash chain shows any change. */
async function checkStory(pack: Pack) {
  const { folder, manifest, findings } = pack;
  const file = (name: string) => join(folder, name);
  const lines = readTrail(file('trail.jsonl'), findings);
  const replay = createReplay(findings);
  const facts = followTrail(lines, findings, replay);
  const { trail, batch } = manifest;
  if (facts.entries !== trail.entries || facts.hash !== trail.head)
    findings.add({ file: 'trail.jsonl' }, 'unlike-pack', 'last-hash', trail.head, facts.hash);
  const rows = readLines('rows.jsonl', readFileSync(file('rows.jsonl'), 'utf8'), findings, (line) =>
    rowShape.parse(JSON.parse(line)),
  );
  checkRows(rows, batch, replay, findings);
  const totals = totalsOf(rows);
  if (readFileSync(file('totals.json'), 'utf8') !== jsonText(totals))
    findings.add({ file: 'totals.json' }, 'unlike-pack', 'list-of-totals');
  const result = file('result.csv');
  const cells = await readCells(result);
  compareWithTrail({ file: result, sheets: cells, batch, replay, entries: entriesOf(lines) }, findings);
  checkAnswer(pack, cells, rows);
  checkDecisions(pack, lines);
  const sheets = sentSheets(lines, batch);
  checkSheets(pack, sheets);
  return { rows: rows.length, totals, sheets: await checkPlans(pack, lines, sheets) };
}

function checkAnswer({ folder, names, findings }: Pack, cells: readonly CellSheet[], rows: readonly PackedRow[]) {
  if (!names.includes('answer.xml')) return;
  const [header, ...results] = cells[0]?.rows ?? [];
  const at = header?.cells.indexOf('payrun_status') ?? -1;
  // Rows of older sheets come after the rows of the payments file. The answer does not contain them.
  const own = results.slice(0, results.length - rows.filter((row) => !row.newest_sheet).length);
  const expected = own.map(({ cells: row }) => transactionStatus[row[at] as RowWord]);
  const found = [...readFileSync(join(folder, 'answer.xml'), 'utf8').matchAll(/<TxSts>(\w+)<\/TxSts>/g)];
  found.forEach(([, status], nth) => {
    if (status !== expected[nth])
      findings.add({ file: 'answer.xml', transaction: nth + 1 }, 'unlike-pack', 'transaction', expected[nth], status);
  });
  if (found.length !== expected.length)
    findings.add({ file: 'answer.xml' }, 'unlike-pack', 'transaction-count', expected.length, found.length);
}

function checkDecisions({ folder, names, manifest, findings }: Pack, lines: readonly TrailLine[]): void {
  if (!names.includes('decisions.json')) return;
  const found = readFileSync(join(folder, 'decisions.json'), 'utf8');
  if (found !== jsonText(decisionsOf(lines, manifest.batch)))
    findings.add({ file: 'decisions.json' }, 'unlike-trail', 'list-of-decisions');
}

function checkRows(rows: readonly PackedRow[], batch: string, replay: Replay, findings: FindingList): void {
  const seen = new Set<string>();
  for (const row of rows) {
    const place = { file: 'rows.jsonl', row: row.row, number: row.number };
    seen.add(row.row);
    const story = replay.story(batch, row.row);
    if (story === null) {
      findings.add(place, 'not-in-trail', 'row');
      continue;
    }
    const compare = (column: string, possible: readonly unknown[], found: unknown) =>
      findings.compare({ ...place, column, entry: story.lastEntry }, 'unlike-trail', 'value', possible, found);
    compare('state', story.states, row.state);
    compare('status', [statusOf(row.state, story.closed)], row.status);
    compare('payment_id', [story.paymentId], row.payment_id);
    compare('payment_status', [story.paymentStatus], row.payment_status);
    compare('attempts', [story.attempts], row.attempts);
    compare('amount', [story.intent?.amount ?? row.amount], row.amount);
  }
  for (const { batch: of, key } of replay.stories())
    if (of === batch && !seen.has(key)) findings.add({ file: 'rows.jsonl', row: key }, 'missing', 'row');
  const digests = rows.filter((row) => row.newest_sheet && row.state !== 'invalid').map(({ digest }) => digest);
  const found = sha256(digests.sort().join(''));
  const expected = replay.batch(batch)?.sheet.data.digest;
  findings.compare({ file: 'rows.jsonl', batch }, 'unlike-trail', 'digest-of-rows', [expected], found);
}

function checkSheets({ manifest: { files }, findings }: Pack, sheets: readonly SentSheet[]): void {
  const found = new Map(files.map(({ name, sha256: digest }) => [name, digest]));
  const allowed = new Set([...always, 'answer.xml']);
  const require = (name: string) => {
    allowed.add(name);
    if (!found.has(name)) findings.add({ file: name }, 'missing', 'file');
  };
  require('decisions.json');
  for (const one of sheets) {
    const { nth, sha256: expected, plan } = one;
    const { sheet, plan: planName, approvals } = fileNames(one);
    require(sheet);
    if (nth === null && sheet.endsWith('.xml')) require('answer.xml');
    if (plan !== null) for (const file of [planName, approvals]) require(file);
    if (found.has(sheet) && found.get(sheet) !== expected)
      findings.add({ file: sheet }, 'unlike-trail', 'sheet', expected, found.get(sheet));
  }
  for (const name of found.keys()) if (!allowed.has(name)) findings.add({ file: name }, 'not-in-trail', 'file');
}

const approvalsShape = z.object({
  ...eachOf(z.string(), 'digest maker made_at expires_at'),
  policy: z.string().nullable(),
  approvals: z.array(z.object(eachOf(z.string(), 'approver fingerprint at signature'))),
});

async function checkPlans(pack: Pack, lines: readonly TrailLine[], sheets: readonly SentSheet[]) {
  const { names, manifest, findings } = pack;
  const newest = sheets.at(-1)?.plan?.digest ?? null;
  if (newest !== manifest.plan) findings.add({ file: manifestName }, 'unlike-trail', 'plan', newest, manifest.plan);
  const inTrail = new Set(
    Array.from(entriesOf(lines), ({ what, data }) => (what === 'approval' ? data.signature : null)),
  );
  const ifPacked = (file: string) => (names.includes(file) ? file : null);
  const checked: CheckedSheet[] = [];
  for (const sheet of sheets) {
    const { name, digest: rows, plan: entry } = sheet;
    const packed = fileNames(sheet);
    const approved = entry?.approvals.map(({ approver }) => approver) ?? [];
    const plan = entry?.digest ?? null;
    const found = entry === null || plan === null ? null : await checkPlan({ ...pack, inTrail }, sheet, entry);
    const signatures = approved.length === 0 ? null : found;
    const files = { file: ifPacked(packed.sheet), plan_file: ifPacked(packed.plan) };
    checked.push({ sheet: name, rows, sent: sheet.sent > 0, plan, approved, signatures, ...files });
  }
  return checked;
}

async function checkPlan(
  { folder, names, inTrail, policy, findings }: Pack & { inTrail: ReadonlySet<unknown> },
  sheet: SentSheet,
  { digest: plan, approvals: trailApprovals }: TrailPlan,
): Promise<CheckedSheet['signatures']> {
  const { plan: planName, approvals: file } = fileNames(sheet);
  const { made } = sheet;
  if (names.includes(planName)) {
    const found = await openPlan(join(folder, planName)).catch((error: unknown) => wordsOf(error));
    if (typeof found === 'string') findings.add({ file: planName }, 'unreadable', 'plan', undefined, found);
    else if (found.digest !== plan) findings.add({ file: planName }, 'unlike-trail', 'plan', plan, found.digest);
  }
  if (!names.includes(file)) return 'missing';
  const read = readShape(readFileSync(join(folder, file), 'utf8'), approvalsShape);
  if (read === null) {
    findings.add({ file }, 'unreadable', 'list-of-approvals');
    return 'missing';
  }
  const { digest, approvals, ...head } = read;
  if (digest !== plan) findings.add({ file }, 'unlike-trail', 'plan', plan, digest);
  for (const [name, found] of Object.entries(head))
    if (found !== (made[name] ?? null))
      findings.add({ file, column: name }, 'unlike-trail', 'value', made[name], found);
  const signed = (list: TrailPlan['approvals']) =>
    JSON.stringify(list.map(({ approver, fingerprint, at }) => [approver, fingerprint, at]));
  if (signed(approvals) !== signed(trailApprovals))
    findings.add({ file }, 'unlike-trail', 'list-of-approvals', signed(trailApprovals), signed(approvals));
  for (const { approver, signature } of approvals)
    if (!inTrail.has(signature)) findings.add({ file, approver }, 'not-in-trail', 'signature');
  if (trailApprovals.length === 0) return null;
  if (policy === null) return 'not-checked';
  const keys = openPolicy(policy);
  const approved = { digest: `sha256:${plan}`, maker: head.maker, expiresAt: Date.parse(head.expires_at) };
  for (const one of approvals) {
    const form = { payrun: 'signature', version: 1, purpose: 'approve plan', digest: approved.digest } as const;
    const why = whyNot(approved, { ...form, ...one }, keys, systemClock.now());
    const { approver } = one;
    if (why !== null)
      findings.add({ file, approver }, 'signature-does-not-count', 'signature', undefined, faultWords(why));
  }
  return 'checked';
}

/** `file` and `plan_file` are null if the pack lacks that file. `signatures` is null if nobody approved the plan. */
interface CheckedSheet extends Each<'file rows plan plan_file', string | null> {
  readonly sheet: string;
  readonly sent: boolean;
  readonly approved: readonly (string | null)[];
  readonly signatures: 'checked' | 'not-checked' | 'missing' | null;
}

const unplanned = 'payments left without a plan; nobody approved them.';

function sheetLines(sheets: readonly CheckedSheet[], policy: string | null): string {
  const lines = sheets.map((one) => {
    const { sheet, file, rows, sent, plan, plan_file } = one;
    const approval = approvalWords(one, policy);
    if (sheets.length === 1) return approval ?? (sent && plan === null ? `Its ${unplanned}` : null);
    const under = `payments left under ${plan_file ?? `plan sha256:${plan}`}${approval === null ? '; nobody approved it' : ''}.`;
    const how = sent ? `its ${plan === null ? unplanned : under}` : 'nothing was sent under it.';
    const which = `${quoted(sheet)} (${file === null ? '' : `${file}, `}its rows ${rows})`;
    return [`${which}: ${how}`, approval].filter((part) => part !== null).join(' ');
  });
  return lines.map((line) => (line === null ? '' : `${line}\n`)).join('');
}

function approvalWords({ approved, signatures }: CheckedSheet, policy: string | null): string | null {
  const who = `Approved by ${joined(approved.map((name) => quoted(name ?? '')))}`;
  if (signatures === null) return null;
  return {
    checked: `${who}; their signatures were checked against the keys of ${policy}.`,
    'not-checked': `${who}. Their signatures were not checked against keys: name the policy that has them with --policy FILE.`,
    missing: `${who}, as the trail tells; not checked: the pack lacks their signatures.`,
  }[signatures];
}
