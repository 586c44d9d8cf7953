/** Plans a sheet: proposes a name, gives reasons against a plan, and runs the job that makes it. */
import { join } from 'node:path';
import type { Command } from '../../app/batch/command.ts';
import { whyNotSkip } from '../../app/upload-plan.ts';
import { makeFolder } from '../../base/folder.ts';
import { fold } from '../../domain/rows/text.ts';
import type { UploadRecord } from '../../ledger/ledger.ts';
import { deedOf } from '../../messages/web/deeds.ts';
import { messageOf, messageOfError, type PageMessage } from '../../messages/web/messages.ts';
import { type Ending, reachedIn } from '../../pipeline/outcome.ts';
import type { Seen } from '../../pipeline/seen.ts';
import type { Requests, UploadState } from '../api.ts';
import { type Jobs, refusalIn } from '../batches/jobs.ts';
import { eyesOf, Refused, refused, type Who } from '../http/route.ts';
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
  replacedBy,
  requireShown,
  type SheetOrder,
  type SheetRecords,
  standingOf,
} from './sheet-records.ts';

const mostLookMs = 10_000;

export interface Again {
  readonly retry: NonNullable<PlanFacts['retry']>;
  readonly seen: Seen;
  readonly unpaid: readonly { readonly sheet: number }[];
  readonly base: number;
}

export function openPlanning(
  order: SheetOrder,
  records: SheetRecords,
  looks: Looks,
  mending: Mending,
  approval: Approval,
  jobs: Jobs,
) {
  const { clock, ledger } = order;
  const { uploads } = ledger;
  const { changed, mendable, requireIdle, folderOf, sheetOf } = records;

  async function plan(id: string, { standing, ...wanted }: Requests['plan'], person: Who): Promise<void> {
    mendable(id);
    await requireLooked(id);
    const record = mendable(id);
    requireShown(record, standing);
    requirePlannable(record, wanted);
    await begin(record, wanted, person, null);
  }

  /** Plans a retry from the sheet that lists the rows now. */
  async function planAgain(batch: string, again: Again, person: Who): Promise<string> {
    const [listing = again.base, another] = new Set(again.unpaid.map(({ sheet }) => sheet));
    if (another !== undefined) throw refused(409, 'UNPAID_IN_SHEETS');
    const origin = ledger.batches.sheetsOf(batch).find(({ id }) => id === listing)?.origin;
    const record = uploads.everOfBatch(batch).find((one) => origin?.endsWith(join(one.id, factsOf(one).sheet)));
    const { request } = record === undefined ? {} : factsOf(record);
    if (record === undefined || request === undefined) throw refused(409, 'BATCH_OF_TERMINAL');
    await requireLooked(record.id);
    requireIdle(record.id);
    await begin(record, { ...request, batch }, person, again);
    return record.id;
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
    if (found.counts.toFix === 0) return;
    if (!wanted.skipInvalid) throw refused(409, 'ROWS_TO_FIX', { rows: found.counts.toFix });
    const why = whyNotSkip(found);
    if (why !== null) throw new Refused(409, againstSkipping(why));
  }

  async function begin(record: UploadRecord, wanted: PlanRequest, person: Who, again: Again | null): Promise<void> {
    const { id, file } = record;
    const retry = again?.retry ?? null;
    const { choice, ...facts } = factsOf(record);
    const { base = facts.base } = wanted;
    const expect = readTotals(wanted.expect, choice?.numberFormat ?? order.check.rules.numberFormat);
    const request: PlanRequest = { ...wanted, base, expect };
    const folder = join(folderOf(id), `plan-${clock.randomHex(4)}`);
    makeFolder(folder);
    const options = { ...mending.reading(record), ...batchOptions(request) };
    const sheet = { file: sheetOf(record), ...options, policy: order.policy(), out: folder };
    const rows = retry?.rows?.map((row) => ({ row })) ?? ('all' as const);
    const from = again === null ? { base } : { rows, seen: again.seen };
    const command: Command = { do: 'propose', upload: id, ...sheet, ...from };
    const seen = standingOf(record);
    await uploads.change(id, (now) => {
      requireShown(now, seen);
      return changed({ planLost: null, declined: null, request })(now);
    });
    approval.forget(id);
    const { batch, confirmRepeat } = request;
    const repeat = confirmRepeat === undefined ? {} : { confirmRepeat };
    let wasMade = false;
    const endPlan = async () => await uploads.keep(id, changed({ plan: null }));
    const keep = async (made: Made) => {
      const data = { upload: id, file, batch, plan: made.digest };
      const review = await approval.reviewed(record, eyesOf(null), made);
      const toSend = { rows: review.rowsToSend, totals: review.totals };
      const plan: PlanFacts = { ...made, expiresAt: review.expiresAt, toSend };
      const { found: was } = factsOf(record);
      const found = was && { ...was, counts: { ...was.counts, looksPaid: review.repeatsTotal } };
      await uploads.keep(id, changed({ plan, found }), doing(person, 'plan-made', data));
    };
    void jobs
      .give(person, {
        kind: 'plan',
        upload: id,
        batch: null,
        command,
        deed: deedOf('plan-asked', { upload: id, file, batch, isRetry: retry !== null, ...repeat }),
        refuses: async (end) => {
          const made = madeIn(end, request, retry);
          if (made === null) return refusalIn(end);
          wasMade = true;
          // Stores the plan while the job runs, because nobody can change or pay the sheet before the job ends.
          return await keep(made).then(
            () => null,
            async (error: unknown) => {
              await endPlan();
              return error instanceof Refused ? error.said : messageOfError(error);
            },
          );
        },
      })
      .catch(async (error: unknown) => {
        order.log(error);
        if (wasMade) await endPlan();
      })
      .catch((error: unknown) => order.log(error));
  }

  /** Returns the name of the first replaced file, with a number if another batch or upload has that name. */
  function nameFor(record: UploadRecord): string {
    const { file } = uploads.everKnown(replacedBy(record).at(-1) ?? '') ?? record;
    const stem = stemOf(file);
    const taken = new Set([...uploads.takenNames(record.id)].map(fold));
    let name = stem;
    for (let next = 2; taken.has(fold(name)); next += 1) name = `${stem}-${next}`;
    return name;
  }

  return { plan, planAgain, nameFor };
}

export const againstSkipping = (why: NonNullable<ReturnType<typeof whyNotSkip>>): PageMessage =>
  why.why === 'sheet-fault' ? messageOf('SHEET_FAULT', { problem: why.problem }) : messageOf('NO_ROW_PAYABLE');

const plannable: readonly string[] = ['to_fix', 'ready', 'planned'] satisfies UploadState[];

export const batchOptions = ({ series, base: _base, ...options }: PlanRequest) => ({
  ...options,
  ...(series === '' ? {} : { series }),
});

const stemOf = (file: string) =>
  file
    .replace(/\.[^.]+$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 50) || 'batch';

type Made = Omit<PlanFacts, 'expiresAt' | 'toSend'>;

function madeIn(end: Ending, request: PlanRequest, retry: PlanFacts['retry']): Made | null {
  const reached = reachedIn(end);
  if (reached?.written === undefined || reached.digest === null) return null;
  const { written, digest: rows, notes } = reached;
  const { plan: path, plan_digest: digest, unconfirmed: stops = [] } = written;
  return { path, digest, notes, stops, retry, rows, request };
}
