/**
 * Runs one case of the corpus: a sheet, the commands in the text beside it, and what `payrun check` and the reader say of it.
 *
 * `NAME.txt` opens with a sentence on what the sheet is; then, for each command, its notes, columns, rows and problems. The
 * sentence and the lines that begin with `$` are written by people, everything below them by the product.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { check } from '../../src/app/preview-batch.ts';
import { systemClock } from '../../src/base/clock.ts';
import { PayrunError } from '../../src/base/errors.ts';
import { rowRules, sheetOptions } from '../../src/cli/args/build-orders.ts';
import type { Args, CommandContext } from '../../src/cli/compose/command-context.ts';
import { exitOf } from '../../src/cli/render/exit-code.ts';
import { offlineBanks } from '../../src/domain/accounts/bank.ts';
import type { Cell } from '../../src/domain/rows/cell.ts';
import { defaultDocuments } from '../../src/domain/rows/document.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { noteWords } from '../../src/messages/notes.ts';
import { refusalWords, wordsOf } from '../../src/messages/refusals.ts';
import type { Outcome } from '../../src/pipeline/outcome.ts';
import { refusalKind } from '../../src/pipeline/refusal-kind.ts';
import { type ClassifiedRow, openSheet, type Sheet, type SheetOptions } from '../../src/sheet/sheet.ts';
import { messageOf } from '../problem-words.ts';
import { canBeMade, makeLarge } from './large.ts';

export const corpusFolder = import.meta.dirname;

/** Where the sheets lie, by what wrote them; those of `large` are made when they are read. */
export const origins = [
  'csv',
  'hand',
  'libreoffice',
  'gnumeric',
  'exceljs',
  'sheetjs',
  'openpyxl',
  'xlsxwriter',
  'payments',
  'large',
] as const;

/** Beside a sheet lie its text, and what other programs read in it. */
const besides = /\.(txt|libreoffice\.csv|sheetjs\.csv)$/;

/** Every case as `origin/FILE`. */
export async function caseNames(): Promise<string[]> {
  const names: string[] = [];
  for (const origin of origins) {
    const files = (await readdir(join(corpusFolder, origin), { withFileTypes: true })).filter((one) => one.isFile());
    for (const { name } of files) {
      const made = name.replace(/\.txt$/, '');
      if (origin === 'large') {
        if (canBeMade(made)) names.push(`large/${made}`);
      } else if (!besides.test(name) && !name.startsWith('.')) names.push(`${origin}/${name}`);
    }
  }
  return names.sort();
}

export function textPath(name: string): string {
  return join(corpusFolder, `${name}.txt`);
}

export async function expected(name: string): Promise<string | null> {
  return readFile(textPath(name), 'utf8').catch(() => null);
}

/** The text as it would be written now. */
export async function runCase(name: string): Promise<string> {
  const before = (await expected(name)) ?? `\n$ payrun check ${basename(name)}\n`;
  const commands = before.split('\n').filter((line) => line.startsWith('$ '));
  const about = before.slice(0, before.indexOf('$ ')).trimEnd();
  const made = name.startsWith('large/') ? await mkdtemp(join(tmpdir(), 'payrun-corpus-')) : null;
  try {
    const folder = made ?? join(corpusFolder, dirname(name));
    if (made !== null) makeLarge(basename(name), made);
    const blocks: string[] = [];
    for (const command of commands) blocks.push(`${command}\n${await answerTo(command, folder)}`);
    return `${about}\n\n${blocks.join('\n').replaceAll(folder, '<here>')}`;
  } finally {
    if (made !== null) await rm(made, { recursive: true, force: true });
  }
}

/** What the commands of the corpus may say. */
const flags = {
  sheet: { type: 'string' },
  'include-hidden': { type: 'boolean' },
  'number-format': { type: 'string' },
  'documents-policy': { type: 'string' },
  only: { type: 'string', multiple: true },
  'ignore-column': { type: 'string', multiple: true },
} as const;

async function answerTo(command: string, folder: string): Promise<string> {
  const words = [...command.slice(2).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  if (words[0] !== 'payrun' || words[1] !== 'check') throw new Error(`a command is 'payrun check FILE': ${command}`);
  const { values, positionals } = parseArgs({ args: words.slice(2), allowPositionals: true, options: flags });
  const args = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
  const [file = ''] = positionals;
  const path = join(folder, file);
  const options = sheetOptions(args, { env: {}, cwd: folder } as CommandContext);
  const answer = await checkFile(path, args, options);
  if ('error' in answer) return `refused: ${answer.error}\nexit ${answer.exit}\n`;
  for (const message of (answer.findings?.problems ?? []).map(messageOf)) {
    if (/[\p{Cc}\p{Cf}]/u.test(message))
      throw new Error(`a message could steer a terminal: ${JSON.stringify(message)}`);
  }
  const { sheet, rows, reading } = await readSheet(path, options);
  const notes = answer.notes.map((note) => `  ${noteWords(note).replace(`${file}: `, '')}`);
  return [
    ...notes,
    '',
    ...columnLines(sheet),
    '',
    ...rowLines(rows),
    ...(reading === null ? [] : [`  stopped: ${reading}`]),
    ...problemLines(answer),
    '',
    ...countLines(answer),
    `exit ${exitOf(answer.end)}`,
    '',
  ].join('\n');
}

interface Refusal {
  readonly error: string;
  readonly exit: number;
}

/** As the command does, but nothing is handed back: a workbook for every case would take as long as all the rest. */
async function checkFile(file: string, args: Args, options: SheetOptions): Promise<Outcome | Refusal> {
  const ledger = openLedger(null, systemClock);
  const rules = { ...rowRules(args, { btcUnit: null, networkProvider: 'MOMO' }), banks: offlineBanks() };
  const documents = { documentsFolder: dirname(file), documentLimits: defaultDocuments };
  const order = { path: file, options, rules, ...documents, skipInvalid: false, handBack: null };
  try {
    return await check(ledger, order, () => {});
  } catch (error) {
    if (!(error instanceof PayrunError)) throw error;
    return { error: refusalWords(error), exit: exitOf(refusalKind(error.code)) };
  } finally {
    await ledger.close();
  }
}

// --- What the reader sees

async function readSheet(path: string, options: SheetOptions) {
  const sheet = await openSheet(path, options);
  const rows: ClassifiedRow[] = [];
  let reading: string | null = null;
  try {
    for await (const batch of sheet.rows()) rows.push(...batch);
  } catch (error) {
    reading = wordsOf(error);
  }
  return { sheet, rows, reading };
}

function columnLines(sheet: Sheet): string[] {
  if (sheet.headerRow === 0) return ['  no header'];
  const wide = Math.max(...sheet.header.map((text) => written(text).length));
  return [
    `  header in row ${sheet.headerRow}${sheet.amountCurrency === null ? '' : `, amounts in ${sheet.amountCurrency}`}`,
    ...sheet.header.flatMap((text, index) =>
      text.trim() === ''
        ? []
        : [`  ${written(text).padEnd(wide)}  ${sheet.columns[index] ?? (sheet.ours[index] ? 'ours' : '-')}`],
    ),
  ];
}

/** So many rows tell what the others are like. */
const shownRows = 60;

function rowLines(rows: readonly ClassifiedRow[]): string[] {
  const below = rows.filter(({ kind }) => kind !== 'header');
  const lines = below.slice(0, shownRows).map(({ number, kind, cells }) => {
    const texts = cells.map(cellText);
    while (texts.at(-1) === '') texts.pop();
    return `  ${number}${kind === 'line' ? '' : ` (${kind})`}: ${texts.join(', ')}`;
  });
  return below.length > shownRows ? [...lines, `  … and ${below.length - shownRows} more`] : lines;
}

/** Text is quoted, numbers are bare: the difference is what a lost zero is about. */
function cellText(cell: Cell): string {
  if (cell === '') return '';
  if (typeof cell === 'string') return `"${written(cell)}"`;
  const shown = written(cell.shown);
  const value = {
    number: cell.shown === cell.text ? shown : `${shown} (stored as ${cell.text})`,
    text: `"${shown}"`,
    date: `date ${shown}`,
    boolean: shown,
    error: `error ${shown}`,
    uncached: 'no result',
  }[cell.kind];
  return cell.formula ? `=(${value})` : value;
}

/** Nothing that a person cannot see stays unseen; what is very long is cut. */
function written(text: string): string {
  const short = text.length > 400 ? `${text.slice(0, 80)}… (${text.length} characters)` : text;
  return short.replace(
    /(?! )[\p{C}\p{Z}]/gu,
    (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}

// --- What the check says

const severityWords = { error: 'fix', warning: 'look', repair: 'read' } as const;

function problemLines({ findings }: Outcome): string[] {
  const { problems = [], problems_total = 0 } = findings ?? {};
  const lines = problems
    .slice(0, shownRows)
    .flatMap(({ row, column, code, severity, facts, suggestion }) => [
      '',
      `  ${severityWords[severity].padEnd(4)}  ${row === null ? 'sheet' : `row ${row}`}  ${column ?? '-'}  ${code}`,
      `        ${written(messageOf({ code, facts }))}`,
      ...(suggestion === null ? [] : [`        suggested: ${written(suggestion)}`]),
    ]);
  return problems_total > shownRows ? [...lines, '', `  … and ${problems_total - shownRows} more`] : lines;
}

function countLines({ rows, totals }: Outcome): string[] {
  const sums = totals.map(({ currency, unit, from, planned }) => {
    const of = unit === 'whole' ? currency : `${unit} of ${currency}`;
    return `${planned.toLocaleString('en')} ${of}${from === null ? '' : ` from ${from}`}`;
  });
  return [
    `  ${rows.total} ${rows.total === 1 ? 'row' : 'rows'}: ${rows.not_sent} to pay, ${rows.invalid} to mend${sums.length === 0 ? '' : `; ${sums.join(', ')}`}`,
  ];
}

/** Whether a case has its sheet, for the test of the corpus itself. */
export function hasSheet(name: string): boolean {
  return name.startsWith('large/') || existsSync(join(corpusFolder, name));
}
