/** Reads the titles above a sheet's header. A title may name a unit or currency for all amounts. */
import { isCurrencyCode } from '../../domain/amounts/money.ts';
import { fold } from '../../domain/rows/text.ts';
import type { SheetMap } from './column-map.ts';

export interface Title {
  readonly row: number;
  readonly text: string;
}

/** Matches the unit in `All amounts in R'000`. Does not match `whole rand, not in cents`. */
const unitWords =
  /(?<!\b(?:not?|never|nor|without) )\bin (?:(cents?|kobo)|hundreds|thousands|millions)\b|(?<!\d)['’]000s?(?!\d)/iu;

export function unitTitles(titles: readonly Title[], map: SheetMap | undefined): Title[] {
  const isAnswered = fold(map?.values.amount_unit ?? '') === 'cents';
  return titles.filter(({ text }) => {
    const unit = unitWords.exec(text);
    return unit !== null && !(isAnswered && unit[1] !== undefined);
  });
}

export function currencyOfTitles(titles: readonly Title[]): string | null {
  const named = titles.map(({ text }) => /^(?:all )?\S+ in ([A-Z]{3})\.?$/iu.exec(text)?.[1] ?? '');
  return named.find((code) => code === code.toUpperCase() && isCurrencyCode(code)) ?? null;
}
