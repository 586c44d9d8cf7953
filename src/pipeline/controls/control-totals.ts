/** Control totals: compares a sheet with sums from a second channel before anything is sent. */
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { fileFault, PayrunError } from '../../base/errors.ts';
import type { OptionFault } from '../../base/faults/fault.ts';
import { strictJson } from '../../base/json.ts';
import type { TotalsDifference } from '../../base/refusal.ts';
import { readSmallFile } from '../../base/small-file.ts';
import { moneyName } from '../../domain/amounts/money.ts';
import type { Note } from '../../domain/note.ts';
import type { Draft } from '../../ledger/ledger.ts';
import { keptNotes, sheetOutput, stemOf, writeOutput } from '../../sheet/sheet.ts';

export interface ControlTotals {
  readonly rows: number;
  /** Sums by currency, as text. A key such as `BTC:sat` names the unit if it is not the currency's usual one. */
  readonly totals: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of the destinations of all rows, sorted, each followed by a line feed. */
  readonly accounts: string;
}

/** Expected totals. Payrun does not compare an absent part. */
export interface Expected {
  readonly source: string;
  readonly rows: number | null;
  readonly totals: Readonly<Record<string, string>>;
  readonly accounts: string | null;
}

export interface TotalsOrder {
  /** The arguments of `--expect`: `rows=212`, `ZAR=1904300`, `accounts=…`. */
  readonly expect: readonly string[];
  readonly required: boolean;
}

const suffix = '.totals.json';

export function controlTotalsOf(draft: Draft): ControlTotals {
  const sums = new Map<string, bigint>();
  let rows = 0;
  for (const total of draft.totals()) {
    rows += total.rows;
    const name = moneyName(total);
    sums.set(name, (sums.get(name) ?? 0n) + total.amount);
  }
  const totals = [...sums].map(([name, amount]) => [name, String(amount)] as const);
  return { rows, totals: Object.fromEntries(totals), accounts: draft.accounts() };
}

export async function writeTotals(draft: Draft, file: string, outDir: string | null) {
  const output = sheetOutput(file, outDir, suffix);
  const text = `${JSON.stringify(controlTotalsOf(draft), null, 2)}\n`;
  const path = await writeOutput(output, async (handle) => await handle.appendFile(text));
  return { path, notes: keptNotes(output.path, path) };
}

/**
 * Compares the sheet with `--expect` and with the totals file beside it; throws TOTALS_DIFFER with every difference.
 * Returns the totals that agreed; null if none were given, and for a retry, which pays only a part of its sheet.
 */
export async function requireTotals(
  draft: Draft,
  file: string,
  controls: TotalsOrder | null = { expect: [], required: false },
): Promise<readonly Expected[] | null> {
  if (controls === null) return null;
  const { expect, required } = controls;
  const said = [totalsOfOption(expect), totalsBeside(file)].filter((one) => one !== null);
  if (said.length > 0) {
    const found = controlTotalsOf(draft);
    const differences = said.flatMap((one) => differencesOf(one, found));
    if (differences.length > 0) throw new PayrunError('TOTALS_DIFFER', { differences });
  }
  const full = said.some(({ totals }) => Object.keys(totals).length > 0);
  if (required && !full)
    throw new PayrunError('TOTALS_MISSING', { file: basename(file), totals: `${stemOf(file)}${suffix}` });
  return said.length === 0 ? null : said;
}

/** Returns the differences. If one currency is expected, every other currency is a difference, so that nobody adds one unnoticed. */
export function differencesOf({ source, ...expected }: Expected, found: ControlTotals): TotalsDifference[] {
  const differences: TotalsDifference[] = [];
  if (expected.rows !== null && expected.rows !== found.rows)
    differences.push({ source, of: 'rows', expected: expected.rows, found: found.rows });
  const names = Object.keys(expected.totals);
  for (const name of names.length === 0 ? [] : new Set([...names, ...Object.keys(found.totals)])) {
    const [want = null, have = null] = [expected.totals[name], found.totals[name]];
    if (want === null || BigInt(want) !== BigInt(have ?? 0))
      differences.push({ source, of: 'money', money: name, expected: want, found: have });
  }
  if (expected.accounts !== null && !found.accounts.startsWith(expected.accounts))
    differences.push({ source, of: 'accounts' });
  return differences;
}

export const totalsNotes = (expected: readonly Expected[] | null): Note[] =>
  (expected ?? []).map((one) => ({ note: 'totals-agree', ...one }));

const wholeNumber = /^(?:0|[1-9]\d{0,29})$/;
const currencyName = /^[A-Z]{3,5}(?::(?:sat|hundredths))?$/;
/** Matches at least 32 digits of a hash. With fewer, somebody could make other accounts whose hash begins in the same way. */
const accountsHash = /^[0-9a-f]{32,64}$/;

function totalsOfOption(expect: readonly string[]): Expected | null {
  if (expect.length === 0) return null;
  let rows: number | null = null;
  let accounts: string | null = null;
  const totals: Record<string, string> = {};
  const said = new Set<string>();
  for (const option of expect) {
    const [name = '', value = '', ...more] = option.split('=').map((part) => part.trim());
    const slip = (why: OptionFault) => new PayrunError('EXPECT_UNUSABLE', { expect: option, why });
    const isTotal = name === 'rows' || currencyName.test(name);
    const isRead = name === 'accounts' ? accountsHash.test(value.toLowerCase()) : isTotal && wholeNumber.test(value);
    if (more.length > 0 || !isRead) throw slip({ fault: 'expect-has-no-form' });
    if (said.has(name)) throw slip({ fault: 'option-is-twice', name });
    said.add(name);
    if (name === 'accounts') accounts = value.toLowerCase();
    else if (name === 'rows') rows = Number(value);
    else totals[name] = value;
  }
  return { source: '--expect', rows, totals, accounts };
}

/** A whole amount. JSON must give it as text if JavaScript would round the number. */
const amount = z.union([z.string().regex(wholeNumber, 'totals-number'), z.int().nonnegative().transform(String)]);
const totalsFile = z
  .strictObject({
    rows: z.int().nonnegative().exactOptional(),
    totals: z.record(z.string().regex(currencyName, 'totals-currency'), amount).exactOptional(),
    accounts: z.string().regex(accountsHash, 'totals-hash').exactOptional(),
  })
  .refine((said) => Object.keys(said).length > 0, 'totals-say-nothing');
const maxFileBytes = 64 * 1024;

function totalsBeside(file: string): Expected | null {
  const path = join(dirname(file), `${stemOf(file)}${suffix}`);
  try {
    const { rows = null, totals = {}, accounts = null } = strictJson(totalsFile, readSmallFile(path, maxFileBytes));
    return { source: basename(path), rows, totals, accounts };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new PayrunError('FILE_UNREADABLE', { path, why: fileFault(error) });
  }
}
