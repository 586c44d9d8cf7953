/** Puts files on the disk for the tests of this room, and reads sheets whole. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PayrunError } from '../../src/base/errors.ts';
import type { Refusal } from '../../src/base/refusal.ts';
import { type Line, openSheet, type Sheet, type SheetOptions } from '../../src/sheet/sheet.ts';
import { atEnd } from '../endings.ts';

let folder: string | null = null;
let count = 0;

/** A path that no other test has. */
export function freshPath(name: string): string {
  folder ??= newFolder();
  return join(folder, `${++count}-${name}`);
}

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'payrun-sheet-'));
  atEnd(() => {
    folder = null;
    rmSync(made, { recursive: true, force: true });
  });
  return made;
}

export function given(name: string, content: string | Uint8Array): string {
  const path = freshPath(name);
  writeFileSync(path, content);
  return path;
}

export async function linesOf(sheet: Sheet): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const chunk of sheet.lines()) lines.push(...chunk);
  return lines;
}

export async function readAll(path: string, options?: SheetOptions): Promise<{ sheet: Sheet; lines: Line[] }> {
  const sheet = await openSheet(path, options);
  return { sheet, lines: await linesOf(sheet) };
}

/** Returns why a sheet is refused, at once or while it is read; null if it is not refused. */
export async function refusal(path: string, options?: SheetOptions): Promise<Refusal | null> {
  try {
    await readAll(path, options);
  } catch (error) {
    if (error instanceof PayrunError) return error.refusal;
    throw error;
  }
  return null;
}

export const codesOf = (problems: readonly { readonly code: string }[]): string[] => problems.map(({ code }) => code);
