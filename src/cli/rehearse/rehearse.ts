/** Runs `payrun rehearse FILE`: pays the sheet on the embedded service with faults and kills, and judges it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { RepeatedOptions } from '../../domain/next-action.ts';
import { rowDigest } from '../../domain/rows/digest.ts';
import { parseRow, type Row } from '../../domain/rows/row.ts';
import type { End } from '../../domain/sending/end.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { counted, grouped } from '../../messages/format/numbers.ts';
import { wordsOf } from '../../messages/refusals.ts';
import type { Outcome } from '../../pipeline/outcome.ts';
import { choiceLists, openSheet, readCells, rulesOfSheet } from '../../sheet/sheet.ts';
import { checkOrder, repeatedOptions } from '../args/build-orders.ts';
import type { Run } from '../args/command-table.ts';
import { readWhole } from '../args/durations-and-numbers.ts';
import {
  CommandMistake,
  everySignal,
  flag,
  print,
  printShown,
  stopOn,
  text,
  usage,
} from '../compose/command-context.ts';
import { loadSettings, nearestPolicy } from '../compose/config.ts';
import { saidDocuments } from '../compose/document-settings.ts';
import { isRefused, type KillMoment, moments, type Rehearsed, rehearse } from '../rehearsal.ts';
import { exitOf } from '../render/exit-code.ts';
import { type Streams, table } from '../render/screen.ts';
import { type Judgement, judge, type RehearsedRow, type ResultRow, type Verdict } from './verdict.ts';

const shownVerdicts = 50;

type Sheet = ReturnType<typeof checkOrder>;

export const rehearseFile: Run = async (args, world) => {
  const kills = readWhole(text(args, 'kills') ?? '10', '--kills', 0, 1000);
  const minutes = readWhole(text(args, 'minutes') ?? '2', '--minutes', 1, 1440);
  const seed = text(args, 'seed') ?? systemClock.randomHex(4);
  const settings = loadSettings(world, {});
  const { networkProvider, paymentTypes, documents } = settings;
  const file = resolve(world.cwd, text(args, 'file') ?? '');
  const sheet = checkOrder(args, world, settings, file);
  const checked = await checkSheet(sheet);
  if (checked.kind === 'refused') return print(checked, args, world, 'look');
  const rows = await rowsOf(sheet, checked);
  using room = makeRoom(text(args, 'keep'), world.cwd);
  // Every process ends at the first signal, because no payment here is real.
  using stopping = stopOn(world.signals, everySignal);
  const quiet = flag(args, 'quiet');
  const line = progressLine(world.streams, quiet || flag(args, 'json'));
  const begun = systemClock.monotonic();
  const rehearsed = await rehearse({
    folder: room.path,
    file,
    flags: sheetFlags(repeatedOptions(args, world), sheet),
    config: { btc: { unit: 'sat' }, kenya: { networkProvider }, payments: { types: paymentTypes } },
    documents: saidDocuments(documents),
    kills,
    seed,
    limitMs: minutes * 60_000,
    size: { rows: rows.length, documents: rows.reduce((sum, row) => sum + row.documents.length, 0) },
    env: world.env,
    stop: stopping.signal,
    progress: line.show,
  })
    .catch((error: unknown) => {
      // A stop also ends the rehearsal's processes, so their errors are no failures.
      if (!stopping.signal.aborted) throw error;
      return null;
    })
    .finally(line.end);
  const signal = stopping.heard();
  if (rehearsed === null || signal !== null) return signal ?? 'signal';
  const { outcome } = rehearsed;
  if (outcome !== null && isRefused(outcome)) {
    printShown(outcome, args, world.streams, 'look');
    return outcome.end;
  }
  const seconds = Math.round((systemClock.monotonic() - begun) / 1000);
  const document = await documentOf(sheet, rows, rehearsed, { seed, seconds, kept: room.kept });
  const { end } = document;
  if (flag(args, 'json')) world.streams.out.write(`${JSON.stringify(document)}\n`);
  else if (!quiet || end !== 'done') world.streams.out.write(`${linesOf(document).join('\n')}\n`);
  return end;
};

async function checkSheet(sheet: Sheet): Promise<Outcome> {
  const { check } = await import('../../app/preview-batch.ts');
  await using ledger = openLedger(null, systemClock);
  return await check(ledger, { ...sheet, handBack: null }, () => {});
}

async function rowsOf(
  { path, options, rules }: Pick<Sheet, 'path' | 'options' | 'rules'>,
  { findings }: Pick<Outcome, 'findings'>,
): Promise<Row[]> {
  const bad = new Set(
    findings?.problems.flatMap(({ row, severity }) => (severity === 'error' && row !== null ? [row] : [])),
  );
  const sheet = await openSheet(path, options);
  const ofSheet = rulesOfSheet(rules, sheet, options.map);
  const rows: Row[] = [];
  for await (const lines of sheet.lines())
    for (const { cells, number } of lines) {
      const { row } = parseRow(cells, number, ofSheet);
      if (row !== null && !bad.has(number)) rows.push(row);
    }
  return rows;
}

function sheetRow(row: Row): RehearsedRow {
  return { ...row, digest: rowDigest(row), documents: new Set(row.documents).size };
}

/** Reads the result as a person would: Payrun's columns by their headers, the sheet's columns by the usual rules. */
async function resultRows(result: string, { rules, options: { sheetName, ...options } }: Sheet): Promise<ResultRow[]> {
  const named = sheetName !== undefined && extname(result) === '.xlsx' ? { sheetName } : {};
  const again = { path: result, options: { ...options, ...named }, rules };
  const rows = new Map((await rowsOf(again, {})).map((row) => [row.number, row]));
  const results: ResultRow[] = [];
  for (const { rows: lines } of await readCells(result)) {
    const header = lines.findIndex(({ cells }) => cells.includes('payrun_tag') && cells.includes('payrun_status'));
    if (header === -1) continue;
    const [tagAt, statusAt] = ['payrun_tag', 'payrun_status'].map((name) => lines[header]!.cells.indexOf(name));
    for (const { number, cells } of lines.slice(header + 1)) {
      const [tag = '', status = ''] = [cells[tagAt!], cells[statusAt!]];
      if (['', 'invalid', 'left out'].includes(status)) continue;
      const row = rows.get(number);
      results.push({ number, digest: row === undefined ? 'unreadable' : rowDigest(row), status, tag });
    }
  }
  return results;
}

/** Returns the options that decide how the runs read the sheet. The runs have their own folder, so paths are full. */
function sheetFlags(repeated: RepeatedOptions, { documentsFolder, options: { map, choices } }: Sheet): string[] {
  const places = { documents: documentsFolder, ...(map === undefined ? {} : { map: map.name }) };
  const said = { ...repeated, ...choiceLists(choices), ...places };
  return Object.entries(said).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [value].flat().map((one) => `--${name}=${one}`),
  );
}

/** Makes a folder that only its owner can enter. The rehearsal deletes it at the end, unless `keep` names it. */
function makeRoom(keep: string | null, cwd: string) {
  const policy = nearestPolicy(keep === null ? tmpdir() : resolve(cwd, keep));
  if (policy !== null)
    throw usage(
      `the folder of the rehearsal is below the policy ${policy}, which would bind it; name another with --keep`,
    );
  if (keep === null) {
    const path = mkdtempSync(join(tmpdir(), 'payrun-rehearse-'));
    return { path, kept: null, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
  }
  const path = resolve(cwd, keep);
  try {
    if (existsSync(path) && readdirSync(path).length > 0)
      throw usage(`--keep ${path} is not empty; name a folder that is not there yet`);
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof CommandMistake) throw error;
    throw usage(`--keep ${path}: ${wordsOf(error)}`);
  }
  return { path, kept: path, [Symbol.dispose]: () => {} };
}

function progressLine({ err }: Streams, quiet: boolean) {
  const shown = err.isTTY === true && !quiet;
  let drawn = false;
  return {
    show(words: string): void {
      if (shown) err.write(`\r\x1b[K${words} …`);
      drawn = shown;
    },
    end(): void {
      if (drawn) err.write('\r\x1b[K');
      drawn = false;
    },
  };
}

type Document = Awaited<ReturnType<typeof documentOf>>;

async function documentOf(
  sheet: Sheet,
  rows: readonly Row[],
  rehearsed: Rehearsed,
  facts: { seed: string; seconds: number; kept: string | null },
) {
  const { readBooks } = await import('../../service/service.ts');
  const { outcome } = rehearsed;
  const results = outcome?.result == null ? null : await resultRows(outcome.result, sheet);
  const books = await readBooks(rehearsed.data);
  const judgement = judge(rows.map(sheetRow), results, books, outcome?.documents.open);
  // A later run made any further payment of the same tag, so the first payment of each tag counts.
  const made = new Map(books.toReversed().map(({ tag, createdAt }) => [tag, createdAt]));
  const kills = rehearsed.kills.map(({ run, at, afterMs, entries, inFlight, nextAt }) => ({
    run,
    at,
    after_ms: afterMs,
    entries,
    in_flight: inFlight.length,
    made: inFlight.filter((tag) => (made.get(tag) ?? Number.POSITIVE_INFINITY) < nextAt).length,
  }));
  const end = endOf(judgement);
  const { runs, ends, faults, released, notes } = rehearsed;
  const found = { file: sheet.path, ...facts, runs, ends, kills, faults, released, ...judgement, notes };
  return { ...found, end, exit: exitOf(end) };
}

function endOf({ rows, doubles, losses }: Judgement): End {
  if (doubles.length + losses.length > 0) return 'alarm';
  if (rows.in_doubt > 0) return 'doubt';
  return rows.not_sent > 0 ? 'later' : 'done';
}

const momentWords: { readonly [M in KillMoment]: string } = {
  reading: 'while the sheet was read',
  enrolling: 'while payees were made',
  looking: 'while Payrun searched for earlier payments',
  paying: 'while paying',
  attaching: 'while documents were attached',
  following: 'while payments were followed',
};

function linesOf(document: Document): string[] {
  const { file, seed, seconds, runs, kills, released, totals, documents, doubles, losses, notes, kept } = document;
  const inFlight = kills.reduce((sum, kill) => sum + kill.in_flight, 0);
  const made = kills.reduce((sum, kill) => sum + kill.made, 0);
  const money = totals.map(({ currency, unit, sheet, paid }) => [
    `  ${currency}${unit === 'whole' ? '' : ` (${unit})`}`,
    grouped(sheet),
    grouped(paid),
  ]);
  return [
    'payrun · a rehearsal on an embedded service of its own, no real money',
    `${file}: ${counted(document.rows.total, 'row')}, ${counted(runs, 'run')} in ${seconds} s, seed ${seed}`,
    '',
    ...table([['  currency', 'sheet', 'paid'], ...money]),
    '',
    ...(documents.named === 0 ? [] : [`Documents: ${documents.attached} of ${documents.named} attached`]),
    ...(inFlight === 0
      ? []
      : [`At the kills ${counted(inFlight, 'payment')} had no answer yet; the service had made ${made} of them.`]),
    ...(released === 0
      ? []
      : [`${counted(released, 'row')} proven absent, and sent again on a word that a person would give.`]),
    ...verdictLines('PAID TWICE', doubles),
    ...verdictLines('LOST', losses),
    ...notes,
    ...(kept === null ? [] : [`Kept: ${kept}`]),
    '',
    lastSentence(document),
  ];
}

function verdictLines(what: string, verdicts: readonly Verdict[]): string[] {
  const lines = verdicts.slice(0, shownVerdicts).map(({ row, why, payments }) => {
    const place = row === null ? '' : `row ${row}: `;
    return `${what}: ${place}${why}${payments.length === 0 ? '' : ` (${payments.join(', ')})`}`;
  });
  const more = verdicts.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more; --json has them`] : lines;
}

function lastSentence({ rows, kills, faults }: Document): string {
  const at = moments
    .map((moment) => [kills.filter((kill) => kill.at === moment).length, momentWords[moment]] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`);
  const { delay = 0, ...struck } = faults;
  const faultCount = Object.values(struck).reduce((sum, count) => sum + count, 0);
  const slow = delay === 0 ? '' : `, ${counted(delay, 'slow answer')}`;
  const others = [
    ...(rows.unpaid > 0 ? [`${grouped(rows.unpaid)} refused or expired`] : []),
    ...(rows.in_doubt > 0 ? [`${grouped(rows.in_doubt)} in doubt`] : []),
    ...(rows.not_sent > 0 ? [`${grouped(rows.not_sent)} not sent in the time given`] : []),
  ];
  const paid = counted(rows.once, 'row paid once', 'rows paid once each');
  const words = [paid, `${noneOr(rows.twice)} twice`, `${noneOr(rows.lost)} lost`, ...others].join(', ');
  const killed = `${counted(kills.length, 'kill')}${at.length === 0 ? '' : ` (${at.join(', ')})`}`;
  return `${killed}, ${counted(faultCount, 'fault')}${slow}: ${words}.`;
}

const noneOr = (count: number) => (count === 0 ? 'none' : grouped(count));
