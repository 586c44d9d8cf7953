/** LibreOffice, where the machine has it: a second program that must see in our workbooks what we wrote. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { freshPath } from './given.ts';

/** Tests that need it are left out where it is missing: nobody has to install an office suite to work on Payrun. */
export const hasOffice = spawnSync('soffice', ['--version'], { timeout: 30_000 }).status === 0;

let profile: string | null = null;

/** Converts a workbook; `filter` is LibreOffice's own name of the format, with its options. Answers the new file. */
export function converted(path: string, filter: string): string {
  // A profile of its own, so that an office that is open on this machine is left alone.
  profile ??= freshPath('office');
  const folder = freshPath('converted');
  mkdirSync(folder);
  execFileSync(
    'soffice',
    [`-env:UserInstallation=file://${profile}`, '--headless', '--convert-to', filter, '--outdir', folder, path],
    { timeout: 80_000, stdio: 'ignore' },
  );
  return join(folder, `${basename(path, extname(path))}.${filter.split(':')[0]}`);
}

/** Sheets of a workbook as CSV texts, by their names: UTF-8, every cell in quotes, numbers as stored. */
export function sheetTexts(path: string, names: readonly string[]): string[] {
  // Comma, quote, UTF-8, from line 1, all quoted, values as stored and not as shown, each sheet in a file of its own.
  const first = converted(path, 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,-1');
  return names.map((name) => readFileSync(first.replace(/\.csv$/, `-${name}.csv`), 'utf8'));
}
