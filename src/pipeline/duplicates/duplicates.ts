/** Finds rows that look like earlier payments, and holds them until a person decides. `domain/sending/match.ts` has the rules. */
import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { type LikeSent, type PaidCopy, type Signing, someOf } from '../../base/refusal.ts';
import type { ActionNamed, RepeatedOptions } from '../../domain/next-action.ts';
import type { NoteOf } from '../../domain/note.ts';
import { type BatchProblems, batchProblem } from '../../domain/problems/batch-problems.ts';
import { whyNoVersion } from '../../domain/rows/version-table.ts';
import { judgeMatch, type MatchDecision, type MatchFacts } from '../../domain/sending/match.ts';
import { because, type NearDifference, type ReasonOf, reasonOf, reasonsIn } from '../../domain/sending/reason.ts';
import {
  type BatchFacts,
  type FoundMatch,
  type Ledger,
  type LedgerRow,
  type LivingCopy,
  matchTimes,
} from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';

export type DuplicateWindow = Readonly<Record<'now' | 'windowDays', number>>;

export interface Duplicate extends FoundMatch {
  readonly decision: MatchDecision;
}

/** Returns the address of the service alone, because another key may belong to the same owner. */
export const addressOf = (identity: string): string => identity.split('|')[0] ?? identity;

export const windowOf = ({ clock, limits }: Pick<Deps, 'clock' | 'limits'>): DuplicateWindow => ({
  now: clock.now(),
  windowDays: limits.duplicatesWindow,
});

/** Returns the decision about each match: first the holds by the same payment, then those by a near one, then the warnings. */
export const decided = <Match extends MatchFacts>(found: readonly Match[], window: DuplicateWindow) =>
  found
    .flatMap((one) => {
      const judged = judgeMatch(one, window);
      if (judged === null) return [];
      const group = judged.decision === 'warning' ? 2 : one.differs === 'nothing' ? 0 : 1;
      return [{ ...one, ...judged, group }];
    })
    .sort((one, other) => one.group - other.group || one.line - other.line);

/** Keeps the first match of each row. `row` names the row: rows of two sheets of a batch may have the same number. */
export const firstOf = <Match>(found: readonly Match[], row: (one: Match) => number | null): Match[] =>
  Array.from(Map.groupBy(found, row).values(), ([one]) => one!);

const factsIn = (batch: string, found: readonly FoundMatch[]) =>
  found.map((one) => ({ ...one, isHere: one.batch === batch }));

/** `duplicates` has the first match of each row that looks paid or waits, and `doubt` the first row in doubt that holds one. */
export type DraftDuplicates = Readonly<{ duplicates: readonly Duplicate[]; doubt: Duplicate | null }>;

export async function duplicatesOfDraft(
  ledger: Ledger,
  { batch, identity, isAddition }: Readonly<Record<'batch' | 'identity', string>> & { readonly isAddition: boolean },
  window: DuplicateWindow,
): Promise<DraftDuplicates> {
  const times = matchTimes(identity, window.now);
  const found = await ledger.duplicates.matchesOfDraft(batch, isAddition, times);
  const judged = decided(factsIn(batch, found), window);
  const duplicates = firstOf(judged, ({ number }) => number);
  return { duplicates, doubt: judged.find((one) => isHeld(one) && one.standing === 'doubt') ?? null };
}

export async function duplicatesOfBatch(
  ledger: Ledger,
  { name, identity }: Pick<BatchFacts, 'name' | 'identity'>,
  window: DuplicateWindow,
): Promise<Duplicate[]> {
  const found = await ledger.duplicates.matchesOfRows(name, matchTimes(identity, window.now));
  return decided(factsIn(name, found), window);
}

export async function holdDuplicates(deps: Pick<Deps, 'ledger' | 'clock' | 'limits'>, batch: BatchFacts) {
  const holding = (await duplicatesOfBatch(deps.ledger, batch, windowOf(deps))).filter(isHeld);
  for (const [row, likes] of Map.groupBy(holding, (one) => one.payout!))
    await hold(deps.ledger, row, likes.map(looksPaidAs));
}

/** Holds an unsent row. If the row is held already, adds the payments that its reasons lack. */
export async function hold(ledger: Ledger, id: number, likes: readonly ReasonOf<'looks-paid'>[]): Promise<void> {
  const row = await ledger.rows.row(id);
  const known = likesIn(row);
  const fresh = likes.filter(({ name }) => !known.some((one) => one.name === name));
  const [first, ...others] = [...known, ...fresh];
  if (row === null || first === undefined || fresh.length === 0) return;
  const reason = because(first, ...others.map((one) => ({ ...one, kind: 'like-payment' as const })));
  if (known.length > 0) await ledger.rows.note(row, { reason });
  else if (['planned', 'ready'].includes(row.state))
    await ledger.rows.move({ row, from: row.state, to: 'withheld', reason });
}

/** Returns the payments for which the row is held. */
const likesIn = (row: LedgerRow | null) => reasonsIn(row?.reason ?? null).filter((one) => 'to' in one);

const looksPaidAs = (one: Duplicate): ReasonOf<'looks-paid'> => ({
  kind: 'looks-paid',
  to: { row: one.otherNumber, batch: one.batch, sentAt: one.sentAt },
  name: one.name,
  differs: differenceOf(one),
});

/** Returns how many milliseconds the service's clock is ahead of this machine's. The true value may be up to a second larger. */
export const leadOf = ({ client, clock }: Pick<Deps, 'client' | 'clock'>): number =>
  (client.serviceTime() ?? clock.now()) - clock.now();

/** Returns the names of the payments for which the row is held. */
export const namedIn = (row: LedgerRow): string[] => likesIn(row).flatMap(({ name }) => name ?? []);

/** Returns the names of all payments that a person's word about a held row allows: the ledger knows them, or they hold the row. */
export async function knownMatches({ ledger, clock }: Deps, batch: BatchFacts, row: LedgerRow): Promise<string[]> {
  const earlier: string[] = JSON.parse(row.allowed ?? '[]');
  const names = await ledger.duplicates.matchNames(batch.name, row.id, matchTimes(batch.identity, clock.now()));
  return [...new Set([...earlier, ...names, ...namedIn(row)])];
}

export function differenceOf(
  match: Pick<FoundMatch, 'differs' | 'amount' | 'currency' | 'reference'>,
): NearDifference | null {
  const { differs: what, amount, currency, reference } = match;
  if (what === 'nothing') return null;
  if (what === 'account') return { what };
  return what === 'amount' ? { what, amount, currency } : { what, reference };
}

export const isHeld = ({ decision }: Duplicate) => decision === 'hold';

type LooksPaid = BatchProblems['LOOKS_PAID'];

export const effectOf = (one: Duplicate): LooksPaid['effect'] => (isHeld(one) ? 'holds' : 'pays');

export function duplicateProblem(one: Duplicate, effect: LooksPaid['effect']): Problem {
  const { number, otherNumber: row, batch, sentAt, differs, amount, currency } = one;
  if (one.standing === 'waits' && !isHeld(one))
    return batchProblem('LOOKS_WAITING', 'warning', { row, batch, differs, amount, currency }, { row: number });
  const facts = { row, batch, sentAt, differs: differenceOf(one), effect };
  return batchProblem('LOOKS_PAID', 'warning', facts, { row: number });
}

/** The most rows that get a note of their own. If more rows look paid, none gets one. */
const mostNoted = 1000;

/** Stores each warning with its row, because some people read only the result. */
export async function keepWarnings(ledger: Ledger, batch: BatchFacts, problems: readonly Problem[]): Promise<void> {
  const warned = problems.filter(({ code }) => code === 'LOOKS_PAID');
  if (warned.length > mostNoted) return;
  for (const { row: number, facts } of warned) {
    const [listed] = await ledger.rows.rowsByNumber(batch.name, batch.sheet.id, Number(number) - 1, 1);
    const row = listed === undefined ? null : await ledger.rows.row(listed.id);
    const { row: sentRow, batch: sentBatch, sentAt, differs } = facts as LooksPaid;
    const evidence = because({ kind: 'like-payment', to: { row: sentRow, batch: sentBatch, sentAt }, differs });
    if (row !== null && row.evidence !== evidence) await ledger.rows.note(row, { evidence });
  }
}

interface PaidSheetOrder {
  readonly isPlan?: boolean;
  readonly confirmRepeat: string | null;
  readonly file: string;
  readonly repeated: RepeatedOptions;
}

/**
 * Throws if at least two rows of a new batch, and more than half of its rows, look paid. A person's reason permits them,
 * unless one is like a row in doubt.
 */
export async function refusePaidSheet(
  { ledger }: Pick<Deps, 'ledger'>,
  { batch: own, duplicates, doubt, signs }: DraftDuplicates & Readonly<{ batch: string; signs: Signing }>,
  { confirmRepeat, file, isPlan, repeated: options }: PaidSheetOrder,
): Promise<void> {
  const { rows } = ledger.draft.counts();
  const held = duplicates.filter(isHeld);
  if (confirmRepeat === null && (held.length < 2 || held.length * 2 <= rows)) return;
  if (doubt !== null) {
    const { number: row, otherNumber, batch } = doubt;
    throw new PayrunError('REPEATS_A_DOUBT', { row, other: String(otherNumber), batch, next: reconcileOf(batch) });
  }
  if (confirmRepeat !== null) return;
  const byBatch = [...Map.groupBy(held, ({ batch }) => batch)].toSorted(([, a], [, b]) => b.length - a.length);
  const batch = byBatch[0]?.[0] ?? '';
  const change = await ledger.versions.compare(batch);
  const mayAdd = change.added > 0 && whyNoVersion(change, { add: true, drop: false, isPlanned: false }) === null;
  const added = { file, batch, add: true, why: null, options } as const;
  const adding: ActionNamed =
    isPlan === true || signs !== 'no'
      ? { action: 'plan-sheet', ...added, signs, retry: [] }
      : { action: 'run-sheet', ...added };
  // A plan shows each row, because a wrong step here pays the whole sheet again.
  const command: ActionNamed = { action: 'repeat-sheet', file, batch: own, signs, options };
  throw new PayrunError('SHEET_LOOKS_PAID', {
    batch,
    held: held.length,
    of: rows,
    rows: someOf(held, likeSentOf),
    addition: mayAdd ? adding : null,
    command,
  });
}

export function likeSentOf(one: Duplicate): LikeSent {
  const { number: row, batch, otherNumber: sentRow, sentAt } = one;
  return { row, batch, sentRow, sentAt, differs: differenceOf(one) };
}

const reconcileOf = (batch: string): ActionNamed => ({ action: 'reconcile', batch, doubt: null });

export function paidCopy({ row, copy }: LivingCopy): PaidCopy {
  const facts = ({ number, batch, paymentId, paidAmount, amount, unit, currency, reason }: LedgerRow) => {
    const held = reasonOf(reason, 'payment-differs');
    const paid = held?.differences?.find(({ what }) => what === 'amount')?.found ?? paidAmount ?? amount;
    return { number, batch, payment: paymentId ?? held?.paymentId ?? null, amount: String(paid), unit, currency };
  };
  return { row: facts(row), copy: copy.id === row.id ? null : facts(copy) };
}

export const copyNote = (living: LivingCopy): NoteOf<'payee-paid-twice'> => ({
  note: 'payee-paid-twice',
  ...paidCopy(living),
});

/** Maps the ids of rows to their paid copies. A row and its copy get the same entry. */
export async function copiesByRow(ledger: Ledger, batch: string): Promise<ReadonlyMap<number, readonly PaidCopy[]>> {
  const copies = new Map<number, readonly PaidCopy[]>();
  for (const one of await ledger.duplicates.livingCopies(batch))
    for (const { id } of [one.row, one.copy]) copies.set(id, [...(copies.get(id) ?? []), paidCopy(one)]);
  return copies;
}
