/** Keeps the caps and pay window of the command line with a batch's sheet. Later runs apply the lowest caps and all windows. */
import { isDeepStrictEqual } from 'node:util';
import { PayrunError } from '../../base/errors.ts';
import { type Caps, lowestCaps } from '../../domain/amounts/cap.ts';
import { opensAt, readPayWindow } from '../../domain/calendar/pay-window.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import type { BatchFacts } from '../../ledger/ledger.ts';
import type { Deps, Limits } from '../deps.ts';
import { runAgain } from '../opened-with.ts';

interface BatchLimits {
  readonly caps?: Caps;
  readonly payWindow?: string;
}

export function rememberedGuards({ said }: Pick<Limits, 'said'>): BatchLimits {
  if (said === undefined) return {};
  return {
    ...(Object.keys(said.caps).length === 0 ? {} : { caps: said.caps }),
    ...(said.payWindow === null ? {} : { payWindow: said.payWindow }),
  };
}

export function withRemembered(deps: Deps, batch: BatchFacts | null): Deps {
  const { caps = {}, payWindow } = (batch?.sheet.options ?? {}) as BatchLimits;
  const { limits } = deps;
  const lowered = { ...limits, caps: lowestCaps(limits.caps, caps) };
  const window = readPayWindow(payWindow ?? '');
  if (batch === null || window === undefined) return { ...deps, limits: lowered };
  const { windows, outside } = limits.payWindow;
  const others = windows.filter((other) => !isDeepStrictEqual(other, window));
  const command: ActionNamed = { ...runAgain(batch), options: { payWindow: 'WINDOW' } };
  if (opensAt([...others, window], 0) === undefined)
    throw new PayrunError('PAY_WINDOWS_NEVER_MEET', { batch: batch.name, payWindow: payWindow ?? '', others, command });
  return { ...deps, limits: { ...lowered, payWindow: { windows: [...others, window], outside } } };
}
