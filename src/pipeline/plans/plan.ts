/** Plans a run: which batch a sheet belongs to, how it compares with what was sent, and whether it may be paid. */
import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { type OfVersion, type RowChanges, type Signing, type Some, shownOf, someOf } from '../../base/refusal.ts';
import type { NotedRow, ShownIdentity } from '../../base/words.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import { type ActionNamed, type ActionOf, type RepeatedOptions, resumeOf } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import { changedRow } from '../../domain/rows/content-changes.ts';
import {
  isAddition,
  rowsWith,
  type VersionOrder,
  type VersionRefusal,
  whyNoVersion,
  withEffect,
} from '../../domain/rows/version-table.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import {
  type BatchFacts,
  type ClosedRow,
  type Comparison,
  type DraftBatch,
  type DraftTotal,
  type Ledger,
  type LedgerRow,
  wordOfRow,
} from '../../ledger/ledger.ts';
import { type History, historyOf, noHistory } from '../controls/history.ts';
import { addPayeeProblems, addUnpaidWarnings, payeeControlOf } from '../controls/payee-control.ts';
import { noVariance, type Variance, type VarianceOrder, varianceOf } from '../controls/variance.ts';
import type { Deps, ServiceFacts } from '../deps.ts';
import { documentsAgain } from '../documents/documents-due.ts';
import { notedRow } from '../doubt-step.ts';
import {
  addressOf,
  type DraftDuplicates,
  duplicateProblem,
  duplicatesOfDraft,
  effectOf,
  isHeld,
  likeSentOf,
  windowOf,
} from '../duplicates/duplicates.ts';
import { standing } from '../figures.ts';
import { shortDigest } from '../intake/check-rows.ts';
import { signingOf } from '../opened-with.ts';
import { rowsAsSeen } from '../seen.ts';
import { draftRetry, type Retries } from './retries.ts';

export interface PlanOrder {
  readonly batch: string | null;
  readonly batchIfNew?: string | null;
  /** The person's file and reading options, which printed commands repeat. */
  readonly file: string;
  readonly repeated: RepeatedOptions;
  readonly skipInvalid: boolean;
  readonly add: boolean;
  readonly drop: boolean;
  readonly closes?: number | undefined;
  /** The reason to pay rows that look paid already. It counts only for a new batch. */
  readonly confirmRepeat: string | null;
  readonly prompts: number | null;
  /** The id of the ledger's newest sheet when the program took the file, or that a person saw. If absent, the newest sheet at the start counts. */
  readonly base?: number | undefined;
  /** Chooses the unpaid rows to send again. Such a plan changes no other row of the batch. */
  readonly retries?: Retries | undefined;
  /** The keys of these rows, as the person named them. */
  readonly retry?: ActionOf<'plan-sheet'>['retry'];
  readonly variance?: VarianceOrder;
  /** True for the command `plan`. */
  readonly isPlan?: boolean;
}

export interface Plan extends DraftDuplicates {
  readonly batch: string;
  readonly named: Note | null;
  readonly newest: OfVersion['newest'] | null;
  /** The id of the newest sheet; 0 for a new batch. */
  readonly head: number;
  readonly comparison: Comparison;
  readonly history: History;
  readonly variance: Variance;
  readonly unsent: number;
  readonly retried: readonly LedgerRow[];
  readonly closed: readonly ClosedRow[];
  readonly reopen: ActionNamed | null;
  /** The unpaid rows that the sheet lacks. */
  readonly dropped: Some<NotedRow>;
  /** How many lines with mistakes end with a whole list. A line without an id belongs to its sheet alone. */
  readonly endedMistakes: number;
  /** True if the sheet may not be paid. The command then only shows the sheet's problems. */
  readonly refused: boolean;
  readonly isNew: boolean;
  readonly isAddition: boolean;
  readonly signs: Signing;
  /** Set if the batch has ended and the sheet adds nothing. */
  readonly ended: { readonly at: number | null; readonly allPaid: boolean } | null;
}

export async function planBatch(deps: Deps, order: PlanOrder, ownBatch: string | null): Promise<Plan> {
  const { ledger, service } = deps;
  const { draft } = ledger;
  const now = deps.clock.now();
  const { batch, named, open } = await nameBatch(ledger, order, ownBatch);
  const signs = await signingOf(ledger);
  const { rows } = draft.counts();
  if (open.length > 0) throw new PayrunError('BATCH_UNNAMED', { of: rows, batches: unnamed(open, order, signs) });
  const known = await ledger.batches.batch(batch);
  const isNew = known === null;
  const retried = await draftRetry(ledger, batch, { isNew, retries: order.retries });
  draft.addProblems(collectionProblems(ledger, service, order.prompts));
  const comparison = await ledger.versions.compare(batch);
  if (known !== null) await requireSameIdentity(deps, known);
  const dropped = await droppedRows(ledger, batch, comparison);
  const unsent = known === null ? 0 : (await standing(ledger, known)).rows.not_sent;
  const asked = { batch, isAddition: isAddition(order) };
  const endedMistakes = asked.isAddition ? 0 : mistakesEnding(ledger, comparison);
  const newest = known && ledger.batches.newestOf(batch);
  const head = known?.sheet.id ?? 0;
  const begun = { ...asked, named, newest, head, comparison, dropped, endedMistakes, isNew, signs, unsent, retried };
  if (isRefused(ledger, order.skipInvalid)) return { ...begun, ...nothingFound, refused: true };
  if (isNew || (order.batch === null && named === null)) ledger.batches.requireOwnName(batch);
  const { identity } = service;
  const { duplicates, doubt } = await duplicatesOfDraft(ledger, { ...asked, identity }, windowOf(deps));
  const isAllowed = known === null && order.confirmRepeat !== null;
  const looksPaid = isAllowed ? [] : duplicates.filter(isHeld).map(({ number }) => number);
  draft.addProblems(duplicates.map((one) => duplicateProblem(one, isAllowed ? 'pays' : effectOf(one))));
  const address = addressOf(identity);
  const history = known === null ? await historyOf(ledger, { batch, address, now }) : noHistory;
  const variance = order.variance === undefined ? noVariance : await varianceOf(ledger, batch, address, order.variance);
  draft.addProblems([...history.warnings, ...variance.warnings, ...documentsAgain(ledger, batch, address)]);
  const changed = addPayeeProblems(ledger, address, batch, payeeControlOf(deps));
  draft.hold(new Set([...changed, ...looksPaid]));
  addUnpaidWarnings(ledger, batch, retried);
  const closed = known === null ? [] : await ledger.versions.closedInDraft(batch);
  draft.addProblems(
    closed.map(({ number, by, why }) => batchProblem('ROW_CLOSED', 'warning', { by, why }, { row: number })),
  );
  const closedRows = closed.map(({ row }) => row);
  const reopen: Plan['reopen'] =
    closed.length === 0 ? null : { action: 'reopen-rows', batch, ...(await rowsAsSeen(ledger, closedRows)), signs };
  // A whole list closes the rows that it lacks, so the batch has not ended. A line with a mistake ends by `--drop` alone.
  const closesRows = !asked.isAddition && dropped.total + (order.drop ? endedMistakes : 0) > 0;
  const ended = closesRows ? null : await endedBatch(ledger, known, comparison);
  return { ...begun, duplicates, doubt, history, variance, closed, reopen, refused: false, ended };
}

const nothingFound = {
  duplicates: [],
  doubt: null,
  history: noHistory,
  variance: noVariance,
  closed: [],
  reopen: null,
  ended: null,
};

function mistakesEnding({ draft }: Ledger, change: Comparison): number {
  const lines = change.loose + rowsWith(change, 'mistake') - draft.counts().invalid;
  // A line without an id that was fixed is a new row.
  return Math.max(0, lines - change.added);
}

async function droppedRows(ledger: Ledger, batch: string, change: Comparison): Promise<Some<NotedRow>> {
  const total = withEffect(change, 'ends');
  const shown = total === 0 ? [] : await ledger.versions.droppedByDraft(batch, shownOf);
  return { shown: shown.map((row) => notedRow({ ...row, number: null })), total };
}

export async function requireSameIdentity(
  { ledger, service, actor }: Pick<Deps, 'ledger' | 'service' | 'actor'>,
  batch: BatchFacts,
): Promise<void> {
  if (batch.identity === service.identity) return;
  // A person may change the identity that pays an unsent batch; a worker may not.
  if (rightsOf(actor).rebindsUnsent && !(await ledger.rows.everSent(batch.name))) return;
  const [was, now] = [shownIdentity(batch.identity), shownIdentity(service.identity)];
  const command: ActionNamed = { action: 'rebind', batch: batch.name };
  throw new PayrunError('IDENTITY_CHANGED', { batch: batch.name, was, now, command });
}

/** `identity` is `address|key:hash|user`. Shows part of the hash, so that people see whether the key differs. */
export function shownIdentity(identity: string): ShownIdentity {
  const [service = '', key = '', who = ''] = identity.split('|');
  return { service, key: key.slice(4, 12), user: who === 'tenant' ? null : who.replace('user:', '') };
}

export const payerOf = ({ identity, service }: Readonly<Record<'identity' | 'service', string>>): ShownIdentity => ({
  ...shownIdentity(identity),
  service,
});

/** True for a sheet without rows, with an error of the whole sheet, or with errors in rows if such rows may not be skipped. */
export function isRefused({ draft }: Pick<Ledger, 'draft'>, skipInvalid: boolean): boolean {
  const { rows, invalid, errors } = draft.counts();
  if (rows === 0) return true;
  if (errors === 0) return false;
  const ofSheet = draft.problems(1000).some(({ row, severity }) => row === null && severity === 'error');
  return ofSheet || !skipInvalid || invalid === 0;
}

function collectionProblems({ draft }: Ledger, service: ServiceFacts, most: number | null): Problem[] {
  const prompts = draft.collections();
  if (prompts === 0) return [];
  const place = { column: 'collection_method' };
  return [
    ...(service.asUser ? [] : [batchProblem('COLLECTION_NEEDS_USER', 'error', { prompts }, place)]),
    ...(most === null || prompts <= most
      ? []
      : [batchProblem('COLLECTION_PROMPTS', 'error', { prompts, most }, place)]),
  ];
}

/**
 * Takes the first of these names: `--batch`, the batch named in a result file, the batch that has all these rows; for a
 * new batch `--batch-if-new`, a digest. Many sheets number rows 1, 2, 3, so one row must also be alike in content.
 * Returns also the open batches with rows of a sheet that differs, because a person must then name the batch.
 */
export async function nameBatch(
  ledger: Ledger,
  { batch: asked, batchIfNew = null }: Pick<PlanOrder, 'batch' | 'batchIfNew'>,
  ownBatch: string | null,
): Promise<{ batch: string; named: Note | null; open: readonly DraftBatch[] }> {
  const { rows } = ledger.draft.counts();
  const shared = (asked ?? ownBatch) === null ? await ledger.versions.batchesOfDraft() : [];
  const whole = shared.find((one) => one.rows === rows);
  const isSame = whole?.same === rows && (await ledger.versions.gapsOfDraft(whole.batch)).lacks === 0;
  const open = isSame ? [] : shared.filter((one) => one.open > 0);
  const own = ownBatch ?? whole?.batch;
  if (asked === null && own !== undefined) return { batch: own, named: { note: 'batch-continues', batch: own }, open };
  return { batch: asked ?? batchIfNew ?? `b-${shortDigest(ledger.draft.digest())}`, named: null, open };
}

const unnamed = (open: readonly DraftBatch[], order: PlanOrder, signs: Signing) =>
  someOf(open, ({ batch, alike: rows }) => {
    return { batch, rows, command: sheetAction(order, { batch, signs }, { add: order.add, drop: order.drop }) };
  });

async function endedBatch(ledger: Ledger, known: BatchFacts | null, comparison: Comparison): Promise<Plan['ended']> {
  const { added, corrected, changedAfterSending } = comparison;
  if (known === null || added + corrected.length + changedAfterSending.length > 0) return null;
  // Counts as for an addition, because this plan closes no row.
  const counts = await ledger.versions.countsWithDraft(known.name, true);
  const lines = counts.filter((line) => wordOfRow(line) !== 'closed');
  const ends = ['succeeded', 'expired', 'refused'];
  if (!lines.every(({ state }) => ends.includes(state))) return null;
  const documents = await ledger.documents.documentCounts(known.name);
  if (documents.due + documents.in_doubt + documents.uploading > 0) return null;
  const at = await ledger.rows.lastSent(known.name);
  return { at, allPaid: lines.every(({ state }) => state === 'succeeded') };
}

export const ofNewest = ({ batch, newest }: Plan) => ({ batch, newest: newest! });

const moneyOfTotals = (totals: readonly DraftTotal[]) =>
  totals.map(({ amount, unit, currency }) => ({ amount: String(amount), unit, currency }));

/** Throws if the sheet may not become the batch's next version. */
export function refuseVersion(plan: Plan, order: PlanOrder, said: VersionOrder): void {
  const { comparison, batch } = plan;
  const why = comparison.known ? whyNoVersion(comparison, said) : null;
  if (order.isPlan && plan.head > (order.base ?? plan.head)) {
    const conflict = conflictOf(plan, order, planAction(order, plan));
    const { paid, rows, dropped } = conflict;
    // New rows alone undo nothing.
    if (paid.total + rows.total + dropped.total > 0) throw new PayrunError('VERSION_CONFLICT', conflict);
  }
  if (why !== null) throw refusals[why](plan, order);
  const to = { batch: order.batch ?? (plan.named && batch), command: { action: 'list-batches' } } as const;
  if (!comparison.known && isAddition(order)) throw new PayrunError('NOTHING_TO_ADD_TO', to);
}

/** Names what the sheet does to the newest version of its batch. */
export function conflictOf(plan: Plan, order: PlanOrder, command: ActionNamed) {
  const { head, comparison } = plan;
  const { corrected, invalidUnsent, returning, added } = comparison;
  const paid = changesOfPaid(comparison);
  const rows = changesAndMistakes([...corrected, ...returning], invalidUnsent);
  const dropped = isAddition(order) ? { shown: [], total: 0 } : plan.dropped;
  return { ...ofNewest(plan), head, paid, rows, dropped, added, command };
}

/** Submits the sheet again with the same command, for a plan or for a run. */
export function sheetAction(
  order: PlanOrder,
  to: Planning,
  flags: Pick<PlanOrder, 'add'> & { drop?: boolean },
): ActionNamed {
  const { file, repeated: options, isPlan } = order;
  if (isPlan) return planAction({ ...order, drop: false, ...flags }, to);
  return { action: 'run-sheet', file, batch: to.batch, ...flags, why: null, options } as const;
}
type Planning = Pick<ActionOf<'plan-sheet'>, 'batch' | 'signs'>;
export const planAction = (order: PlanOrder, { batch, signs }: Planning): ActionOf<'plan-sheet'> => {
  const { file, repeated: options, retry = [] } = order;
  const { add, drop } = retry.length === 0 ? order : { add: false, drop: false };
  return { action: 'plan-sheet', file, batch, add, drop, signs, retry, why: null, options };
};
const wholeList = { add: true, drop: true };

/** A changed row that also returns counts once. */
function changesAndMistakes(
  changed: readonly Parameters<typeof changedRow>[0][],
  mistakes: readonly { number: number }[],
) {
  const rows: RowChanges[] = [...changed.map(changedRow), ...mistakes.map(({ number: row }) => ({ row, changes: [] }))];
  return someOf([...new Map(rows.map((one) => [one.row, one])).values()], (one) => one);
}

const changesOfPaid = ({ changedAfterSending, invalidSent }: Comparison) =>
  changesAndMistakes(changedAfterSending, invalidSent);

const refusals: Readonly<Record<VersionRefusal, (plan: Plan, order: PlanOrder) => PayrunError>> = {
  'changes-paid': (plan, order) =>
    new PayrunError('SENT_ROWS_CHANGED', {
      ...ofNewest(plan),
      rows: changesOfPaid(plan.comparison),
      unsent: plan.unsent,
      again: sheetAction(order, plan, order),
      command: resumeOf(plan.batch),
    }),
  'gives-back': (plan, order) => {
    const rows = someOf(plan.comparison.returning, changedRow);
    const command = planAction(order, plan);
    return rowsClosed(plan, order) ?? new PayrunError('OLDER_VERSION', { ...ofNewest(plan), rows, command });
  },
  'add-changes': (plan, order) => {
    const { corrected, invalidUnsent } = plan.comparison;
    return new PayrunError('ADDITION_CHANGES_ROWS', {
      ...ofNewest(plan),
      rows: changesAndMistakes(corrected, invalidUnsent),
      command: sheetAction(order, plan, wholeList),
    });
  },
  'add-ends': (plan, order) => {
    const { batch, comparison } = plan;
    const command = sheetAction(order, plan, wholeList);
    return new PayrunError('ADDITION_ENDS_MISTAKES', { batch, lines: comparison.loose, command });
  },
  adds: (plan, order) => {
    const { comparison, duplicates, dropped } = plan;
    const { sent, added, addedTotals, rows } = comparison;
    const missing = rows['may be paid'].missing + dropped.total;
    const mayAdd = whyNoVersion(comparison, { add: true, drop: false, isPlanned: true }) === null;
    return new PayrunError('ROWS_ADDED', {
      ...ofNewest(plan),
      sent,
      added,
      money: moneyOfTotals(addedTotals),
      missing,
      dropped,
      held: someOf(duplicates.filter(isHeld), likeSentOf),
      addition: mayAdd ? sheetAction(order, plan, { add: true }) : null,
      command: sheetAction(order, plan, wholeList),
    });
  },
  drops: (plan, order) =>
    new PayrunError('ROWS_DROPPED', {
      ...ofNewest(plan),
      rows: plan.dropped,
      money: moneyOfTotals(plan.comparison.droppedTotals),
      command: sheetAction(order, plan, { add: order.add, drop: true }),
    }),
};

function rowsClosed(plan: Plan, order: PlanOrder): PayrunError | null {
  const { closed, reopen, comparison, unsent, dropped } = plan;
  const { added, addedTotals } = comparison;
  if (reopen === null) return null;
  // The printed steps accept new rows, so that no second refusal follows. They close no other row.
  const isMore = added > 0 && comparison.hasSent && dropped.total === 0;
  const next = isMore ? { ...order, ...wholeList } : order;
  const hasOthers = unsent + added + withEffect(comparison, 'changes') > 0;
  return new PayrunError('ROWS_CLOSED', {
    reopen,
    others: hasOthers ? sheetAction(next, plan, next) : null,
    added: isMore ? moneyOfTotals(addedTotals) : [],
    rows: someOf(closed, ({ number, by, why }) => ({ row: number, by, why })),
  });
}

/** Throws if the batch was fully paid more than a day ago, since the sheet may be meant for another month. */
export function refuseEnded({ ended, batch }: Plan, now: number): void {
  const refusal = ended?.allPaid ? endedRefusal(ended.at, batch, now) : null;
  if (refusal !== null) throw refusal;
}

/** Returns null before a payment and within a day after it, because a person may repeat the same command. */
export function endedRefusal(paidAt: number | null, batch: string, now: number): PayrunError | null {
  if (paidAt === null || now - paidAt <= dayMs) return null;
  return new PayrunError('BATCH_PAID', { batch, paidAt });
}
