/** Reconciling: a pass over the service's payments says what became of rows that are not known, and what was paid already (design 4.4). */
import { isoTime } from '../base/clock.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { counted } from '../base/words.ts';
import { CallFailure, type ReadPayment, readPayment } from '../client/client.ts';
import { elapsedMs, judgeMissing, type Moment, momentText, readMoment } from '../domain/doubt.ts';
import { paymentEnd } from '../domain/payment.ts';
import { foldTag, isTag, tagOf } from '../domain/tag.ts';
import {
  type BatchFacts,
  type LedgerRow,
  type Move,
  mayMoveRow,
  type RowState,
  type SeenPayment,
  type Sighting,
} from '../ledger/ledger.ts';
import type { Deps } from './deps.ts';

export interface Pass {
  /** When it began. */
  readonly began: Moment;
  readonly pages: number;
  readonly payments: number;
  /** Why it proves no absence; null for a complete pass. */
  readonly incomplete: string | null;
}

export interface PassFacts extends Pass {
  /** Rows whose payment was there already: made by a run that died, or by another ledger. */
  readonly adopted: number;
  /** Until when another ledger, whose payment was adopted, may still be at work (milliseconds since 1970); null if none is. */
  readonly othersUntil: number | null;
  /** Rows whose tag stands on a payment with other content. */
  readonly conflicts: number;
  /** Rows with two payments. */
  readonly doubles: number;
  /** Rows in doubt that are proven absent by now. */
  readonly absent: number;
  /** Of these, the ones that may be sent again without a person's word. */
  readonly released: number;
}

/** Payments that this identity had accepted so long ago must still be listed, or the list is not whole. */
const knownForMs = 35 * 24 * 60 * 60 * 1000;
/** How many tags above the highest one found are looked for. */
const revisionsAbove = 3;

/** One pass, and all that it says of the batch and of every other row that it shows. Throws only where nothing could be read. */
export async function reconcile(deps: Deps, batch: BatchFacts, during: 'rest' | 'paying' = 'rest'): Promise<PassFacts> {
  const { ledger } = deps;
  const pass = await readPass(deps);
  const found = await settleSightings(deps, batch, pass);
  const missed = pass.incomplete === null ? await settleMissing(deps, batch, pass, during) : { absent: 0, released: 0 };
  if (pass.incomplete !== null) await tellUnfound(deps, batch, pass);
  const facts = { ...pass, ...found, ...missed };
  const { began, pages, payments, incomplete, ...outcome } = facts;
  const at = { began: isoTime(began.wall), pages, payments, incomplete };
  await ledger.record({ batch: batch.name, row: null, what: 'pass', data: { ...at, ...outcome } });
  return facts;
}

/** Two payments for one row: nothing more is sent before a person has looked at them. */
export function paidTwice(rows: number): PayrunError {
  const what = rows === 1 ? 'A row of this ledger has' : `${rows} rows of this ledger have`;
  return new PayrunError('PAID_TWICE', {
    detail: `${what} two payments at the service. Nothing more is sent; ask the service to stop or return one of each.`,
  });
}

/** A payment that somebody else made a moment ago: whoever it was may be in the middle of the same sheet. */
export function refuseOthers({ adopted, conflicts, othersUntil }: PassFacts): void {
  if (othersUntil === null) return;
  throw new PayrunError('OTHER_LEDGER', {
    detail: `${counted(adopted + conflicts, 'row')} of this ledger ${adopted + conflicts === 1 ? 'was' : 'were'} already paid from elsewhere`,
    until: isoTime(othersUntil),
  });
}

export function momentNow({ clock, client }: Deps): Moment {
  const { boot, ms } = clock.uptime();
  return { wall: clock.now(), service: client.serviceTime(), boot, uptime: ms };
}

/** GET /payments to its null marker. Complete only if it holds every payment that we know to be there. */
async function readPass(deps: Deps): Promise<Pass> {
  const { ledger, client, service, limits } = deps;
  const began = momentNow(deps);
  let pages = 0;
  let payments = 0;
  let unreadable = 0;
  ledger.passes.begin();
  try {
    for await (const items of client.payments()) {
      pages += 1;
      payments += items.length;
      const seen: SeenPayment[] = [];
      for (const item of items) {
        const payment = readPayment(item);
        if (payment !== null) seen.push(seenPayment(payment));
        else if (bearsOurTag(item)) unreadable += 1;
      }
      ledger.passes.add(seen);
      deps.progress({ stage: 'reconciling', done: payments, total: null });
    }
    await readTags(deps);
  } catch (error) {
    if (!(error instanceof CallFailure) && !(error instanceof PayrunError && error.code === 'SERVICE_ANSWER'))
      throw error;
    return { began, pages, payments, incomplete: wordsOf(error) };
  }
  const before = began.wall - limits.doubt.visibleMs;
  const [missing, ...others] = ledger.passes
    .missing(service.identity, began.wall - knownForMs, before)
    .filter(({ listed, seenTag }) => !listed || seenTag !== null);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const incomplete =
    unreadable > 0
      ? `${unreadable} of its items bear tags of ours and no id`
      : missing === undefined
        ? null
        : missing.listed
          ? `payment ${missing.paymentId} of ours is listed with the tag '${missing.seenTag}' instead of '${missing.tag}'${more}`
          : `it lacks payment ${missing.paymentId}, which the service accepted on ${isoTime(missing.submittedAt)}${more}`;
  return { began, pages, payments, incomplete };
}

/** Foreign items may have any shape; one of ours must be readable. */
function bearsOurTag(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'tag' in item && isTag(foldTag(item.tag));
}

/** A list whose items bear no tags is made up for by reading those that could be a row's one by one. */
async function readTags({ ledger, client, service }: Deps): Promise<void> {
  for (const id of ledger.passes.tagless(service.identity)) {
    const payment = await client.payment(id);
    ledger.passes.tell(id, foldTag(payment?.tag));
  }
}

export function seenPayment(payment: ReadPayment): SeenPayment {
  const at = Date.parse(payment.date ?? '');
  return {
    id: payment.id,
    tag: foldTag(payment.tag),
    merchantId: payment.merchantId ?? null,
    amount: Number.isSafeInteger(payment.amount) ? (payment.amount ?? null) : null,
    reference: payment.reference ?? null,
    status: payment.status ?? null,
    ending: paymentEnd(payment.status ?? null),
    at: Number.isNaN(at) ? null : at,
  };
}

async function settleSightings(
  deps: Deps,
  batch: BatchFacts,
  pass: Pass,
): Promise<Pick<PassFacts, 'adopted' | 'othersUntil' | 'conflicts' | 'doubles'>> {
  const { ledger, clock, service, limits } = deps;
  const now = clock.now();
  let adopted = 0;
  let conflicts = 0;
  let doubles = 0;
  let othersUntil: number | null = null;
  const quiet = new Map<string, number>();
  for (const sighting of merged(ledger.passes.sightings(service.identity), await unknownRevisions(deps, batch))) {
    const moves = await ownedBy(deps, sighting, movesFor(sighting, now));
    const last = moves.at(-1);
    if (last === undefined) continue;
    const evidence = `Found under its tag in ${readingWords(pass)}.`;
    await ledger.moveAll(moves.map((move) => ({ ...move, evidence })));
    if (last.to === 'duplicate_paid') doubles += 1;
    else if (last.to === 'held') conflicts += 1;
    else if (moves.some(({ to }) => to === 'accepted')) adopted += 1;
    else continue;
    const { row, seen } = sighting;
    const madeAt = seen.at(-1)?.payment.at ?? now;
    // Its sender may have been idle since: a whole horizon from now on must show nothing more.
    const horizonMs = limits.doubt.deadlineMs + limits.doubt.horizonMs;
    const until = madeAt + 2 * horizonMs > now ? Math.max(madeAt + 2 * horizonMs, now + horizonMs) : now;
    // Of a row that was never tried, or only turned away, nothing ever left from here: whoever sent it, with this content or
    // another, may be sending still.
    if ((row.attempts > 0 && row.state !== 'ready') || until <= now) continue;
    othersUntil = Math.max(othersUntil ?? 0, until);
    for (const name of [row.batch, batch.name]) quiet.set(name, Math.max(quiet.get(name) ?? 0, until));
  }
  // Whichever command saw it: the next run finds nothing to adopt, and must wait all the same.
  for (const [name, until] of quiet)
    if (until > ((await ledger.batch(name))?.quietUntil ?? 0)) await ledger.keepQuiet(name, until);
  return { adopted, othersUntil, conflicts, doubles };
}

/** A service that once named this payment for another row has confused the two: a person has to look, and nothing is sent. */
async function ownedBy({ ledger }: Deps, { row }: Sighting, moves: readonly Move[]): Promise<readonly Move[]> {
  for (const { paymentId } of moves) {
    const owner = paymentId === undefined || paymentId === row.paymentId ? null : await ledger.rowByPayment(paymentId);
    if (owner === null || owner.id === row.id) continue;
    if (!mayMoveRow(row.state, 'held') || row.state === 'held') return [];
    const reason = `Payment ${paymentId} bears this row's tag, but the service named it as that of row ${owner.key} of batch ${owner.batch}. Ask the service which of the two it pays.`;
    return [{ row, from: row.state, to: 'held', reason, data: { payments: [paymentId] } }];
  }
  return moves;
}

/** What an auditor wants to know of a pass. */
function readingWords({ began, pages, payments, incomplete }: Pass): string {
  const whole = incomplete === null ? 'a complete reading' : 'a reading';
  return `${whole} of the service's payments, begun on ${isoTime(began.wall)} (${counted(payments, 'payment')} on ${counted(pages, 'page')})`;
}

/** Payments under tags of ours that this ledger never made: revisions of the batch's rows that a lost ledger sent. */
async function unknownRevisions({ ledger }: Deps, batch: BatchFacts): Promise<Sighting[]> {
  const strangers = new Map<string, SeenPayment[]>();
  for (const payment of ledger.passes.strangers())
    if (payment.tag !== null) strangers.set(payment.tag, [...(strangers.get(payment.tag) ?? []), payment]);
  if (strangers.size === 0) return [];
  const found: Sighting[] = [];
  for (let afterId = 0; ; ) {
    const rows = await ledger.rows({ batch: batch.name, afterId, limit: 500 });
    const last = rows.at(-1);
    if (last === undefined) return found;
    afterId = last.id;
    for (const row of rows) {
      const seen: { revision: number; payment: SeenPayment }[] = [];
      let highest = row.revision;
      for (let revision = 0; revision <= highest + revisionsAbove; revision += 1)
        for (const payment of strangers.get(tagOf(batch.tagScope, batch.name, row.key, revision)) ?? []) {
          seen.push({ revision, payment });
          highest = Math.max(highest, revision);
        }
      if (seen.length > 0) found.push({ row, seen });
    }
  }
}

function merged(known: readonly Sighting[], unknown: readonly Sighting[]): Sighting[] {
  const byRow = new Map(known.map((sighting) => [sighting.row.id, sighting]));
  for (const { row, seen } of unknown) byRow.set(row.id, { row, seen: [...(byRow.get(row.id)?.seen ?? []), ...seen] });
  return [...byRow.values()].map(({ row, seen }) => ({
    row,
    seen: seen.toSorted((a, b) => a.revision - b.revision),
  }));
}

const adoptable: readonly RowState[] = ['ready', 'in_doubt', 'absent', 'held', 'refused'];
const paidOrPending: readonly RowState[] = ['accepted', 'succeeded'];

/** What the payments under a row's tags mean for the row: pure, so that every case can be seen in a table. */
export function movesFor({ row, seen }: Sighting, now: number): Move[] {
  const living = seen.filter(({ payment }) => payment.ending !== 'expired');
  const ids = seen.map(({ payment }) => payment.id);
  const alive = new Set(living.map(({ payment }) => payment.id));
  if (row.paymentId !== null && paidOrPending.includes(row.state) && !ids.includes(row.paymentId))
    alive.add(row.paymentId);
  if (row.state === 'duplicate_paid') return endedTwice(row, seen, now);
  if (paidOrPending.includes(row.state)) return alive.size > 1 ? [twice(row, [...alive])] : [];
  if (row.state === 'expired') {
    if (alive.size > 1) return [twice(row, [...alive])];
    const [only] = living;
    if (only === undefined) return [];
    // An earlier revision paid what the row said then: whatever it says now, it is not unpaid.
    if (only.revision >= row.revision && !agrees(row, only.payment)) return [];
    return [only.payment.ending === 'success' ? succeeded(row, only, now) : adoption(row, only, now)];
  }
  // Of what has expired only the row's own revision, or a later one that a lost ledger sent, says where the row stands.
  const expired = seen.filter(({ revision, payment }) => payment.ending === 'expired' && revision >= row.revision);
  const chosen = living.at(-1) ?? expired.at(-1);
  if (chosen === undefined) return [];
  // Without a merchant to compare with, a living payment is a doubt that only a person can end.
  if (row.state === 'planned') return living.length === 0 ? [] : [held(row, chosen.payment, ids)];
  if (!adoptable.includes(row.state)) return [];
  if (!agrees(row, chosen.payment)) {
    // What has expired pays nothing, whatever it would have paid.
    const harmless = chosen.payment.ending === 'expired' || row.state === 'held' || row.state === 'refused';
    return harmless ? [] : [held(row, chosen.payment, ids)];
  }
  const accepted = adoption(row, chosen, now);
  return alive.size > 1 ? [accepted, twice({ ...row, state: 'accepted' }, [...alive])] : [accepted];
}

function adoption(row: LedgerRow, { payment, revision }: Sighting['seen'][number], now: number): Move {
  return {
    row,
    from: row.state,
    to: 'accepted',
    paymentId: payment.id,
    // By the service's date: a payment that another ledger made counts from then (design 4.1).
    submittedAt: payment.at ?? now,
    acceptedAt: now,
    ...(payment.status ? { paymentStatus: payment.status } : {}),
    ...(revision === row.revision || payment.tag === null ? {} : { revision, tag: payment.tag }),
    missed: null,
    reason: null,
    data: { found: 'by its tag in the list of payments' },
  };
}

/** The same money to the same payee; a service may leave a field out of its list, and then it says nothing against it. */
export function agrees(row: LedgerRow, payment: SeenPayment): boolean {
  const sameMerchant = payment.merchantId === null || payment.merchantId === row.merchantId;
  const sameAmount = payment.amount === null || payment.amount === row.amount;
  const reference = (JSON.parse(row.content) as { reference: string }).reference;
  const sameReference = payment.reference === null || payment.reference === reference;
  return sameMerchant && sameAmount && sameReference;
}

function held(row: LedgerRow, payment: SeenPayment, ids: readonly string[]): Move {
  return {
    row,
    from: row.state,
    to: 'held',
    reason: `Payment ${payment.id} bears this row's tag, but ${row.merchantId === null ? "its merchant is not known to be the row's" : 'pays another merchant, amount or reference'}. Nothing is sent for the row until a person has looked at it.`,
    data: { payments: ids },
  };
}

function twice(row: LedgerRow, ids: readonly string[]): Move {
  return {
    row,
    from: row.state,
    to: 'duplicate_paid',
    reason: `The service has ${ids.length} payments for this row: ${ids.join(', ')}. Ask the service to stop or return one of them.`,
    data: { payments: ids },
  };
}

function succeeded(row: LedgerRow, { payment, revision }: Sighting['seen'][number], now: number): Move {
  return {
    ...(revision === row.revision || payment.tag === null ? {} : { revision, tag: payment.tag }),
    row,
    from: row.state,
    to: 'succeeded',
    paymentId: payment.id,
    paymentStatus: payment.status ?? '',
    settledAt: now,
    reason: 'The payment had expired, and was paid out after all.',
  };
}

/** Two payments of which at most one is left alive are no double any more. */
function endedTwice(row: LedgerRow, seen: Sighting['seen'], now: number): Move[] {
  const living = seen.filter(({ payment }) => payment.ending !== 'expired');
  const [only] = living;
  if (seen.length < 2 || living.length > 1) return [];
  const end = { row, from: row.state, settledAt: now, data: { payments: seen.map(({ payment }) => payment.id) } };
  if (only === undefined) return [{ ...end, to: 'expired', reason: 'The payment expired: it was never paid out.' }];
  return only.payment.ending === 'success'
    ? [{ ...end, to: 'succeeded', paymentId: only.payment.id, paymentStatus: only.payment.status ?? '', reason: null }]
    : [];
}

/** Not found is not "not paid" until two complete passes after the horizon say so. */
async function settleMissing(
  deps: Deps,
  batch: BatchFacts,
  pass: Pass,
  during: 'rest' | 'paying',
): Promise<Pick<PassFacts, 'absent' | 'released'>> {
  const { ledger, limits, service } = deps;
  const { horizonMs, deadlineMs, confirmMs, policy } = limits.doubt;
  // What the newest sheet lacks is not sent, and so can never be the younger payment.
  const left = { batch: batch.name, sheet: batch.sheet.id, states: ['ready'], limit: 1 } as const;
  const rowsLeft = (await ledger.rows(left)).length > 0;
  let absent = 0;
  let released = 0;
  for await (const row of doubtfulRows(deps, batch)) {
    const sent = sentMomentOf(row);
    const end = deadlineMs + horizonMs;
    const witnessed = service.embedded || ledger.passes.holdsIntentAfter(service.identity, sent.wall + end);
    const judged = judgeMissing({
      elapsedMs: elapsedMs(sent, pass.began),
      horizonMs: end,
      sinceMissedMs: row.missed === null ? null : elapsedMs(readMoment(row.missed), pass.began),
      confirmMs,
      witnessed,
      rowsLeft,
    });
    // Where nothing can come late, one look is as good as two.
    const gone = judged === 'absent' || (judged === 'missed' && service.embedded);
    // A row that were let go while others are paid would be sent without another look: that is for the next run.
    if (gone && during === 'rest') {
      absent += 1;
      const proof = witnessed ? 'a younger payment of ours was listed' : 'twice the horizon had passed';
      const data = {
        firstPass: row.missed,
        pass: momentText(pass.began),
        pages: pass.pages,
        payments: pass.payments,
        proof,
      };
      const reason = `Sent on ${isoTime(sent.wall)}, and not among the service's payments in two complete readings after the horizon (the last on ${isoTime(pass.began.wall)}, ${pass.payments} payments; ${proof}).`;
      const first = row.missed === null ? '' : `, nor in one begun on ${isoTime(readMoment(row.missed).wall)}`;
      const evidence = `Not in ${readingWords(pass)}${first}; ${proof}.`;
      await ledger.move({ row, from: 'in_doubt', to: 'absent', reason, evidence, data });
      if (policy === 'resend' && (witnessed || service.embedded)) {
        released += 1;
        await ledger.move({
          row: { ...row, state: 'absent' },
          from: 'absent',
          to: 'ready',
          reason,
          missed: null,
          data: { policy },
        });
      }
    } else await ledger.note(row, missedNote(row, pass, gone || judged === 'missed'));
  }
  return { absent, released };
}

async function tellUnfound(deps: Deps, batch: BatchFacts, pass: Pass): Promise<void> {
  for await (const row of doubtfulRows(deps, batch)) await deps.ledger.note(row, missedNote(row, pass, false));
}

function missedNote(row: LedgerRow, pass: Pass, counts: boolean): { reason: string; missed?: string } {
  const reason = (row.reason ?? '').replace(/ Not among the .*$/, '');
  const looked = `Not among the payments (${pass.payments}) that the service listed on ${isoTime(pass.began.wall)}.`;
  return {
    reason: `${reason} ${looked} It may still come: do not pay it elsewhere.`,
    ...(counts && row.missed === null ? { missed: momentText(pass.began) } : {}),
  };
}

/** A row of an older ledger has only the wall clock's word. */
export function sentMomentOf(row: LedgerRow): Moment {
  return row.sentMoment === null
    ? { wall: row.submittedAt ?? 0, service: null, boot: '', uptime: 0 }
    : readMoment(row.sentMoment);
}

async function* doubtfulRows({ ledger }: Deps, batch: BatchFacts): AsyncIterable<LedgerRow> {
  for (let afterId = 0; ; ) {
    const rows = await ledger.rows({ batch: batch.name, states: ['in_doubt'], afterId, limit: 500 });
    const last = rows.at(-1);
    if (last === undefined) return;
    afterId = last.id;
    yield* rows;
  }
}
