/** Asks the reading thread, so that the server can answer other requests in the meantime. */
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Refused } from '../http/route.ts';
import type { ReaderGiven, Tasks, ThreadAnswer, ThreadFault, ThreadRequest } from './reading-thread.ts';

export interface Reader {
  ask<K extends keyof Tasks>(what: K, ...args: Parameters<Tasks[K]>): Promise<Awaited<ReturnType<Tasks[K]>>>;
  close(): Promise<void>;
}

const entry = join(import.meta.dirname, `reading-thread${extname(import.meta.filename)}`);

export function openReader(given: ReaderGiven): Reader {
  let thread: Worker | null = null;
  let last = 0;
  const waiting = new Map<
    number,
    { readonly done: (value: never) => void; readonly failed: (error: unknown) => void }
  >();

  function started(): Worker {
    if (thread !== null) return thread;
    const own = new Worker(entry, { workerData: given, stdin: false });
    own.unref();
    own.on('message', (told: ThreadAnswer) => {
      const asked = waiting.get(told.id);
      waiting.delete(told.id);
      if ('value' in told) asked?.done(told.value as never);
      else asked?.failed(faultOf(told.fault));
    });
    // Fails the waiting requests. The next request starts another thread.
    const ended = (error: unknown) => {
      // A failed thread reports twice. Another thread may run by then.
      if (thread !== own) return;
      thread = null;
      for (const { failed } of waiting.values())
        failed(error instanceof Error ? error : new Error('reading was ended'));
      waiting.clear();
    };
    own.once('error', ended);
    own.once('exit', ended);
    thread = own;
    return own;
  }

  return {
    ask: (what, ...args) =>
      new Promise((done, failed) => {
        const to = started();
        last += 1;
        waiting.set(last, { done, failed });
        to.postMessage({ id: last, what, args } satisfies ThreadRequest);
      }),
    async close() {
      await thread?.terminate();
    },
  };
}

function faultOf(fault: ThreadFault): Error {
  return fault.status === null ? new Error(fault.message) : new Refused(fault.status, fault.said);
}
