/**
 * Sheets that go on with a batch, planned at the console and not paid yet. What such a plan has otherwise than what would be sent is not
 * sent before it: the payment would go where the correction takes it away from, and the correction come too late. Of two the newer one
 * counts. Plans that are made while something is sent are found by its next intent (ledger/turns.ts).
 */
import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { counted } from '../../base/words.ts';
import { destinationKey } from '../../domain/accounts/merchant.ts';
import { foldedPayee } from '../../domain/accounts/payee.ts';
import { type BatchProblems, batchProblem } from '../../domain/problems/batch-problems.ts';
import { contentOf, rowDigest, rowOfContent } from '../../domain/rows/digest.ts';
import {
  type BatchFacts,
  cameAtOf,
  type Ledger,
  type LedgerRow,
  type RowState,
  rowStates,
  type SheetFacts,
  skippedOf,
  turnOfSheet,
  type WaitingPlan,
  wordOf,
} from '../../ledger/ledger.ts';
import { overtakenWords } from '../../messages/leaving.ts';
import { planOf } from '../outcome.ts';
import { digestWords, openPlan, type PlanFile, type PlanRow } from './plan-file.ts';
import { payeeDestination } from './plan-page.ts';

export interface MendedRow {
  readonly key: string;
  readonly number: number;
  /** `missing`: the plan lacks it. */
  readonly how: 'account' | 'otherwise' | 'missing';
}

/** A sheet that goes on with the batch, and whose plan waits for approval, or to be paid. */
export interface MendedSheet {
  readonly upload: string;
  /** Of its plan: by which an approver declines it. */
  readonly digest: string;
  readonly file: string;
  readonly by: string;
  /** `old`: not paid any more as it was made, having waited too long, or been overtaken; `void`: nor is there anything to decline. */
  readonly stands: WaitingPlan['stands'] | 'old';
  /** Null where its plan cannot be read here. */
  readonly rows: readonly MendedRow[] | null;
}

const waiting = rowStates.filter(
  (state) => wordOf[state] === 'held' || wordOf[state] === 'not sent' || state === 'absent',
);
const unsent: readonly RowState[] = ['planned', 'ready'];
/** With what is sent as soon as it is proven absent, where nobody is asked then. */
const sendable = (resends: boolean): readonly RowState[] => (resends ? [...unsent, 'in_doubt', 'absent'] : unsent);
/** A person releases them, or sends them again. */
const settledByPeople: readonly RowState[] = ['held', 'absent', 'refused', 'expired'];
/** Nothing of it is under way, or paid. */
const openStates: readonly RowState[] = [...unsent, ...settledByPeople];
const underWay: readonly RowState[] = rowStates.filter((state) => ['pending', 'in doubt'].includes(wordOf[state]));
/** Of more, nobody decides on each; so many are looked at together. */
const mostWaiting = 10_000;

/** What would be sent, or let go. */
interface Asked extends Parts {
  readonly key: string;
  readonly number: number;
  readonly state: RowState;
  readonly digest: string;
  /** All that it says but its documents, which are compared by themselves; null of a plan's line. */
  readonly said: string | null;
}

/** What of a row may have been mended. */
interface Parts {
  readonly name: string;
  readonly destination: string;
  readonly money: string;
  readonly reference: string;
}

function partsOf(row: {
  readonly name: string;
  readonly destination: Parameters<typeof destinationKey>[0];
  readonly amount: string | number;
  readonly unit: string;
  readonly currency: string;
  readonly reference: string;
}): Parts {
  const { name, destination, amount, unit, currency, reference } = row;
  const money = `${amount} ${unit} ${currency}`;
  return { name: foldedPayee(name), destination: destinationKey(destination), money, reference };
}

function askedOf({ key, number, content, state }: Pick<LedgerRow, 'key' | 'number' | 'content' | 'state'>): Asked {
  const row = rowOfContent(content, number);
  const said = contentOf({ ...row, documents: [] });
  return { key, number, state, digest: rowDigest(row), said, ...partsOf(row) };
}

const askedIn = (line: PlanRow): Asked => {
  const { key, row: number, digest } = line;
  return { key, number, state: 'ready', digest, said: null, ...partsOf(line) };
};

/** Whether there is a row with that key. */
type HasKey = (key: string) => boolean | Promise<boolean>;

/** Those who ask. */
interface Asking {
  /** Whether their batch knows a row with that key, whatever became of it. */
  readonly knows: HasKey;
  /** Whether they have it beside the row that they ask for: then it is another payment. */
  readonly has: HasKey;
}

/**
 * Whether a row is one of another sheet, mended there or under another key, where neither sheet has the key of the other's row: without a
 * row_id a row has another key once one thing of it is mended, and row_ids are given, and given anew.
 */
function isSame(one: Parts, other: Parts): boolean {
  const same = (['destination', 'money', 'reference'] as const).filter((part) => one[part] === other[part]);
  return one.name === other.name && same.length >= 2;
}

/** A plan that adds new rows alone says nothing of the others. */
async function mendedRows(rows: readonly Asked[], path: string, { knows, has }: Asking): Promise<readonly MendedRow[]> {
  if (rows.length === 0) return [];
  const open = new Map(rows.map((row) => [row.key, row]));
  const byName = Map.groupBy(rows, ({ name }) => name);
  const found = new Map<string, MendedRow['how'] | null>();
  const mends = new Map<string, MendedRow['how']>();
  const plan = await openPlan(path);
  let shares = !plan.head.terms.add;
  for await (const { kind, line } of plan.lines()) {
    if (kind !== 'rows') continue;
    const row = open.get(line.key);
    const parts = partsOf(line);
    const howIn = (one: Parts) => (one.destination === parts.destination ? 'otherwise' : 'account');
    shares ||= await knows(line.key);
    if (row !== undefined) found.set(row.key, row.digest === line.digest ? null : howIn(row));
    else {
      const same = byName.get(parts.name)?.filter((one) => isSame(one, parts)) ?? [];
      if (same.length > 0 && !(await has(line.key))) for (const one of same) mends.set(one.key, howIn(one));
    }
  }
  return rows.flatMap(({ key, number }) => {
    const how = found.has(key) ? found.get(key) : (mends.get(key) ?? (shares ? 'missing' : null));
    return how == null ? [] : [{ key, number, how }];
  });
}

/** Of a sheet that waits beside what is paid now. `newer`: than the plan of that, whose approver was told of those before it. */
type Plan = Omit<WaitingPlan, 'stands'> & Pick<MendedSheet, 'stands'> & { readonly newer: boolean };

const olderIf = (isOld: boolean, stands: MendedSheet['stands']) => (isOld && stands !== 'void' ? 'old' : stands);

/** `made`: the number of what is sent; a sheet without a plan, or with one of a terminal, has none, and knows of none that waits. */
function plansBeside({ uploads }: Ledger, batch: string, now: number, own: string | null, made: number | null): Plan[] {
  return uploads
    .plansFor(batch)
    .filter(({ digest }) => own === null || digest !== digestWords(own))
    .map((plan) => ({
      ...plan,
      newer: plan.turn === null || plan.turn > (made ?? 0),
      stands: olderIf(plan.expiresAt !== null && now >= Date.parse(plan.expiresAt), plan.stands),
    }));
}

/** Of a batch as it was taken in last. */
function plansBesideOf(ledger: Ledger, batch: BatchFacts, now: number): Plan[] {
  const own = planOf(batch)?.digest ?? null;
  // An earlier version remembered its plan alone.
  const ofPlan = () => (own === null ? null : ledger.uploads.turnOf(batch.name, digestWords(own)));
  return plansBeside(ledger, batch.name, now, own, turnOfSheet(batch.sheet) ?? ofPlan());
}

const knownIn =
  (ledger: Ledger, batch: string): HasKey =>
  async (key) =>
    (await ledger.rowByKey(batch, key)) !== null;

/** For what the batch itself sends. */
function batchAsks(ledger: Ledger, batch: string): Asking {
  const knows = knownIn(ledger, batch);
  return { knows, has: knows };
}

/** By whoever approved the newer plan it was decided on what was to be sent then; on the other rows by nobody. */
const isOpen = ({ state }: Asked) => !unsent.includes(state);

/** `older`: which rows an older plan counts for as well. */
async function sheetsOf(
  ledger: Ledger,
  plans: readonly Plan[],
  asked: readonly Asked[],
  asking: Asking,
  older: (row: Asked) => boolean = isOpen,
): Promise<readonly MendedSheet[]> {
  const sheets = plans.map(async ({ path, upload, digest, file, by, stands, newer }) => {
    const counts = newer ? asked : asked.filter(older);
    const rows = counts.length === 0 ? [] : await mendedRows(counts, path, asking).catch(() => null);
    // What cannot be paid any more as it was made is still what somebody wanted of these rows.
    const isOvertaken = rows !== null && rows.length > 0 && (await overtakenBy(ledger, path)) !== null;
    return { upload, digest, file, by, stands: olderIf(isOvertaken, stands), rows };
  });
  return (await Promise.all(sheets)).filter(({ rows }) => rows?.length !== 0);
}

/** Those that have one of these rows of it otherwise, or perhaps have; of all that wait, where none is named. */
export async function mendedSheets(
  ledger: Ledger,
  name: string,
  now: number,
  rows: readonly LedgerRow[] | null = null,
): Promise<readonly MendedSheet[]> {
  const batch = await ledger.batch(name);
  const plans = batch === null ? [] : plansBesideOf(ledger, batch, now);
  if (plans.length === 0) return [];
  const asked = rows ?? (await ledger.rows({ batch: name, states: waiting, limit: mostWaiting }));
  return await sheetsOf(ledger, plans, asked.map(askedOf), batchAsks(ledger, name));
}

const hows = { account: 'goes to another account', otherwise: 'is otherwise', missing: 'is missing' };

const standsWords: Readonly<Record<MendedSheet['stands'], string>> = {
  waits: 'waits for approval',
  approved: 'is approved',
  old: 'is no longer good',
  void: 'is void since the sheet was changed or planned anew',
};

function mendedWords({ file, by, stands, rows }: MendedSheet, key: string): string | null {
  const row = rows?.find((one) => one.key === key);
  if (rows !== null && row === undefined) return null;
  const how = row === undefined ? 'what it says of this row cannot be read here' : `this row ${hows[row.how]} in it`;
  return `the sheet ${file}, handed in at the console by ${by}, goes on with this batch, and its plan ${standsWords[stands]}: ${how}`;
}

/** Why none of these rows of one batch is let go. */
export async function whyMended(
  ledger: Ledger,
  rows: readonly LedgerRow[],
  now: number,
): Promise<{ readonly row: LedgerRow; readonly why: string } | null> {
  const [first] = rows;
  const sheets = first === undefined ? [] : await mendedSheets(ledger, first.batch, now, rows);
  for (const row of rows)
    for (const sheet of sheets) {
      const words = mendedWords(sheet, row.key);
      if (words !== null)
        return {
          row,
          why: `${words}. Nothing was released. If the row shall be paid as it is here, ${sheet.stands === 'void' ? 'whoever handed that sheet in discards it' : 'an approver declines that plan'} first; else leave the row, and let that sheet be paid`,
        };
    }
  return null;
}

/** Why a batch that goes on sends nothing; `again`: what would be sent once more, too. */
export async function mendedStop(
  ledger: Ledger,
  batch: BatchFacts,
  now: number,
  { again = [], resends = false }: { readonly again?: readonly LedgerRow[]; readonly resends?: boolean } = {},
): Promise<PayrunError | null> {
  await ledger.heedPlans(batch.name);
  const plans = plansBesideOf(ledger, batch, now);
  if (plans.length === 0) return null;
  const asking = batchAsks(ledger, batch.name);
  const stop = await stopOf(ledger, batch.name, plans, again.map(askedOf), asking);
  if (stop !== null) return stop;
  for await (const rows of pagesOf(ledger, batch, sendable(resends))) {
    const found = await stopOf(ledger, batch.name, plans, rows.map(askedOf), asking);
    if (found !== null) return found;
  }
  return null;
}

interface HandedIn {
  /** Null: it has none. */
  readonly own: PlanFile | null;
  /** Null: it comes now. */
  readonly came: Came | null;
  readonly resends: boolean;
}

export interface Came {
  /** Its number of all sheets; null: a plan that was made at a terminal has none. */
  readonly turn: number | null;
  /** The sheet that had been taken in last; null in a plan of an earlier version. */
  readonly after: number | null;
  /** When its file was last written, which may have lain in a folder while others came; null: nothing but its number tells. */
  readonly writtenAt: number | null;
}

export const cameAs = ({ uploads }: Ledger, { digest, head }: Pick<PlanFile, 'digest' | 'head'>): Came => ({
  turn: uploads.turnOf(head.batch, digestWords(digest)),
  after: head.after_sheet ?? null,
  writtenAt: null,
});

/**
 * The same of a sheet that is handed in, as it has the rows. Without a plan of its own it knows of none that waits; who approved one was
 * told of those before it.
 */
export async function refuseMended(ledger: Ledger, name: string, now: number, sheet: HandedIn): Promise<void> {
  const { own, came, resends } = sheet;
  await ledger.heedPlans(name);
  const batch = await ledger.batch(name);
  const made = own === null ? null : (came?.turn ?? null);
  const plans = plansBeside(ledger, name, now, own?.digest ?? null, made);
  const since = batch === null ? [] : await cameSince(ledger, batch, sheet);
  const kept = batch === null || own !== null ? null : await approvedOf(ledger, batch);
  if (plans.length === 0 && since.length === 0 && kept === null) return;
  const has: HasKey = (key) => ledger.plannedRow(name, key) !== null;
  const asking = { knows: batch === null ? has : knownIn(ledger, name), has };
  const sends = sendable(resends);
  // Once the sheet is taken in it would be the newer one for these, too.
  const states = [...new Set([...sends, ...settledByPeople])];
  const waits = own !== null || batch === null ? null : waitingIn(ledger, batch, states, has);
  const howSince = batch === null ? null : overtaking(ledger, batch, since, { has, isPlan: own !== null });
  let rows: Asked[] = [];
  // Without a plan a row that its batch never had is missing in each of them.
  const waitHere = new Set<string>();
  const check = async () => {
    const stop = await stopOf(
      ledger,
      name,
      plans,
      rows,
      asking,
      ({ key, how }) => how !== 'missing' || waits === null || waitHere.has(key),
      (row) => isOpen(row) && sends.includes(row.state),
    );
    if (stop !== null) throw stop;
    rows = [];
  };
  for (const row of ledger.plannedRows(name)) {
    const isOpenHere = states.includes(row.state);
    if (!isOpenHere && !underWay.includes(row.state)) continue;
    const asked = askedOf(row);
    const changed = (await kept?.changed(asked, !isOpenHere)) ?? null;
    if (changed !== null) throw notApproved(changed);
    if (!isOpenHere) continue;
    rows.push(asked);
    const how = (await howSince?.(asked)) ?? null;
    if (how !== null)
      throw own === null ? new PayrunError('SHEET_OVERTAKEN', { how }) : new PayrunError('PLAN_OVERTAKEN', { how });
    if (plans.length > 0 && waits !== null && (await waits(asked))) waitHere.add(asked.key);
    if (rows.length === mostWaiting) await check();
  }
  await check();
  const documents = (await kept?.documents()) ?? null;
  if (documents !== null) throw notApproved(documents);
  const lacked = own === null || batch === null || since.length === 0 ? [] : await unsentOf(ledger, batch, since);
  for (const [key, words] of lacked)
    if (!(await has(key))) throw new PayrunError('PLAN_LACKS_ROW', { how: words, batch: name });
}

/**
 * A file that names no batch may be an older form of one that waits at the console under a name: then it would pay the account that the
 * other takes out. `name`: what it would be called.
 */
export async function refuseUnnamed(ledger: Ledger, name: string, now: number): Promise<void> {
  const plans = ledger.uploads.plansFor(null).filter(({ batch }) => batch !== name);
  if (plans.length === 0) return;
  const byName = Map.groupBy(Array.from(ledger.plannedRows(name), askedOf), ({ name: payee }) => payee);
  for (const { batch, path, file, by, stands, expiresAt } of plans) {
    const row = await toAnotherAccount(byName, path).catch(() => null);
    if (row === null) continue;
    const words = standsWords[olderIf(expiresAt !== null && now >= Date.parse(expiresAt), stands)];
    throw new PayrunError('UNNAMED_CORRECTION_WAITS', { row: row.number, file, by, batch, how: words });
  }
}

/** The first of these rows that the plan has with another account, and not as it is. */
async function toAnotherAccount(byName: ReadonlyMap<string, readonly Asked[]>, path: string): Promise<Asked | null> {
  const others = new Set<Asked>();
  const same = new Set<Asked>();
  const plan = await openPlan(path);
  for await (const { kind, line } of plan.lines()) {
    if (kind !== 'rows') continue;
    const parts = partsOf(line);
    for (const row of byName.get(parts.name) ?? [])
      if (row.money === parts.money && row.reference === parts.reference)
        (row.destination === parts.destination ? same : others).add(row);
  }
  return [...others].find((row) => !same.has(row)) ?? null;
}

/** Whether a row of the sheet, mended or not, is one of the batch that waits there. */
function waitingIn(ledger: Ledger, batch: BatchFacts, states: readonly RowState[], has: HasKey) {
  const beside = rowsBeside(ledger, batch, has, ({ state }) => (states.includes(state) ? true : undefined));
  return async (asked: Asked): Promise<boolean> => {
    const row = await ledger.rowByKey(batch.name, asked.key);
    return row === null ? (await beside(asked)).length > 0 : states.includes(row.state);
  };
}

const notApproved = (how: string) => new PayrunError('APPROVED_ROWS_DIFFER', { how });

/** A sheet of the batch; `isWhole`: what it lacks is not to be paid, for it does not only add new rows. */
interface CameIn {
  readonly id: number;
  readonly name: string;
  readonly isWhole: boolean;
  readonly isApproved: boolean;
  /** The keys of what it had with mistakes. */
  readonly leftOut: ReadonlySet<string | null>;
}

const lackWords = ({ leftOut }: CameIn, key: string) => (leftOut.has(key) ? 'left out, for its mistake,' : 'lacks');

/** Whether it has the row: a sheet between two of those that have it has it as these. */
const hasRow = ({ id, isWhole }: CameIn, { sheet, firstSheet }: LedgerRow) =>
  id === sheet || id === firstSheet || (isWhole && firstSheet < id && id < sheet);

/**
 * The first sheet that was taken in and is newer than that one, and all after it. Of two plans of the console that is the one that was made
 * later, whose approver was told of the other. Anybody else knows of what was taken in before, but of no plan that waits.
 */
async function cameSince(
  ledger: Ledger,
  batch: BatchFacts,
  { own, came }: Pick<HandedIn, 'own' | 'came'>,
): Promise<readonly CameIn[]> {
  if (came === null || (own !== null && planOf(batch)?.digest === own.digest)) return [];
  const { turn, after, writtenAt } = came;
  const sheets = ledger.sheetsOf(batch.name);
  const isLater = (sheet: SheetFacts) => writtenAt !== null && cameAtOf(sheet) > writtenAt;
  const before = sheets.findLast((sheet) => sheet.id <= (after ?? 0) && !isLater(sheet));
  const isSince = (sheet: SheetFacts): boolean => {
    const its = turnOfSheet(sheet);
    if (own !== null && turn !== null && its !== null) return its > turn;
    // Of an earlier version the clock tells.
    if (its === null || after === null) return own !== null && sheet.receivedAt > Date.parse(own.head.made_at);
    // The same sheet once more is none, nor is one that waited as this one does, and was handed in before it.
    const isAgain = before !== undefined && its === turnOfSheet(before);
    const isAfter = sheet.id > after && (turn === null || planOf({ sheet }) !== null || its > turn);
    return !isAgain && (isAfter || isLater(sheet));
  };
  const first = sheets.findIndex(isSince);
  return first < 0 ? [] : await cameIn(ledger, batch, sheets.slice(first));
}

async function cameIn(ledger: Ledger, batch: BatchFacts, sheets: readonly SheetFacts[]): Promise<readonly CameIn[]> {
  const told = await ledger.told(batch.name, 'sheet');
  // An addition that repeats a row is a sheet that lacks the others.
  const whole = new Set(
    told.filter(({ data }, nth) => nth === 0 || Number(data.rows) > Number(data.added)).map(({ data }) => data.sheet),
  );
  const isWhole = ({ id, options }: SheetFacts) => options.add === false || whole.has(id);
  return sheets.map((sheet) => {
    const { id, name } = sheet;
    const leftOut = skippedOf(sheet).filter(({ sheet: earlier }) => earlier === undefined);
    return {
      id,
      name,
      isWhole: isWhole(sheet),
      isApproved: planOf({ sheet }) !== null,
      leftOut: new Set(leftOut.map(({ key }) => key)),
    };
  });
}

type Beside<Of> = Asked & { readonly row: LedgerRow; readonly of: Of };

/** Where a row may be found again, mended or not, among those of the batch that the sheet of the row lacks. `of`: undefined where a row does not count. */
function rowsBeside<Of>(ledger: Ledger, batch: BatchFacts, has: HasKey, of: (row: LedgerRow) => Of | undefined) {
  async function read() {
    const found: Beside<Of>[] = [];
    for await (const rows of pagesOf(ledger, batch, rowStates, 'of any sheet'))
      for (const row of rows) {
        const its = of(row);
        if (its !== undefined && !(await has(row.key))) found.push({ ...askedOf(row), row, of: its });
      }
    return Map.groupBy(found, ({ name }) => name);
  }
  let byName: ReturnType<typeof read> | null = null;
  return async (asked: Asked): Promise<readonly Beside<Of>[]> => {
    byName ??= read();
    return (await byName).get(asked.name)?.filter((one) => isSame(asked, one)) ?? [];
  };
}

/** By which of these a row came in, or was decided on; one that nobody approved, and that only has it once more, says nothing new of it. */
const broughtBy = (sheets: readonly CameIn[], row: LedgerRow) =>
  sheets.findLast((sheet) => sheet.id === row.firstSheet || (sheet.isApproved && hasRow(sheet, row)));

/** What one of these sheets has otherwise than a row of a plan is, or of a sheet that nobody approved. */
function overtaking(
  ledger: Ledger,
  batch: BatchFacts,
  since: readonly CameIn[],
  { has, isPlan }: Pick<Asking, 'has'> & { readonly isPlan: boolean },
) {
  const beside = rowsBeside(ledger, batch, has, (row) => broughtBy(since, row));
  return async (asked: Asked): Promise<string | null> => {
    if (since.length === 0) return null;
    const { key, number, digest } = asked;
    const row = await ledger.rowByKey(batch.name, key);
    const of = row?.sheet ?? 0;
    const its = since.find(({ id }) => id === of);
    const said = (sheet: CameIn, how: string) =>
      `another sheet came into batch ${batch.name}, ${sheet.name}, which ${how} row ${number} of this one`;
    if (its !== undefined && row !== null && askedOf(row).digest !== digest) return said(its, 'has another content in');
    // What the batch never had, and was approved, is lacked by each file that is exported anew: nobody decided on it there.
    const lacks = since.findLast(
      ({ id, isWhole, isApproved }) => id > of && isWhole && (row !== null || isApproved || !isPlan),
    );
    if (lacks !== undefined) return said(lacks, lackWords(lacks, key));
    const [same] = its === undefined ? await beside(asked) : [];
    return same === undefined ? null : said(same.of, howOther(asked, same));
  };
}

/** How a sheet has a row of another key. */
const howOther = ({ digest }: Asked, other: Asked): Change['how'] =>
  digest === other.digest ? 'has under another row_id, or none,' : 'has otherwise';

/** What a row of the draft has otherwise than these sheets of the batch, by which it was taken in last. */
interface Change {
  readonly sheet: CameIn;
  readonly how: 'lacks' | 'has another content in' | 'has otherwise' | 'has under another row_id, or none,';
  /** As the batch has it; null: no more. */
  readonly as: LedgerRow | null;
}

/** `by`: of what the money does alone, or of all that somebody read. */
function changesOf(ledger: Ledger, batch: BatchFacts, sheets: readonly CameIn[], by: 'digest' | 'said') {
  const sheetWith = (row: LedgerRow) => sheets.findLast((sheet) => hasRow(sheet, row));
  const sheetWithout = ({ sheet }: LedgerRow) => sheets.findLast(({ id, isWhole }) => isWhole && id > sheet);
  // What the draft has as well is another payment.
  const has: HasKey = (key) => ledger.plannedRow(batch.name, key) !== null;
  const beside = rowsBeside(ledger, batch, has, (row) => {
    const lacks = sheetWithout(row);
    const sheet = lacks ?? sheetWith(row);
    return sheet === undefined ? undefined : { sheet, isLacked: lacks !== undefined };
  });
  return async (asked: Asked): Promise<Change | null> => {
    const row = await ledger.rowByKey(batch.name, asked.key);
    const lacks = row === null ? undefined : sheetWithout(row);
    if (lacks !== undefined) return { sheet: lacks, how: 'lacks', as: null };
    const its = row === null ? undefined : sheetWith(row);
    if (row !== null && its !== undefined)
      return askedOf(row)[by] === asked[by] ? null : { sheet: its, how: 'has another content in', as: row };
    // A new row mends none that was sent: that is another payment.
    const same = (await beside(asked)).filter((one) => row !== null || openStates.includes(one.state));
    const found = same.find(({ of }) => !of.isLacked) ?? same[0];
    if (found === undefined) return null;
    const { sheet, isLacked } = found.of;
    return isLacked ? { sheet, how: 'lacks', as: null } : { sheet, how: howOther(asked, found), as: found.row };
  };
}

/** What was approved of a batch, which a sheet without a plan leaves as it is; null: nothing was. */
async function approvedOf(ledger: Ledger, batch: BatchFacts) {
  const sheets = ledger.sheetsOf(batch.name).filter((sheet) => planOf({ sheet }) !== null);
  if (sheets.length === 0) return null;
  const approved = await cameIn(ledger, batch, sheets);
  const changeOf = changesOf(ledger, batch, approved, 'said');
  const said = (sheet: CameIn, how: string, number: number) =>
    `another sheet came into batch ${batch.name}, ${sheet.name}, which was approved and ${how} row ${number} of this one`;
  return {
    /** Of what is under way alone that it was taken out: it may be unpaid by and by, and is not sent again then. */
    async changed(asked: Asked, isUnderWay: boolean): Promise<string | null> {
      const change = await changeOf(asked);
      if (change === null || (isUnderWay && change.how !== 'lacks')) return null;
      const { sheet, how } = change;
      return said(sheet, how === 'lacks' ? lackWords(sheet, asked.key) : how, asked.number);
    },
    /** A document is no part of a row's digest, and is exchanged with the sheet as long as it is not sent. */
    async documents(): Promise<string | null> {
      for (const key of ledger.otherDocumentsInDraft(batch.name)) {
        const row = await ledger.rowByKey(batch.name, key);
        const sheet = row === null ? undefined : approved.findLast((one) => hasRow(one, row));
        const here = ledger.plannedRow(batch.name, key);
        if (sheet !== undefined && here !== null) return said(sheet, 'has other documents with', here.number);
      }
      return null;
    },
  };
}

/** Which rows a plan of the draft would pay otherwise than the batch has them by now, or bring back. What is held waits for a word on it anyway. */
export async function takenBack(ledger: Ledger, batch: BatchFacts): Promise<Problem[]> {
  const changeBy = changesOf(ledger, batch, await cameIn(ledger, batch, ledger.sheetsOf(batch.name)), 'digest');
  const problems: Problem[] = [];
  for (const row of ledger.plannedRows(batch.name)) {
    if (!unsent.includes(row.state)) continue;
    const change = await changeBy(askedOf(row));
    if (change === null || change.as?.state === 'held') continue;
    problems.push(batchProblem('TAKES_BACK', 'warning', takenBackFacts(batch.name, change), { row: row.number }));
  }
  return problems;
}

function takenBackFacts(batch: string, { sheet: { name: sheet }, how, as }: Change): BatchProblems['TAKES_BACK'] {
  if (as === null) return { batch, sheet, as: 'missing' };
  if (how === 'has under another row_id, or none,') return { batch, sheet, as: 'other-id' };
  const was = rowOfContent(as.content, as.number);
  const { amount, unit, currency, reference } = was;
  return { batch, sheet, as: { amount: String(amount), unit, currency, to: payeeDestination(was), reference } };
}

/** Why a plan is not paid any more as it was made; null where it may be. */
export async function overtakenBy(ledger: Ledger, path: string): Promise<string | null> {
  const own = await openPlan(path);
  const batch = await ledger.batch(own.head.batch);
  const since = batch === null ? [] : await cameSince(ledger, batch, { own, came: cameAs(ledger, own) });
  if (batch === null || since.length === 0) return null;
  const lacked = await unsentOf(ledger, batch, since);
  let keys: Promise<ReadonlySet<string>> | null = null;
  const has: HasKey = async (key) => {
    keys ??= keysOf(own);
    return (await keys).has(key);
  };
  const howSince = overtaking(ledger, batch, since, { has, isPlan: true });
  for await (const { kind, line } of own.lines()) {
    if (kind !== 'rows') continue;
    const { key, row: number, digest } = line;
    lacked.delete(key);
    const row = await ledger.rowByKey(batch.name, key);
    const isSent = row !== null && !openStates.includes(row.state);
    const sent =
      isSent && askedOf(row).digest !== digest ? `row ${number} was sent otherwise than as it is here` : null;
    const how = isSent ? sent : await howSince(askedIn(line));
    if (how !== null) return overtakenWords(how, 'a plan');
  }
  const [words] = lacked.values();
  return words === undefined ? null : overtakenWords(words, 'not sent', batch.name);
}

async function keysOf(plan: PlanFile): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const { kind, line } of plan.lines()) if (kind === 'rows') keys.add(line.key);
  return keys;
}

/** Rows of these sheets, by their keys, that an older one would leave out, if it lacks them; and why it is not paid then. */
async function unsentOf(ledger: Ledger, batch: BatchFacts, since: readonly CameIn[]): Promise<Map<string, string>> {
  const words = new Map<string, string>();
  for await (const rows of pagesOf(ledger, batch, [...unsent, 'held'], 'of any sheet'))
    for (const row of rows) {
      const its = broughtBy(since, row);
      if (its !== undefined)
        words.set(
          row.key,
          `another sheet came into batch ${batch.name}, ${its.name}, which has row ${row.number}, not sent yet, that this one lacks`,
        );
    }
  return words;
}

async function* pagesOf(
  ledger: Ledger,
  { name, sheet }: BatchFacts,
  states: readonly RowState[],
  of: 'of the newest sheet' | 'of any sheet' = 'of the newest sheet',
): AsyncIterable<readonly LedgerRow[]> {
  const which = { batch: name, states, ...(of === 'of any sheet' ? {} : { sheet: sheet.id }) };
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const rows: readonly LedgerRow[] = await ledger.rows({ ...which, afterId, limit: mostWaiting });
    yield rows;
    afterId = rows.at(-1)?.id;
  }
}

async function stopOf(
  ledger: Ledger,
  batch: string,
  plans: readonly Plan[],
  rows: readonly Asked[],
  asking: Asking,
  counts: (row: MendedRow) => boolean = () => true,
  older: (row: Asked) => boolean = isOpen,
): Promise<PayrunError | null> {
  if (rows.length === 0) return null;
  for (const mended of await sheetsOf(ledger, plans, rows, asking, older)) {
    const key = (mended.rows?.filter(counts) ?? rows)[0]?.key;
    if (key === undefined) continue;
    return new PayrunError('CORRECTION_WAITS', {
      batch,
      row: key,
      how: mendedWords(mended, key) ?? '',
      stands: mended.stands,
    });
  }
  return null;
}

/** What of the batch is not sent yet, and this plan, which goes on with it, has otherwise. */
export async function overtaken(ledger: Ledger, batch: BatchFacts, path: string): Promise<string | null> {
  const { name } = batch;
  for await (const rows of pagesOf(ledger, batch, unsent)) {
    const [row] = (await mendedRows(rows.map(askedOf), path, batchAsks(ledger, name))).toSorted(
      (a, b) => Number(a.how === 'missing') - Number(b.how === 'missing'),
    );
    if (row !== undefined)
      return `Row ${row.number} of batch ${name} is not sent yet, and ${hows[row.how]} in this sheet`;
  }
  return null;
}

/** What another plan of the batch has otherwise than this one would pay, for whoever decides on this one. */
export async function otherwiseIn(ledger: Ledger, path: string, other: string): Promise<string | null> {
  const rows: Asked[] = [];
  const keys = new Set<string>();
  const plan = await openPlan(path);
  for await (const { kind, line } of plan.lines()) {
    if (kind !== 'rows') continue;
    keys.add(line.key);
    if (['not sent', 'held', 'unpaid'].includes(line.standing)) rows.push(askedIn(line));
  }
  const { batch } = plan.head;
  const has: HasKey = (key) => keys.has(key);
  const knows = (await ledger.batch(batch)) === null ? has : knownIn(ledger, batch);
  const mended = await mendedRows(rows, other, { knows, has });
  const first = mended.find(({ how }) => how === 'account') ?? mended[0];
  if (first === undefined) return null;
  const others = mended.length === 1 ? '' : `, and ${counted(mended.length - 1, 'other row')} not as here`;
  return `row ${first.number} of this sheet ${hows[first.how]}${others}`;
}
