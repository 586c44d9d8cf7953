/**
 * The power goes while a batch is paid (T7): whatever length of the log the disk kept, the ledger opens, and shows what
 * was committed by then: no more, no less, and nothing that its own trail does not tell.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '../../src/audit/evidence.ts';
import { collectFindings } from '../../src/audit/findings.ts';
import { auditLedger } from '../../src/audit/verify.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/digest.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { findingLine } from '../../src/messages/findings.ts';
import { temporary } from '../temporary.ts';
import { newWorld, type Payment, run, type World } from './world.ts';

/** The two files of a ledger, as they lay on the disk. */
export interface Files {
  readonly db: Uint8Array;
  readonly log: Uint8Array;
}

export interface Killed {
  readonly files: Files;
  /** How many bytes of the log were on the disk for certain. */
  readonly certain: number;
  readonly payments: readonly Payment[];
  readonly signal: NodeJS.Signals | null;
}

export interface BatchOrder {
  readonly at: string;
  readonly k: number;
  readonly rows?: number;
  readonly concurrency?: number;
  readonly documents?: number;
  /** An earlier run died at this answer to a payment, and what it had committed went from the log into the file. */
  readonly earlier?: number | null;
  /** Without `synchronous=FULL`: for the control. */
  readonly unsafe?: true;
}

/** A batch of a hundred rows is paid by a process of its own, and killed. */
export async function killedBatch(order: BatchOrder): Promise<Killed> {
  const { at, k, rows = 100, concurrency = 3, documents = 2, earlier = null, unsafe } = order;
  const world = await newWorld({ rows, concurrency, documents });
  try {
    if (earlier !== null) {
      await run(world, { POINT: `answer to POST /payments:${earlier}` });
      await run(world, {}, ['list']);
    }
    const certain = join(world.folder, 'certain.txt');
    const how = { POINT: `${at}:${k}`, CERTAIN: certain, ...(unsafe ? { UNSAFE: 'normal' } : {}) };
    const { signal } = await run(world, how);
    return {
      files: filesOf(world),
      certain: Number(readFileSync(certain, 'utf8')),
      payments: [...(await world.payments())],
      signal,
    };
  } finally {
    await world.close();
  }
}

export function filesOf({ ledger }: Pick<World, 'ledger'>): Files {
  return { db: new Uint8Array(readFileSync(ledger)), log: new Uint8Array(readFileSync(`${ledger}-wal`)) };
}

// --- The log (sqlite.org/fileformat2.html#the_write_ahead_log)

const headerBytes = 32;
const frameHeaderBytes = 24;

export interface Frame {
  readonly end: number;
  /** It is the last of its transaction. */
  readonly commits: boolean;
}

/** The frames of the log's newest generation: what stands behind them was left from an earlier one. */
export function framesOf(log: Uint8Array): Frame[] {
  if (log.length < headerBytes) return [];
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const pageBytes = view.getUint32(8);
  const frames: Frame[] = [];
  for (let at = headerBytes; at + frameHeaderBytes + pageBytes <= log.length; ) {
    if (view.getBigUint64(at + 8) !== view.getBigUint64(16)) break;
    const commits = view.getUint32(at + 4) !== 0;
    at += frameHeaderBytes + pageBytes;
    frames.push({ end: at, commits });
  }
  return frames;
}

// --- What a ledger shows

export interface Shown {
  /** The hash of each entry of the trail. */
  readonly trail: readonly string[];
  /** Of everything else that it holds. */
  readonly rest: string;
  /** What its own audit finds, or why it did not open. */
  readonly faults: readonly string[];
  /** By tag: whether the ledger knows that it sent. */
  readonly sent: ReadonlyMap<string, boolean>;
}

/** `audit`: what it shows is followed through its trail as well; else the database alone is checked. */
export type Open = (files: Files, audit?: boolean) => Promise<Shown>;

/** A folder for one ledger after the other; `work` opens as many as it likes. */
export async function withOpener<T>(work: (open: Open) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(temporary, 'payrun-cut-'));
  const state = join(folder, 'state');
  try {
    return await work(async ({ db, log }, audit = true) => {
      rmSync(state, { recursive: true, force: true });
      mkdirSync(state);
      const path = join(state, 'ledger.db');
      writeFileSync(path, db);
      writeFileSync(`${path}-wal`, log);
      return await opened(path, audit);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function opened(path: string, audit: boolean): Promise<Shown> {
  const nothing = { trail: [], rest: '', sent: new Map() };
  let ledger: ReturnType<typeof openLedger>;
  try {
    ledger = openLedger(path, systemClock);
  } catch (error) {
    return { ...nothing, faults: [`it does not open: ${String(error)}`] };
  }
  try {
    const evidence = ledger.trail.evidence();
    const findings = collectFindings();
    if (audit) auditLedger(evidence, findings);
    else
      for (const { where, code, what, found } of evidence.faults()) findings.add(where, code, what, undefined, found);
    return {
      trail: Array.from(evidence.trail(), ({ hash }) => hash),
      rest: restOf(evidence),
      sent: new Map(Array.from(evidence.rows(), ({ tag, attempts }) => [tag, attempts > 0])),
      faults: findings.list.map(findingLine),
    };
  } catch (error) {
    return { ...nothing, faults: [`it cannot be read: ${String(error)}`] };
  } finally {
    await ledger.close();
  }
}

function restOf(evidence: Evidence): string {
  const { rows, strayContents, batches, sheets, invalid, documents, merchants, earlier, gone } = evidence;
  const tables = [rows, strayContents, batches, sheets, invalid, documents, merchants, earlier, gone];
  return sha256(JSON.stringify(tables.map((all) => [...all()])));
}

// --- The trial

export interface Tried {
  readonly cuts: number;
  readonly faults: readonly string[];
}

/** Every state that was committed and still stands in the log: the one before it, and one for each transaction in it. */
export async function judgeCuts(files: Files, cuts: (frames: readonly Frame[]) => Iterable<Cut>): Promise<Tried> {
  const { db, log } = files;
  const frames = framesOf(log);
  return await withOpener(async (open) => {
    const faults: string[] = [];
    const commits = [0, ...frames.filter(({ commits: last }) => last).map(({ end }) => end)];
    const whole = await open(files);
    const committed = new Map<number, Shown>();
    let before = -1;
    for (const end of commits) {
      const shown = await open({ db, log: log.subarray(0, end) });
      committed.set(end, shown);
      faults.push(...shown.faults.map((fault) => `at the commit that ends at byte ${end}: ${fault}`));
      if (!isPrefix(shown.trail, whole.trail)) faults.push(`the trail at byte ${end} is no beginning of the whole`);
      if (shown.trail.length < before) faults.push(`the trail at byte ${end} is shorter than before`);
      before = shown.trail.length;
    }
    const last = committed.get(commits.at(-1) ?? 0);
    if (last?.rest !== whole.rest || last.trail.length !== whole.trail.length)
      faults.push('the whole log shows something else than its last commit');
    let tried = commits.length;
    for (const cut of cuts(frames)) {
      tried += 1;
      // The audit reads nothing but what is compared here with a state that was audited.
      const shown = await open({ db, log: cutLog(log, cut) }, false);
      const expected = committed.get(commits.findLast((end) => end <= cut.bytes) ?? 0);
      faults.push(...differences(shown, expected).map((fault) => `${cut.tail} after byte ${cut.bytes}: ${fault}`));
    }
    return { cuts: tried, faults };
  });
}

/** What a ledger shows, against what it should. */
export function differences(shown: Shown, expected: Shown | undefined): string[] {
  const faults = [...shown.faults];
  if (expected === undefined) return [...faults, 'no commit is known there'];
  if (shown.trail.join() !== expected.trail.join())
    faults.push(`${shown.trail.length} entries in the trail, and ${expected.trail.length} were committed`);
  if (shown.rest !== expected.rest) faults.push('rows, merchants or documents are not as they were committed');
  return faults;
}

const isPrefix = (short: readonly string[], long: readonly string[]) => short.every((hash, at) => hash === long[at]);

export interface Cut {
  /** So many bytes of the log came to the disk. */
  readonly bytes: number;
  /** A file can end there, or have its full length with nothing written in it. */
  readonly tail: 'nothing' | 'zeros';
}

function cutLog(log: Uint8Array, { bytes, tail }: Cut): Uint8Array {
  if (tail === 'nothing') return log.subarray(0, bytes);
  const cut = new Uint8Array(log.length);
  cut.set(log.subarray(0, bytes));
  return cut;
}

/** Every byte of the last frames; the end of every frame, and a byte around it; the head; and what an earlier generation left. */
export function* everyCut(log: Uint8Array, frames: readonly Frame[], lastFrames = 3): Generator<Cut> {
  const ends = frames.map(({ end }) => end);
  const tail = ends.at(-lastFrames - 1) ?? headerBytes;
  const stop = ends.at(-1) ?? log.length;
  for (let bytes = 0; bytes <= headerBytes; bytes += 1) yield { bytes, tail: 'nothing' };
  for (const end of [headerBytes, ...ends])
    for (const bytes of [end - 1, end, end + 1]) {
      if (bytes > log.length) continue;
      yield { bytes, tail: 'zeros' };
      if (bytes < tail || bytes > stop) yield { bytes, tail: 'nothing' };
    }
  for (let bytes = tail; bytes <= stop; bytes += 1) yield { bytes, tail: 'nothing' };
  for (let bytes = stop + 512; bytes <= log.length; bytes += 4096) yield { bytes, tail: 'nothing' };
}

/** Payments that a ledger knows nothing of: with them gone from its memory, a row could be paid twice. */
export function unknownPayments({ payments }: Pick<Killed, 'payments'>, { sent }: Shown): string[] {
  return payments
    .filter(({ tag = '' }) => sent.get(tag.toLowerCase()) !== true)
    .map(({ id, reference }) => `payment ${id} of ${reference} was made, and the ledger knows of no intent`);
}
