/** Reads a sheet, checks its rows, and compares it with the ledger and the service. Changes no batch. */
import { basename } from 'node:path';
import { handledLater, PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { someOf } from '../../base/refusal.ts';
import { bankCountries, bankDirectory, offlineBanks } from '../../domain/accounts/bank.ts';
import type { Note, NoteOf } from '../../domain/note.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import { keptValues } from '../../domain/rows/content-changes.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { RowRules } from '../../domain/rows/line.ts';
import { isAddition, rowsWith, type VersionOrder } from '../../domain/rows/version-table.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import { choiceNotes, correctionNotes, mapNote, noMap, openSheet, type SheetOptions } from '../../sheet/sheet.ts';
import { addRailProblems } from '../controls/rail-limits.ts';
import type { Deps } from '../deps.ts';
import { refusePaidSheet } from '../duplicates/duplicates.ts';
import { standingWithDraft } from '../figures.ts';
import { checkSheet, type SheetCheck } from '../intake/check-rows.ts';
import { restoreCopy } from '../intake/intake.ts';
import { maxProblems } from '../intake/problem-report.ts';
import { readingOptions } from '../opened-with.ts';
import type { RunOrder } from '../order.ts';
import type { Outcome, SheetFindings } from '../outcome.ts';
import { type Plan, planBatch, refuseEnded, refuseVersion, sheetAction } from '../plans/plan.ts';
import { payeeDestination } from '../plans/plan-page.ts';
import { fileDigest } from '../plans/plan-place.ts';

export interface Leading {
  readonly stopOnSignal: (batch: string) => void;
  /** Returns the turn of the stop that the command may end; null if it may end none. */
  readonly turnOf: (batch: string) => number | null;
}

/** Throws if the sheet may not become a version of its batch. The order that it returns repeats how the sheet was read. */
export async function planSheet(
  deps: Deps,
  given: RunOrder,
  path: string,
  leading: Leading | null,
  said: VersionOrder,
): Promise<{ order: RunOrder; checked: SheetCheck; plan: Plan }> {
  const { ledger, clock } = deps;
  const { sheet: options, documentsFolder, batch: asked } = given;
  // Opens the sheet while the service lists its banks.
  const opened = handledLater(openSheet(path, options));
  const rules = { ...given.rules, banks: await serviceBanks(deps) };
  const keptBy = async (name: string | null) => {
    const batch = name === null ? await batchOfFile(ledger, path) : await ledger.batches.batch(name);
    return { map: mapOf(batch), choices: optionsOf(batch).choices };
  };
  const { documents: documentLimits } = deps.limits;
  const read = { path, options, opened, rules, documentsFolder, documentLimits, batch: asked, keptBy };
  const checked = await checkSheet(ledger.draft, { ...read, now: clock.now() }, deps.progress);
  addRailProblems(ledger.draft, deps.limits.rails, clock.now(), asked ?? checked.ownBatch);
  const order = { ...given, repeated: { ...given.repeated, ...readingOptions(checked.options) } };
  const plan = await planBatch(deps, order, checked.ownBatch);
  leading?.stopOnSignal(plan.batch);
  await refuseWithoutMap(deps, order, plan, checked.options);
  // A report of problems would ask for corrections of rows that may be paid, and the batch refuses these.
  const isJudged = !plan.refused || plan.comparison.invalidSent.length > 0;
  if (isJudged && order.retries === undefined) refuseVersion(plan, order, said);
  if (!plan.refused) {
    if (plan.isNew) await refusePaidSheet(deps, plan, order);
    else if (leading !== null) await restoreCopy(ledger, (await ledger.batches.batch(plan.batch))!, path);
    refuseEnded(plan, clock.now());
  }
  return { order, checked, plan };
}

/** Returns a warning for each row that the sheet lacks and that the plan closes, and one for all lines that end with a mistake. */
export async function closingProblems(
  { versions }: Pick<Ledger, 'versions'>,
  order: Pick<RunOrder, 'add' | 'drop'>,
  { batch, endedMistakes: lines }: Pick<Plan, 'batch' | 'endedMistakes'>,
): Promise<Problem[]> {
  if (isAddition(order)) return [];
  return [
    ...(await versions.droppedByDraft(batch, maxProblems)).map(({ content }) =>
      batchProblem('ROW_DROPPED', 'warning', { batch, was: shownRow(content, 0) }),
    ),
    ...(lines > 0 ? [batchProblem('MISTAKES_END', 'warning', { batch, lines })] : []),
  ];
}

export function shownRow(content: string, number: number) {
  const row = rowOfContent(content, number);
  const { amount, unit, currency, reference } = row;
  return { amount: String(amount), unit, currency, to: `${row.name}, ${payeeDestination(row)}`, reference };
}

/** Returns the one batch with choices of columns that was read from the same file; null for none or several. */
async function batchOfFile(ledger: Ledger, path: string): Promise<BatchFacts | null> {
  const chosen = (await ledger.batches.list()).filter((batch) => optionsOf(batch).choices !== undefined);
  if (chosen.length === 0) return null;
  const sha256 = await fileDigest(path);
  const [only = null, ...others] = chosen.filter(({ sheet }) => sheet.options.sha256 === sha256);
  return others.length === 0 ? only : null;
}

const optionsOf = (batch: BatchFacts | null) => (batch?.sheet.options ?? {}) as SheetOptions;

function mapOf(batch: BatchFacts | null): SheetOptions['map'] {
  const { map } = optionsOf(batch);
  return map?.name === noMap.name ? undefined : map;
}

/** Throws if the batch has a map and the sheet is read without one, since its columns could mean other amounts. */
async function refuseWithoutMap({ ledger }: Deps, order: RunOrder, { batch, signs }: Plan, options: SheetOptions) {
  const map = options.map === undefined ? mapOf(await ledger.batches.batch(batch)) : undefined;
  if (map === undefined) return;
  const command = (name: string) =>
    sheetAction({ ...order, repeated: { ...order.repeated, map: name } }, { batch, signs }, { add: false });
  const { name } = map;
  throw new PayrunError('MAP_LEFT_OUT', { batch, map: name, withMap: command(name), withoutMap: command('none') });
}

/** Returns the service's banks, or the built-in tables if the service's list cannot be read. */
async function serviceBanks({ client, say }: Deps): Promise<RowRules['banks']> {
  const countries = bankCountries.filter((country) => country !== 'Kenya');
  try {
    const lists = await Promise.all(countries.map(async (country) => [country, await client.banks(country)] as const));
    return bankDirectory(Object.fromEntries(lists));
  } catch (error) {
    if (error instanceof PayrunError && error.code !== 'SERVICE_ANSWER') throw error;
    say({ note: 'banks-not-listed' });
    return offlineBanks();
  }
}

export async function refusal(
  ledger: Ledger,
  service: string,
  plan: Plan | null,
  checked: SheetCheck,
): Promise<Outcome> {
  const { draft } = ledger;
  const { rows, errors } = draft.counts();
  if (rows === 0 && errors === 0) draft.addProblems([batchProblem('SHEET_WITHOUT_ROWS', 'error', {})]);
  const stands = await standingWithDraft(ledger, plan);
  // If the header has an error, Payrun reads no row, so no row counts as invalid.
  const unread = checked.sheet.problems.some(({ severity }) => severity === 'error') ? stands.rows.invalid : 0;
  return {
    batch: plan?.comparison.known ? plan.batch : null,
    ...draftOutcome(ledger, service, checked, stands),
    digest: null,
    rows: { ...stands.rows, total: stands.rows.total - unread, invalid: stands.rows.invalid - unread },
    notes: readingNotes(checked),
    kind: 'refused',
    end: 'sheet',
  };
}

export const draftOutcome = (
  ledger: Ledger,
  service: string,
  checked: SheetCheck,
  { rows, totals, documents }: Awaited<ReturnType<typeof standingWithDraft>>,
) => ({
  service,
  ledger: ledger.path,
  rows,
  totals,
  documents,
  next: [],
  findings: findingsOf(ledger, checked),
});

const findingsOf = ({ draft }: Ledger, { advice }: SheetCheck): SheetFindings => ({
  problems: draft.problems(maxProblems),
  problems_total: draft.counts().problems,
  ...(advice === null ? {} : { map: advice }),
});

/** Describes how Payrun read the sheet, so that a person notices a wrong reading. */
export function readingNotes({ sheet, options: { map, corrections, choices }, notes }: SheetCheck): Note[] {
  const file = basename(sheet.path).replace(/^\d{4}-\d\d-\d\dT\d+Z-[0-9a-f]{8}-/, '');
  return [
    { note: 'sheet-read', file, form: sheet.form },
    ...(map === undefined ? [] : [mapNote(map, sheet.header, sheet.columns)]),
    ...correctionNotes(corrections),
    ...(sheet.unused.length === 0 ? [] : [{ note: 'columns-unused', columns: sheet.unused } as const]),
    ...choiceNotes(choices, sheet.leftOut()),
    ...notes,
  ];
}

export function planNotes(checked: SheetCheck, plan: Plan): Note[] {
  const { batch, named, ended, comparison } = plan;
  const { missing } = comparison.rows['may be paid'];
  const kept = comparison.kept.flatMap(keptValues);
  return [
    ...endedNotes(plan),
    ...readingNotes(checked),
    ...(named === null || ended !== null ? [] : [named]),
    // A whole list closes the other missing rows.
    ...(missing === 0 || plan.retried.length > 0 ? [] : [{ note: 'rows-missing', batch, rows: missing } as const]),
    ...(kept.length === 0 ? [] : [{ note: 'rows-kept', batch, rows: someOf(kept, (row) => row) } as const]),
    ...plan.history.notes,
    ...(plan.variance.summary === null ? [] : [plan.variance.summary]),
  ];
}

export function rowsOfBatch(
  order: Pick<VersionOrder, 'add' | 'drop'>,
  { batch, comparison, dropped }: Plan,
): NoteOf<'rows-of-batch'> {
  return {
    note: 'rows-of-batch',
    batch,
    added: comparison.added,
    same: rowsWith(comparison, 'same'),
    differing: comparison.corrected.length,
    dropped: isAddition(order) ? 0 : dropped.total,
  };
}

function endedNotes({ batch, ended }: Plan): Note[] {
  if (ended === null || ended.at === null) return [];
  return [{ note: 'already-paid', batch, at: ended.at }];
}
