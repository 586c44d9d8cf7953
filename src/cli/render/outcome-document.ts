/** Adds words to an outcome and to a failure, for the screen and for `--json`. */
import type { Failure, Refusal } from '../../base/refusal.ts';
import { eachOf } from '../../base/words.ts';
import { reasonsIn } from '../../domain/sending/reason.ts';
import { actionDocument, type Place } from '../../messages/next-actions.ts';
import { noteDocument } from '../../messages/notes.ts';
import { problemDocument } from '../../messages/problems.ts';
import { failureWords, refusalWords } from '../../messages/refusals.ts';
import { rowReasonWords } from '../../messages/row-reasons.ts';
import { shippedMapShown } from '../../messages/shipped-maps.ts';
import { endOf, type Outcome } from '../../pipeline/outcome.ts';
import { exitOf, type TerminalEnd } from './exit-code.ts';

export type ShownOutcome = ReturnType<typeof shownOutcome>;

export function shownOutcome(outcome: Outcome, place: Place, end: TerminalEnd = endOf(outcome)) {
  const {
    kind: _kind,
    interrupted: _interrupted,
    findings,
    written,
    run,
    stopped,
    ...status
  }: Pick<Outcome, keyof Outcome> = outcome;
  const { problems = [], problems_total = 0, map, checked, ...found } = findings ?? {};
  const { batch, service, ledger, digest } = status;
  const noPlan = eachOf(null, 'plan_digest plan plan_page');
  const first = { batch, service, ledger, digest, ...noPlan, sent: 0, result: null };
  return {
    ...first,
    ...status,
    ...found,
    ...written,
    ...run,
    unpaid_rows: status.unpaid_rows?.map(unpaidRow),
    map: map && { ...map, shipped: map.shipped && shippedMapShown(map.shipped) },
    next: status.next.map((step) => actionDocument(step, place)),
    notes: status.notes.map((note) => noteDocument(note, place)),
    problems: problems.map(problemDocument),
    problems_total,
    checked: checked?.path ?? null,
    checked_rows: checked?.rows ?? null,
    stopped: stopped === undefined ? null : shownRefusal(stopped, place),
    end,
    exit: exitOf(end),
  };
}

const unpaidRow = (unpaid: NonNullable<Outcome['unpaid_rows']>[number]) => ({
  ...unpaid,
  reason: reasonsIn(unpaid.reason),
  message: rowReasonWords(unpaid.reason, null) ?? unpaid.state,
});

const shownRefusal = (refusal: Refusal, place: Place) => ({ ...refusal, message: refusalWords(refusal, place) });

export const shownFailure = (failure: Failure, place: Place) =>
  'facts' in failure ? shownRefusal(failure, place) : { code: failure.code, message: failureWords(failure, place) };
