/** Keeps the records of uploaded sheets: what the ledger stores, where the files are, and who may change a sheet. */
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, isoTime } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import type { Beyond } from '../../base/refusal.ts';
import type { Each } from '../../base/words.ts';
import type { Note } from '../../domain/note.ts';
import type { Doing, Ledger, UploadChanges, UploadRecord } from '../../ledger/ledger.ts';
import type { DeedCode, DeedFacts } from '../../messages/web/deeds.ts';
import type { PageMessage } from '../../messages/web/messages.ts';
import type { Requests, Review, Upload, UploadLine } from '../api.ts';
import type { Jobs } from '../batches/jobs.ts';
import { refused, type Who } from '../http/route.ts';
import type { CheckSettings, Inspection } from '../inspection/inspect.ts';
import type { Choice } from './match-columns.ts';

interface ApproverKeys {
  unlock(account: number, password: string): Promise<KeyObject>;
  file(account: number): string;
}

export interface SheetOrder {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly service: string;
  readonly check: CheckSettings;
  policy(): string;
  readonly keys: ApproverKeys;
  readonly log: (fault: unknown) => void;
}

export type PlanRequest = Omit<Requests['plan'], 'standing'>;

export interface PlanFacts extends Each<'path digest rows expiresAt', string> {
  readonly notes: readonly Note[];
  readonly stops: readonly Beyond[];
  /** `rows` null means all unpaid rows. */
  readonly retry: { readonly rows: readonly string[] | null; readonly reason: string } | null;
  readonly request: PlanRequest;
  readonly toSend: NonNullable<UploadLine['toSend']>;
}

export interface Facts {
  readonly sheet: string;
  /** The ledger's newest sheet when the console took the file. */
  readonly base: number;
  readonly found: Omit<Inspection, 'state' | 'message'> | null;
  readonly table: string | null;
  readonly choice: Choice | null;
  readonly rowChoices?: Requests['rows']['choices'];
  readonly plan: PlanFacts | null;
  readonly lookedAt?: number;
  readonly changedAt?: number;
  /** The last request for a plan. A retry uses it again. */
  readonly request?: PlanRequest;
  readonly declined: Review['declined'];
  /** The change that ended the sheet's last plan; null if a plan was made or ended later. */
  readonly planLost?: Upload['planLost'];
  /** Accounts that changed the sheet, in addition to those that the ledger lists. */
  readonly changedBy?: readonly number[];
  /** Counts the changes of the sheet. */
  readonly changes?: number;
  /** The ids of the replaced sheets, the newest first. */
  readonly replaces?: { readonly uploads: readonly string[] };
}

export const noFound: Omit<Inspection, 'state' | 'message'> = {
  sheetName: null,
  form: null,
  reading: [],
  seen: [],
  sharedWith: [],
  header: [],
  columns: [],
  advice: null,
  counts: { rows: 0, toFix: 0, warnings: 0, newPayees: 0, over50000: 0 },
  totals: [],
  problems: [],
  questions: [],
  ownBatch: null,
};

export function isPlanned(record: UploadRecord): boolean {
  const { plan, declined } = factsOf(record);
  return plan !== null || declined !== null;
}

export const replacedBy = (record: UploadRecord): readonly string[] => factsOf(record).replaces?.uploads ?? [];

export const isWaiting = ({ state }: Pick<UploadRecord, 'state'>) => state === 'planned' || state === 'approved';

export const factsOf = ({ facts }: UploadRecord) => JSON.parse(facts) as Facts;

/** Changes with every change and plan of the sheet. A check changes nothing of what a person sees in the file. */
export function standingOf(record: UploadRecord): string {
  const { changes, choice } = factsOf(record);
  return sha256(JSON.stringify([isWaiting(record), record.batch, record.plan, changes, choice]));
}

export function requireShown(record: UploadRecord, standing: string): void {
  if (standingOf(record) !== standing) throw refused(409, 'SHEET_MOVED');
}

export const notReadYet = () => refused(409, 'NOT_READ_YET');

export const doing = <C extends DeedCode>(
  person: Who,
  did: C,
  data: DeedFacts<C>,
  batch: string | null = null,
): Doing => ({ account: person.id, by: person.name, did, data, batch });

export const stored = (message: PageMessage | null) => (message === null ? null : JSON.stringify(message));

export type SheetRecords = ReturnType<typeof openSheetRecords>;

export function openSheetRecords({ ledger, clock }: Pick<SheetOrder, 'ledger' | 'clock'>, jobs: Jobs) {
  const { uploads } = ledger;
  const root = join(ledger.folder, 'console', 'uploads');
  const folderOf = (id: string) => join(root, id);
  function get(id: string): UploadRecord {
    const record = /^[0-9a-f]{32}$/.test(id) ? uploads.find(id) : null;
    if (record === null) throw refused(404, 'SHEET_UNKNOWN');
    return record;
  }

  const changed =
    (facts: Partial<Facts>): UploadChanges =>
    (now) => ({
      facts: JSON.stringify({ ...factsOf(now), ...facts }),
      ...(facts.plan === undefined ? {} : { plan: facts.plan?.digest ?? null }),
    });

  /** Throws if the sheet became a batch, or if a job works on it. */
  function mendable(id: string): UploadRecord {
    const record = get(id);
    if (record.batch !== null) throw refused(409, 'SHEET_IS_BATCH', { batch: record.batch });
    requireIdle(id);
    return record;
  }

  function requireIdle(id: string): void {
    const job = jobs.running(id);
    if (job !== null) throw refused(409, 'JOB_ON_SHEET', { by: job.by });
  }

  /** Clears the plan and its approvals for a change. Throws if the sheet may no longer change. */
  const voided =
    (person: Who, facts: Partial<Facts> = {}): UploadChanges =>
    (now) => {
      const { changedBy = [], changes = 0, plan, planLost = null, ...before } = factsOf(mendable(now.id));
      return {
        facts: JSON.stringify({
          ...before,
          plan: null,
          planLost: plan === null ? planLost : { by: person.name, at: isoTime(clock.now()) },
          declined: null,
          changedBy: [...new Set([...changedBy, person.id])],
          changes: changes + 1,
          changedAt: clock.now(),
          ...facts,
        } satisfies Facts),
        plan: null,
        state: 'reading',
        message: null,
      };
    };

  return {
    root,
    folderOf,
    documentsOf: (id: string) => join(folderOf(id), 'documents'),
    sheetOf: (record: UploadRecord) => join(folderOf(record.id), factsOf(record).sheet),
    get,
    changed,
    mendable,
    isIdle: (id: string) => jobs.running(id) === null,
    requireIdle,
    tableOf(record: UploadRecord): string {
      const { table } = factsOf(record);
      if (table === null) throw notReadYet();
      return join(folderOf(record.id), table);
    },
    voided,
  };
}
