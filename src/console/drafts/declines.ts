/** Remembers declined plans, so that Payrun recognises the same file, batch or rows in a later sheet. */
import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { matchedMs } from '../../domain/sending/match.ts';
import { openPlan, type PlanRow } from '../../pipeline/plans/plan-file.ts';
import type { DeclinedBefore } from '../api.ts';

type Since = DeclinedBefore['since'];

export interface DeclinedPlan {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  readonly file: string;
  readonly sha256: string;
  readonly batch: string;
}

interface Remembered extends DeclinedPlan {
  readonly terms: string;
  /** Null if the plan had too many rows to compare. */
  readonly count: number | null;
}

/** Digests of a row: of its key, of its content, and of values that a corrected copy keeps. */
type Marks = readonly [key: string, said: string, ...twos: string[]];

const mostCompared = 200_000;
const shownChanged = 50;

const mark = (...of: unknown[]) => createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 12);

function marksOf(line: PlanRow): Marks {
  const { key, name, amount, unit, currency, reference, destination } = line;
  const money = [amount, unit, currency];
  return [
    mark(key),
    // Ignores the row's number and state, which may differ in another sheet with the same row.
    mark({ ...line, row: 0, standing: 'not sent' }),
    mark(key, 'for', name.trim().toLowerCase(), money, reference),
    mark(key, 'to', destination, money),
    mark(key, 'to for', destination, reference),
  ];
}

const termsOf = ({ head: { batch, skipped, terms } }: Awaited<ReturnType<typeof openPlan>>) =>
  mark(batch, skipped, terms);

export async function rememberDecline(place: string, declined: DeclinedPlan, path: string): Promise<void> {
  const plan = await openPlan(path);
  const rows: Marks[] = [];
  const isMany = plan.head.counts.rows > mostCompared;
  if (!isMany) for await (const { kind, line } of plan.lines()) if (kind === 'rows') rows.push(marksOf(line));
  const remembered: Remembered = { ...declined, terms: termsOf(plan), count: isMany ? null : rows.length };
  await writeFile(place, `${JSON.stringify(remembered)}\n${JSON.stringify(rows)}\n`, { mode: 0o600 });
}

async function recall(place: string): Promise<Remembered> {
  const file = await open(place);
  try {
    for await (const line of file.readLines({ autoClose: false })) return JSON.parse(line) as Remembered;
  } finally {
    await file.close();
  }
  throw new Error(`${place} is empty`);
}

async function rowsIn(place: string): Promise<readonly Marks[] | null> {
  const [head = '', rows = ''] = (await readFile(place, 'utf8')).split('\n');
  return (JSON.parse(head) as Remembered).count == null ? null : (JSON.parse(rows) as Marks[]);
}

export async function sinceDeclined(place: string, path: string): Promise<Since> {
  const { terms } = await recall(place);
  const before = await rowsIn(place);
  const now = await openPlan(path);
  if (before === null || now.head.counts.rows > mostCompared) return null;
  const was = new Map(before.map(([key, said]) => [key, said]));
  const rows: number[] = [];
  let changed = 0;
  for await (const { kind, line } of now.lines()) {
    if (kind !== 'rows') continue;
    const [key, said] = marksOf(line);
    const isSame = was.get(key) === said;
    was.delete(key);
    if (isSame) continue;
    changed += 1;
    if (rows.length < shownChanged) rows.push(line.row);
  }
  return { rows, changed, gone: was.size, terms: termsOf(now) !== terms };
}

export interface Sought {
  readonly sha256: string;
  readonly plan: { readonly path: string; readonly batch: string } | null;
  readonly now: number;
}

/** Returns the newest decline of the same file, the same batch or alike rows. Deletes declines that are too old to count. */
export async function declineOf(
  folder: string,
  { sha256, plan, now }: Sought,
): Promise<(DeclinedBefore & { readonly of: string }) | null> {
  const names = await readdir(folder).catch(() => []);
  const kept: { readonly of: string; readonly one: Remembered }[] = [];
  for (const name of names.filter((each) => !each.endsWith('.new'))) {
    const one = await recall(join(folder, name)).catch(() => null);
    if (one !== null && now - Date.parse(one.at) > matchedMs) await rm(join(folder, name), { force: true });
    else if (one !== null) kept.push({ of: name, one });
  }
  const others = kept.filter(({ one }) => one.sha256 !== sha256 && one.batch !== plan?.batch);
  const copies = plan === null ? new Set<string>() : await withEveryRow(folder, others, plan.path);
  const alike = ({ sha256: bytes, batch }: Remembered) =>
    bytes === sha256 ? 'file' : batch === plan?.batch ? 'batch' : 'rows';
  const [newest] = kept
    .filter((one) => copies.has(one.of) || !others.includes(one))
    .toSorted((a, b) => b.one.at.localeCompare(a.one.at));
  if (newest === undefined) return null;
  const { of, one } = newest;
  const { by, at, reason, file } = one;
  const changed = plan === null ? null : await sinceDeclined(join(folder, of), plan.path);
  return { by, at, reason, since: changed, sheet: { file, alike: alike(one) }, of };
}

/** Returns the ids of declines that have an alike row for every row of the plan. */
async function withEveryRow(
  folder: string,
  all: readonly { readonly of: string; readonly one: Remembered }[],
  path: string,
): Promise<Set<string>> {
  const left = new Map<string, Set<string>>();
  const plan = await openPlan(path);
  const { rows: count } = plan.head.counts;
  for (const { of, one } of all) {
    if (one.count == null || count > one.count) continue;
    const rows = (await rowsIn(join(folder, of)).catch(() => null)) ?? [];
    left.set(of, new Set(rows.flatMap(([, , ...twos]) => twos)));
  }
  if (left.size === 0) return new Set();
  for await (const { kind, line } of plan.lines()) {
    if (kind !== 'rows') continue;
    const [, , ...twos] = marksOf(line);
    for (const [of, known] of left) if (!twos.some((two) => known.has(two))) left.delete(of);
    if (left.size === 0) break;
  }
  return new Set(left.keys());
}
