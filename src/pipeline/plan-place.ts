/** Where the plans of a sheet lie: a new one never takes the place of one that somebody signed, and one is found by its digest. */
import { lstat, open, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readSignature, type Signature } from '../approval/approval.ts';
import { sha256OfFile } from '../base/digest.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { readSmallFile } from '../base/small-file.ts';
import { stemOf } from '../sheet/sheet.ts';
import { digestWords, isPlanStart, openPlan, type PlanFile } from './plan-file.ts';

export interface PlanPlace {
  /** The sheet. */
  readonly file: string;
  /** null: beside the sheet. */
  readonly outDir: string | null;
}

const planEnding = /\.plan(?:-\d+)?\.json$/;

/** What the files that go with a plan begin with: its page, and the signatures over it. */
export function planStem(path: string): string {
  return path.replace(/\.json$/, '');
}

export function pageOf(path: string): string {
  return `${planStem(path)}.html`;
}

/** `november.plan.json`; the next number where another program's file, or a plan that was signed and is still good, has that name. */
export async function placeForPlan({ file, outDir }: PlanPlace, now: number): Promise<string> {
  const folder = outDir ?? dirname(file);
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${stemOf(file)}.plan${number === 1 ? '' : `-${number}`}.json`);
    if (await isFree(path, now)) return path;
  }
}

async function isFree(path: string, now: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return true;
  if (!found.isFile() || !(await isPlan(path))) return false;
  const plan = await openPlan(path).catch(() => null);
  return plan === null || now >= Date.parse(plan.head.expires_at) || !(await isSigned(plan));
}

/** Whether somebody's signature over this very plan lies beside it; whose, and whether it counts, is for the policy to say. */
export async function isSigned({ path, digest }: PlanFile): Promise<boolean> {
  return (await signaturesOf(path)).some((file) => signatureIn(file)?.digest === digestWords(digest));
}

const maxSignatureBytes = 64 * 1024;

/** null of what is none, and of what cannot be read. */
export function signatureIn(path: string): Signature | null {
  try {
    return readSignature(readSmallFile(path, maxSignatureBytes));
  } catch {
    return null;
  }
}

async function isPlan(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => null);
  if (handle === null) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return isPlanStart(buffer.subarray(0, bytesRead).toString('latin1'));
  } finally {
    await handle.close();
  }
}

/** The signature files that lie beside a plan. */
export async function signaturesOf(path: string): Promise<string[]> {
  const start = `${basename(planStem(path))}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((name) => name.startsWith(start) && name.endsWith('.sig.json'))
    .toSorted()
    .map((name) => join(dirname(path), name));
}

/** Kept, and counted by nobody. */
export async function putSignaturesAway(path: string): Promise<void> {
  for (const file of await signaturesOf(path)) await rename(file, `${file}.declined`);
}

/** Every plan of the sheet, in the folder of the results and beside the sheet. */
export async function plansOf({ file, outDir }: PlanPlace): Promise<string[]> {
  const folders = [...new Set([...(outDir === null ? [] : [outDir]), dirname(file)])];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      // A pipe would never end.
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      const own = names.filter((name) => planEnding.test(name) && name.replace(planEnding, '') === stemOf(file));
      return own.toSorted().map((name) => join(folder, name));
    }),
  );
  return found.flat();
}

/** The plan whose digest begins so: the one that is named, or one of those beside the sheet. */
export async function findPlan(place: PlanPlace, named: string | null, digest: string): Promise<string> {
  const paths = named === null ? await plansOf(place) : [named];
  const digests = await Promise.all(paths.map(fileDigest));
  const found = paths[digests.findIndex((one) => one.startsWith(digest))];
  if (found !== undefined) return found;
  const others = paths.map((path, at) => `${path} is plan ${digestWords(digests[at] ?? '')}`);
  throw new PayrunError('PLAN_REFUSED', {
    detail: [
      `There is no plan ${digestWords(digest)} ${named === null ? 'beside the sheet, nor in --out' : 'in the file of --plan'}: it was never made here, or was changed since. Nothing was sent.`,
      ...others,
      ...(named === null ? ['Name its file with --plan, or make a new plan: payrun plan FILE'] : []),
    ].join('\n  '),
  });
}

export async function fileDigest(path: string): Promise<string> {
  try {
    return await sha256OfFile(path);
  } catch (error) {
    throw new PayrunError('FILE_UNREADABLE', { path, detail: wordsOf(error) });
  }
}
