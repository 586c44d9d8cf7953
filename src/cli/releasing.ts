/** `payrun release BATCH --row K`: a second person lets a row go whose payee's account changed. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readKeyFile, sign, unlockKey } from '../approval/approval.ts';
import { isoTime, systemClock } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { Secret } from '../base/secret.ts';
import { openPolicy } from '../pipeline/preview.ts';
import { findRow, openBatch, type Releaser, releaseRow } from '../pipeline/resolve.ts';
import { concluded } from '../pipeline/run.ts';
import { askedFor, readText } from './approving.ts';
import { readPassphrase } from './config.ts';
import { advanceOrder, approvalTerms, readPerson, whoIsHere } from './order.ts';
import { withDeps } from './paying.ts';
import { type Args, text, type World } from './world.ts';

export async function releaseHeld(args: Args, world: World): Promise<number> {
  const by = await releaserOf(args, world);
  return await withDeps(
    args,
    world,
    async (deps) => {
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

/** Where a policy is in force an approver signs; else a name is a person's word. */
async function releaserOf(args: Args, world: World): Promise<Releaser> {
  const reason = text(args, 'reason') ?? '';
  if (reason.trim() === '')
    throw new PayrunError('USAGE', { detail: 'release takes a --reason, which the trail keeps' });
  const { required, policy: path } = approvalTerms(args, world);
  const key = text(args, 'key');
  const inForce = required || text(args, 'policy') !== null || existsSync(path);
  if (!inForce) {
    if (key !== null)
      throw new PayrunError('USAGE', {
        detail: '--key goes with a policy: name its file with --policy or PAYRUN_POLICY',
      });
    const name = text(args, 'by') ?? whoIsHere();
    if (name === null)
      throw new PayrunError('USAGE', { detail: 'nobody is logged in by a name here; say who releases with --by' });
    return { name: readPerson(name, '--by'), reason, signed: null };
  }
  if (key === null)
    throw new PayrunError('USAGE', {
      detail: `a policy is in force (${path}), so that an approver of it signs: --key FILE`,
    });
  const policy = openPolicy(path);
  const keyPath = resolve(world.cwd, key);
  const file = readKeyFile(keyPath, readText(keyPath));
  const passphrase = readPassphrase(world.env) ?? new Secret(await askedFor(world, `Passphrase of ${keyPath}: `));
  const unlocked = unlockKey(keyPath, file, passphrase);
  const at = isoTime(systemClock.now());
  return {
    name: file.name,
    reason,
    signed: { policy, sign: (digest) => sign(unlocked, { purpose: 'release row', digest, approver: file.name, at }) },
  };
}
