/** Runs `resolve` and `explain`, the commands about one open row. */
import type { Decision } from '../../app/batch/command.ts';
import { batchNamed } from '../../app/batch/find-batch.ts';
import { nextStepOf, type RowStep } from '../../app/batch/next-step.ts';
import { rowsCalled } from '../../app/batch/row-decisions.ts';
import type { TrailEntry } from '../../audit/chain.ts';
import { type AcceptedSheet, createPlans, type TrailPlan } from '../../audit/plans.ts';
import { PayrunError } from '../../base/errors.ts';
import { visible } from '../../base/words.ts';
import { reasonsIn } from '../../domain/sending/reason.ts';
import type { BatchFacts, LedgerRow } from '../../ledger/ledger.ts';
import { copiesWords } from '../../messages/duplicates.ts';
import { moneyOf } from '../../messages/format/numbers.ts';
import { timeWords } from '../../messages/format/times.ts';
import { actionDocument, effectWords, type Place, rowNamed } from '../../messages/next-actions.ts';
import { planWords } from '../../messages/notes/batch-notes.ts';
import { noteWords } from '../../messages/notes.ts';
import { reasonWords } from '../../messages/reasons.ts';
import { rowReasonWords, unansweredWords } from '../../messages/row-reasons.ts';
import { storyLine } from '../../messages/web/trail.ts';
import { beingSent, doubtViewOf, notedRow, wordsNow } from '../../pipeline/doubt-step.ts';
import { copiesByRow } from '../../pipeline/duplicates/duplicates.ts';
import { planNotes, planOf, signingOf } from '../../pipeline/opened-with.ts';
import { standingOf } from '../../pipeline/seen.ts';
import type { Run } from '../args/command-table.ts';
import { type Args, flag, placeFlags, reasonFor, reply, shownTo, text, usage } from '../compose/command-context.ts';
import { ledgerOnly, ledgerView } from '../compose/ledger-only.ts';
import { give } from './pay.ts';
import { payeeOf } from './status.ts';

export const resolveRows: Run = async (args, world) =>
  await give(args, { do: 'resolve', batch: text(args, 'batch') ?? '', decision: decisionIn(args) }, world);

const ways = ['paid', 'not-paid', 'not-a-repeat', 'known', 'release-absent', 'gone'] as const;
const ofOneRow: readonly string[] = ['paid', 'not-paid', 'not-a-repeat', 'known'];

function decisionIn(args: Args): Decision {
  const said = ways.filter((way) => flag(args, way) || text(args, way) !== null);
  const [way] = said;
  if (way === undefined || said.length > 1) throw usage(`resolve takes exactly one of --${ways.join(', --')}`);
  const reason = way === 'paid' && text(args, 'reason') === null ? '' : reasonFor(`--${way}`, args);
  const row = text(args, 'row');
  if (row === null && ofOneRow.includes(way)) throw usage(`--${way} takes the --row that it is about`);
  if (row !== null && way === 'gone') throw usage('--gone takes no --row: it is about a --payment');
  const payment = text(args, 'payment');
  if (payment !== null && way !== 'gone') throw usage(`--${way} takes no --payment; that goes with --gone`);
  if (way === 'gone' && payment === null) throw usage('--gone takes the --payment that it is about');
  if (way === 'gone') return { way, payment: payment ?? '', reason };
  if (way === 'release-absent') return { way, row, reason };
  if (way === 'paid') return { way, row: row ?? '', payment: text(args, 'paid') ?? '', reason };
  return { way, row: row ?? '', reason };
}

/** Returns the earlier sheet under which the row was last sent; null if never sent, or sent under the newest sheet. */
function leftBefore(told: readonly TrailEntry[], { batch }: LedgerRow): AcceptedSheet | null {
  const plans = createPlans();
  let left: AcceptedSheet | null = null;
  for (const entry of told) {
    plans.take(entry);
    if (entry.what === 'move' && entry.data.to === 'sending') left = plans.of(batch).at(-1) ?? left;
  }
  return left === plans.of(batch).at(-1) ? null : left;
}

const planOfTold = ({ plan, made }: AcceptedSheet): (TrailPlan & { readonly maker: string }) | null =>
  plan === null ? null : { ...plan, maker: String(made.maker) };

function leftWords(sheet: AcceptedSheet, batch: BatchFacts): string[] {
  const plan = planOfTold(sheet);
  if (plan !== null) return [`Ran under ${planWords(plan)}.`];
  const under = planOf(batch) === null ? '' : ', under no plan';
  // People see two files with one name as one sheet, so a batch without plans gets no line about the earlier sheet.
  return under === '' && sheet.name === batch.sheet.name
    ? []
    : [`It was sent from an earlier sheet, ${sheet.name}${under}.`];
}

const shownStep = ({ effect, next }: Pick<RowStep, 'effect' | 'next'>, place: Place) => ({
  what: effectWords(effect, next),
  effect,
  ...actionDocument(next, place),
});

type ShownStep = ReturnType<typeof shownStep>;

/** A row that looks paid is closed first, because that is safe. */
function nextLines({ closes, ...step }: ShownStep & { readonly closes?: ShownStep }): string[] {
  const steps = closes === undefined ? [step] : [step, closes];
  return (step.effect === 'releases-repeat' ? steps.toReversed() : steps).flatMap(({ after, command, what }, index) => {
    const time = after === null ? '' : ` (after ${timeWords(Date.parse(after))})`;
    return [`  ${index === 0 ? 'Next' : 'Or'}${time}: ${command}`, `    ${what}`];
  });
}

export const explainRow: Run = async (args, world) => {
  await using ledger = await ledgerOnly(args, world);
  const batch = await batchNamed(ledger, text(args, 'batch'));
  const said = text(args, 'row') ?? '';
  const [row, ...others] = await rowsCalled(ledger, batch, said);
  if (row === undefined)
    throw new PayrunError('ROW_UNKNOWN', { batch: batch.name, sheet: batch.sheet.name, row: said });
  const trail = await ledger.trail.trailOf(row.id);
  const before = leftBefore(await ledger.trail.planEntries(batch.name, row.id), row);
  const copied = copiesWords((await copiesByRow(ledger, batch.name)).get(row.id));
  const view = await doubtViewOf(ledger, batch, ledgerView(batch, world));
  const word = (await wordsNow(ledger, [row]))(row);
  const seen = await standingOf(ledger, [row]);
  const hasMistake = (await ledger.rows.mistaken(batch.name)).has(row.id);
  const [signs, hasWaitingPlan] = [await signingOf(ledger), ledger.holds.proposalOf(batch.name) !== null];
  const about = { view, signs, seen, hasMistake, isCopied: copied !== null, hasWaitingPlan };
  const step = word === beingSent ? null : nextStepOf(row, batch, about);
  const place = placeFlags(args, world, batch.service === 'sandbox');
  const shown = (one: Parameters<typeof shownStep>[0]) => shownTo(args, () => shownStep(one, place));
  const closes = step?.closes === undefined ? {} : { closes: shown({ effect: 'drops', next: step.closes }) };
  const next = step && { ...shown(step), ...closes };
  const payee = payeeOf(row);
  const reason = rowReasonWords(row.reason, row.closed) ?? (word === 'in doubt' ? unansweredWords : null);
  const why = [copied, reason].filter((words) => words != null);
  const told = { ...row, reason: reasonWords(row.reason), reasons: reasonsIn(row.reason), word };
  const plan = before === null ? planOf(batch) : planOfTold(before);
  const named = { batch: batch.name, sheet: batch.sheet.name, plan, others: others.map(notedRow) };
  const document = { ...named, row: told, payee, why: why.join(' ') || null, next, trail };
  const facts = [
    `Row ${row.key} of batch ${batch.name} (${row.sheet === batch.sheet.id ? `row ${row.number} of ${batch.sheet.name}` : `not in ${batch.sheet.name}`}): ${word}`,
    ...others.map((one) => `  Row ${said} of the sheet is another row: ${visible(rowNamed(notedRow(one)))}`),
    `  ${[payee.name, payee.destination, payee.reference && `'${payee.reference}'`].filter(Boolean).join(', ')}`,
    `  ${row.currency && `${moneyOf({ ...row, amount: row.paidAmount ?? row.amount })}${row.paidAmount === null ? '' : ` (the sheet says ${moneyOf(row)})`}, `}tag ${row.tag}, payment ${row.paymentId ?? 'none'}`,
    ...(before === null
      ? planNotes(batch).map((note) => noteWords(note))
      : [...leftWords(before, batch), ...planNotes(batch, 'later').map((note) => noteWords(note))]
    ).map((words) => `  ${words}`),
    ...why.map((words) => `  ${words}`),
    ...(next === null ? [] : nextLines(next)),
    '',
    ...trail.map((entry) => `  ${timeWords(entry.at)}  ${storyLine(entry)}`),
  ];
  return reply(args, world, document, `${facts.join('\n')}\n`);
};
