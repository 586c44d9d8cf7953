/** The sheets of the campaign: each line pays one debt, which is one person and one reason. */
import type { SheetRow } from '../simulation/parameters.ts';

/** A line as a person writes it. The reference of a payment names its debt, so that the oracle needs no ledger. */
export interface Line {
  readonly debt: number;
  /** True for a line with the column `row_id`. */
  readonly hasId: boolean;
  /** The key in the column `payrun_row`, as our own files have it; null for other files. */
  readonly ours: string | null;
  /** How often a person corrected the amount. */
  readonly amount: 0 | 1;
  /** How a person wrote the reference: corrected, or corrected and spelt with a capital. */
  readonly reference: 0 | 1 | 2;
  /** True if the amount cannot be read. */
  readonly isMistaken: boolean;
  /** True if a person wrote the name in capitals: other content for the same money. */
  readonly isRenamed?: boolean;
  /** True for a line of our own result file that says `paid`. */
  readonly saysPaid?: boolean;
}

export const debts = 6;

/** Name, account, amount and reference: all that the service gets of a row. */
export type Content = readonly [name: string, account: string, amount: string, reference: string];

/** Debts 0 and 3 have the same payee and amount, so their payments differ in the reference alone. */
const payeeOf = (debt: number): number => debt % 3;
const spellings = ['', ' c1', ' C1'] as const;

export const contentOf = ({ debt, amount, reference, isRenamed = false }: Line): Content => [
  `${isRenamed ? 'PAYEE' : 'Payee'} ${payeeOf(debt) + 1}`,
  `+25471234561${payeeOf(debt)}`,
  String(100 + payeeOf(debt) + 50 * amount),
  `R0${debt + 1}${spellings[reference]}`,
];

/** `payrun_row`, else `row_id`, else the digest. A line with a mistake has no digest, so it has no key without the others. */
export const keyOf = (line: Line): string | null =>
  line.ours ?? (line.hasId ? `k${line.debt + 1}` : line.isMistaken ? null : digestOf(contentOf(line)));

/** Stands for the digest of a content: the money alone. The driver knows the product's own digests. */
export const digestOf = ([, ...money]: Content): string => `digest ${money.join(' ')}`;
export const isSameMoney = (one: Content, other: Content): boolean => digestOf(one) === digestOf(other);

export const newLine = (debt: number, more: Partial<Line> = {}): Line => ({
  debt,
  hasId: true,
  ours: null,
  amount: 0,
  reference: 0,
  isMistaken: false,
  ...more,
});

const header = 'row_id,payrun_row,payrun_batch,payrun_status,name,country,contact_number,amount,reference';

/** `ours`: the product's key for a key of the reference. A result file names its batch. */
export function sheetText(
  { lines, batch }: { readonly lines: readonly Line[]; readonly batch: string },
  ours: (key: string) => string,
): string {
  const isResult = lines.some(({ saysPaid }) => saysPaid);
  const texts = lines.map((line) => {
    const [name, account, amount, reference] = contentOf(line);
    const key = line.ours === null ? '' : ours(line.ours);
    const id = line.hasId ? `k${line.debt + 1}` : '';
    const own = isResult ? [batch, line.saysPaid ? 'paid' : 'not sent'] : ['', ''];
    return [id, key, ...own, name, 'Kenya', account, line.isMistaken ? 'twelve' : amount, reference].join(',');
  });
  return `${[header, ...texts].join('\n')}\n`;
}

/** The rows that the service of a story knows: one for each debt. */
export const debtRows: readonly SheetRow[] = Array.from({ length: debts }, (_, index) => ({
  index,
  country: 'Kenya',
  payee: payeeOf(index),
  amount: Number(contentOf(newLine(index))[2]),
  fromCountry: null,
  document: false,
  bad: false,
}));

export function lineWords(line: Line): string {
  const [name, , amount, reference] = contentOf(line);
  const key = line.ours !== null ? `ours ${line.ours}` : line.hasId ? `k${line.debt + 1}` : 'no id';
  const said = `${line.isRenamed ? ` for ${name}` : ''}${line.saysPaid ? ' that says paid' : ''}`;
  return `${key}: ${line.isMistaken ? 'a mistake' : amount} ${reference}${said}`;
}
