/** Plans a sheet: proposes a name, gives reasons against a plan, and runs the job that makes it. */
import { join } from 'node:path';
import type { Command, Options } from '../../app/batch/command.ts';
import { isoTime } from '../../base/clock.ts';
import { makeFolder } from '../../base/folder.ts';
import { matchedMs } from '../../domain/sending/match.ts';
import { proposalWaits, type UploadRecord } from '../../ledger/ledger.ts';
import { deedOf } from '../../messages/web/deeds.ts';
import { messageOf, messageOfError, type OwnMessage, type PageMessage } from '../../messages/web/messages.ts';
import type { Seen } from '../../pipeline/order.ts';
import { type Ending, reachedIn } from '../../pipeline/outcome.ts';
import type { Requests, UploadState } from '../api.ts';
import { type Jobs, messageOfEnding, refusalIn } from '../batches/jobs.ts';
import { Refused, refused, type Who } from '../http/route.ts';
import type { Inspection } from '../inspection/inspect.ts';
import type { Looks } from '../inspection/inspections.ts';
import { readTotals } from './control-totals.ts';
import type { Approval } from './sheet-approval.ts';
import type { Mending } from './sheet-corrections.ts';
import {
  doing,
  factsOf,
  noFound,
  notReadYet,
  type PlanFacts,
  type PlanRequest,
  requireShown,
  type SheetOrder,
  type SheetRecords,
  standingOf,
} from './sheet-records.ts';

const mostLookMs = 10_000;

/** A person's request to send unpaid rows again. */
export interface Again {
  readonly retry: NonNullable<PlanFacts['retry']>;
  readonly seen: Seen;
}

export function openPlanning(
  order: SheetOrder,
  records: SheetRecords,
  looks: Looks,
  mending: Mending,
  approval: Approval,
  jobs: Jobs,
) {
  const { ledger, clock } = order;
  const { uploads } = ledger;
  const { changed, mendable, requireIdle, folderOf, sheetOf } = records;

  async function plan(id: string, { standing, ...wanted }: Requests['plan'], person: Who): Promise<void> {
    mendable(id);
    await requireLooked(id);
    const record = mendable(id);
    requireShown(record, standing);
    requirePlannable(record, wanted);
    const waits = whyWaits(id, wanted.batch);
    if (waits !== null) throw new Refused(409, waits);
    await begin(record, wanted, person, null);
  }

  async function planAgain(batch: string, again: Again, person: Who): Promise<void> {
    const record = uploads.ofBatch(batch);
    const { request } = record === null ? {} : factsOf(record);
    if (record === null || request === undefined) throw refused(409, 'BATCH_OF_TERMINAL');
    requireIdle(record.id);
    await requireLooked(record.id);
    requireIdle(record.id);
    await begin(record, { ...request, batch }, person, again);
  }

  /** Returns a message if the plan of another upload waits for the batch; null for none. */
  function whyWaits(id: string, batch: string): PageMessage | null {
    const other = ledger.batches.proposalOf(batch);
    return other === null || other.upload === id ? null : messageOfError(proposalWaits(batch, other));
  }

  /** Waits for a running check of the sheet, which may find rows that were just sent. Throws after `mostLookMs`. */
  async function requireLooked(id: string): Promise<void> {
    const isOver = new AbortController();
    await Promise.race([looks.ended(id), clock.sleep(mostLookMs, isOver.signal)]);
    isOver.abort();
    if (looks.isUnderWay(id)) throw notReadYet();
  }

  function requirePlannable(record: UploadRecord, wanted: PlanRequest): void {
    if (wanted.batch.startsWith('-')) throw refused(422, 'BATCH_NAME_UNFIT');
    if (!plannable.includes(record.state)) throw refused(409, 'SHEET_UNPLANNABLE');
    const found = { ...noFound, ...factsOf(record).found };
    const { counts } = found;
    if (counts.toFix === 0) return;
    const why = wanted.skipInvalid ? whyNotSkip(found) : messageOf('ROWS_TO_FIX', { rows: counts.toFix });
    if (why !== null) throw new Refused(409, why);
  }

  async function begin(record: UploadRecord, wanted: PlanRequest, person: Who, again: Again | null): Promise<void> {
    const { id, file } = record;
    const retry = again?.retry ?? null;
    const { looked, choice } = factsOf(record);
    const expect = readTotals(wanted.expect, choice?.numberFormat ?? order.check.rules.numberFormat);
    const request: PlanRequest = { ...wanted, expect };
    const before: UploadState = retry !== null ? 'batch' : (looked ?? 'ready');
    const folder = join(folderOf(id), `plan-${clock.randomHex(4)}`);
    makeFolder(folder);
    const sheet = {
      file: sheetOf(record),
      ...mending.reading(record),
      ...batchOptions(request),
      policy: order.policy(),
      out: folder,
    };
    const isNamed = again !== null || isDecided(record, request);
    const command: Command = {
      do: 'plan',
      ...sheet,
      ...(isNamed ? {} : { batch: undefined, batchIfNew: request.batch }),
      ...(again === null ? {} : { ...rowsAgain(again.retry), seen: again.seen }),
    };
    const seen = standingOf(record);
    await uploads.change(id, (now) => {
      requireShown(now, seen);
      return changed({ plan: null, declined: null, request }, before)(now);
    });
    approval.forget(id);
    const { batch, confirmRepeat } = request;
    let refusal: PageMessage | null = null;
    let planned: PlanFacts | null = null;
    const keep = async (made: PlanFacts) => {
      const data = { upload: id, file, batch: made.request.batch, plan: made.digest };
      await uploads.keep(
        id,
        changed({ plan: { ...made, declinedBefore: await declinedOf(made) }, approvalGone: false }, 'planned'),
        doing(person, 'plan-made', data),
      );
    };
    void jobs
      .give(person, {
        kind: 'plan',
        upload: id,
        batch: null,
        command,
        deed: deedOf('plan-asked', {
          upload: id,
          file,
          batch,
          isRetry: retry !== null,
          ...(confirmRepeat === undefined ? {} : { confirmRepeat }),
        }),
        refuses: async (end) => {
          const found = { ...noFound, ...factsOf(record).found };
          refusal = (retry === null ? notTaken(end, request, found) : null) ?? refusalIn(end);
          if (refusal !== null) return refusal;
          planned = plannedOf(end, request, retry, clock.now());
          if (planned === null) return null;
          refusal = whyWaits(id, planned.request.batch);
          // Stores the plan while the job runs, because nobody can change or pay the sheet before the job ends.
          if (refusal === null) await keep(planned);
          return refusal;
        },
      })
      .then(async (end) => {
        if (planned === null || refusal !== null)
          await uploads.keep(id, changed({ plan: null }, before, refusal ?? messageOfEnding(end)));
      })
      .catch(async (error: unknown) => {
        order.log(error);
        if (planned !== null) await uploads.keep(id, changed({ plan: null }, before, messageOfError(error)));
      })
      .then(async () => await approval.settle(id))
      .catch((error: unknown) => order.log(error));
  }

  /** Returns the newest decline of a plan with the same rows or batch name. It counts for 35 days, and until the batch gets another version. */
  async function declinedOf({ rows, request: { batch } }: PlanFacts): Promise<PlanFacts['declinedBefore']> {
    const [no, known] = [await ledger.trail.declinedBefore(batch, rows), await ledger.batches.batch(batch)];
    if (no === null || no.at < Math.max(clock.now() - matchedMs, known?.sheet.receivedAt ?? 0)) return null;
    return { ...no, at: isoTime(no.at) };
  }

  /** Returns the file's name, with a number if another batch or upload has that name. */
  function nameFor(record: UploadRecord): string {
    const stem = stemOf(record);
    const taken = uploads.takenNames(record.id);
    let name = stem;
    for (let next = 2; taken.has(name); next += 1) name = `${stem}-${next}`;
    return name;
  }

  return { plan, planAgain, nameFor };
}

const plannable: readonly string[] = ['to_fix', 'ready', 'planned', 'approved', 'declined'] satisfies UploadState[];

/**
 * True if a person chose the batch, or if a batch of another service has the rows. If not, the rows decide when the plan is
 * made, since another program may have sent them.
 */
function isDecided(record: UploadRecord, { isNew, add, confirmRepeat }: PlanRequest): boolean {
  const isOfOtherService = factsOf(record).found?.isOfOtherService === true;
  return isOfOtherService || isNew === true || add === true || confirmRepeat !== undefined;
}

export const batchOptions = ({ series, isNew: _isNew, ...options }: PlanRequest): Options => ({
  ...options,
  ...(series === '' ? {} : { series }),
});

const stemOf = (record: UploadRecord) =>
  (factsOf(record).replaces?.first ?? record.file)
    .replace(/\.[^.]+$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 50) || 'batch';

/** Returns why rows with mistakes cannot be skipped. A fault of the whole sheet has no row to skip. */
export function whyNotSkip({ problems, counts }: Pick<Inspection, 'problems' | 'counts'>): OwnMessage | null {
  if (counts.toFix >= counts.rows) return messageOf('NO_ROW_PAYABLE');
  const fault = problems.find(({ row, severity }) => row === null && severity === 'error');
  return fault === undefined ? null : messageOf('SHEET_FAULT', { problem: fault });
}

const rowsAgain = ({ rows }: Again['retry']) => ({ rows: rows?.map((row) => ({ row })) ?? ('all' as const) });

function plannedOf(end: Ending, request: PlanRequest, retry: PlanFacts['retry'], madeAt: number): PlanFacts | null {
  const reached = reachedIn(end);
  if (reached?.written === undefined || reached.digest === null) return null;
  const { written, digest: rows, notes, batch } = reached;
  const { plan, plan_digest: digest, unconfirmed } = written;
  return {
    path: plan,
    digest,
    notes,
    stops: unconfirmed ?? [],
    retry,
    rows,
    declinedBefore: null,
    // The command may have named the batch after the rows.
    request: { ...request, batch: batch ?? request.batch },
    madeAt,
  };
}

/** Returns why a plan that sends nothing is not kept; null if the plan is kept. */
function notTaken(
  end: Ending,
  request: PlanRequest,
  { sharedWith }: Pick<Inspection, 'sharedWith'>,
): OwnMessage | null {
  const reached = reachedIn(end);
  if (reached?.written === undefined || reached.rows.not_sent > 0) return null;
  const { rows, batch } = reached;
  // These rows are held in the batch already, and another plan does not release them.
  const held = sharedWith.find((one) => one.batch === batch)?.held ?? 0;
  const name = batch ?? request.batch;
  if (held > 0) return messageOf('ALL_HELD', { batch: name, held });
  if (rows.held > 0) return null;
  const sent = rows.total - rows.invalid - rows.closed;
  return messageOf('NOTHING_TO_SEND', { batch: name, sent, of: rows.total });
}
