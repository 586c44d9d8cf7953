/** Rows that look like payments already made: what stops a run, what is only told, and the ways on (design 4.1). */

import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import type { RefusalFacts } from '../../base/refusal.ts';
import { type Renumbering, someOf } from '../../base/refusal.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import type { RepeatedOptions } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import { type BatchProblems, batchProblem } from '../../domain/problems/batch-problems.ts';
import { fold } from '../../domain/rows/text.ts';
import { because, type ReasonOf, reasonOf, type StoredReasons } from '../../domain/sending/reason.ts';
import {
  type AddedAlike,
  type BatchFacts,
  type Copy,
  type Ledger,
  type LedgerRow,
  type Lookalike,
  type NearLookalike,
  type NearTwin,
  type Twin,
  type WaitingTwin,
  type WholeTwin,
  wordOf,
} from '../../ledger/ledger.ts';
import { looksPaidEvidence } from '../../messages/problems/repeat-problems.ts';
import { planOf, repeatedOf } from '../batch-options.ts';
import { gradeOf } from '../controls/history.ts';
import type { ServiceFacts } from '../deps.ts';
import { nearOf, twinPaid } from './looks-paid.ts';

/** A row that looks like one sent so recently is hardly meant, even under a name of its own (design 4.1). */
export const surelyRepeatMs = 5 * dayMs;
/** A month and a few days: a static monthly payroll looks like this, and must not teach people to override. */
export const perhapsRepeatMs = 35 * dayMs;

/** What stops a run: rows that look paid, and rows that look paid but for one thing, as if they had been corrected since. */
export interface Repeats {
  readonly twins: readonly Twin[];
  readonly near: readonly NearTwin[];
  /** Of the batch itself, and longer ago: the rows that a person calls new by --add are shown beside them. */
  readonly older: readonly NearTwin[];
  /** How many of the rows that are new to a batch that was sent from are held, since they look paid. */
  readonly held: number;
  /** A row in doubt that a row of a new batch equals: no reason to pay it again counts before that is settled. */
  readonly inDoubt: Twin | null;
}

export const nothingRepeated = { twins: [], near: [], older: [], held: 0, inDoubt: null, warnings: [] };

interface RepeatFacts {
  readonly batch: string;
  readonly known: BatchFacts | null;
  readonly now: number;
  readonly added: number;
  readonly sent?: SentRows;
}

/** Those that stop the run, and warnings of the others, so that a monthly payroll goes through. */
export async function findRepeats(
  ledger: Ledger,
  service: Pick<ServiceFacts, 'identity'>,
  order: { readonly batch: string | null; readonly confirmRepeat: string | null; readonly add: boolean },
  { batch, known, now, added, sent }: RepeatFacts,
): Promise<Repeats & { readonly warnings: readonly Problem[] }> {
  const address = addressOf(service.identity);
  const everyTwin = await ledger.twins(batch, now - perhapsRepeatMs, address, order.add && known !== null);
  const alike = new Map<number, number>();
  for (const { number, sentAt } of everyTwin) alike.set(number, Math.max(sentAt, alike.get(number) ?? 0));
  // Its name is the repeat's identity: run again, it goes on, with or without the reason.
  const confirmed = known === null ? order.confirmRepeat !== null && order.batch !== null : known.repeatReason !== null;
  const wasSentFrom = known !== null && (await ledger.hasSent(known.name));
  const goesOn = confirmed || wasSentFrom;
  const unnamed = order.batch === null;
  // Whoever says that a batch goes on says that what was sent elsewhere is no other payment, however long ago that was.
  const stops = (twin: WholeTwin) =>
    !goesOn && (gradeOf('row', !unnamed, now - twin.sentAt) === 'stop' || twin.asAnother === 1);
  const isHeld = (twin: WholeTwin) => wasSentFrom && holds(known, twin, now);
  const twins = onePerRow(everyTwin, (twin) => stops(twin) || isHeld(twin));
  const stopping = twins.filter(stops);
  const stopped = new Set(stopping.map(({ number }) => number));
  // Last month's, of the same amount, says nothing of what was corrected and paid since.
  const everyNear = (await ledger.nearTwins(batch, now - surelyRepeatMs, address)).filter(
    ({ number, sentAt }) => sentAt > (alike.get(number) ?? 0) && !stopped.has(number),
  );
  // One invoice of the same amount with the next number is nothing strange; a sheet of them is one that was paid.
  const renumbered = onePerRow(everyNear).filter(({ differs }) => differs === 'reference').length;
  const whole = renumbered > 1 && renumbered * 2 >= ledger.draft.counts().rows;
  // The batch that has the sent row says that this is the same one, a name of its own that it is another.
  const nearStops = (twin: NearTwin) =>
    twin.batch === batch ||
    (!goesOn &&
      // Whoever is stopped sees them all: one reason is said to all of them.
      (stopping.length > 0 || (unnamed && (twin.differs !== 'reference' || whole || isRespelt(twin)))));
  const near = onePerRow(everyNear, nearStops);
  const stoppingNear = near.filter(nearStops);
  const other = new Set([...alike.keys(), ...near.map(({ number }) => number)]);
  const longAgo = async (which: (twin: NearTwin) => boolean) =>
    onePerRow(
      (await ledger.nearTwins(batch, now - perhapsRepeatMs, address)).filter(
        (twin) => !other.has(twin.number) && which(twin),
      ),
    );
  // Beside rows that look paid, one that nearly does is hardly new.
  if (unnamed && stopping.length > 0)
    stoppingNear.push(...(await longAgo((twin) => stopping.some(({ batch: same }) => same === twin.batch))));
  const older = goesOn && added > 0 ? await longAgo((twin) => twin.batch === batch) : [];
  return {
    twins: stopping,
    near: stoppingNear,
    older,
    inDoubt: known === null && everyTwin.length > 0 ? await firstInDoubt(ledger, everyTwin) : null,
    held: twins.filter((twin) => twin.brought === 1 && isHeld(twin)).length,
    warnings: [
      ...twins
        .filter((twin) => !stops(twin))
        .map((twin) => looksPaid(twin, { differs: null, effect: isHeld(twin) ? 'holds' : 'pays' }, sent)),
      ...[...near.filter((twin) => !nearStops(twin) && (unnamed || twin.differs !== 'reference')), ...older].map(
        (twin) => looksPaid(twin, { differs: nearOf(twin), effect: 'pays' }, sent),
      ),
      ...ledger.waitingTwins(batch, address, now - perhapsRepeatMs, mostTold).map(looksWaiting),
    ],
  };
}

async function firstInDoubt(ledger: Ledger, twins: readonly Twin[]): Promise<Twin | null> {
  const rows = await ledger.rows({ states: ['sending', 'in_doubt', 'absent'], limit: mostDoubts });
  const doubtful = new Set(rows.map(({ batch, number }) => `${batch} ${number}`));
  return twins.find(({ batch, twin }) => doubtful.has(`${batch} ${twin}`)) ?? null;
}

/** Far more doubts than the breaker lets come about. */
const mostDoubts = 10_000;

/** Of what each row is like, the first that counts, else the first: no other payment hides the one that stops it. */
function onePerRow<T extends Twin>(twins: readonly T[], counts: (twin: T) => boolean = () => true): T[] {
  const chosen = new Map<number, T>();
  for (const twin of twins) {
    const other = chosen.get(twin.number);
    if (other === undefined || (!counts(other) && counts(twin))) chosen.set(twin.number, twin);
  }
  return [...chosen.values()];
}

/** All of them, whatever they would stop: for whoever mends a sheet that nobody has named yet. */
export async function everyRepeat(
  ledger: Ledger,
  { address, ...facts }: RepeatFacts & { readonly address: string },
): Promise<Problem[]> {
  const unnamed = { batch: null, confirmRepeat: null, add: false };
  const { twins, near, warnings } = await findRepeats(ledger, { identity: address }, unnamed, facts);
  const stopping = [
    ...twins.map((twin) => looksPaid(twin, { differs: null, effect: 'pays' }, facts.sent)),
    ...near.map((twin) => looksPaid(twin, { differs: nearOf(twin), effect: 'pays' }, facts.sent)),
  ];
  return [...stopping, ...warnings];
}

/** A sheet of which more rows look paid is last month's once more: its summary says so, and no row of it alone. */
const mostTold = 1000;

/** What was told of rows that look paid stands beside each of them, for whoever reads the result alone. */
export async function keepTold(ledger: Ledger, batch: BatchFacts, problems: readonly Problem[]): Promise<void> {
  const told = problems.filter(({ code }) => code === 'LOOKS_PAID');
  if (told.length > mostTold) return;
  const notes = told.map(async ({ row: number, facts }) => {
    const [listed] = await ledger.rowsByNumber(batch.name, batch.sheet.id, Number(number) - 1, 1);
    const row = listed === undefined ? null : await ledger.row(listed.id);
    const evidence = looksPaidEvidence(facts as LooksPaid);
    if (row !== null && row.evidence !== evidence) await ledger.note(row, { evidence });
  });
  await Promise.all(notes);
}

/** Held for another payment that looks the same, or stopped by it before anything of its batch was sent. */
export const isLookalike = ({ reason }: Pick<LedgerRow, 'reason'>) => reasonOf(reason, 'looks-paid') !== null;

/** By the row's number: the row of a batch that was sent, where the sheet has that very row. */
export type SentRows = ReadonlyMap<number, Pick<Twin, 'twin' | 'batch'>>;

type LooksPaid = BatchProblems['LOOKS_PAID'];

function looksPaid(twin: Twin, why: Pick<LooksPaid, 'differs' | 'effect'>, sent: SentRows = new Map()): Problem {
  const { number, twin: row, batch, sentAt } = twin;
  const own = sent.get(number);
  const isOwn = own?.batch === batch && own.twin === row;
  return batchProblem('LOOKS_PAID', 'warning', { row, batch, sentAt, isOwn, ...why }, { row: number });
}

/** Both are paid if both are let go: whoever approves one of them is to know of the other. */
const looksWaiting = ({ number, twin: row, batch, held, differs, ...other }: WaitingTwin): Problem => {
  const { waitingAmount: amount, waitingCurrency: currency } = other;
  const facts = { row, batch, isHeld: held === 1, differs, amount, currency };
  return batchProblem('LOOKS_WAITING', 'warning', facts, { row: number });
};

/** It looks like one that was sent, but for one thing, as a row does that was corrected after it had been paid. */
export const isNearRepeat = ({ code, facts }: Pick<Problem, 'code' | 'facts'>) =>
  code === 'LOOKS_PAID' && (facts as LooksPaid).differs !== null;

/** `INV3001` for `INV 3001`: what mending a sheet makes of a reference, and no other one. */
const isRespelt = ({ reference, sentReference }: NearTwin) => fold(reference) === fold(sentReference);

/** Where payments are, whoever makes them: a rotated key sees the same money. */
export function addressOf(identity: string): string {
  return identity.split('|')[0] ?? identity;
}

/** A name that was made from the rows: it says nothing of a period, as one that a person gave does. */
const madeName = /^b-[0-9a-z]{16}$/;

/** Since when a sent row stops its look-alike: a name that a person gave says that a month's repeat is meant. */
function repeatsSince(batch: string, now: number): number {
  return now - (madeName.test(batch) ? perhapsRepeatMs : surelyRepeatMs);
}

/** Sent while this row waited: whoever corrected it elsewhere may have paid it there, however long that is ago and whatever it is called. */
const meanwhile = ({ sinceTaken }: Twin) => sinceTaken === 1;

/** Why rows are paid again was said of what had been sent by then, and of the rows that the batch had. */
const isUnsaid = (batch: BatchFacts, { sentAt }: Twin) => {
  const said = reasonSaidAt(batch);
  return said === null || sentAt >= said;
};

/** When the reason to pay again was given: with the plan, where there is one; null where there is none. */
export function reasonSaidAt(batch: BatchFacts): number | null {
  if (batch.repeatReason === null) return null;
  const plan = planOf(batch);
  // A later sheet's plan says nothing of it.
  return plan === null ? batch.createdAt : Math.min(batch.createdAt, Date.parse(plan.made_at));
}

/** Rows of the batch that look paid. */
export async function ownTwins(ledger: Ledger, batch: BatchFacts, now: number, again = false): Promise<WholeTwin[]> {
  const { name, identity } = batch;
  const twins = await ledger.twinsOfBatch(name, now - perhapsRepeatMs, addressOf(identity), again);
  return onePerRow(
    twins.filter((twin) => holds(batch, twin, now)),
    ({ asAnother }) => asAnother === 1,
  );
}

/** Whether a row that is wholly like a sent one is kept back in its batch. */
const holds = (batch: BatchFacts, twin: WholeTwin, now: number) =>
  twin.asAnother === 1 ||
  (isUnsaid(batch, twin) && (twin.renumbered === 1 || twin.sentAt >= repeatsSince(batch.name, now) || meanwhile(twin)));

/** Rows of the batch that look paid but for one thing: `which` of those sent lately, and those paid while they waited. */
async function nearTwinsOf(
  ledger: Ledger,
  batch: BatchFacts,
  now: number,
  which: (twin: NearTwin) => boolean,
  again = false,
): Promise<NearTwin[]> {
  const { name, identity, createdAt } = batch;
  const since = async (moment: number) =>
    (await ledger.nearTwinsOfBatch(name, moment, addressOf(identity), again)).filter((twin) => isUnsaid(batch, twin));
  const lately = (await since(now - surelyRepeatMs)).filter(which);
  const known = new Set(lately.map(({ number }) => number));
  const waited = (await since(Math.max(now - perhapsRepeatMs, createdAt))).filter(
    (twin) =>
      !known.has(twin.number) &&
      (twin.sinceTried === 1 || (meanwhile(twin) && (twin.differs !== 'reference' || isRespelt(twin)))),
  );
  return [...onePerRow(lately), ...onePerRow(waited)];
}

/**
 * Like ones of its own earlier sheets: a run begins without any, and a pass may show that what had expired was paid. Like others: a
 * corrected copy that was paid since the row itself was tried.
 */
async function nearOwn(ledger: Ledger, batch: BatchFacts, now: number, again: boolean): Promise<NearTwin[]> {
  return await nearTwinsOf(ledger, batch, now, (twin) => twin.batch === batch.name || twin.sinceTried === 1, again);
}

/** Rows of a batch that was sent from, and what holds each; `again`: of its unpaid rows what would, if they were sent again. */
export async function holdingRepeats(
  ledger: Ledger,
  batch: BatchFacts,
  now: number,
  again = false,
): Promise<{ readonly twin: Twin; readonly looksPaid: ReasonOf<'looks-paid'> }[]> {
  return [
    ...(await ownTwins(ledger, batch, now, again)).map((twin) => ({ twin, looksPaid: twinPaid(twin) })),
    ...(await nearOwn(ledger, batch, now, again)).map((twin) => ({
      twin,
      looksPaid: twinPaid(twin, nearOf(twin)),
    })),
  ];
}

/** What would hold back unpaid rows that a plan lets be sent again: those of `keys`, or any where it names none. Each is told of once. */
export async function repeatsAgain(
  ledger: Ledger,
  batch: BatchFacts,
  now: number,
  keys: readonly string[],
): Promise<Problem[]> {
  const effect = (await ledger.hasSent(batch.name)) ? 'holds-again' : 'stops-again';
  const told = new Set(Array.from(ledger.draft.eachProblem(), ({ code, row }) => (code === 'LOOKS_PAID' ? row : null)));
  const problems: Problem[] = [];
  for (const { twin, looksPaid: like } of await holdingRepeats(ledger, batch, now, true)) {
    const key = twin.row === null ? undefined : (await ledger.row(twin.row))?.key;
    const line = key === undefined ? null : ledger.plannedRow(batch.name, key);
    if (line === null || wordOf[line.state] !== 'unpaid' || told.has(line.number)) continue;
    if (keys.length > 0 && !keys.includes(line.key)) continue;
    told.add(line.number);
    problems.push(looksPaid({ ...twin, number: line.number }, { differs: like.differs, effect }));
  }
  return problems;
}

/** Sent so soon after a row that seemed unpaid, it is that one once more: by the same measure as if that had been paid. */
export function isCopy({ batch, differs, sentAt, copiedAt }: Copy): boolean {
  return sentAt >= (differs === 'nothing' ? repeatsSince(batch, copiedAt) : copiedAt - surelyRepeatMs);
}

/** What stops a batch of which nothing was sent. */
export async function stoppingRepeats(
  ledger: Ledger,
  batch: BatchFacts,
  now: number,
): Promise<Pick<Repeats, 'twins' | 'near'>> {
  const twins = await ownTwins(ledger, batch, now);
  const near = await nearTwinsOf(
    ledger,
    batch,
    now,
    ({ differs, sinceTried }) => sinceTried === 1 || (madeName.test(batch.name) && differs !== 'reference'),
  );
  return { twins, near };
}

/** Rows that wait, and that the run which they stopped noted as like a payment made elsewhere: another try asks anew. */
export async function notedAlike(ledger: Ledger, { name, sheet }: BatchFacts): Promise<LedgerRow[]> {
  if ((await ledger.told(name, 'alike')).length === 0) return [];
  const { rows: limit } = sheet;
  return (await ledger.rows({ batch: name, states: ['ready'], sheet: sheet.id, limit })).filter(isLookalike);
}

/** Why a row that waits stops its batch, which sent nothing yet, as it would be held for it in one that has; null where it does not. */
export async function repeatReasonOf(
  ledger: Ledger,
  batch: BatchFacts,
  row: LedgerRow,
  now: number,
): Promise<StoredReasons | null> {
  if (!(await stopsAsRepeat(ledger, batch, now))) return null;
  if (isLookalike(row)) return row.reason;
  const { twins, near } = await stoppingRepeats(ledger, batch, now);
  const twin = twins.find((one) => one.row === row.id);
  if (twin !== undefined) return because(twinPaid(twin));
  const other = near.find((one) => one.row === row.id);
  return other === undefined ? null : because(twinPaid(other, nearOf(other)));
}

/** Whether going on would only stop once more: for what this ledger sent meanwhile, or for payments that the last run saw. */
export async function stopsAsRepeat(ledger: Ledger, batch: BatchFacts, now: number): Promise<boolean> {
  if (await ledger.hasSent(batch.name)) return false;
  const { twins, near } = await stoppingRepeats(ledger, batch, now);
  if (twins.length + near.length > 0) return true;
  return (await notedAlike(ledger, batch)).length > 0;
}

/** A batch that waited may have been paid under another name meanwhile: `resume` asks like `run` does (design 4.1). */
export async function refuseRepeatsOf(ledger: Ledger, batch: BatchFacts, now: number): Promise<void> {
  // Where something was sent already, the rows are held instead, one by one.
  if (await ledger.hasSent(batch.name)) return;
  const { twins, near } = await stoppingRepeats(ledger, batch, now);
  if (twins.length + near.length === 0) return;
  throw new PayrunError('WAITING_ROWS_LOOK_PAID', {
    batch: batch.name,
    ...likeFacts({ twins, near }),
    command: payAgain(batch.sheet.origin, repeatedOf(batch)),
  });
}

const unpadded = (id: string) => id.replace(/^0+(?=.)/, '');

/** Returns how the ids of a new row and of an equal sent row differ. */
function renumberingOf({ rowId, sentId }: AddedAlike): Renumbering {
  if (rowId !== null && sentId !== null) return unpadded(rowId) === unpadded(sentId) ? 'zeros' : 'other-id';
  if (sentId === null) return rowId === null ? 'neither-has-one' : 'sent-had-none';
  return 'other-id';
}

export const renumberedFacts = (alike: readonly AddedAlike[]): RefusalFacts['ROWS_ADDED']['renumbered'] =>
  [...Map.groupBy(alike, renumberingOf)].map(([how, rows]) => ({
    how,
    rows: someOf(rows, ({ number, rowId, sent, sentId, sentAt }) => ({
      row: number,
      rowId,
      sentRow: sent,
      sentId,
      sentAt,
    })),
  }));

const likeFact = ({ number, batch, twin, sentAt }: Twin) => ({ row: number, batch, sentRow: twin, sentAt });

export const nearFacts = (near: readonly NearTwin[]) =>
  someOf(near, (one) => ({ ...likeFact(one), amount: one.amount, currency: one.currency, differs: nearOf(one) }));

const likeFacts = ({ twins, near }: Pick<Repeats, 'twins' | 'near'>) => ({
  twins: someOf(twins, likeFact),
  near: nearFacts(near),
});

/** The honest ways on: the batch that these rows belong to, or a name of their own, and a reason where they look wholly alike. */
export function repeated(
  { twins, near }: Pick<Repeats, 'twins' | 'near'>,
  order: {
    batch: string;
    sent: number;
    file: string;
    named: boolean;
    isNew: boolean;
    repeated: RepeatedOptions;
  },
): PayrunError {
  const { batch, sent, file, named, isNew, repeated: options } = order;
  const batches = [...new Set([...twins, ...near].map(({ batch: other }) => other))];
  const [other = ''] = batches;
  const needsName = !(named && isNew);
  const addition = { action: 'run-sheet', file, batch: other, add: true, why: null, options } as const;
  const ownPayments = { action: 'repeat-sheet', file, batch: null, needsReason: false, options } as const;
  return new PayrunError('SHEET_LOOKS_PAID', {
    ...likeFacts({ twins, near }),
    isNamed: named,
    isCorrected: near.some((twin) => twin.batch === batch),
    needsName: twins.length === 0 || needsName,
    sameBatch: batches.length === 1 && sent === 0 && near.length === 0 ? other : null,
    addition,
    command: twins.length > 0 ? payAgain(file, options, needsName ? null : batch) : ownPayments,
  });
}

/** A name that no other batch has is good for it already. */
const payAgain = (file: string, options: RepeatedOptions, batch: string | null = null) =>
  ({ action: 'repeat-sheet', file, batch, needsReason: true, options }) as const;

/** Whoever pays one reference again and again means it: it is paid, and a person is told. */
export const nearSeenNotes = (near: readonly NearLookalike[]): Note[] =>
  near.length === 0
    ? []
    : [
        {
          note: 'near-payments-seen',
          rows: someOf(near, ({ number: row, amount, currency, paymentId: payment, at, paidAmount: paid }) => ({
            row,
            amount,
            currency,
            payment,
            at,
            paid,
          })),
        },
      ];

/** Nobody may know of each that the reason was given for it: some services tell no time of day. */
export function meantNotes([payment, ...others]: readonly string[], reason: string | null): Note[] {
  if (payment === undefined) return [];
  return [{ note: 'paid-again-as-meant', reason, payment, more: others.length }];
}

/** Payments that were made from elsewhere: by hand, or by a ledger that this one does not know. */
export function seenRepeated(alike: readonly Lookalike[], batch: BatchFacts): PayrunError {
  return new PayrunError('LIKE_OTHER_PAYMENTS', {
    rows: someOf(alike, ({ number, paymentId, at }) => ({ row: number, payment: paymentId, at })),
    hasReason: batch.repeatReason !== null,
    command: payAgain(batch.sheet.origin, repeatedOf(batch)),
  });
}
