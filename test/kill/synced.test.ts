/** Before a payment is asked for, its intent, the sheet's copy and the witness are on the disk, and so is every name that leads there. */
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownEnv } from '../program.ts';
import { deskFor, kenyanRows, newService } from '../support.ts';
import { canLook, toldOf, watched } from '../synced.ts';

describe.skipIf(!canLook)('a power cut takes nothing of what a payment needs', () => {
  it('of a first run, whose folders are new', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(6));
    const home = join(desk.folder, 'new');
    const env = {
      ...ownEnv,
      HOME: home,
      ...desk.env,
      PAYRUN_LEDGER: join(home, 'state/ledger.db'),
      XDG_DATA_HOME: join(home, 'data'),
    };
    const { child, told } = watched(desk.folder, ['run', desk.sheet, '--wait', '0', '--concurrency', '2'], env);
    await once(child, 'close');
    const asked = toldOf(told(), /POST [^ ]*\/payments /);
    expect(asked).toHaveLength(6);
    expect(asked.flatMap(({ lost }) => lost)).toEqual([]);
  });
});
