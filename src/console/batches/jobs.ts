/** Runs the jobs that people start on the page. The ledger has each job, so that a new console sees which jobs died. */
import type { Command, LockedKey, Perform } from '../../app/batch/command.ts';
import { isoTime } from '../../base/clock.ts';
import type { Refusal } from '../../base/refusal.ts';
import type { Each } from '../../base/words.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import type { Deed } from '../../messages/web/deeds.ts';
import { codeOf, messageOf, type PageMessage, pageWords } from '../../messages/web/messages.ts';
import { type Ending, endOf, reachedIn, whyStopped } from '../../pipeline/outcome.ts';
import type { Job } from '../api.ts';
import { actorFor, Refused, refused, type Who } from '../http/route.ts';

export interface JobOrder extends Each<'upload batch', string | null> {
  readonly kind: Job['kind'];
  readonly command: Command;
  readonly key?: LockedKey | undefined;
  readonly deed: Deed;
  readonly refuses?: (ending: Ending) => PageMessage | null | Promise<PageMessage | null>;
}

interface Running extends Pick<JobOrder, 'upload' | 'batch'> {
  job: JobFacts;
  readonly stop: AbortController;
  stopped: { readonly by: string | null; readonly at: string } | null;
}

/** The jobs that hold the ledger. Only one of them runs at a time. */
const sending: readonly Job['kind'][] = ['pay', 'resume', 'reconcile', 'release', 'resolve'];
const sends = ({ job }: Pick<Running, 'job'>) => sending.includes(job.kind);

/** Names jobs by their sheet or by their batch. */
type Subject = { readonly upload: string } | { readonly batch: string };

export type Jobs = Awaited<ReturnType<typeof openJobs>>;

export interface JobFacts extends Omit<Job, 'message' | 'code' | 'confirms'> {
  readonly said: PageMessage | null;
}

export async function openJobs(ledger: Ledger, perform: Perform, tell: (batch: string | null) => void = () => {}) {
  const running = new Set<Running>();
  const ends = new Set<Promise<unknown>>();
  const listeners: ((upload: string | null) => void)[] = [];
  let version = 0;
  await ledger.uploads.endJobs(JSON.stringify(messageOf('JOB_DIED')));

  const find = (of: Subject) =>
    [...running].findLast((one) => ('upload' in of ? one.upload === of.upload : one.batch === of.batch));
  const touched = () => {
    version += 1;
  };

  return {
    async give(person: Who, { kind, upload, batch, command, key, deed, refuses }: JobOrder): Promise<Ending> {
      const other = sending.includes(kind) ? [...running].find(sends) : undefined;
      if (other !== undefined) {
        const { by } = other.job;
        throw refused(409, 'OTHER_JOB', { by: by === person.name ? null : by, batch: other.batch });
      }
      const own = upload === null ? undefined : find({ upload });
      if (own !== undefined) throw refused(409, 'JOB_ON_SHEET', { by: own.job.by });
      // Registers the job before the first wait, so that of two jobs that begin together the second is refused.
      const stop = new AbortController();
      const job = { ...begun, kind, by: person.name, startedAt: isoTime(Date.now()) };
      const one: Running = { job, upload, batch, stop, stopped: null };
      running.add(one);
      const doing = { account: person.id, by: person.name, batch, ...deed };
      const id = await ledger.uploads.beginJob({ kind, upload, batch }, doing).catch((error: unknown) => {
        running.delete(one);
        throw error;
      });
      one.job = { ...one.job, id };
      touched();
      const ending = perform(command, {
        actor: actorFor(person),
        stop: stop.signal,
        key,
        onProgress: ({ stage, done, total }) => {
          one.job = { ...one.job, stage, done, total };
          touched();
        },
      });
      ends.add(ending);
      try {
        const end = await ending;
        const refusal = (await refuses?.(end)) ?? null;
        const stopped =
          'interrupted' in end && end.interrupted === true && one.stopped !== null
            ? messageOf('JOB_STOPPED', one.stopped)
            : null;
        const message = JSON.stringify(refusal ?? stopped ?? messageOfEnding(end));
        const state = refusal !== null || hasFailed(kind, end) ? 'failed' : 'done';
        await ledger.uploads.changeJob(id, { state, message, batch: one.batch });
        return end;
      } catch (error) {
        // Ends the job whatever happened, because an unfinished job blocks everybody.
        const message = JSON.stringify(messageOf('JOB_BROKE'));
        await ledger.uploads.changeJob(id, { state: 'failed', message }).catch(() => undefined);
        throw error;
      } finally {
        ends.delete(ending);
        running.delete(one);
        touched();
        if (sends(one)) for (const listener of listeners) listener(upload);
      }
    },
    of(of: Subject): JobFacts | null {
      const live = find(of);
      if (live !== undefined) return live.job;
      const kept = ledger.uploads.jobOf(of);
      return kept === null ? null : jobFacts(kept);
    },
    running: (upload: string) => find({ upload })?.job ?? null,
    /** Returns what the running jobs do, by batch. */
    kinds: () =>
      new Map([...running].flatMap(({ batch, job }) => (batch === null ? [] : [[batch, job.kind] as const]))),
    stop(batch: string, person: Who): boolean {
      const one = find({ batch });
      if (one === undefined) return false;
      one.stopped ??= { by: person.name, at: isoTime(Date.now()) };
      const said = messageOf('JOB_STOPPING', one.stopped);
      // Changes the job in memory only, because a write could come after the job's end.
      one.job = { ...one.job, state: 'stopping', said };
      one.stop.abort();
      touched();
      return true;
    },
    whenSent: (listener: (upload: string | null) => void) => void listeners.push(listener),
    version: () => version,
    async close() {
      for (const one of running) {
        one.stopped ??= { by: null, at: isoTime(Date.now()) };
        if (sends(one)) tell(one.batch);
        one.stop.abort();
      }
      await Promise.allSettled(ends);
    },
  };
}

/** A job at its beginning. A check of a sheet keeps the id 0, because the ledger does not store it. */
export const begun = {
  id: 0,
  state: 'running',
  stage: null,
  done: 0,
  total: null,
  said: null,
} as const satisfies Partial<JobFacts>;

export const jobFacts = (record: JobRecord): JobFacts => ({
  ...begun,
  id: record.id,
  kind: record.kind as Job['kind'],
  by: record.by,
  startedAt: isoTime(record.startedAt),
  state: record.state as Job['state'],
  said: saidOf(record.message),
});

export const saidOf = (message: string | null) => (message === null ? null : (JSON.parse(message) as PageMessage));

export const shownJob = ({ said, ...job }: JobFacts): Job => ({
  ...job,
  code: said && codeOf(said),
  message: said && pageWords(said),
  confirms: said && confirmsOf(said),
});

/** Returns the changes that a refused plan asks a person to confirm. `mayKeep`: the sheet may only add rows, and close none. */
function confirmsOf({ code, facts }: PageMessage): Job['confirms'] {
  if (code === 'ROWS_DROPPED')
    return { batch: facts.batch, add: 0, change: 0, close: facts.rows.total, mayKeep: false };
  if (code !== 'ROWS_ADDED' && code !== 'VERSION_CONFLICT') return null;
  const { batch, added: add, dropped } = facts;
  const change = code === 'ROWS_ADDED' ? 0 : facts.rows.total;
  const mayKeep = code === 'ROWS_ADDED' ? facts.addition !== null : add > 0 && change === 0;
  return add + change + dropped.total === 0 ? null : { batch, add, change, close: dropped.total, mayKeep };
}

/** Unpaid rows are no failure. A job fails if the sheet has mistakes, or if it should write a plan and writes none. */
function hasFailed(kind: Job['kind'], ending: Ending): boolean {
  const reached = reachedIn(ending);
  return reached === null || reached.end === 'sheet' || (kind === 'plan' && reached.written === undefined);
}

export function messageOfEnding(ending: Ending): PageMessage {
  const why = whyStopped(ending);
  if (why !== null) return 'facts' in why ? why : messageOf('PROGRAM_FAULT', { why: why.why });
  const end = endOf(ending);
  // Names a problem only for a refused sheet, because problems of an accepted sheet concern skipped rows.
  const { problems = [] } = (end === 'sheet' && reachedIn(ending)?.findings) || {};
  const problem = problems.find(({ severity }) => severity === 'error');
  return problem === undefined
    ? messageOf('JOB_ENDED', { end })
    : messageOf('SHEET_PROBLEM', { problem: { code: problem.code, facts: problem.facts } });
}

/** Returns null if the command ended with a fault of the program, or with a mistake in the settings. */
export const refusalIn = (ending: Ending): Refusal | null =>
  'failure' in ending && 'facts' in ending.failure ? ending.failure : null;

export function requireNoError(ending: Ending): void {
  // A mistake in the settings has a code, and a fault of the program has none.
  if (errorCode(ending) !== null) throw new Refused(409, messageOfEnding(ending));
}

export const errorCode = (ending: Ending): string | null => ('failure' in ending ? ending.failure.code : null);
