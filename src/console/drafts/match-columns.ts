/** Makes a map from the columns that a person matched on the page. */
import { sha256 } from '../../base/digest.ts';
import { type Field, fields } from '../../domain/rows/cell.ts';
import { fieldHint } from '../../messages/web/column-hints.ts';
import { countryOfCurrency, fixedFields, mapNamed, parseMap, type SheetMap } from '../../sheet/sheet.ts';
import type { Requests, Upload } from '../api.ts';

const needed: readonly Field[] = ['name', 'country', 'amount', 'reference'];

export const choices: NonNullable<Upload['advice']>['choices'] = fields.map((field) => ({
  field,
  words: fieldHint(field),
  needed: needed.includes(field),
  fixed: fixedFields.some((one) => one === field),
}));

export const headerDigest = (header: readonly string[]) => sha256(JSON.stringify(header.map((text) => text.trim())));

export type Choice = Omit<Requests['columns'], 'standing'>;

export const sheetNameOf = (choice: Choice | null) =>
  choice?.sheetName === undefined ? {} : { sheetName: choice.sheetName };

export type ChosenMap = { readonly shipped: string } | { readonly text: string };

export const readMap = (chosen: ChosenMap, name: string): SheetMap =>
  'shipped' in chosen ? mapNamed(chosen.shipped, '') : parseMap(name, chosen.text);

export function chosenMap(header: readonly string[], choice: Choice): ChosenMap | null {
  if (choice.map !== undefined) return { shipped: choice.map };
  const text = mapText(header, choice);
  return text === null ? null : { text };
}

/** The map also names a column that the person left out, so that Payrun does not read the column. */
function mapText(header: readonly string[], { columns, values, numberFormat }: Choice): string | null {
  const counts = new Map<string, number>();
  for (const text of header) counts.set(text, (counts.get(text) ?? 0) + 1);
  const used = Object.entries(values).filter(([, value]) => value.trim() !== '');
  if (Object.keys(columns).length === 0 && used.length === 0 && numberFormat === null) return null;
  const uses = [...counts].flatMap(([text, count]) => {
    if (text.trim() === '' || text.trim().toLowerCase().startsWith('payrun_')) return [];
    const use = columns[text] ?? null;
    return [[text, count === 1 ? use : [use, ...Array<null>(count - 1).fill(null)]] as const];
  });
  return JSON.stringify({
    columns: Object.fromEntries(uses),
    values: Object.fromEntries(used),
    ...(Object.values(columns).includes('country') ? { words: { country: countryOfCurrency } } : {}),
    ...(numberFormat === null ? {} : { number_format: numberFormat }),
  });
}

export const readChoice = (text: string | null) => (text === null ? null : (JSON.parse(text) as Choice));
