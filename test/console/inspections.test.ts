/** A look at a sheet that is ended in the very moment in which its thread answers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { lookAt } from '../../src/console/inspection/inspect.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { csvOf, kenyanRows, newFolder } from '../support.ts';
import { checkSettings } from './office.ts';

it('a look that is ended as its answer comes has an end, and its thread takes no other sheet', async () => {
  const folder = newFolder();
  const place = join(folder, 'ledger.db');
  await openLedger(place, systemClock, {}).close();
  const path = join(folder, 'sheet.csv');
  writeFileSync(path, csvOf(kenyanRows(2)));
  const looks = (table: string, progress: () => void = () => {}) =>
    lookAt(
      {
        ledger: { place, options: {} },
        path,
        table: join(folder, table),
        documentsFolder: folder,
        address: 'sandbox',
        batch: null,
        sheetName: null,
        map: null,
        corrections: [],
        choices: [],
        check: checkSettings,
      },
      progress,
    );
  for (let nth = 0; nth < 2; nth += 1) {
    const { promise: hasEnded, resolve } = Promise.withResolvers<void>();
    let isStalled = false;
    const ended = looks(`ended-${nth}.db`, () => {
      if (isStalled) return;
      isStalled = true;
      // The program stands still: the thread goes on meanwhile, and its answer waits behind this progress.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      void ended.end().then(resolve);
    });
    await hasEnded;
    await ended.found.catch(() => undefined);
    expect(await looks(`next-${nth}.db`).found).toMatchObject({ state: 'ready' });
  }
});
