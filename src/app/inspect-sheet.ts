/** A sheet looked at for people who mend it on a page: checked as `check` does it, and held against whom the ledger has paid. */
import type { Problem } from '../base/problem.ts';
import { counted, grouped } from '../base/words.ts';
import { maskedCell } from '../domain/accounts/masked.ts';
import type { DocumentLimits } from '../domain/rows/document.ts';
import type { RowRules } from '../domain/rows/line.ts';
import { type DraftBatch, type Ledger, type NearTwin, type SentBefore, type Twin, wordOf } from '../ledger/ledger.ts';
import { historyOf } from '../pipeline/controls/history.ts';
import { type PayeeControl, tellPayees } from '../pipeline/controls/payee-control.ts';
import { addRailProblems, type RailPolicy } from '../pipeline/controls/rail-limits.ts';
import type { Progress } from '../pipeline/deps.ts';
import {
  addressOf,
  differsWords,
  everyRepeat,
  perhapsRepeatMs,
  surelyRepeatMs,
  twinWords,
} from '../pipeline/duplicates/repeats.ts';
import { type Checked, checkSheet } from '../pipeline/intake/check-rows.ts';
import { changesWords, nameBatch } from '../pipeline/plans/plan.ts';
import { batchProblem } from '../pipeline/problem-codes.ts';
import type { SheetOptions } from '../sheet/sheet.ts';

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

/** Rows of the sheet beside rows of a batch at the address whose payment was asked for. */
export interface SentAs {
  readonly batch: string;
  readonly rows: number;
  /** Its own beside them that are held there, and were never asked for. */
  readonly held?: number;
  /** They are that batch's rows by what tells them apart; others were sent within some days, and look the same. */
  readonly own: boolean;
  /** It can go on with what else the sheet has: no row of it was changed since it was sent. */
  readonly goesOn: boolean;
  /** It has sent so many more, which are otherwise here, some of them with mistakes: as a mended copy of the sheet has them. */
  readonly mended?: number;
  /** Numbers of those that have no mistake here. */
  readonly otherwise?: readonly number[];
  /** It has sent so many otherwise; the numbers of those that look corrected since, as many as are told. */
  readonly changed?: Some;
  /** Of the rows that it lacks, some were sent as an earlier month's alone. */
  readonly owes?: boolean;
  /** What becomes of the rows where it goes on: the sheet brings no more than it had, which was lately, and all that was asked for. */
  readonly rest?: Rest;
  /** They look the same but for one thing: a reference, which is told of a sheet without a name alone, or what is told of any. */
  readonly near?: 'told' | 'reference';
  /** When the last of them was sent that is paid, or may be yet; null where none is. */
  readonly at: number | null;
}

/** Of rows, as many numbers as are told. */
interface Some {
  readonly rows: number;
  readonly numbers: readonly number[];
}

/** Rows of a sheet as the mended copy of a batch's, where that goes on. */
export interface Rest {
  readonly sent: Some;
  readonly toSend: Some;
  readonly held: Some;
}

export interface Looked {
  readonly checked: Checked;
  /** What it has in common with earlier batches. */
  readonly seen: readonly string[];
  /** The batch that its rows are of, and how many of them were sent; null where none was. */
  readonly sent: { readonly batch: string; readonly rows: number; readonly paid: number } | null;
  /** It is the sheet of a batch that is paid at another address: here it is another one. */
  readonly elsewhere: boolean;
  /** The batches that rows of it were sent as, or look to have been; the one with most of them first. */
  readonly repeats: readonly SentAs[];
  /** How many of its rows were sent, as whatever batch; not those that only look so. */
  readonly sentRows: number;
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
  const sentRowsOf = await ledger.sentOfDraft(address, now - perhapsRepeatMs);
  const sent = new Map(sentRowsOf.flatMap((one) => (one.was === null ? [[one.number, one] as const] : [])));
  ledger.draft.addProblems(await everyRepeat(ledger, { batch: named, known, address, now, added, sent }));
  ledger.draft.addProblems(await sentBefore(ledger, sentRowsOf, address, now));
  const here = (await ledger.batchesOfDraft()).filter((one) => one.address === address);
  const { repeats, sentRows } = await repeatsOf(ledger, here, address, now);
  const own = known === null ? undefined : here.find((one) => one.batch === named);
  const history = await historyOf(ledger, { batch, address, named: true, now });
  const every = (await ledger.batches()).length === 0;
  const fresh = every ? ledger.plannedRows(batch) : ledger.oddPayees('new', maxRows);
  return {
    checked,
    sent: own !== undefined && wasSentOf(own) ? { batch: named, rows: own.sent, paid: own.paid } : null,
    elsewhere: known !== null && addressOf(known.identity) !== address,
    repeats,
    sentRows,
    seen: [
      ...(known === null ? sentAsOthers(here) : []),
      ...heldIn(here),
      ...history.warnings.map(({ message }) => message),
      ...history.notes,
    ],
    newPayees: new Set(Array.from<{ readonly number: number }, number>(fresh, ({ number }) => number)),
  };
}

/** Row by row what was sent, and as what it was that is otherwise here; but for those of which it is told that they look paid. */
async function sentBefore(
  ledger: Ledger,
  sent: readonly SentBefore[],
  address: string,
  now: number,
): Promise<Problem[]> {
  const since = now - perhapsRepeatMs;
  // A sheet that numbers its rows anew has other payments under the same ids: without one that is the same they say nothing.
  const batches = new Set(sent.flatMap(({ batch, was }) => (was === null ? [batch] : [])));
  if (batches.size === 0) return [];
  const told = new Set(Array.from(ledger.draft.eachProblem(), ({ code, row }) => (code === 'LOOKS_PAID' ? row : null)));
  const near = (await ledger.nearTwins('', since, address)).map((twin) => ({ ...twin, words: differsWords(twin) }));
  const rows = [
    ...sent.map(({ was, now: is, ...one }) => ({
      ...one,
      words: was === null || is === null ? null : changesWords(was, is, maskedCell),
    })),
    ...near,
  ];
  const said = rows.filter(({ number, batch }) => {
    const isNew = !told.has(number) && batches.has(batch);
    if (isNew) told.add(number);
    return isNew;
  });
  const { rows: every, errors } = ledger.draft.counts();
  // A month like the last one: of a warning at each of its rows nobody would read the next one.
  if (errors === 0 && said.length === every && said.every(({ words }) => words === null)) {
    const [first] = said;
    const others = batches.size > 1 ? `, and others of ${counted(batches.size - 1, 'more batch', 'more batches')}` : '';
    return first === undefined
      ? []
      : [
          batchProblem(
            'SENT_ALREADY',
            'warning',
            `each row was sent before: the first is ${twinWords(first)}${others}`,
          ),
        ];
  }
  return said.map(({ number, words, ...twin }) =>
    words === null
      ? batchProblem('SENT_ALREADY', 'warning', `is ${twinWords(twin)}`, { row: number })
      : batchProblem('SENT_OTHERWISE', 'warning', `${words}; else it is ${twinWords(twin)}`, { row: number }),
  );
}

/** Its own rows however long ago, and those that look the same as of a batch that is none yet. */
async function repeatsOf(ledger: Ledger, here: readonly DraftBatch[], address: string, now: number) {
  const asked = new Set(await ledger.askedOfDraft(address));
  const { rows: every } = ledger.draft.counts();
  const own: SentAs[] = [];
  for (const one of here.filter(({ sent, held, changed }) => sent + held + changed > 0)) {
    const { batch, sent: rows, held, changed, corrected, broken, sentAt: at } = one;
    const goesOn = rows > 0 && changed + broken === 0;
    // Of a sheet that was sent whole: only then is it asked, and of few.
    const mayOwe = goesOn && asked.size >= every && rows + held < every && own.length < mostOthers;
    const owes = mayOwe && (await owesRows(ledger, batch, address));
    // Where most rows are otherwise, they are payments that were never sent: of another day, with one mistake of its own.
    const isCopy = broken > 0 && corrected.length <= rows;
    const mended = isCopy ? { mended: corrected.length + broken, otherwise: corrected } : {};
    const isLate = goesOn && now - Number(at) <= surelyRepeatMs && own.length < mostOthers;
    const rest = isLate ? await restOf(ledger, batch, address, now) : null;
    own.push({
      batch,
      rows,
      held,
      own: true,
      goesOn,
      at,
      ...mended,
      ...(changed === 0 ? {} : { changed: { rows: changed, numbers: corrected.slice(0, mostNumbers) } }),
      ...(owes ? { owes } : {}),
      ...(rest === null ? {} : { rest }),
    });
  }
  const twins = (await ledger.twins('', now - surelyRepeatMs, address)).filter(({ number }) => !asked.has(number));
  const like = (some: readonly Twin[], near?: SentAs['near']): SentAs[] =>
    [...Map.groupBy(some, ({ batch }) => batch)].map(([batch, same]) => ({
      batch,
      rows: new Set(same.map(({ number }) => number)).size,
      own: false,
      goesOn: false,
      at: same.reduce((newest, { sentAt }) => Math.max(newest, sentAt), 0),
      ...(near === undefined ? {} : { near }),
    }));
  const alike = new Set(twins.map(({ number }) => number));
  const near = (await ledger.nearTwins('', now - surelyRepeatMs, address)).filter(
    ({ number }) => !asked.has(number) && !alike.has(number),
  );
  const byReference = ({ differs }: NearTwin) => differs === 'reference';
  const repeats = [
    ...own,
    ...like(twins),
    ...like(
      near.filter((one) => !byReference(one)),
      'told',
    ),
    ...like(near.filter(byReference), 'reference'),
  ].toSorted((a, b) => b.rows - a.rows || Number(b.at) - Number(a.at));
  return { repeats, sentRows: asked.size };
}

/** Null where the sheet brings rows other than those that the batch's left out, lacks some that were asked for, or leaves nothing to send. */
async function restOf(ledger: Ledger, batch: string, address: string, now: number): Promise<Rest | null> {
  const { missing, leftOut } = await ledger.compare(batch);
  if (missing > leftOut || (await ledger.addedBesideDraft(batch)) > 0) return null;
  // What another batch has sent is held by the plan that goes on.
  const twins = (await ledger.twins(batch, 0, address, true)).filter((twin) => twin.batch !== batch);
  const elsewhere = new Set(
    twins
      .filter(({ asAnother, sentAt }) => asAnother === 1 || now - sentAt <= surelyRepeatMs)
      .map(({ number }) => number),
  );
  const some = () => ({ rows: 0, numbers: [] as number[] });
  const rest = { sent: some(), toSend: some(), held: some() };
  for (const { number, state } of ledger.plannedRows(batch)) {
    const word = wordOf[state];
    const isHeld = word === 'held' || (word === 'not sent' && elsewhere.has(number));
    const one = rest[isHeld ? 'held' : word === 'not sent' ? 'toSend' : 'sent'];
    one.rows += 1;
    if (one.numbers.length < mostNumbers) one.numbers.push(number);
  }
  return rest.toSend.rows === 0 ? null : rest;
}

/** Whether the batch would send rows of the sheet that were sent already, though as an earlier month's. */
async function owesRows(ledger: Ledger, batch: string, address: string): Promise<boolean> {
  const elsewhere = (await ledger.twins(batch, 0, address, true)).filter((twin) => twin.batch !== batch);
  const doubtful = new Set(elsewhere.filter(({ asAnother }) => asAnother === 1).map(({ number }) => number));
  return elsewhere.some(({ number }) => !doubtful.has(number));
}

/** More than any sheet has. */
const maxRows = 10_000_000;

const mostOthers = 5;
/** Of a larger sheet the rows are counted. */
const mostNumbers = 100;

/** Rows that were changed since are not those that were sent. */
const wasSentOf = ({ sent, changed }: DraftBatch) => sent > 0 && changed === 0;

/** Where its rows are not of one batch: each that has some of them, the one that has most first. */
const sentAsOthers = (here: readonly DraftBatch[]) =>
  here
    .filter(wasSentOf)
    .slice(0, mostOthers)
    .map(
      ({ batch, sent, paid }) =>
        `${counted(sent, 'row')} of it ${sent === 1 ? 'was' : 'were'} sent already, ${grouped(paid)} of them paid, as batch ${batch}`,
    );

/** What waits there for a person is no more sent than it is here. */
const heldIn = (here: readonly DraftBatch[]) =>
  here
    .filter(({ held }) => held > 0)
    .slice(0, mostOthers)
    .map(
      ({ batch, held }) =>
        `${counted(held, 'row')} of it ${held === 1 ? 'is' : 'are'} held, and not sent, in batch ${batch}`,
    );
