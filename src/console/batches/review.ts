/** Reads from the plan's own file what an approver should see before signing. */
import { createHash } from 'node:crypto';
import { isoTime } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import type { FoundProblem } from '../../base/problem.ts';
import type { Each, Words } from '../../base/words.ts';
import type { Note } from '../../domain/note.ts';
import type { BatchProblems } from '../../domain/problems/batch-problems.ts';
import { type Eyes, factsFor } from '../../domain/problems/masked-facts.ts';
import { changesOf } from '../../domain/rows/content-changes.ts';
import { contentOf } from '../../domain/rows/digest.ts';
import { sentStates } from '../../domain/rows/row-states.ts';
import { type Ledger, readClosed } from '../../ledger/ledger.ts';
import { droppedWords } from '../../messages/duplicates.ts';
import { faultOnPage } from '../../messages/faults/fault-words.ts';
import { moneyOf } from '../../messages/format/numbers.ts';
import { unpaidWords } from '../../messages/problems/repeat-problems.ts';
import { problemWords } from '../../messages/problems.ts';
import { reasonWords } from '../../messages/reasons.ts';
import { changesWords } from '../../messages/refusals/batch-refusals.ts';
import { closingWords } from '../../messages/row-reasons.ts';
import { reviewWords } from '../../messages/web/review.ts';
import { approvalStanding } from '../../pipeline/plans/approved.ts';
import { shownIdentity } from '../../pipeline/plans/plan.ts';
import { digestWords, openPlan, type PlanRow, rowOfPlan } from '../../pipeline/plans/plan-file.ts';
import { glanceAt, payeeDestination, termNotes } from '../../pipeline/plans/plan-page.ts';
import type { Review, SheetTotal } from '../api.ts';
import type { PlanFacts } from '../drafts/sheet-records.ts';
import { refusedBy } from '../http/route.ts';

const shownPayees = 500;
const shownWarnings = 500;
const mostKept = 10_000;

const kinds: Readonly<Record<string, Review['payees'][number]['kind']>> = {
  PAYEE_CHANGED: 'changed',
  PAYEE_TWICE: 'changed',
  PAYEE_KNOWN_OTHERWISE: 'shared',
  PAYEE_SHARES: 'shared',
  PAYEE_ELSEWHERE: 'elsewhere',
  PAYEE_NEW: 'new',
};
const order = ['changed', 'shared', 'elsewhere', 'new'] as const;

export type Reviewed = Omit<Review, Words<'declined declinedBefore whyNot mayEnd stops notes reading'>> &
  Each<'terms approvalNotes', readonly Note[]>;

export type ReviewAsked = Pick<PlanFacts, 'path' | 'retry'> & Readonly<{ policy: string; now: number; eyes: Eyes }>;

/** `retry` is the request to send unpaid rows again; null for none. */
export async function reviewOf(ledger: Ledger, { path, policy, now, retry, eyes }: ReviewAsked): Promise<Reviewed> {
  const see = <T>(facts: T) => factsFor(eyes, facts);
  const shown = (problem: FoundProblem) => problemWords(see(problem), 'page');
  const payeeLine = (row: PlanRow) => ({ row: row.row, name: row.name, destination: payeeDestination(see(row)) });
  const goes = ({ standing }: PlanRow) => standing === 'not sent';
  let [rowsToSend, lookedUp] = [0, 0];
  const standings = new Map<PlanRow['standing'], number>();
  const corrected: Review['corrected'][number][] = [];
  let correctedRows = 0;
  const plan = await openPlan(path);
  const { head } = plan;
  const isKnown = (await ledger.batches.batch(head.batch)) !== null;
  const unpaid = new Map<number, Unpaid>();
  const tried: NonNullable<Review['again']>['rows'][number][] = [];
  const madeAt = Date.parse(head.made_at);
  const closed = new Set<number>();
  const odd = new Map<number, { kind: Review['payees'][number]['kind']; words: string }[]>();
  const made = new Map<number, { kind: Review['payees'][number]['kind']; words: string }>();
  // True if the ledger was empty when the plan was made. Every payee is then new.
  let allNew = (await ledger.batches.list()).every(({ createdAt }) => createdAt > madeAt);
  let payeeRows = 0;
  const warnings: Review['warnings'][number][] = [];
  let warningsTotal = 0;
  const repeats: Review['repeats'][number][] = [];
  const repeatWords = new Map<number, string[]>();
  const files = new Set<string>();
  let rowsWithFiles = 0;
  let repeatsTotal = 0;
  const totals = openSums();
  const heldTotals = openSums();
  const isHeld = ({ standing }: PlanRow) => standing === 'held';
  const whyHeld = ({ row }: PlanRow) => {
    if (odd.get(row)?.some(({ kind }) => kind === 'changed') === true) return reviewWords.accountChanged;
    return repeatWords.has(row) ? reviewWords.looksPaid : reviewWords.waits;
  };
  const rowsAre = createHash('sha256');
  /** By payee: the merchant entry of the first row counts for all rows of the payee. */
  const madeAs = new Map<string, { kind: Review['payees'][number]['kind']; words: string }>();
  const held: Review['held'][number][] = [];
  const payees: Review['payees'][number][] = [];
  for await (const { kind, line } of plan.lines()) {
    // The plan lists merchants and warnings before its rows.
    if (kind === 'merchants') {
      const { action, row, service_name: known, name } = line;
      if (action === 'create') made.set(row, { kind: 'new', words: reviewWords.unknownToService });
      if (action === 'rename') made.set(row, { kind: 'changed', words: reviewWords.renamed(see(known), see(name)) });
      if (action === 'unclear') made.set(row, { kind: 'shared', words: reviewWords.several });
      continue;
    }
    if (kind === 'warnings') {
      if (line.code === 'LOOKS_PAID' && line.row !== null) {
        repeatWords.set(line.row, [...(repeatWords.get(line.row) ?? []), shown(line)]);
        continue;
      }
      if (line.code === 'ROW_UNPAID' && line.row !== null) {
        unpaid.set(line.row, see(line.facts as Unpaid));
        continue;
      }
      if (line.code === 'ROW_CLOSED' && line.row !== null) closed.add(line.row);
      if (kinds[line.code] === undefined || line.row === null) {
        if (line.code === 'PAYEE_NEW') allNew = true;
        warningsTotal += 1;
        if (warnings.length < shownWarnings) warnings.push({ row: line.row, code: line.code, message: shown(line) });
        continue;
      }
      odd.set(line.row, [...(odd.get(line.row) ?? []), { kind: kinds[line.code] ?? 'new', words: shown(line) }]);
    }
    if (kind !== 'rows') continue;
    rowsAre.update(`${JSON.stringify(line)}\n`);
    if (!goes(line) && !isHeld(line)) {
      standings.set(line.standing, (standings.get(line.standing) ?? 0) + 1);
      continue;
    }
    for (const { name, sha256 } of line.documents) files.add(`${sha256} ${name}`);
    if (line.documents.length > 0) rowsWithFiles += 1;
    for (const words of repeatWords.get(line.row) ?? []) {
      repeatsTotal += 1;
      if (repeats.length < shownWarnings) repeats.push({ ...rowOf(line), words });
    }
    lookedUp += 1;
    const before = isKnown && lookedUp <= mostKept ? await ledger.rows.rowByKey(head.batch, line.key) : null;
    if (before !== null && before.state !== 'invalid' && !sentStates.includes(before.state)) {
      const changes = changesOf(before.content, contentOf(rowOfPlan(line)));
      const why = before.state === 'withheld' && goes(line) ? reasonWords(see(before).reason) : null;
      if (why !== null || changes.length > 0) {
        correctedRows += 1;
        if (corrected.length < shownPayees)
          corrected.push({ ...rowOf(line), why, changes: changesWords(see(changes), 'page') });
      }
    }
    if (goes(line)) {
      rowsToSend += 1;
      totals.add(line);
      const last = unpaid.get(line.row);
      if (last !== undefined && tried.length < shownPayees) tried.push(triedOf(line, last));
      if (before !== null && before.closed !== null && !closed.has(line.row)) {
        warningsTotal += 1;
        const { by, why } = see(readClosed(before.closed));
        const message = reviewWords.sincePlan(`was ${droppedWords({ by, why: closingWords(why) })}`);
        warnings.push({ row: line.row, code: 'ROW_CLOSED', message });
      }
    } else {
      heldTotals.add(line);
      const words = (odd.get(line.row) ?? []).filter(({ kind }) => kind === 'changed').map((one) => one.words);
      if (held.length < shownPayees) held.push({ ...rowOf(line), why: whyHeld(line), words: words.join('; ') });
    }
    const payee = JSON.stringify([line.name, line.destination]);
    const own = made.get(line.row) ?? madeAs.get(payee);
    if (own !== undefined) madeAs.set(payee, own);
    const told = odd.get(line.row) ?? (own === undefined ? [] : [own]);
    if (told.length === 0 && allNew) told.push({ kind: 'new', words: reviewWords.neverPaid });
    if (told.length > 0) payeeRows += 1;
    if (payees.length >= mostKept) continue;
    for (const [kind, alike] of Map.groupBy(told, (one) => one.kind))
      payees.push({ ...payeeLine(line), kind, words: [...new Set(alike.map(({ words }) => words))].join('; ') });
  }
  const glance = await glanceAt(plan, (row) => goes(row) || isHeld(row));
  const { needed, because, approvals, notes } = await approvalStanding(ledger, plan, policy, now).catch(
    (error: unknown) => {
      // Nobody can approve a damaged plan, so the page gets a refusal that leads back to the sheet.
      throw error instanceof PayrunError ? refusedBy(error, 409) : error;
    },
  );
  return {
    digest: digestWords(plan.digest),
    batch: head.batch,
    series: head.terms.series,
    maker: head.maker,
    madeAt: head.made_at,
    expiresAt: head.expires_at,
    service: { address: head.service, account: reviewWords.account(shownIdentity(head.identity)) },
    rows: head.counts.rows,
    rowsAre: rowsAre.digest('hex'),
    skipped: head.skipped,
    rowsToSend,
    totals: totals.all(),
    heldTotals: heldTotals.all(),
    held,
    corrected,
    correctedRows,
    notCompared: isKnown ? Math.max(0, lookedUp - mostKept) : 0,
    again: tried.length === 0 ? null : { reason: see(retry?.reason ?? null), rows: tried },
    standings: [...standings].map(([word, rows]) => ({ word, rows })),
    payees: payees
      .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.row - b.row)
      .slice(0, shownPayees),
    payeeRows,
    largest: glance.largest.map((row) => ({
      ...payeeLine(row),
      money: moneyOf(row),
      reference: row.reference,
      held: isHeld(row) ? whyHeld(row) : null,
    })),
    repeats,
    repeatsTotal,
    repeatReason: see(head.terms.repeat),
    warnings,
    warningsTotal,
    approvals: approvals.map(({ approver: name, fingerprint, at }) => ({ name, fingerprint, at })),
    needed,
    because: because.fault === 'every-amount-needs-approval' ? reviewWords.settingsAsk : faultOnPage(see(because)),
    terms: [...termNotes(head), ...documentNotes(files.size, rowsWithFiles)],
    approvalNotes: notes,
  };
}

const rowOf = (line: PlanRow) => ({ row: line.row, payee: line.name, money: moneyOf(line) });

type Unpaid = BatchProblems['ROW_UNPAID'];

function triedOf(line: PlanRow, { sentAt, ...why }: Unpaid): NonNullable<Review['again']>['rows'][number] {
  return { ...rowOf(line), at: sentAt === null ? null : isoTime(sentAt), words: unpaidWords(why) };
}

/** Adds up by country, currency and source. A bigint keeps the sums exact. */
function openSums() {
  const sums = new Map<string, { total: Omit<SheetTotal, 'rows' | 'amount'>; rows: number; amount: bigint }>();
  return {
    add({ currency, unit, from_country: from, destination: { country }, amount }: PlanRow): void {
      const key = JSON.stringify([country, currency, unit, from]);
      const sum = sums.get(key) ?? { total: { currency, unit, from, country }, rows: 0, amount: 0n };
      sum.rows += 1;
      sum.amount += BigInt(amount);
      sums.set(key, sum);
    },
    all: (): SheetTotal[] =>
      [...sums.values()].map(({ total, rows, amount }) => ({ ...total, rows, amount: String(amount) })),
  };
}

const documentNotes = (documents: number, rows: number): Note[] =>
  documents === 0 ? [] : [{ note: 'documents-go', documents, rows }];
