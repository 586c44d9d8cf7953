/** Returns batches, rows and payees from the ledger as the page shows them. */
import { nextStepOf } from '../../app/batch/next-step.ts';
import { isoTime } from '../../base/clock.ts';
import { ended } from '../../base/words.ts';
import { checkAccount } from '../../domain/accounts/account-number.ts';
import { masked } from '../../domain/accounts/masked.ts';
import { destinationWords } from '../../domain/accounts/merchant.ts';
import type { NextAction } from '../../domain/next-action.ts';
import { type Eyes, factsFor } from '../../domain/problems/masked-facts.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { fold } from '../../domain/rows/text.ts';
import { isLookalike } from '../../domain/sending/reason.ts';
import {
  type BatchFacts,
  type Ledger,
  type LedgerRow,
  proposalWaits,
  rowStates,
  rowWords,
  wordOf,
} from '../../ledger/ledger.ts';
import { copiesWords } from '../../messages/duplicates.ts';
import { buttonOf, pageEffectWords, pageWords } from '../../messages/next-actions.ts';
import { noteOnPage } from '../../messages/notes.ts';
import { rowReasonWords, unansweredWords } from '../../messages/row-reasons.ts';
import { accountDoubtWords, batchSteps, closedRowWords, decideWords, sheetCameWords } from '../../messages/web/rows.ts';
import { byOf, documentWords, rowStoryWords, trailWords } from '../../messages/web/trail.ts';
import type { DoubtSettings } from '../../pipeline/deps.ts';
import { beingSent, doubtViewOf, type RowWordNow, viewOf, wordsNow } from '../../pipeline/doubt-step.ts';
import { copiesByRow } from '../../pipeline/duplicates/duplicates.ts';
import { previewResume } from '../../pipeline/duplicates/resume-preview.ts';
import { type RowCounts, standing } from '../../pipeline/figures.ts';
import { planOf, signingOf } from '../../pipeline/opened-with.ts';
import { batchStatus } from '../../pipeline/outcome.ts';
import { payeeDestination } from '../../pipeline/plans/plan-page.ts';
import { fundingOf } from '../../pipeline/results/report.ts';
import { standingOf, standingOfBatch } from '../../pipeline/seen.ts';
import type {
  Batch,
  BatchLine,
  BatchRow,
  BatchRows,
  Decides,
  FundingLine,
  Payee,
  PayeeLine,
  Release,
  RowDocument,
  RowLife,
  TrailPage,
} from '../api.ts';
import type { RowsQuery } from '../inspection/check-table.ts';

export interface ViewSettings {
  readonly duplicatesWindow: number;
  readonly doubt: DoubtSettings;
}

export interface RowsAsked extends Pick<RowsQuery, 'q' | 'from' | 'limit'> {
  readonly status: string;
}

export interface RowTold extends Omit<RowLife, 'documents'> {
  readonly documents: readonly Omit<RowDocument, 'upload'>[];
}

type BatchTold = Omit<Batch, 'paused' | 'turn' | 'stopped' | 'proposal' | 'upload' | 'job' | 'evidence'>;

const mostOpened = 20;

export function openViews(ledger: Ledger, now: () => number, settings: ViewSettings) {
  const view = () => viewOf(settings, now());

  async function named(batch: string | null, key: string | null): Promise<TrailPage['entries'][number]['named']> {
    const row = batch === null || key === null ? null : await ledger.rows.rowByKey(batch, key);
    return row === null ? null : { number: row.number, name: rowOfContent(row.content, row.number).name };
  }

  async function line(batch: BatchFacts): Promise<BatchLine> {
    const { rows, totals } = await standing(ledger, batch);
    return {
      batch: batch.name,
      sheet: batch.sheet.name,
      service: batch.service,
      receivedAt: isoTime(batch.sheet.receivedAt),
      rows,
      totals,
      running: false,
      doing: null,
    };
  }

  async function goesOn(batch: BatchFacts, eyes: Eyes): Promise<Batch['goOn']> {
    const preview = await previewResume(ledger, batch, { now: now(), windowDays: settings.duplicatesWindow });
    return preview && { ...preview, waits: factsFor(eyes, preview.waits).map(noteOnPage) };
  }

  return {
    async batches(): Promise<BatchLine[]> {
      return await Promise.all((await ledger.batches.list()).map(line));
    },
    async batch(name: string, eyes: Eyes): Promise<BatchTold | null> {
      const batch = await ledger.batches.batch(name);
      if (batch === null) return null;
      const { rows, next, notes, documents } = await batchStatus(ledger, batch, view());
      const live = rows.being_sent > 0;
      const plan = planOf(batch);
      const steps = await Promise.all(
        next.map(async (step) => {
          const at = await rowAt(step, name);
          return stepsOf(factsFor(eyes, step), name, rows).map((one) => ({ ...one, at }));
        }),
      );
      return {
        ...(await line(batch)),
        plan: plan === null ? null : { digest: `sha256:${plan.digest}`, maker: plan.maker },
        approvals: (plan?.approvals ?? []).map(({ approver, at }) => ({ name: approver, at })),
        notes: factsFor(eyes, notes)
          .filter(({ note }) => note !== 'under-plan')
          .map(noteOnPage),
        next: steps.flat(),
        released: await releasedIn(name, live || rows.not_sent === 0, eyes),
        goOn: live ? null : await goesOn(batch, eyes),
        standing: live ? '' : await standingOfBatch(ledger, name),
        documents,
      };
    },
    async rows(batch: string, { status, q, from, limit }: RowsAsked, eyes: Eyes): Promise<BatchRows> {
      const wordIn = await wordsNow(ledger, [{ state: 'sending' }]);
      const word = [...rowWords, beingSent].find((one) => one === status);
      const states = rowStates.filter((state) => wordIn({ state, closed: null }) === word);
      const inWord = word === 'closed' ? ({ closed: true } as const) : word === undefined ? {} : { states };
      const found = ledger.pages.rows({ batch, q, masked: eyes.masked, from, limit, ...inWord });
      return { total: found.total, rows: found.rows.map((row) => batchRow(row, eyes, wordIn(row))) };
    },
    async life(name: string, key: string, eyes: Eyes): Promise<RowTold | null> {
      const batch = await ledger.batches.batch(name);
      const row = batch === null ? null : await ledger.rows.rowByKey(name, key);
      if (batch === null || row === null) return null;
      const word = (await wordsNow(ledger, [row]))(row);
      const copied = copiesWords(factsFor(eyes, (await copiesByRow(ledger, name)).get(row.id)));
      const facts = { view: await doubtViewOf(ledger, batch, view()), signs: await signingOf(ledger) };
      const seen = await standingOf(ledger, [row]);
      const hasMistake = (await ledger.rows.mistaken(batch.name)).has(row.id);
      const plan = ledger.holds.proposalOf(name);
      const waits = plan && noteOnPage({ note: 'plan-waits', why: proposalWaits(plan).refusal });
      const isRow = { seen, hasMistake, isCopied: copied !== null, hasWaitingPlan: plan !== null };
      const step = word === beingSent ? null : nextStepOf(row, batch, { ...facts, ...isRow });
      const decides = step === null ? null : decidesOn(row, step.next);
      const documents = await ledger.documents.documentsOf(row.id);
      const trail = await ledger.trail.trailOf(row.id);
      const shown = batchRow(row, eyes, word);
      return {
        ...shown,
        payee: fold(shown.name),
        reason: [copied, shown.reason].flatMap((one) => (one === null ? [] : ended(one))).join(' ') || null,
        paymentStatus: row.paymentStatus,
        tag: row.tag,
        next:
          step === null
            ? waits
            : step.next.action === 'reopen-rows'
              ? closedRowWords
              : (decideWords[decides ?? 'other'] ?? ended(pageEffectWords(step.effect, step.next))),
        action: step === null ? null : buttonOf(step.next),
        decides,
        mayDrop: step !== null && (step.closes !== undefined || step.effect === 'drops'),
        alike: ['withheld', 'absent'].includes(row.state) ? accountDoubt(row) : [],
        standing: seen,
        documents: documents.map((one) => ({ name: one.name, state: documentWords[one.state], sha256: one.sha256 })),
        moves: [
          ...ledger.pages.sheetsOf(row.id).map((sheet, nth) => ({
            at: isoTime(sheet.receivedAt),
            words: sheetCameWords(sheet, nth === 0 ? null : row.number),
            by: planOf({ sheet })?.maker ?? null,
          })),
          ...trail.flatMap(({ at, what, data }) => {
            const words = rowStoryWords(what, factsFor(eyes, data));
            if (words === null) return [];
            const by = typeof data.by === 'string' ? data.by : null;
            return [{ at: isoTime(at), words, by }];
          }),
        ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
      };
    },
    async funding(name: string, eyes: Eyes): Promise<FundingLine[] | null> {
      const batch = await ledger.batches.batch(name);
      if (batch === null) return null;
      const funding = await fundingOf(ledger, batch);
      return (funding?.groups ?? []).flatMap(({ from: source, currency, account, to_deposit, waiting, rows }) => {
        const shown = (details: typeof account) => details.map((detail) => detailLine(detail, eyes));
        const group = { source, currency: currency ?? '', amount: to_deposit ?? '' };
        if (waiting === 0) return [];
        // If details such as references differ from row to row, each row needs its own deposit.
        const single = rows.filter(({ status, details }) => status === 'waiting' && details.length > 0);
        if (single.length === 0) return [{ ...group, rows: waiting, details: shown(account) }];
        return single.map((row) => ({
          source,
          currency: row.currency ?? group.currency,
          amount: row.amount ?? '',
          rows: 1,
          details: shown(row.details),
        }));
      });
    },
    payees: (q: string, eyes: Eyes): PayeeLine[] => payeeLines(q, 100, eyes),
    async payee(key: string, eyes: Eyes): Promise<Payee | null> {
      const rows = ledger.pages.payeeRows(key, 200);
      const [newest] = rows;
      if (newest === undefined) return null;
      const wordIn = await wordsNow(ledger, rows);
      return {
        key,
        name: rowOfContent(newest.content, newest.number).name,
        payments: await Promise.all(
          rows.map(async (row, index) => {
            const { name: _name, reason: _reason, paymentId: _payment, ...line } = batchRow(row, eyes, wordIn(row));
            const { key: own, ...shown } = line;
            const at = row.submittedAt === null ? null : isoTime(row.submittedAt);
            const before = rows.slice(index + 1).find(({ submittedAt }) => submittedAt !== null);
            const moved = before !== undefined && placeOf(row) !== placeOf(before);
            return {
              ...shown,
              batch: row.batch,
              row: own,
              at,
              moved,
              released: moved ? await releaseOf(row.id, eyes) : null,
            };
          }),
        ),
      };
    },
    async trail(
      batch: string | null,
      asked: { readonly from: number; readonly limit: number },
      eyes: Eyes,
    ): Promise<TrailPage> {
      const { total, entries } = await ledger.trail.trailPage(batch, asked);
      const { hash: head } = await ledger.trail.head();
      return {
        total,
        head,
        entries: await Promise.all(
          entries.map(async ({ seq, hash, entry }) => ({
            seq,
            at: isoTime(entry.at),
            by: byOf(entry),
            batch: entry.batch,
            row: entry.row,
            named: await named(entry.batch, entry.row),
            words: trailWords({ ...entry, data: factsFor(eyes, entry.data) }),
            hash,
          })),
        ),
      };
    },
    async search(q: string, eyes: Eyes) {
      const text = q.trim().toLowerCase();
      const batches = (await ledger.batches.list()).filter(
        ({ name, sheet }) => name.toLowerCase().includes(text) || sheet.name.toLowerCase().includes(text),
      );
      const rows = ledger.pages.search({ q, masked: eyes.masked, limit: 50 });
      const wordIn = await wordsNow(ledger, rows);
      return {
        batches: await Promise.all(batches.slice(0, 20).map(line)),
        payees: payeeLines(q, 20, eyes),
        rows: rows.map((row) => ({ ...batchRow(row, eyes, wordIn(row)), batch: row.batch })),
      };
    },
  };

  async function releasedIn(batch: string, none: boolean, eyes: Eyes): Promise<Batch['released']> {
    if (none) return { total: 0, rows: [] };
    const states = rowStates.filter((state) => wordOf[state] === 'not sent');
    const { total, rows } = ledger.pages.rows({ batch, states, released: true, from: 0, limit: mostOpened });
    const told = await Promise.all(
      rows.map(async ({ id, key, number, content }) => {
        const release = await releaseOf(id, eyes);
        return release === null ? [] : [{ key, number, name: rowOfContent(content, number).name, ...release }];
      }),
    );
    return { total, rows: told.flat() };
  }

  async function releaseOf(row: number, eyes: Eyes): Promise<Release | null> {
    const entries = await ledger.trail.trailOf(row);
    const move = entries.findLast(
      ({ what, data }) => what === 'move' && ['release', 'not a repeat'].includes(textOf(data.said)),
    );
    if (move === undefined) return null;
    const { by, why, reason } = move.data;
    return { by: typeof by === 'string' ? by : null, at: isoTime(move.at), why: factsFor(eyes, textOf(why ?? reason)) };
  }

  async function rowAt(step: NextAction, batch: string): Promise<Batch['next'][number]['at']> {
    const key = step.action === 'release-absent' ? step.rows?.shown[0]?.key : 'row' in step ? step.row : null;
    const row = await named(batch, key ?? null);
    return row && { key: key ?? '', ...row };
  }

  function payeeLines(q: string, limit: number, eyes: Eyes): PayeeLine[] {
    return ledger.pages.payees(q, limit, eyes.masked).flatMap(({ key, row: id, rows, paidAt }) => {
      const row = ledger.pages.row(id);
      if (row === null) return [];
      const { name, destination } = batchRow(row, eyes, wordOf[row.state]);
      return [{ key, name, destination, rows, paidAt: paidAt === null ? null : isoTime(paidAt) }];
    });
  }
}

/** Masks numbers for viewers. Amounts and references stay. */
export function detailLine(
  { name: label, value }: { readonly name: string; readonly value: string },
  { masked: isMasked }: Eyes,
): FundingLine['details'][number] {
  const isNumber = value.replaceAll(/\D/g, '').length >= 5 && !/amount|reference/i.test(label);
  return { label, value: isMasked && isNumber ? masked(value) : value };
}

const placeOf = ({ content, number }: LedgerRow) => JSON.stringify(rowOfContent(content, number).destination);

function batchRow(row: LedgerRow, eyes: Eyes, status: RowWordNow): BatchRow {
  const { name, destination, reference } = rowOfContent(row.content, row.number);
  const { reason, closed } = factsFor(eyes, { reason: row.reason, closed: row.closed });
  return {
    key: row.key,
    number: row.number,
    status,
    name,
    destination: eyes.masked ? destinationWords(factsFor(eyes, destination)) : payeeDestination({ destination }),
    reference,
    amount: row.currency === '' ? '' : String(row.paidAmount ?? row.amount),
    currency: row.currency,
    unit: row.unit,
    reason: rowReasonWords(reason, closed) ?? (status === 'in doubt' ? unansweredWords : null),
    paymentId: row.paymentId,
  };
}

function decidesOn({ state, reason }: LedgerRow, next: NextAction): Decides | null {
  const action = buttonOf(next);
  if (action !== 'resolve') return action === 'release' ? 'account' : null;
  if (state === 'absent') return 'absent';
  if (next.action === 'resolve-known') return 'twice';
  return state === 'withheld' && isLookalike({ reason }) ? 'repeat' : 'other';
}

function accountDoubt({ content, number }: LedgerRow): string[] {
  const { destination } = rowOfContent(content, number);
  if (!('accountNumber' in destination)) return [];
  const { country, bank, bankName, accountNumber } = destination;
  return checkAccount(country, bank, accountNumber) === 'fails' ? [accountDoubtWords(bankName ?? null)] : [];
}

type ShownStep = Omit<Batch['next'][number], 'at'>;

function stepsOf(step: NextAction, batch: string, rows: RowCounts): ShownStep[] {
  // The page shows a pause and its end by itself.
  if (['drop-rows', 'end-pause'].includes(step.action)) return [];
  const said = saidOf(step);
  if (said.action === 'resume') return [{ ...said, words: batchSteps.resume(rows) }];
  if (!('why' in step) || step.why !== 'corrected' || rows.invalid === 0) return [said];
  return [{ words: batchSteps.invalid(rows.invalid, batch), after: null, action: null }];
}

const saidOf = (step: NextAction): ShownStep => ({
  words: pageWords(step),
  after: step.notBefore === null ? null : isoTime(step.notBefore),
  action: buttonOf(step),
});

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
