/** Runs `payrun release BATCH --row K`: a second person releases a row whose payee's account changed. */

import { findRow, openBatch, type Releaser, releaseRow, requirePolicy } from '../../app/resolve-row.ts';
import { concluded } from '../../app/run-batch.ts';
import { sign } from '../../approval/approval.ts';
import { isoTime, systemClock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { actorOf, advanceOrder, policyBeside, readPerson } from '../args/order.ts';
import { type Args, text, type World } from '../compose/world.ts';
import { keyOf } from './approve.ts';
import { withDeps } from './pay.ts';

export async function releaseHeld(args: Args, world: World): Promise<number> {
  const by = await releaserOf(args, world);
  return await withDeps(
    args,
    world,
    async (deps) => {
      await requirePolicy(deps, text(args, 'batch'));
      const batch = await openBatch(deps, text(args, 'batch') ?? '');
      const row = await findRow(deps, batch, text(args, 'row') ?? '');
      return await concluded(deps, advanceOrder(args, world), batch, async () => ({
        notes: [await releaseRow(deps, batch, row, by)],
        alarm: null,
      }));
    },
    'status',
  );
}

/** Returns who releases the row. If a policy is in force, an approver signs; else a name is enough. */
async function releaserOf(args: Args, world: World): Promise<Releaser> {
  const reason = text(args, 'reason') ?? '';
  if (reason.trim() === '')
    throw new PayrunError('USAGE', { detail: 'release takes a --reason, which the trail keeps' });
  const isKeyed = text(args, 'key') !== null;
  const policy = policyBeside(args, world);
  if (policy === null) {
    if (isKeyed)
      throw new PayrunError('USAGE', {
        detail: '--key goes with a policy: name its file with --policy or PAYRUN_POLICY',
      });
    const name = text(args, 'by') ?? actorOf(world).name;
    if (name === null)
      throw new PayrunError('USAGE', { detail: 'nobody is logged in by a name here; say who releases with --by' });
    return { name: readPerson(name, '--by'), reason, signed: null };
  }
  if (!isKeyed)
    throw new PayrunError('USAGE', {
      detail: `a policy is in force (${policy.path}), so that an approver of it signs: --key FILE`,
    });
  const { file, unlock } = keyOf(args, world);
  const key = await unlock();
  const at = isoTime(systemClock.now());
  return {
    name: file.name,
    reason,
    signed: { policy, sign: (digest) => sign(key, { purpose: 'release row', digest, approver: file.name, at }) },
  };
}
