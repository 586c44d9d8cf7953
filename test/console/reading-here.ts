/**
 * Reads for pages in this process: what the console does in a thread, without the time that a thread takes to load the program for each
 * console. test/console/busy.test.ts has the thread, and the tests of the page have it in the program.
 */
import { setImmediate } from 'node:timers/promises';
import type { Reader } from '../../src/console/batches/reading.ts';
import { openReading, type ReaderGiven } from '../../src/console/batches/reading-thread.ts';
import { Refused } from '../../src/console/http/route.ts';
import { readerZone } from '../../src/messages/format/times.ts';

export function openReader(given: ReaderGiven): Reader {
  let reading: ReturnType<typeof openReading> | null = null;
  return {
    async ask(what, ...args) {
      const request = structuredClone({ id: 0, what, args, zone: readerZone() });
      await setImmediate();
      reading ??= openReading(given);
      const told = structuredClone(await reading.answer(request));
      if ('value' in told) return told.value as never;
      throw typeof told.fault === 'string' ? new Error(told.fault) : new Refused(told.fault.status, told.fault.said);
    },
    async close() {
      await reading?.ledger.close();
      reading = null;
    },
  };
}
