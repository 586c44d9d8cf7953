/** Jobs that people give from the page; the ledger keeps them, so that a new console sees which ones died. */

import type { Command, CommandEnd, LockedKey, Perform } from '../../app/command.ts';
import type { Seen } from '../../app/run-batch.ts';
import { isoTime } from '../../base/clock.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { problemWords } from '../../messages/problems.ts';
import { failureWords, refusalWords } from '../../messages/refusals.ts';
import type { Job } from '../api.ts';
import { actorFor, Refused, type Who } from '../http/route.ts';
import { forPage } from './page-words.ts';

export interface JobOrder {
  readonly kind: Job['kind'];
  readonly upload: string | null;
  readonly batch: string | null;
  readonly command: Command;
  readonly key?: LockedKey;
  readonly did: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly seen?: Seen;
  /** If it returns a reason, the job fails. */
  readonly refuses?: (end: CommandEnd) => string | null | Promise<string | null>;
  readonly onStep?: () => void;
}

interface Running {
  job: Job;
  readonly upload: string | null;
  batch: string | null;
  readonly sends: boolean;
  readonly stop: AbortController;
  stopped: string | null;
}

/** These hold the ledger, so only one runs at a time. */
const sending: readonly Job['kind'][] = ['pay', 'resume', 'reconcile', 'retry', 'release', 'resolve'];

export interface Jobs {
  give(person: Who, order: JobOrder): Promise<CommandEnd>;
  of(of: { readonly upload: string } | { readonly batch: string }): Job | null;
  running(upload: string): Job | null;
  isRunning(batch: string): boolean;
  /** The batch whose job sends now: its unanswered rows are under way, not in doubt. */
  sendsOf(): string | null;
  /** Returns false if no job of this console works on the batch. */
  stop(batch: string, person: Who): boolean;
  nameBatch(upload: string, batch: string): void;
  whenSent(listener: (upload: string | null, batch: string | null) => void): void;
  version(): number;
  close(): Promise<void>;
}

export const diedWords =
  'The console, or its connection to the ledger, was ended while this was under way. Nothing is lost: the ledger knows what was sent. Go on with it.';

const brokeWords = 'Something failed inside. What it was stands where the console was started. Try it again.';

export async function openJobs(
  ledger: Ledger,
  perform: Perform,
  tell: (words: string) => void = () => {},
): Promise<Jobs> {
  const running = new Map<number, Running>();
  const ends = new Set<Promise<unknown>>();
  const listeners: ((upload: string | null, batch: string | null) => void)[] = [];
  let version = 0;
  let last = 0;
  await ledger.uploads.endJobs(diedWords);

  const find = (of: { readonly upload: string } | { readonly batch: string }) =>
    [...running.values()].findLast((one) => ('upload' in of ? one.upload === of.upload : one.batch === of.batch));
  const touched = () => {
    version += 1;
  };

  return {
    async give(person, { kind, upload, batch, command, key, did, data = {}, seen, refuses, onStep }) {
      const other = sending.includes(kind) ? [...running.values()].find(({ sends }) => sends) : undefined;
      if (other !== undefined)
        throw new Refused(
          409,
          other.job.by === person.name && other.upload === upload && other.batch === batch
            ? 'You are paying it already: open the batch.'
            : `${other.job.by === person.name ? 'You are' : `${other.job.by} is`} at work on ${other.batch === null ? 'another sheet' : `batch ${other.batch}`}: one is paid after the other. Try again when it has ended.`,
          'LEDGER_BUSY',
        );
      const own = upload === null ? undefined : find({ upload });
      if (own !== undefined)
        throw new Refused(409, `${own.job.by} is at work on this sheet just now. Wait until that has ended.`);
      // Registers before any wait, so that of two jobs at once one is refused.
      last += 1;
      const place = last;
      const stop = new AbortController();
      const one: Running = {
        job: {
          id: 0,
          kind,
          by: person.name,
          startedAt: isoTime(Date.now()),
          state: 'running',
          stage: null,
          done: 0,
          total: null,
          message: null,
          exit: null,
        },
        upload,
        batch,
        sends: sending.includes(kind),
        stop,
        stopped: null,
      };
      running.set(place, one);
      const doing = { account: person.id, by: person.name, did, batch, data };
      const id = await ledger.uploads.beginJob({ kind, upload, batch }, doing).catch((error: unknown) => {
        running.delete(place);
        throw error;
      });
      one.job = { ...one.job, id };
      touched();
      const given: Parameters<Perform>[1] = {
        actor: actorFor(person),
        stop: stop.signal,
        key,
        seen,
        onProgress: ({ stage, done, total }) => {
          one.job = { ...one.job, stage, done, total };
          onStep?.();
          touched();
        },
      };
      const ending = perform(command, given);
      ends.add(ending);
      try {
        const end = await ending;
        const refusal = (await refuses?.(end)) ?? null;
        const stopped = isInterrupted(end) && one.stopped !== null ? `Stopped by ${one.stopped}.` : null;
        const message = refusal ?? stopped ?? endWords(end);
        const state = refusal !== null || hasFailed(kind, end) ? 'failed' : 'done';
        await ledger.uploads.changeJob(id, { state, message, exit: end.exit, batch: one.batch });
        return end;
      } catch (error) {
        // A job that stays under way would block everybody.
        await ledger.uploads.changeJob(id, { state: 'failed', message: brokeWords }).catch(() => undefined);
        throw error;
      } finally {
        ends.delete(ending);
        running.delete(place);
        onStep?.();
        touched();
        if (one.sends) for (const listener of listeners) listener(upload, one.batch);
      }
    },
    of(of) {
      const live = find(of);
      if (live !== undefined) return live.job;
      const kept = ledger.uploads.jobOf(of);
      return kept === null ? null : jobOf(kept);
    },
    running: (upload) => find({ upload })?.job ?? null,
    isRunning: (batch) => find({ batch }) !== undefined,
    sendsOf() {
      const one = [...running.values()].find(({ sends }) => sends);
      return one === undefined || one.job.stage === null || one.job.stage === 'reading' ? null : one.batch;
    },
    stop(batch, person) {
      const one = find({ batch });
      if (one === undefined) return false;
      one.stopped ??= `${person.name}, ${isoTime(Date.now()).slice(0, 16).replace('T', ' ')} UTC`;
      const message = `Being stopped by ${one.stopped}.`;
      // In memory only: a write could come after the end.
      one.job = { ...one.job, state: 'stopping', message };
      one.stop.abort();
      touched();
      return true;
    },
    nameBatch(upload, batch) {
      const one = find({ upload });
      if (one !== undefined) one.batch = batch;
    },
    whenSent: (listener) => void listeners.push(listener),
    version: () => version,
    async close() {
      for (const one of running.values()) {
        one.stopped ??= 'the end of the console';
        if (one.sends)
          tell(
            `What is being sent is finished first. The rest${one.batch === null ? '' : ` of batch ${one.batch}`} waits until somebody goes on with it, once the console is started again.`,
          );
        one.stop.abort();
      }
      await Promise.allSettled(ends);
    },
  };
}

export function jobOf(record: JobRecord): Job {
  return {
    id: record.id,
    kind: record.kind as Job['kind'],
    by: record.by,
    startedAt: isoTime(record.startedAt),
    state: record.state as Job['state'],
    stage: null,
    done: 0,
    total: null,
    message: record.message,
    exit: record.exit,
  };
}

const isInterrupted = (end: CommandEnd) =>
  'outcome' in end ? end.outcome.interrupted === true : 'error' in end && end.interrupted;

/** A plan that was not written failed; unpaid rows are no failure. */
const hasFailed = (kind: Job['kind'], end: CommandEnd) =>
  !('outcome' in end) || end.exit === 20 || (kind === 'plan' && end.outcome.plan === null);

export function endWords(end: CommandEnd): string {
  const words = messageOf(end);
  return words === null ? (exitWords[end.exit] ?? `It ended with code ${end.exit}.`) : forPage(words);
}

function messageOf(end: CommandEnd): string | null {
  if ('error' in end) return failureWords(end.error);
  if (!('outcome' in end)) return null;
  const { stopped, problems } = end.outcome;
  if (stopped !== null) return refusalWords(stopped);
  // Problems of a sheet that was not refused concern skipped rows only.
  const error = end.exit === 20 ? problems.find(({ severity }) => severity === 'error') : undefined;
  return error === undefined ? null : problemWords(error, 'page');
}

export const errorCode = (end: CommandEnd): string | null => ('error' in end ? end.error.code : null);

const exitWords: Readonly<Record<number, string>> = {
  0: 'Done.',
  20: 'The sheet was refused, and nothing was sent.',
  21: 'Ended; some rows are unpaid, left out, or lack their documents.',
  22: 'Ended; some rows are in doubt or held, and wait for a person or another look.',
  23: 'Ended for now; some payments are open still, or not sent yet. Go on later.',
  27: 'An alarm: see the notes of the batch.',
  130: 'Stopped.',
};
