/** A sheet looked at for people who mend it on a page: checked as `check` does it, and held against whom the ledger has paid. */
import { counted, grouped } from '../base/words.ts';
import type { DocumentLimits } from '../domain/document.ts';
import type { RowRules } from '../domain/line.ts';
import { type Ledger, wordOf } from '../ledger/ledger.ts';
import type { SheetOptions } from '../sheet/sheet.ts';
import { type Checked, checkSheet } from './check.ts';
import type { Progress } from './deps.ts';
import { historyOf } from './history.ts';
import { type PayeeControl, tellPayees } from './payee-control.ts';
import { nameBatch } from './plan.ts';
import { addRailProblems, type RailPolicy } from './rails.ts';
import { everyRepeat, surelyRepeatMs } from './repeats.ts';

export interface LookOrder {
  readonly path: string;
  readonly options: SheetOptions;
  readonly rules: RowRules;
  readonly documentsFolder: string;
  readonly documentLimits: DocumentLimits;
  readonly rails: RailPolicy;
  readonly payees: PayeeControl;
  readonly now: number;
  /** Where it would be paid: `sandbox`, or the base URL. */
  readonly address: string;
}

export interface SentAs {
  readonly batch: string;
  readonly rows: number;
  /** They are that batch's rows by what tells them apart, and not only like them: it can go on with what else the sheet has. */
  readonly own: boolean;
}

export interface Looked {
  readonly checked: Checked;
  /** What it has in common with earlier batches. */
  readonly seen: readonly string[];
  /** The batch that its rows are of, and how many of them were sent; null where none was. */
  readonly sent: { readonly batch: string; readonly rows: number; readonly paid: number } | null;
  /** The batches that rows of it were sent as so lately that none is sent under another name without a reason; the one with most of them first. */
  readonly repeats: readonly SentAs[];
  /** Numbers of rows whose payee was never paid from this ledger. */
  readonly newPayees: ReadonlySet<number>;
}

/** Everything else that was found stands in the ledger's draft. */
export async function lookAtSheet(
  ledger: Ledger,
  order: LookOrder,
  progress: (step: Progress) => void,
): Promise<Looked> {
  const { address, now, payees } = order;
  const { path, options, rules, documentsFolder, documentLimits } = order;
  const checked = await checkSheet(
    ledger.draft,
    { path, options, rules, documentsFolder, documentLimits, now },
    progress,
  );
  const batch = checked.ownBatch ?? '';
  addRailProblems(ledger.draft, order.rails, now, checked.ownBatch);
  tellPayees(ledger, address, batch, payees === 'off' ? 'warn' : payees);
  const { batch: named } = await nameBatch(ledger, { batch: null }, checked.ownBatch);
  const known = await ledger.batch(named);
  const { added } = await ledger.compare(named);
  ledger.draft.addProblems(await everyRepeat(ledger, { batch: named, known, address, now, added }));
  const others = known === null ? await sentAsOthers(ledger) : [];
  const history = await historyOf(ledger, { batch, address, named: true, now });
  const every = (await ledger.batches()).length === 0;
  const fresh = every ? ledger.plannedRows(batch) : ledger.oddPayees('new', maxRows);
  return {
    checked,
    sent: known === null ? null : await sentOf(ledger, named),
    repeats: await repeatsOf(ledger, address, now),
    seen: [...others, ...history.warnings.map(({ message }) => message), ...history.notes],
    newPayees: new Set(Array.from<{ readonly number: number }, number>(fresh, ({ number }) => number)),
  };
}

/** As of a batch that is none yet. */
async function repeatsOf(ledger: Ledger, address: string, now: number): Promise<Looked['repeats']> {
  const twins = await ledger.twins('', now - surelyRepeatMs, address);
  const same = new Map((await ledger.batchesOfDraft()).map((one) => [one.batch, one.same]));
  return [...Map.groupBy(twins, ({ batch }) => batch)]
    .map(([batch, { length: rows }]) => ({ batch, rows, own: (same.get(batch) ?? 0) >= rows }))
    .toSorted((a, b) => b.rows - a.rows);
}

/** More than any sheet has. */
const maxRows = 10_000_000;

const mostOthers = 5;

/** Where its rows are not of one batch: each that has some of them, the one that has most first. */
async function sentAsOthers(ledger: Ledger): Promise<string[]> {
  const told: string[] = [];
  for (const { batch } of (await ledger.batchesOfDraft()).filter(({ same }) => same > 0).slice(0, mostOthers)) {
    const sent = await sentOf(ledger, batch);
    if (sent !== null)
      told.push(
        `${counted(sent.rows, 'row')} of it ${sent.rows === 1 ? 'was' : 'were'} sent already, ${grouped(sent.paid)} of them paid, as batch ${batch}`,
      );
  }
  return told;
}

/** Of a file of our own, or a sheet whose rows are all a batch's: what became of them. Rows that were changed since are not those. */
async function sentOf(ledger: Ledger, batch: string): Promise<Looked['sent']> {
  if ((await ledger.compare(batch)).changedAfterSending.length > 0) return null;
  const listed = (await ledger.countsWithDraft(batch)).filter(
    (line) => line.listed && wordOf[line.state] !== 'not sent',
  );
  const count = (lines: typeof listed) => lines.reduce((sum, { rows }) => sum + rows, 0);
  return listed.length === 0
    ? null
    : { batch, rows: count(listed), paid: count(listed.filter(({ state }) => state === 'succeeded')) };
}
