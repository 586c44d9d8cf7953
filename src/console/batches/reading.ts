/** Asks the reading thread, so that the server can answer other requests in the meantime. */
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readerZone } from '../../messages/format/times.ts';
import { Refused } from '../http/route.ts';
import type { ReaderGiven, Tasks, ThreadAnswer, ThreadRequest } from './reading-thread.ts';

export interface Reader {
  ask<K extends keyof Tasks>(what: K, ...args: Parameters<Tasks[K]>): Promise<Awaited<ReturnType<Tasks[K]>>>;
  close(): Promise<void>;
}

const entry = join(import.meta.dirname, `reading-thread${extname(import.meta.filename)}`);

export function openReader(given: ReaderGiven): Reader {
  let thread: Worker | null = null;
  let last = 0;
  const waiting = new Map<number, PromiseWithResolvers<never>>();

  function started(): Worker {
    if (thread !== null) return thread;
    const own = new Worker(entry, { workerData: given, stdin: false });
    own.unref();
    own.on('message', (told: ThreadAnswer) => {
      const asked = waiting.get(told.id);
      waiting.delete(told.id);
      if ('value' in told) asked?.resolve(told.value as never);
      else if (typeof told.fault === 'string') asked?.reject(new Error(told.fault));
      else asked?.reject(new Refused(told.fault.status, told.fault.said));
    });
    // Fails the waiting requests. The next request starts another thread.
    const ended = (error: unknown) => {
      // A failed thread reports twice. Another thread may run by then.
      if (thread !== own) return;
      thread = null;
      for (const { reject } of waiting.values())
        reject(error instanceof Error ? error : new Error('reading was ended'));
      waiting.clear();
    };
    own.once('error', ended);
    own.once('exit', ended);
    thread = own;
    return own;
  }

  return {
    async ask(what, ...args) {
      const to = started();
      const asked = Promise.withResolvers<never>();
      last += 1;
      waiting.set(last, asked);
      to.postMessage({ id: last, what, args, zone: readerZone() } satisfies ThreadRequest);
      return await asked.promise;
    },
    async close() {
      await thread?.terminate();
    },
  };
}
