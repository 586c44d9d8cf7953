/** Writes counts, amounts and unusual characters for messages. */

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export const ended = (text: string) => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const named = (count: number) =>
  count === 1
    ? ({ is: 'is', was: 'was', they: 'it', it: 'it', its: 'its' } as const)
    : ({ is: 'are', was: 'were', they: 'they', it: 'them', its: 'their' } as const);

/** Writes digits in groups of three: `1,234,567`. Accepts text, because a number loses digits of a large amount. */
export function grouped(value: number | string | bigint): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

export interface ShownMoney {
  readonly amount: number | string | bigint;
  readonly unit: string;
  readonly currency: string;
}

export interface Money extends ShownMoney {
  readonly amount: string;
}

/** Returns `4,500 ZAR`, `1,234.50 USDT` or `21,000 sat`. console/page/words.ts must write the same form. */
export function moneyOf({ amount, unit, currency }: ShownMoney): string {
  if (unit === 'sat') return `${grouped(amount)} sat`;
  if (unit !== 'hundredths') return `${grouped(amount)} ${currency}`;
  const digits = String(amount).padStart(3, '0');
  return `${grouped(digits.slice(0, -2))}.${digits.slice(-2)} ${currency}`;
}

export const unitOf = { ZAR: 'whole', NGN: 'whole', KES: 'whole', BTC: 'sat', USDT: 'hundredths' } as const;

/** `name` is a currency, or a currency with its unit, such as `BTC:sat`. */
export function sumWords(name: string, amount: ShownMoney['amount']): string {
  const [currency = ''] = name.split(':');
  return moneyOf({ amount, unit: (unitOf as Readonly<Record<string, string>>)[currency] ?? 'whole', currency });
}

export function percentWords(was: bigint, now: bigint): string {
  if (was === 0n) return 'new';
  const tenths = ((now - was) * 1000n) / was;
  const whole = tenths < 0n ? -tenths : tenths;
  return `${now < was ? '-' : '+'}${grouped(String(whole / 10n))}.${whole % 10n} %`;
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Writes invisible characters as codes such as `<U+200B>`. They could control a terminal or disguise a text. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => `<${codePointName(character)}>`);
}

export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Quotes a text for a shell, because people paste printed commands. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9._/:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function quoted(text: string): string {
  return `'${visible(text.length > 60 ? `${text.slice(0, 57)}...` : text)}'`;
}

export const quotedOrNothing = (text: string): string => (text === '' ? 'nothing' : quoted(text));
