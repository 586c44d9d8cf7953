/** Counts the rows of a ledger by state, in a thread that count-rows.ts starts. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { type LedgerPlace, openLedger } from '../../ledger/ledger.ts';

assert(parentPort !== null, 'this file is a thread of counting.ts');
const { place, options } = workerData as LedgerPlace;
await using ledger = openLedger(place, systemClock, { ...options, readOnly: true });
parentPort.postMessage(await ledger.rows.rowsByState());
