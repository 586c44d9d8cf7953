/** Decides if list scans prove that the payment of a row in doubt does not exist (docs/explanation/safety.md). */
import { PayrunError } from '../../base/errors.ts';
import { elapsedMs, judgeMissing, type Moment, momentText, readMoment } from '../../domain/sending/doubt.ts';
import { type AbsenceProof, because, type Reason, reasonsIn } from '../../domain/sending/reason.ts';
import { type BatchFacts, eachRow, isListed, type LedgerRow, type RowFacts } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { type ListScan, scanNamed } from './list-scan.ts';

export interface AbsenceResult {
  readonly absent: number;
  /** The number of absent rows that Payrun may send again without a person's release. */
  readonly released: number;
}

/** Judges if rows in doubt are absent, except rows in `waiting`. Absence needs two complete scans after the horizon. */
export async function settleMissing(
  deps: Deps,
  batch: BatchFacts,
  pass: ListScan,
  { during, waiting }: { readonly during: 'rest' | 'paying'; readonly waiting: ReadonlySet<number> },
): Promise<AbsenceResult> {
  const { ledger, limits, service } = deps;
  const { horizonMs, deadlineMs, confirmMs, policy } = limits.doubt;
  // While rows are unsent, Payrun waits for their payments, because a newer payment proves that the list is up to date.
  const rowsLeft = await anyToSend(deps, batch);
  let absent = 0;
  let released = 0;
  for await (const row of eachRow(ledger, { batch: batch.name, states: ['in_doubt'] })) {
    if (waiting.has(row.id)) continue;
    if (pass.incomplete !== null) {
      await ledger.rows.note(row, missedNote(row, pass, false));
      continue;
    }
    const sent = sentMomentOf(row);
    const firstMissed = row.missed === null ? null : keptMoment(row, row.missed);
    const end = deadlineMs + horizonMs;
    const witnessed = service.embedded || ledger.passes.holdsIntentAfter(service.identity, sent.wall + end);
    const judged = judgeMissing({
      elapsedMs: elapsedMs(sent, pass.began),
      appearsWithinMs: end,
      sinceMissedMs: firstMissed === null ? null : elapsedMs(firstMissed, pass.began),
      confirmMs,
      witnessed,
      rowsLeft,
    });
    // The sandbox creates no payment after the horizon, so one scan after the horizon is enough.
    const gone = judged === 'absent' || (judged === 'missed' && service.embedded);
    // Declares no row absent while the run pays, because a released row would then be sent without another scan.
    if (gone && during === 'rest') {
      absent += 1;
      const proof: AbsenceProof = witnessed ? 'younger payment' : 'twice the horizon';
      const { began, pages, payments } = pass;
      const data = { firstPass: row.missed, pass: momentText(began), pages, payments, proof };
      const seen = { scannedAt: began.wall, payments, proof, alike: ledger.passes.likesOf(row) };
      const reason = because({ kind: 'absent', sentAt: sent.wall, ...seen });
      const firstAt = firstMissed?.wall ?? null;
      const evidence = because({ kind: 'missing-in-scans', scan: scanNamed(pass), firstAt, proof });
      await ledger.rows.move({ row, from: 'in_doubt', to: 'absent', reason, evidence, data });
      if (policy === 'resend' && isListed(row, batch) && (witnessed || service.embedded)) {
        released += 1;
        const left = { ...row, state: 'absent' } as const;
        await ledger.rows.move({ row: left, from: 'absent', to: 'ready', reason, missed: null, data: { policy } });
      }
    } else await ledger.rows.note(row, missedNote(row, pass, gone || judged === 'missed'));
  }
  return { absent, released };
}

export async function anyToSend({ ledger }: Pick<Deps, 'ledger'>, { name, listedSince: since }: BatchFacts) {
  return (await ledger.rows.list({ batch: name, since, states: ['ready'], limit: 1 })).length > 0;
}

function missedNote(row: LedgerRow, pass: ListScan, counts: boolean): Pick<RowFacts, 'reason' | 'missed'> {
  const missed: Reason = { kind: 'not-listed', payments: pass.payments, at: pass.began.wall };
  const [first = missed, ...others] = reasonsIn(row.reason).filter(({ kind }) => kind !== 'not-listed');
  return {
    reason: first === missed ? because(missed) : because(first, ...others, missed),
    ...(counts && row.missed === null ? { missed: momentText(pass.began) } : {}),
  };
}

export const sentMomentOf = (row: LedgerRow): Moment => keptMoment(row, row.sentMoment);

function keptMoment({ key, batch }: LedgerRow, text: string | null): Moment {
  const moment = text === null ? null : readMoment(text);
  if (moment !== null) return moment;
  throw new PayrunError('LEDGER_DAMAGED', { why: { fault: 'row-was-changed', row: key, batch } });
}
