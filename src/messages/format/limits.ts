/** Writes caps, pay windows and the breaker's limits for messages. */
import type { Breaker, PayWindow } from '../../base/faults/limits.ts';
import { type Caps, capKinds, cappedMoneys } from '../../domain/amounts/cap.ts';
import { grouped } from './numbers.ts';

export function capsWords(caps: Caps): string {
  const lists = cappedMoneys.flatMap((money) => {
    const kinds = capKinds.flatMap((kind) => {
      const most = caps[money]?.[kind];
      return most === undefined ? [] : [`${kind} ${grouped(most)}`];
    });
    return kinds.length === 0 ? [] : [`${money} ${kinds.join(', ')}`];
  });
  return lists.join('; ');
}

const dayWords = { every: 'every day', 'mon-fri': 'Monday to Friday', business: 'on business days' } as const;

export function windowWords({ from, until, days, closed }: PayWindow): string {
  const time = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const but = closed.length === 0 ? '' : ` but for ${closed.join(', ')}`;
  return `${time(from)}-${time(until)} ${dayWords[days]}${but} in Johannesburg`;
}

export const windowsWords = (windows: readonly PayWindow[]): string => windows.map(windowWords).join(', and ');

export const breakerWords = ({ refusals, doubts: { rows, percent } }: Breaker): string =>
  `${refusals} refusals in a row, or ${rows} rows and ${percent} % in doubt`;
