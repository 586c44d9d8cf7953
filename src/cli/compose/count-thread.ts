/** The thread of one look at a ledger: how many of its rows are in which state. Started by counting.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { type LedgerPlace, openLedger } from '../../ledger/ledger.ts';

assert(parentPort !== null, 'this file is a thread of counting.ts');
const { place, options } = workerData as LedgerPlace;
const ledger = openLedger(place, systemClock, { ...options, readOnly: true });
try {
  parentPort.postMessage(await ledger.rowsByState());
} finally {
  await ledger.close();
}
