/** Runs `payrun release BATCH --row K`: a second person releases a row whose payee's account changed. */
import type { KnownBatch } from '../../app/command.ts';
import { PayrunError } from '../../base/errors.ts';
import { type Args, text, type World } from '../compose/world.ts';
import { keyOf } from './approve.ts';
import { give } from './pay.ts';

export async function releaseHeld(args: Args, world: World): Promise<number> {
  const reason = text(args, 'reason') ?? '';
  if (reason.trim() === '')
    throw new PayrunError('USAGE', { detail: 'release takes a --reason, which the trail keeps' });
  const key = text(args, 'key') === null ? undefined : keyOf(args, world);
  const said = { row: text(args, 'row') ?? '', reason, by: text(args, 'by') ?? undefined };
  return await give({ ...(args as KnownBatch), do: 'release', ...said }, args, world, 'status', key);
}
