/** Records of uploaded sheets: the ledger's facts, the places of files, and if a sheet may be changed. */
import { join } from 'node:path';
import { isoTime } from '../../base/clock.ts';
import type { Note } from '../../domain/note.ts';
import { recentMs } from '../../domain/sending/match.ts';
import type { Doing, Ledger, UploadChanges, UploadRecord } from '../../ledger/ledger.ts';
import type { DeedCode, DeedFacts } from '../../messages/web/deeds.ts';
import type { PageMessage } from '../../messages/web/messages.ts';
import type { DeclinedBefore, FixedBefore, Requests, Review, Upload, UploadLine, UploadState } from '../api.ts';
import type { Jobs } from '../batches/jobs.ts';
import { refused, type Who } from '../http/route.ts';
import type { Found } from '../inspection/inspect.ts';

export type Choice = Requests['columns'];

/** `suggested`: the name is the file's, so no decision for a new batch. */
export type Asked = Requests['plan'] & { readonly suggested?: boolean };

export interface PlanFacts {
  readonly path: string;
  readonly digest: string;
  readonly notes: readonly Note[];
  readonly stops: readonly string[];
  /** Unpaid rows to send again; rows null: all. Older plans lack the reason. */
  readonly retry: { readonly rows: readonly string[] | null; readonly reason?: string } | null;
  readonly request: Asked;
  /** Later sendings are unknown to it. */
  readonly madeAt?: number;
  /** When it lapses; missing until the plan is read. */
  readonly expiresAt?: string;
  readonly toSend?: UploadLine['toSend'];
}

/** Returns null if the whole sheet is sent. */
export const toSendOf = (
  state: string,
  plan: Pick<PlanFacts, 'toSend'> | null,
  { rows }: Found['counts'],
): UploadLine['toSend'] =>
  (state === 'planned' || state === 'approved') && plan?.toSend != null && plan.toSend.rows < rows ? plan.toSend : null;

export interface Facts {
  readonly sheet: string;
  readonly found: Omit<Found, 'state' | 'message'> | null;
  readonly looked: Found['state'] | null;
  readonly table: string | null;
  readonly choice: Choice | null;
  readonly rowChoices?: Requests['rows']['choices'];
  readonly plan: PlanFacts | null;
  /** The last waiting plan of this sheet or of the one it replaced; the ledger keeps it. */
  readonly guard?: PlanFacts | null;
  /** When the newest check ended; earlier job messages do not count. */
  readonly lookedAt?: number;
  readonly approvalGone?: boolean;
  /** The last request, to plan unpaid rows the same way. */
  readonly request?: Asked;
  readonly declined: Review['declined'];
  readonly declinedBefore?: RememberedBefore | undefined;
  /** Accounts that changed it, beside those in the ledger. */
  readonly changedBy?: readonly number[];
  readonly replaces?: Replaced;
}

/** `of`: the sheet that stores the declined plan. */
export type RememberedBefore = DeclinedBefore & { readonly of: string };

export interface Replaced {
  readonly file: string;
  readonly first?: string;
  readonly uploads: readonly string[];
  readonly fixed: readonly FixedBefore[];
  /** Carried over, because rows name them. */
  readonly documents?: readonly string[];
}

export const noFound: Omit<Found, 'state' | 'message'> = {
  found: [],
  seen: [],
  sent: null,
  repeats: [],
  sentRows: 0,
  keptDocuments: [],
  header: [],
  columns: [],
  advice: null,
  counts: { rows: 0, toFix: 0, warnings: 0, newPayees: 0, over50000: 0 },
  totals: [],
  problems: [],
  questions: [],
  ownBatch: null,
};

/** Rows sent already that make a plan refused: without a reason, or sent after the plan; null if neither. */
export function sentAsOf(
  state: string,
  plan: Pick<PlanFacts, 'request' | 'retry' | 'madeAt'> | null,
  { repeats, sentRows, counts }: Pick<Found, 'repeats' | 'sentRows' | 'counts'>,
  now: number,
): UploadLine['sentAs'] {
  if (!['ready', 'to_fix', 'planned', 'approved', 'declined'].includes(state) || plan?.retry != null) return null;
  const since = state === 'planned' || state === 'approved';
  // It corrects rows that were sent: no more of it is paid.
  const late = since
    ? repeats.find(({ own, batch, changed }) => own && changed && batch === plan?.request.batch)
    : null;
  if (late?.changed !== undefined) {
    const rows = Math.min(late.rows + late.changed.rows, counts.rows);
    return { batches: [{ batch: late.batch, rows, own: true }], rows, since, otherwise: late.changed.numbers };
  }
  // Near matches stop an existing plan, but not a new one that knows them.
  const isTold = ({ near }: Found['repeats'][number]) =>
    near === undefined || (since && (near === 'told' || plan?.request.suggested === true));
  const counted = repeats
    .filter((one) => isTold(one) && one.rows > 0)
    .filter(({ batch, at }) =>
      since ? batch !== plan?.request.batch && Number(at) > (plan?.madeAt ?? now) : now - Number(at) <= recentMs,
    );
  if (counted.length === 0) return null;
  const own = counted.reduce((sum, one) => sum + (one.own ? one.rows : 0), 0);
  const corrected = since ? undefined : counted.find((one) => one.own && one.changed !== undefined)?.changed;
  const batches = Map.groupBy(counted, ({ batch, own: isOwn }) => `${isOwn} ${batch}`);
  return {
    batches: [...batches.values()].map((of) => ({
      batch: of[0]!.batch,
      rows: of.reduce((sum, { rows }) => sum + rows, 0),
      own: of[0]!.own,
    })),
    rows: Math.min(own, sentRows, counts.rows),
    since,
    ...(corrected === undefined ? {} : { corrected }),
  };
}

/** The batch that lately sent the corrected form of all rows; null if none did. */
export function mendedAsOf(
  { repeats, counts }: Pick<Found, 'repeats' | 'counts'>,
  now: number,
): UploadLine['mendedAs'] {
  const isCopy = ({ rows, mended = 0, held = 0, at }: Found['repeats'][number]) =>
    mended > 0 && rows + mended + held >= counts.rows && now - Number(at) <= recentMs;
  const copy = repeats.find((one) => one.own && isCopy(one));
  return copy === undefined
    ? null
    : {
        batch: copy.batch,
        rows: copy.rows + Number(copy.mended),
        mended: Number(copy.mended),
        otherwise: copy.otherwise ?? [],
      };
}

/** A plan that continues a batch never resends its rows; the plan reports matches elsewhere. */
export const looksPaidOf = (plan: Pick<PlanFacts, 'request'> | null, { looksPaid = 0 }: Found['counts']): number =>
  plan?.request.add === true ? 0 : looksPaid;

const mostGoesOn = 5;

export function goesOnOf({
  repeats,
  sentRows,
  counts,
}: Pick<Found, 'repeats' | 'sentRows' | 'counts'>): (Upload['goesOn'][number] &
  Pick<Found['repeats'][number], 'rest'>)[] {
  const isWhole = sentRows >= counts.rows;
  return repeats
    .filter(({ goesOn, rows, held = 0, owes = false }) => goesOn && rows + held < counts.rows && (owes || !isWhole))
    .slice(0, mostGoesOn)
    .map(({ batch, rows, at, rest }) => ({
      batch,
      rows,
      at: at === null ? null : isoTime(at),
      ...(rest === undefined ? {} : { rest }),
    }));
}

/** The one batch that the sheet corrects; null if several fit or it was days ago. */
export function mendsOf(found: Pick<Found, 'repeats' | 'sentRows' | 'counts'>, now: number): Upload['mends'] {
  const [only, ...others] = goesOnOf(found).filter(({ rest }) => rest !== undefined);
  if (only?.rest === undefined || others.length > 0 || now - Date.parse(only.at ?? '') > recentMs) return null;
  return { batch: only.batch, ...only.rest };
}

/** A void or new plan forgets no decline. */
export function declinedBeforeOf(record: UploadRecord): Facts['declinedBefore'] {
  const { declined, declinedBefore } = factsOf(record);
  return declined === null
    ? declinedBefore && { ...declinedBefore, since: null }
    : { ...declined, since: null, sheet: null, of: record.id };
}

export function toldBefore(before: Facts['declinedBefore'] | null): DeclinedBefore | null {
  if (before == null) return null;
  const { of: _id, ...told } = before;
  return told;
}

/** A plan or decline belongs to the chosen sheet of the workbook. */
export function isPlanned(record: UploadRecord): boolean {
  const { plan, declined } = factsOf(record);
  return plan !== null || declined !== null;
}

export const factsOf = ({ facts }: UploadRecord) => JSON.parse(facts) as Facts;

export const notReadYet = () => refused(409, 'NOT_READ_YET');

export const doing = <C extends DeedCode>(
  person: Who,
  did: C,
  data: DeedFacts<C>,
  batch: string | null = null,
): Doing => ({ account: person.id, by: person.name, did, data, batch });

/** The ledger holds a message as its code and facts. */
export const stored = (message: PageMessage | null) => (message === null ? null : JSON.stringify(message));

export type SheetRecords = ReturnType<typeof openSheetRecords>;

export function openSheetRecords(ledger: Ledger, jobs: Jobs) {
  const { uploads } = ledger;
  const root = join(ledger.folder, 'console', 'uploads');
  const folderOf = (id: string) => join(root, id);
  /** Kept beside the sheets, so that a discarded sheet's declines survive. */
  const declines = join(ledger.folder, 'console', 'declined');

  function get(id: string): UploadRecord {
    const record = /^[0-9a-f]{32}$/.test(id) ? uploads.find(id) : null;
    if (record === null) throw refused(404, 'SHEET_UNKNOWN');
    return record;
  }

  const changed =
    (facts: Partial<Facts>, state: UploadState, message: PageMessage | null = null): UploadChanges =>
    (now) => ({
      facts: JSON.stringify({ ...factsOf(now), ...facts }),
      state,
      message: stored(message),
      ...(facts.plan === undefined ? {} : { plan: facts.plan?.digest ?? null }),
    });

  /** Once a batch exists, only the ledger changes it. */
  function mendable(id: string): UploadRecord {
    const record = get(id);
    if (record.batch !== null) throw refused(409, 'SHEET_IS_BATCH', { batch: record.batch });
    requireIdle(id);
    return record;
  }

  const isIdle = (id: string) => jobs.running(id) === null;

  function requireIdle(id: string): void {
    const job = jobs.running(id);
    if (job !== null) throw refused(409, 'SHEET_AT_WORK', { by: job.by, isPlanned: job.kind === 'plan' });
  }

  function tableIfRead(record: UploadRecord): string | null {
    const { table } = factsOf(record);
    return table === null ? null : join(folderOf(record.id), table);
  }

  function tableOf(record: UploadRecord): string {
    const table = tableIfRead(record);
    if (table === null) throw notReadYet();
    return table;
  }

  /** Voids plan and approvals after a change, if that is still allowed. */
  const voided =
    (person: Who, facts: Partial<Facts> = {}): UploadChanges =>
    (now) => {
      const { changedBy = [], ...before } = factsOf(mendable(now.id));
      return {
        facts: JSON.stringify({
          ...before,
          plan: null,
          declined: null,
          declinedBefore: declinedBeforeOf(now),
          approvalGone: before.approvalGone === true || now.state === 'approved',
          changedBy: [...new Set([...changedBy, person.id])],
          ...facts,
        } satisfies Facts),
        plan: null,
        state: 'reading',
        message: null,
      };
    };

  /** People who uploaded, changed or planned it may never approve it. */
  const preparersOf = (record: UploadRecord): readonly number[] => [
    ...uploads.preparers(record.id),
    ...(factsOf(record).changedBy ?? []),
  ];

  /** Covers all sheets of the batch: its rows may be of any. */
  const preparersOfBatch = (batch: string): readonly number[] => uploads.everOfBatch(batch).flatMap(preparersOf);

  return {
    root,
    folderOf,
    declines,
    documentsOf: (id: string) => join(folderOf(id), 'documents'),
    sheetOf: (record: UploadRecord) => join(folderOf(record.id), factsOf(record).sheet),
    get,
    changed,
    mendable,
    isIdle,
    requireIdle,
    tableIfRead,
    tableOf,
    voided,
    preparersOf,
    preparersOfBatch,
  };
}
