/** Caps: the most that a row, a payee, a batch or a day may pay in one currency, and the messages about exceeded caps. */
import { PayrunError } from '../../base/errors.ts';
import { counted, grouped, quoted } from '../../base/words.ts';
import type { AmountUnit } from './money.ts';

/** A cap with any other name would limit nothing. */
export const cappedMoney = {
  ZAR: { currency: 'ZAR', unit: 'whole' },
  NGN: { currency: 'NGN', unit: 'whole' },
  KES: { currency: 'KES', unit: 'whole' },
  'BTC:sat': { currency: 'BTC', unit: 'sat' },
  'USDT:hundredths': { currency: 'USDT', unit: 'hundredths' },
} as const satisfies Record<string, { currency: string; unit: AmountUnit }>;
export type CappedMoney = keyof typeof cappedMoney;
export const cappedMoneys = Object.keys(cappedMoney) as readonly CappedMoney[];

export const capKinds = ['row', 'payee', 'batch', 'day'] as const;
export type CapKind = (typeof capKinds)[number];

/** Caps for one currency: whole numbers as text. */
export type Cap = { readonly [K in CapKind]?: string };
export type Caps = { readonly [M in CappedMoney]?: Cap };

/** A ledger cannot sum larger numbers. */
export const capAmount = /^(?:0|[1-9]\d{0,17})$/;

/** The command line cannot raise a cap. */
export function loweredCaps(caps: Caps, said: readonly string[]): Caps {
  const lowered: { [M in CappedMoney]?: { [K in CapKind]?: string } } = structuredClone(caps);
  const seen = new Set<string>();
  for (const words of said) {
    const slip = (detail: string) => new PayrunError('USAGE', { detail: `--cap '${words}': ${detail}` });
    const match = /^(.+):([a-z]+)=(.*)$/.exec(words);
    const money = cappedMoneys.find((name) => name === match?.[1]);
    const kind = capKinds.find((name) => name === match?.[2]);
    const amount = match?.[3] ?? '';
    if (money === undefined || kind === undefined)
      throw slip(
        `write it as ZAR:batch=2000000; there are ${cappedMoneys.join(', ')}, and of each ${capKinds.join(', ')}`,
      );
    if (!capAmount.test(amount)) throw slip('write a whole number of at most 18 digits, in digits alone');
    if (seen.has(`${money}:${kind}`)) throw slip(`${money}:${kind} is said twice`);
    seen.add(`${money}:${kind}`);
    const configured = caps[money]?.[kind];
    if (configured !== undefined && BigInt(amount) > BigInt(configured))
      throw slip(`payrun.config.json has ${grouped(configured)}; a flag may lower a cap, and never raises one`);
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

/** Describes caps in a fixed order: `ZAR row 100,000, batch 2,000,000; KES day 5,000,000`; null if there are none. */
export function capsWords(caps: Caps): string | null {
  const lists = cappedMoneys.flatMap((money) => {
    const kinds = capKinds.flatMap((kind) => {
      const most = caps[money]?.[kind];
      return most === undefined ? [] : [`${kind} ${grouped(most)}`];
    });
    return kinds.length === 0 ? [] : [`${money} ${kinds.join(', ')}`];
  });
  return lists.length === 0 ? null : lists.join('; ');
}

export interface CapFigures {
  /** The largest rows. `over` counts all rows above the cap. */
  readonly rows: readonly { readonly number: number; readonly amount: bigint; readonly over: number }[];
  /** The largest payees above the cap for a payee, by account or by name. `over` counts all such payees. */
  readonly payees: readonly CappedPayee[];
  readonly now: bigint;
  /** The sum sent earlier for this batch; `today` is the sum sent today for all batches. */
  readonly before: bigint;
  readonly today: bigint;
}

export interface CappedPayee {
  readonly name: string;
  /** The first of the payee's rows to send. */
  readonly number: number;
  readonly rows: number;
  readonly accounts: number;
  readonly amount: bigint;
  readonly over: number;
}

/** Returns a sentence for each exceeded cap; none if nothing would be sent. `day` is today's date. */
export function overCaps(money: CappedMoney, cap: Cap, figures: CapFigures, day: string): string[] {
  const { now, before, today } = figures;
  if (now === 0n) return [];
  const words: string[] = [];
  const add = (kind: CapKind, found: string) => {
    words.push(`${money} ${kind} (cap ${grouped(cap[kind]!)}): ${found}`);
  };
  for (const { number, amount } of figures.rows) add('row', `row ${number} pays ${grouped(String(amount))}`);
  addMore(words, figures.rows, 'row');
  for (const payee of figures.payees) add('payee', payeeWords(payee));
  addMore(words, figures.payees, 'payee');
  const sum = (sent: bigint, what: string) =>
    sent === 0n
      ? `${grouped(String(now))} would be sent`
      : `${grouped(String(sent))} was sent ${what}, and ${grouped(String(now))} would be sent now`;
  if (cap.batch !== undefined && before + now > BigInt(cap.batch)) add('batch', sum(before, 'of it before'));
  if (cap.day !== undefined && today + now > BigInt(cap.day)) add('day', `on ${day}, ${sum(today, 'already')}`);
  return words;
}

function addMore(words: string[], [first, ...others]: readonly { readonly over: number }[], what: string): void {
  if (first === undefined || first.over <= others.length + 1) return;
  words.push(`and ${counted(first.over - others.length - 1, `more ${what}`)}`);
}

function payeeWords({ name, number, rows, accounts, amount }: CappedPayee): string {
  const more = rows === 1 ? '' : ` and ${grouped(rows - 1)} more`;
  const where = accounts === 1 ? 'to one account' : `to ${counted(accounts, 'account')} under this name`;
  return `${quoted(name)} (row ${number}${more}) gets ${grouped(String(amount))} ${where}`;
}
