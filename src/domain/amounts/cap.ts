/** Caps: the most that Payrun may pay in one currency for a row, a payee, a batch or a day. */

import { PayrunError } from '../../base/errors.ts';
import type { OptionFault } from '../../base/faults/fault.ts';
import type { OverCap } from '../../base/refusal.ts';
import type { Each } from '../../base/words.ts';
import type { AmountUnit } from './money.ts';

export const cappedMoney = {
  ZAR: { currency: 'ZAR', unit: 'whole' },
  NGN: { currency: 'NGN', unit: 'whole' },
  KES: { currency: 'KES', unit: 'whole' },
  'BTC:sat': { currency: 'BTC', unit: 'sat' },
  'USDT:hundredths': { currency: 'USDT', unit: 'hundredths' },
} as const satisfies Record<string, { currency: string; unit: AmountUnit }>;
type CappedMoney = keyof typeof cappedMoney;
export const cappedMoneys = Object.keys(cappedMoney) as readonly CappedMoney[];

export const capKinds = ['row', 'payee', 'batch', 'day'] as const;
type CapKind = (typeof capKinds)[number];

export type Cap = { readonly [K in CapKind]?: string };
export type Caps = { readonly [M in CappedMoney]?: Cap };

/** Allows at most 18 digits, because a ledger cannot sum larger numbers. */
export const capAmount = /^(?:0|[1-9]\d{0,17})$/;

/** Lowers the settings' `caps` to the options `said`. Throws CAP_UNUSABLE for malformed, repeated or higher options. */
export function loweredCaps(caps: Caps, said: readonly string[]): Caps {
  const lowered: { [M in CappedMoney]?: { [K in CapKind]?: string } } = structuredClone(caps);
  const seen = new Set<string>();
  for (const option of said) {
    const slip = (why: OptionFault) => new PayrunError('CAP_UNUSABLE', { cap: option, why });
    const match = /^(.+):([a-z]+)=(.*)$/.exec(option);
    const money = cappedMoneys.find((name) => name === match?.[1]);
    const kind = capKinds.find((name) => name === match?.[2]);
    const amount = match?.[3] ?? '';
    if (money === undefined || kind === undefined || !capAmount.test(amount))
      throw slip({ fault: 'cap-has-no-form', moneys: cappedMoneys, kinds: capKinds });
    if (seen.has(`${money}:${kind}`)) throw slip({ fault: 'option-is-twice', name: `${money}:${kind}` });
    seen.add(`${money}:${kind}`);
    const configured = caps[money]?.[kind];
    if (configured !== undefined && BigInt(amount) > BigInt(configured))
      throw slip({ fault: 'cap-is-raised', configured });
    lowered[money] = { ...lowered[money], [kind]: amount };
  }
  return lowered;
}

export function lowestCaps(one: Caps, other: Caps): Caps {
  const lowest: { [M in CappedMoney]?: { [K in CapKind]?: string } } = structuredClone(one);
  for (const money of cappedMoneys)
    for (const kind of capKinds) {
      const [here, there] = [lowest[money]?.[kind], other[money]?.[kind]];
      if (there !== undefined && (here === undefined || BigInt(there) < BigInt(here)))
        lowest[money] = { ...lowest[money], [kind]: there };
    }
  return lowest;
}

export const hasCaps = (caps: Caps): boolean => Object.values(caps).some((cap) => Object.keys(cap).length > 0);

export interface CapFigures {
  /** The largest rows above the cap for a row. `over` counts all rows above the cap, and is the same in each entry. */
  readonly rows: readonly { readonly number: number; readonly amount: bigint; readonly over: number }[];
  /** The largest payees above the cap for a payee. `over` counts all such payees, and is the same in each entry. */
  readonly payees: readonly CappedPayee[];
  readonly now: bigint;
  /** The sum that earlier runs of this batch sent. `today` is the sum that all batches sent today. */
  readonly before: bigint;
  readonly today: bigint;
}

/** An account, or a name with several accounts. */
export interface CappedPayee extends Each<'number rows accounts over', number> {
  readonly name: string;
  readonly amount: bigint;
}

/** Returns an entry for each exceeded cap. If `figures` lists only some rows or payees, one entry counts the others. */
export function overCaps(money: CappedMoney, cap: Cap, figures: CapFigures, day: string): OverCap[] {
  const { now, before, today } = figures;
  if (now === 0n) return [];
  const over = (kind: CapKind) => ({ money, cap: cap[kind] ?? '' });
  const more = (of: 'rows' | 'payees', kind: CapKind, named: readonly { readonly over: number }[]): OverCap[] => {
    const others = (named[0]?.over ?? 0) - named.length;
    return others > 0 ? [{ ...over(kind), of, more: others }] : [];
  };
  return [
    ...figures.rows.map(
      ({ number: row, amount }): OverCap => ({ ...over('row'), of: 'row', row, amount: String(amount) }),
    ),
    ...more('rows', 'row', figures.rows),
    ...figures.payees.map(({ name, number: row, rows, accounts, amount }): OverCap => {
      return { ...over('payee'), of: 'payee', name, row, rows, accounts, amount: String(amount) };
    }),
    ...more('payees', 'payee', figures.payees),
    ...(cap.batch !== undefined && before + now > BigInt(cap.batch)
      ? [{ ...over('batch'), of: 'batch' as const, before: String(before), now: String(now) }]
      : []),
    ...(cap.day !== undefined && today + now > BigInt(cap.day)
      ? [{ ...over('day'), of: 'day' as const, day, before: String(today), now: String(now) }]
      : []),
  ];
}
