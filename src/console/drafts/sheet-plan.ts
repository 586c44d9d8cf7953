/** Planning a sheet: under which name and terms, what stands against it, and the job that makes the plan. */
import { join } from 'node:path';
import type { Command, CommandEnd, Options } from '../../app/command.ts';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/folder.ts';
import { counted, grouped } from '../../base/words.ts';
import type { NumberFormat } from '../../domain/amounts/money.ts';
import type { Ledger, UploadRecord } from '../../ledger/ledger.ts';
import { beyondWords } from '../../messages/control-refusals.ts';
import { problemWords } from '../../messages/problems.ts';
import { isNearRepeat, perhapsRepeatMs } from '../../pipeline/duplicates/repeats.ts';
import type { Outcome } from '../../pipeline/outcome.ts';
import type { Requests, Upload, UploadState } from '../api.ts';
import { endWords, type Jobs } from '../batches/jobs.ts';
import { forPage, needsName } from '../batches/page-words.ts';
import type { Reader } from '../batches/reading.ts';
import { Refused, type Who } from '../http/route.ts';
import type { Found } from '../inspection/inspect.ts';
import type { Looks } from '../inspection/inspections.ts';
import { whyOvertaken } from './being-paid.ts';
import { readTotals } from './control-totals.ts';
import type { Approval } from './sheet-approval.ts';
import type { Mending } from './sheet-corrections.ts';
import {
  type Asked,
  declinedBeforeOf,
  doing,
  type Facts,
  factsOf,
  goesOnOf,
  mendedAsOf,
  noFound,
  notReadYet,
  type PlanFacts,
  type SheetRecords,
  sentAsOf,
  shortDigest,
} from './sheet-records.ts';

export interface PlanningOrder {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly numberFormat: NumberFormat | null;
  readonly log: (fault: unknown) => void;
  policy(): string;
}

/** A sheet with this share of sent rows, and new or corrected ones, counts as sent. */
const mostlySent = 0.9;
/** A plan waits this long for a running check. */
const mostLookMs = 10_000;

export function openPlanning(
  order: PlanningOrder,
  records: SheetRecords,
  looks: Looks,
  mending: Mending,
  approval: Approval,
  jobs: Jobs,
  reader: Reader,
) {
  const { ledger, clock } = order;
  const { uploads } = ledger;
  const { changed, mendable, requireIdle, folderOf, sheetOf } = records;

  async function plan(id: string, wanted: Requests['plan'], person: Who): Promise<void> {
    mendable(id);
    await requireLooked(id);
    const record = mendable(id);
    const found = { ...noFound, ...factsOf(record).found };
    // Another batch has these rows, so the suggested name means a new one.
    const isGoneOnWith = wanted.add === true && goesOnOf(found).some(({ batch }) => batch === wanted.batch);
    const suggested =
      wanted.confirmRepeat === undefined &&
      found.elsewhere !== true &&
      !isGoneOnWith &&
      isSuggested(wanted.batch, record);
    requirePlannable(record, wanted);
    // A fully sent sheet needs a reason even under its suggested name.
    const again = suggested && isAllSent(found);
    await begin(record, { ...wanted, suggested: suggested && !again }, person, null, again);
  }

  async function planAgain(batch: string, retry: NonNullable<PlanFacts['retry']>, person: Who): Promise<void> {
    const record = uploads.ofBatch(batch);
    const { request } = record === null ? {} : factsOf(record);
    if (record === null || request === undefined)
      throw new Refused(409, 'This batch was begun at a terminal: send its rows again from there.');
    requireIdle(record.id);
    await requireLooked(record.id);
    requireIdle(record.id);
    await begin(record, { ...request, batch, suggested: false }, person, retry);
  }

  /** Waits until waiting sheets are compared with rows just sent. */
  async function requireLooked(id: string): Promise<void> {
    const isOver = new AbortController();
    await Promise.race([looks.ended(id), clock.sleep(mostLookMs, isOver.signal)]);
    isOver.abort();
    if (looks.isUnderWay(id)) throw notReadYet();
  }

  function requirePlannable(record: UploadRecord, wanted: Requests['plan']): void {
    if (wanted.batch.startsWith('-'))
      throw new Refused(422, 'A batch’s name begins with a letter or a number. Give it another one.');
    if (!plannable.includes(record.state)) throw new Refused(409, 'This sheet cannot be planned as it stands.');
    const found = { ...noFound, ...factsOf(record).found };
    const { counts, sent } = found;
    if (sent !== null && wanted.batch === sent.batch && isAllSent(found))
      throw new Refused(
        409,
        `Nothing of this sheet would be sent: ${sentWords(sent, counts.rows)}. If it is another month, give the batch a name of its own.`,
        'ALL_SENT',
      );
    if (counts.toFix === 0) return;
    const mended = mendedAsOf(found, clock.now());
    if (mended?.batch === wanted.batch && mended.otherwise.length > 0) {
      const [first, ...more] = mended.otherwise;
      const others = more.length === 0 ? 'was' : `and ${counted(more.length, 'other')} were`;
      throw new Refused(
        409,
        `Row ${first} ${others} sent as batch ${mended.batch} otherwise, and never sent as it is here. If this is the sheet as it was before it was mended, discard it; if it is another sheet, fix its mistakes and give its batch a name of its own.`,
      );
    }
    if (mended?.batch === wanted.batch)
      throw new Refused(
        409,
        `A mended copy of this sheet was sent as batch ${mended.batch}: ${grouped(mended.rows)} of its ${counted(counts.rows, 'row')}, ${grouped(mended.mended)} of them otherwise than here. There is nothing to mend or to send of it: discard it.`,
        'ALL_SENT',
      );
    const why = wanted.skipInvalid
      ? whyNotSkip(found)
      : `${counted(counts.toFix, 'row')} ${counts.toFix === 1 ? 'is' : 'are'} to be fixed first, or left out on purpose.`;
    if (why !== null) throw new Refused(409, why, 'TO_FIX');
  }

  /** `retry`: plans unpaid rows of a batch again. `again`: rows that look sent need a reason, however old. */
  async function begin(
    record: UploadRecord,
    wanted: Asked,
    person: Who,
    retry: PlanFacts['retry'],
    again = false,
  ): Promise<void> {
    const { id, file } = record;
    const { looked, choice } = factsOf(record);
    const expect = readTotals(wanted.expect, choice?.numberFormat ?? order.numberFormat);
    const request: Asked = { ...wanted, expect };
    const before: UploadState = retry !== null ? 'batch' : (looked ?? 'ready');
    const folder = join(folderOf(id), `plan-${clock.randomHex(4)}`);
    makeFolder(folder);
    const command: Command = {
      do: 'plan',
      file: sheetOf(record),
      ...mending.reading(record),
      ...batchOptions(request),
      retryRow: retry?.rows ?? [],
      policy: order.policy(),
      out: folder,
    };
    const declinedBefore = declinedBeforeOf(record);
    await uploads.change(id, changed({ plan: null, declined: null, declinedBefore, request }, before));
    approval.forget(id);
    const { batch, confirmRepeat } = request;
    const unpaid = retry === null ? '' : ', to send unpaid rows again';
    const though = confirmRepeat === undefined ? '' : `, though rows may look sent already: ${confirmRepeat}`;
    let refusal: string | null = null;
    let planned: PlanFacts | null = null;
    const keep = async (made: PlanFacts) => {
      const told = await declinedOf(record, declinedBefore, made.path, made.request.batch);
      const deed = `made a plan of ${file} for batch ${made.request.batch}, ${shortDigest(made.digest)}`;
      const data = { upload: id, plan: made.digest };
      await uploads.keep(
        id,
        changed({ plan: made, declinedBefore: told, approvalGone: false }, 'planned'),
        doing(person, deed, data),
      );
    };
    void jobs
      .give(person, {
        kind: 'plan',
        upload: id,
        batch: null,
        command,
        did: `asked for a plan of ${file} for batch ${batch}${unpaid}${though}`,
        data: { upload: id, file, batch, ...(confirmRepeat === undefined ? {} : { confirmRepeat }) },
        refuses: async (end) => {
          const found = { ...noFound, ...factsOf(record).found };
          const taken = retry === null ? notTaken(end, request, again, found) : null;
          refusal = taken?.words ?? null;
          const error = 'error' in end ? end.error : null;
          const ended = error?.code == null ? '' : endWords(end);
          if (error?.code === 'SENT_ROWS_CHANGED' && error.facts.hasSent)
            refusal = changedWords(ended, request.suggested === true);
          const said = refusal ?? ended;
          if (request.suggested === true && !uploads.takenNames(id).has(batch) && said.includes(needsName))
            refusal = said.replace(needsName, 'say why');
          const isLately = sentAsOf('ready', null, found, clock.now()) !== null;
          if ((again || request.suggested === true) && !isLately && (taken?.isWhole ?? isWhollyPaid(error)))
            refusal = `${refusal ?? said} ${anotherMonth}`;
          if (refusal !== null) return refusal;
          planned = plannedOf(end, request, retry, clock.now());
          if (planned === null) return null;
          if (retry === null) refusal = await whyOvertaken(ledger, jobs, reader, planned);
          // Until the job ends, nobody may change or pay the sheet.
          if (refusal === null) await keep(planned);
          return refusal;
        },
      })
      .then(async (end) => {
        if (planned === null || refusal !== null)
          await uploads.keep(id, changed({ plan: null }, before, refusal ?? endWords(end)));
      })
      .catch(async (error: unknown) => {
        order.log(error);
        const unknown = 'It could not be seen whether the batch is being paid just now. Make the plan again.';
        if (planned !== null) await uploads.keep(id, changed({ plan: null }, before, unknown));
      })
      .then(async () => await approval.settle(id))
      .catch((error: unknown) => order.log(error));
  }

  async function declinedOf(
    { sha256 }: UploadRecord,
    before: Facts['declinedBefore'],
    path: string,
    batch: string,
  ): Promise<Facts['declinedBefore']> {
    if (before !== undefined) {
      const since = await reader.ask('sinceDeclined', join(records.declines, before.of), path).catch(() => null);
      // Approving the same payments cancels another sheet's decline.
      if (since !== null || before.sheet === null) return { ...before, since };
    }
    const sought = { sha256, plan: { path, batch }, now: clock.now() };
    return (await reader.ask('declineOf', records.declines, sought).catch(() => null)) ?? undefined;
  }

  /** Suggests an unused name from the first file; empty if that would be refused. */
  function nameFor(record: UploadRecord): string {
    const stem = stemOf(record);
    const taken = uploads.takenNames(record.id);
    const found = { ...noFound, ...factsOf(record).found };
    const now = clock.now();
    const lately = sentAsOf('ready', null, found, now);
    const isLately = lately !== null;
    // A suggested name would let most rows be paid twice for one reason.
    const { rows } = found.counts;
    if (isLately && lately.rows < rows && lately.rows >= rows * mostlySent) return '';
    // Recent rows refuse the file's name, but not a person's.
    const isRefused = ({ own, at }: Found['repeats'][number]) =>
      own && (taken.has(stem) || now - Number(at) <= perhapsRepeatMs);
    if (!isLately && found.repeats.some(isRefused)) return '';
    let name = stem;
    for (let next = 2; taken.has(name); next += 1) name = `${stem}-${next}`;
    return name;
  }

  /** True if the name comes from the file, not from a person. */
  function isSuggested(name: string, record: UploadRecord): boolean {
    const stem = stemOf(record);
    const rest = name.startsWith(stem) ? name.slice(stem.length) : null;
    return name === factsOf(record).found?.ownBatch || (rest !== null && /^(?:-\d+)?$/.test(rest));
  }

  return { plan, planAgain, nameFor };
}

const plannable: readonly string[] = ['to_fix', 'ready', 'planned', 'approved', 'declined'] satisfies UploadState[];

export function batchOptions(request: Asked): Options {
  const { batch, suggested = false, series, skipInvalid, expect, confirmVariance, confirmRepeat, add } = request;
  return {
    ...(suggested ? { batchIfNew: batch } : { batch }),
    ...(series === '' ? {} : { series }),
    skipInvalid,
    expect,
    confirmVariance,
    confirmRepeat,
    add,
  };
}

const stemOf = (record: UploadRecord) =>
  (factsOf(record).replaces?.first ?? record.file)
    .replace(/\.[^.]+$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 50) || 'batch';

const isAllSent = ({ sent, counts }: Pick<Found, 'sent' | 'counts'>) => sent !== null && sent.rows >= counts.rows;

export function sentWords({ batch, rows, paid }: NonNullable<Upload['sent']>, of: number): string {
  const what = rows >= of ? `all ${counted(of, 'row')}` : `${grouped(rows)} of its ${counted(of, 'row')}`;
  return paid === rows
    ? `${what} are paid already as batch ${batch}`
    : `${what} were sent already as batch ${batch}, and ${grouped(paid)} are paid`;
}

/** A fault of the whole sheet cannot be skipped like a row. */
export function whyNotSkip({ problems, counts }: Pick<Found, 'problems' | 'counts'>): string | null {
  if (counts.toFix >= counts.rows) return 'No row of it can be paid as it is.';
  const fault = problems.find(({ row, severity }) => row === null && severity === 'error');
  return fault === undefined
    ? null
    : `This is a fault of the whole sheet, which no row can be left out for: ${fault.message}`;
}

const anotherMonth =
  'If it is another month, with the same payees and amounts: give the batch a name of its own, another than its file gives it, and plan it again; no reason is asked for then.';

/** Equal rows stop an unnamed sheet for longer than a named one; nearly equal rows stop both. */
type EndError = Extract<CommandEnd, { readonly error: unknown }>['error'];

const isWhollyPaid = (error: EndError | null) => error?.code === 'SHEET_LOOKS_PAID' && error.facts.near.total === 0;

/** Old values may be mistakes, and a name from the file is no decision. */
export const changedWords = (said: string, suggested: boolean) =>
  said
    .replace(
      /\.? (If this sheet is older than what was sent), (?:nothing is left to do with it|leave it; (.*?))\. If its rows were changed since, (put the old values back, and hand the sheet in anew;)/,
      (_, older: string, unsent: string | undefined, back: string) =>
        `. ${older}, or these are corrections that came too late, discard it: the rows are not sent once more.${unsent === undefined ? '' : ` ${unsent}.`} To send what else it has: ${back}`,
    )
    .replace(/give the batch a name of its own;/, (words) =>
      suggested ? 'give the batch a name of its own, another than its file gives it with or without a number;' : words,
    );

const outcomeOf = (end: CommandEnd): Partial<Outcome> => ('outcome' in end ? end.outcome : {});

function plannedOf(end: CommandEnd, request: Asked, retry: PlanFacts['retry'], madeAt: number): PlanFacts | null {
  const { plan, plan_digest: digest, notes = [], unconfirmed, batch } = outcomeOf(end);
  if (plan == null || digest == null) return null;
  return {
    path: plan,
    digest,
    notes,
    stops: (unconfirmed ?? []).map(beyondWords),
    retry,
    // The rows decide the batch if the person chose none.
    request: { ...request, batch: batch ?? request.batch },
    madeAt,
  };
}

const shownRepeats = 20;

/** `isWhole`: rows look sent already, and each shown one equals a sent row. */
interface NotTaken {
  readonly words: string;
  readonly isWhole: boolean;
}

/** A plan that sends nothing, or unexplained corrections of sent rows. */
function notTaken(
  end: CommandEnd,
  request: Asked,
  again: boolean,
  { repeats }: Pick<Found, 'repeats'>,
): NotTaken | null {
  const { plan, rows, problems = [], batch, problems_total: total = 0 } = outcomeOf(end);
  if (plan == null) return null;
  // A held row waits in its batch for a person who releases it.
  const held = repeats.find((one) => one.own && one.batch === batch)?.held ?? 0;
  if (rows !== undefined && rows.not_sent === 0 && held > 0)
    return {
      words: `Nothing of this sheet would be sent: ${counted(held, 'row')} of it ${held === 1 ? 'is' : 'are'} held in batch ${batch} already. Its page says why, and who releases ${held === 1 ? 'it' : 'them'} for payment.`,
      isWhole: false,
    };
  if (rows !== undefined && rows.not_sent + rows.held === 0) {
    const sent = rows.total - rows.skipped - rows.invalid;
    const what = sent === rows.total ? 'all of it was' : `${counted(sent, 'row')} of ${grouped(rows.total)} were`;
    return { words: `Nothing of this sheet would be sent: ${what} sent already as batch ${batch}.`, isWhole: false };
  }
  // The command applies the stricter rule to unnamed sheets itself.
  if (request.suggested === true || request.confirmRepeat !== undefined) return null;
  const looks = problems.filter(({ code }) => code === 'LOOKS_PAID');
  if (looks.length === 0 || !(again || looks.some(isNearRepeat))) return null;
  const more = looks.length - shownRepeats;
  const words = [
    'No plan was made: rows of this sheet look sent already.',
    ...looks.slice(0, shownRepeats).map((one) => `Row ${one.row} ${forPage(problemWords(one, 'page'))}.`),
    ...(more > 0 || total > problems.length ? [`And ${more > 0 ? grouped(more) : 'perhaps'} more.`] : []),
    'If they shall not be paid again: take these rows out of the sheet, and hand it in anew. If each of them is meant: say why, and plan it again.',
  ].join(' ');
  return { words, isWhole: !looks.slice(0, shownRepeats).some(isNearRepeat) };
}
