/** Adds words to an outcome and to a failure, for the screen and for `--json`. */
import type { Failure, Refusal } from '../../base/refusal.ts';
import { reasonsIn } from '../../domain/sending/reason.ts';
import { actionDocument, type Place } from '../../messages/next-actions.ts';
import { noteDocument } from '../../messages/notes.ts';
import { problemDocument } from '../../messages/problems.ts';
import { reasonWords } from '../../messages/reasons.ts';
import { failureWords, refusalWords } from '../../messages/refusals.ts';
import { shippedMapShown } from '../../messages/shipped-maps.ts';
import type { Outcome } from '../../pipeline/outcome.ts';
import { exitOf, type TerminalEnd } from './exit-code.ts';

export type ShownOutcome = ReturnType<typeof shownOutcome>;

export const shownOutcome = (outcome: Outcome, place: Place, end: TerminalEnd = outcome.end) => ({
  ...outcome,
  unpaid_rows: outcome.unpaid_rows?.map(unpaidRow),
  map: outcome.map && { ...outcome.map, shipped: outcome.map.shipped && shippedMapShown(outcome.map.shipped) },
  next: outcome.next.map((step) => actionDocument(step, place)),
  notes: outcome.notes.map((note) => noteDocument(note, place)),
  problems: outcome.problems.map(problemDocument),
  stopped: outcome.stopped && shownRefusal(outcome.stopped, place),
  end,
  exit: exitOf(end),
});

const unpaidRow = (unpaid: NonNullable<Outcome['unpaid_rows']>[number]) => ({
  ...unpaid,
  reason: reasonsIn(unpaid.reason),
  message: reasonWords(unpaid.reason) ?? unpaid.state,
});

const shownRefusal = (refusal: Refusal, place: Place) => ({ ...refusal, message: refusalWords(refusal, place) });

export const shownFailure = (failure: Failure, place: Place) =>
  'facts' in failure ? shownRefusal(failure, place) : { code: failure.code, message: failureWords(failure, place) };
