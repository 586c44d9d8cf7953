/** What the ledger keeps of a sheet that came in, where its files lie, and whether it may still be changed. */
import { join } from 'node:path';
import { surelyRepeatMs } from '../../app/preview-batch.ts';
import { isoTime } from '../../base/clock.ts';
import type { Doing, Ledger, UploadChanges, UploadRecord } from '../../ledger/ledger.ts';
import type { DeclinedBefore, FixedBefore, Requests, Review, Upload, UploadLine, UploadState } from '../api.ts';
import type { Jobs } from '../batches/jobs.ts';
import { Refused, type Who } from '../http/route.ts';
import type { Found } from '../inspection/inspect.ts';

export type Choice = Requests['columns'];

/** `suggested`: the name is the one that the file had, and so no word that it is another batch. */
export type Asked = Requests['plan'] & { readonly suggested?: boolean };

export interface PlanFacts {
  readonly path: string;
  readonly digest: string;
  readonly notes: readonly string[];
  readonly stops: readonly string[];
  /** Of a batch whose unpaid rows are to be sent again; rows null: all of them. A plan of an earlier version lacks the reason. */
  readonly retry: { readonly rows: readonly string[] | null; readonly reason?: string } | null;
  readonly request: Asked;
  /** What was sent after that it does not know. */
  readonly madeAt?: number;
  /** Till when it can be paid; what nobody has read yet says nothing of it. */
  readonly expiresAt?: string;
  /** As it was read with that. */
  readonly toSend?: UploadLine['toSend'];
}

/** A list shows what would be sent, where that is not the whole sheet. */
export const toSendOf = (
  state: string,
  plan: Pick<PlanFacts, 'toSend'> | null,
  { rows }: Found['counts'],
): UploadLine['toSend'] =>
  (state === 'planned' || state === 'approved') && plan?.toSend != null && plan.toSend.rows < rows ? plan.toSend : null;

export interface Facts {
  readonly sheet: string;
  readonly found: Omit<Found, 'state' | 'message'> | null;
  /** As the newest look left it. */
  readonly looked: Found['state'] | null;
  readonly table: string | null;
  readonly choice: Choice | null;
  /** Which rows are meant, where columns that are not read say it. */
  readonly rowChoices?: Requests['rows']['choices'];
  readonly plan: PlanFacts | null;
  /** The last plan that waited, of it or of the sheet in whose place it came: kept by the ledger. */
  readonly guard?: PlanFacts | null;
  /** When the newest look ended: what a job said before that is of no weight any more. */
  readonly lookedAt?: number;
  /** It was approved, and changed since: until a plan of it stands, nobody is to take it for approved. */
  readonly approvalGone?: boolean;
  /** As it was asked for when the sheet was planned last: a batch's unpaid rows are planned again in the same way. */
  readonly request?: Asked;
  readonly declined: Review['declined'];
  /** Until a plan of it is approved, or declined in its turn: whoever approves is to know of it. */
  readonly declinedBefore?: RememberedBefore | undefined;
  /** Accounts that changed anything of it, beside those of whom the ledger knows by itself. */
  readonly changedBy?: readonly number[];
  readonly replaces?: Replaced;
}

/** `of`: the sheet under whose id the declined plan is remembered. */
export type RememberedBefore = DeclinedBefore & { readonly of: string };

/** What outlives a sheet in whose place the mended file came. */
export interface Replaced {
  readonly file: string;
  /** The file that came first of all. */
  readonly first?: string;
  /** It, and what it had replaced itself. */
  readonly uploads: readonly string[];
  readonly fixed: readonly FixedBefore[];
  /** That came along, since rows of the new file name them. */
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

/**
 * What was sent of the sheet already, where a plan of it is refused for that: made under another name without a reason, or paid although
 * rows were sent since it was made; null where neither is so.
 */
export function sentAsOf(
  state: string,
  plan: Pick<PlanFacts, 'request' | 'retry' | 'madeAt'> | null,
  { repeats, sentRows, counts }: Pick<Found, 'repeats' | 'sentRows' | 'counts'>,
  now: number,
): UploadLine['sentAs'] {
  if (!['ready', 'to_fix', 'planned', 'approved', 'declined'].includes(state) || plan?.retry != null) return null;
  const since = state === 'planned' || state === 'approved';
  // It corrects what was sent meanwhile as it was: no more of it is paid, under whatever name.
  const late = since
    ? repeats.find(({ own, batch, changed }) => own && changed && batch === plan?.request.batch)
    : null;
  if (late?.changed !== undefined) {
    const rows = Math.min(late.rows + late.changed.rows, counts.rows);
    return { batches: [{ batch: late.batch, rows, own: true }], rows, since, otherwise: late.changed.numbers };
  }
  // What only nearly looks the same stops no plan that is made knowing of it; one that is made already it does.
  const isTold = ({ near }: Found['repeats'][number]) =>
    near === undefined || (since && (near === 'told' || plan?.request.suggested === true));
  const counted = repeats
    .filter((one) => isTold(one) && one.rows > 0)
    .filter(({ batch, at }) =>
      since ? batch !== plan?.request.batch && Number(at) > (plan?.madeAt ?? now) : now - Number(at) <= surelyRepeatMs,
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

/** The batch that lately sent all of its rows, as a mended copy of it has them: what has mistakes here was sent without. Null where none did. */
export function mendedAsOf(
  { repeats, counts }: Pick<Found, 'repeats' | 'counts'>,
  now: number,
): UploadLine['mendedAs'] {
  const isCopy = ({ rows, mended = 0, held = 0, at }: Found['repeats'][number]) =>
    mended > 0 && rows + mended + held >= counts.rows && now - Number(at) <= surelyRepeatMs;
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

/** Of a plan that goes on with a batch the rows which that has sent are not sent once more: the plan itself says what looks paid elsewhere. */
export const looksPaidOf = (plan: Pick<PlanFacts, 'request'> | null, { looksPaid = 0 }: Found['counts']): number =>
  plan?.request.add === true ? 0 : looksPaid;

const mostGoesOn = 5;

/** A batch that was sent from goes on with rows that were sent as none, or as an earlier month's, and that it does not hold already. */
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

/** The one batch whose mended sheet it is by all that is known: of several, or once that was some days ago, a person says which, or none. */
export function mendsOf(found: Pick<Found, 'repeats' | 'sentRows' | 'counts'>, now: number): Upload['mends'] {
  const [only, ...others] = goesOnOf(found).filter(({ rest }) => rest !== undefined);
  if (only?.rest === undefined || others.length > 0 || now - Date.parse(only.at ?? '') > surelyRepeatMs) return null;
  return { batch: only.batch, ...only.rest };
}

/** A plan that is void, or made anew, makes nobody's no forgotten. */
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

/** What somebody said of the plan, or is to say, is of that sheet of the workbook. */
export function isPlanned(record: UploadRecord): boolean {
  const { plan, declined } = factsOf(record);
  return plan !== null || declined !== null;
}

export const factsOf = ({ facts }: UploadRecord) => JSON.parse(facts) as Facts;

export const notReadYet = () => new Refused(409, 'The sheet is being looked at still. Wait a moment.', 'NOT_READ_YET');

export const doing = (
  person: Who,
  did: string,
  data: Readonly<Record<string, unknown>> = {},
  batch: string | null = null,
): Doing => ({ account: person.id, by: person.name, did, data, batch });

/** Enough of it for people to see that they speak of the same plan. */
export const shortDigest = (digest: string) => `${digest.slice(0, 'sha256:'.length + 12)}…`;

export type SheetRecords = ReturnType<typeof openSheetRecords>;

export function openSheetRecords(ledger: Ledger, jobs: Jobs) {
  const { uploads } = ledger;
  const root = join(ledger.folder, 'console', 'uploads');
  const folderOf = (id: string) => join(root, id);
  /** Beside them: of a sheet that is thrown away it is still known who said no to it. */
  const declines = join(ledger.folder, 'console', 'declined');

  function get(id: string): UploadRecord {
    const record = /^[0-9a-f]{32}$/.test(id) ? uploads.find(id) : null;
    if (record === null) throw new Refused(404, 'There is no such sheet here. Perhaps somebody discarded it.');
    return record;
  }

  const changed =
    (facts: Partial<Facts>, state: UploadState, message: string | null = null): UploadChanges =>
    (now) => ({
      facts: JSON.stringify({ ...factsOf(now), ...facts }),
      state,
      message,
      ...(facts.plan === undefined ? {} : { plan: facts.plan?.digest ?? null }),
    });

  /** Once it is a batch it is mended in the ledger alone, a plan to send its unpaid rows again included. */
  function mendable(id: string): UploadRecord {
    const record = get(id);
    if (record.batch !== null)
      throw new Refused(409, `This sheet is batch ${record.batch} by now. Hand in a fixed sheet to change it.`);
    requireIdle(id);
    return record;
  }

  const isIdle = (id: string) => jobs.running(id) === null;

  /** While a job works on it nothing is changed under it. */
  function requireIdle(id: string): void {
    const job = jobs.running(id);
    if (job !== null)
      throw new Refused(
        409,
        `${job.kind === 'plan' ? 'The plan of this sheet is being made' : 'This sheet is being worked on'} just now, as ${job.by} asked. Wait until that has ended.`,
      );
  }

  /** Null before it was looked at. */
  function tableIfRead(record: UploadRecord): string | null {
    const { table } = factsOf(record);
    return table === null ? null : join(folderOf(record.id), table);
  }

  function tableOf(record: UploadRecord): string {
    const table = tableIfRead(record);
    if (table === null) throw notReadYet();
    return table;
  }

  /** What was planned was planned of other rows: plan and approvals are void. Asked once more whether that may be: much may have begun meanwhile. */
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

  /** Whoever handed it in, changed or planned it does not approve it, whatever role comes later. */
  const preparersOf = (record: UploadRecord): readonly number[] => [
    ...uploads.preparers(record.id),
    ...(factsOf(record).changedBy ?? []),
  ];

  /** Of every sheet that came into the batch: its rows may be of any of them. */
  const preparersOfBatch = (batch: string): readonly number[] => uploads.everOfBatch(batch).flatMap(preparersOf);

  return {
    /** The folder of every sheet. */
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
