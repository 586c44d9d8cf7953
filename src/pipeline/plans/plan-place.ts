/** Finds plans by their digests, and names new ones. A new plan never replaces a signed plan. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readSignature, type Signature } from '../../approval/approval.ts';
import { sha256OfFile } from '../../base/digest.ts';
import { PayrunError, refuseUnreadable } from '../../base/errors.ts';
import { readSmallFile } from '../../base/small-file.ts';
import type { ActionOf } from '../../domain/next-action.ts';
import { isNameFree, numbered, type Output, sheetOutput, stemOf } from '../../sheet/sheet.ts';
import { digestWords, type PlanFile } from './plan-file.ts';

export interface PlanPlace {
  readonly file: string;
  readonly outDir: string | null;
}

/** `again` makes a new plan of the sheet. */
export interface PlanSearch extends PlanPlace {
  readonly again: ActionOf<'plan-sheet'>;
}

export const planEnding = '.plan.json';
const numberedEnding = /\.plan(?:-\d+)?\.json$/;

export const planStem = (path: string): string => path.replace(/\.json$/, '');

export const pageOf = (path: string): string => `${planStem(path)}.html`;

/** Returns `november.plan.json`, or the next numbered name if that name or its page's is taken. */
export async function placeForPlan({ file, outDir }: PlanPlace): Promise<Output> {
  const { path: first, subject } = sheetOutput(file, outDir, planEnding);
  for (let number = 1; ; number += 1) {
    const path = numbered(first, number);
    // Takes no name that has signatures, because a signature must not end up beside a plan that its signer did not see.
    const isFree = (await signaturesOf(path)).length === 0 && (await isNameFree({ path, subject }));
    if (isFree && (await isNameFree({ path: pageOf(path), subject }))) return { path, subject };
  }
}

export const isSigned = async ({ path, digest }: PlanFile): Promise<boolean> =>
  (await signaturesOf(path)).some((file) => signatureIn(file)?.digest === digestWords(digest));

const maxSignatureBytes = 64 * 1024;

export function signatureIn(path: string): Signature | null {
  try {
    return readSignature(readSmallFile(path, maxSignatureBytes));
  } catch {
    return null;
  }
}

export async function signaturesOf(path: string): Promise<string[]> {
  const start = `${basename(planStem(path))}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((name) => name.startsWith(start) && name.endsWith('.sig.json'))
    .toSorted()
    .map((name) => join(dirname(path), name));
}

export async function plansOf({ file, outDir }: PlanPlace): Promise<string[]> {
  const folders = [...new Set([...(outDir === null ? [] : [outDir]), dirname(file)])];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      // Skips pipes, because the read of a pipe would never end.
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      const own = names.filter(
        (name) => numberedEnding.test(name) && name.replace(numberedEnding, '') === stemOf(file),
      );
      return own.toSorted().map((name) => join(folder, name));
    }),
  );
  return found.flat();
}

/** Returns the plan whose digest has this beginning: the named file, or one beside the sheet. Throws if there is none. */
export async function findPlan({ again: command, ...place }: PlanSearch, named: string | null, digest: string) {
  const paths = named === null ? await plansOf(place) : [named];
  const digests = await Promise.all(paths.map(fileDigest));
  const found = paths[digests.findIndex((one) => one.startsWith(digest))];
  if (found !== undefined) return found;
  const others = paths.map((path, at) => ({ path, plan: digestWords(digests[at] ?? '') }));
  throw new PayrunError('PLAN_NOT_FOUND', { plan: digestWords(digest), others, command });
}

export const fileDigest = async (path: string): Promise<string> =>
  await sha256OfFile(path).catch(refuseUnreadable(path));
