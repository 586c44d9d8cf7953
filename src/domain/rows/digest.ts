/** Digests of rows, and the text that stores a row. */
import { sha256 } from '../../base/digest.ts';
import { wordsIn } from '../../base/words.ts';
import type { PayoutCountry } from '../accounts/country.ts';
import { destinationKey, payeeKey } from '../accounts/merchant.ts';
import type { Row } from './row.ts';
import { fold } from './text.ts';

/** Leaves out name and row number, so that a corrected name or a sorted sheet does not make a paid row look new. */
export function rowDigest({ destination, amount, unit, currency, reference, fromCountry, type }: Row): string {
  return sha256(JSON.stringify([destinationKey(destination), amount, unit, currency, reference, fromCountry, type]));
}

/** Returns one digest for rows that look like the same payment. Ignores case, spaces and signs in the reference. */
export function likenessOf({ destination, amount, unit, currency, reference }: Row): string {
  return sha256(JSON.stringify([payeeKey(destination), amount, unit, currency, fold(reference)]));
}

/** Returns the values that the ledger keeps of a row beside its content. */
export function columnsOf(row: Row) {
  const { amount, unit, currency, fromCountry, destination } = row;
  return {
    amount,
    unit,
    currency,
    fromCountry,
    country: destination.country,
    destination: destinationKey(destination),
    collection: fromCountry === 'Kenya' ? (row.collectionMethod ?? 'MOMO') : null,
    digest: rowDigest(row),
    likeness: likenessOf(row),
  };
}

/** The fields in the order in which the text of a row has them. */
const rowFields = wordsIn(
  'rowId payeeId name destination country amount unit currency reference fromCountry collectionMethod type slow ownTag',
  'merchantId documents',
);
const destinationFields: {
  readonly [C in PayoutCountry]: readonly (keyof Extract<Row['destination'], { readonly country: C }>)[];
} = {
  SouthAfrica: wordsIn('bank bankName accountNumber'),
  Nigeria: wordsIn('bank bankName bankCode accountNumber'),
  Kenya: wordsIn('networkProvider contactNumber'),
  BTC: ['lnurl'],
};

/** Returns the text that stores a row, without the row number and a null payee id: equal rows of two sheets give equal texts. */
export function contentOf({ payeeId, ...row }: Row): string {
  const fields = [...rowFields, ...destinationFields[row.destination.country]];
  return JSON.stringify(payeeId === null ? row : { ...row, payeeId }, fields);
}

/** Returns the text that stores a row with mistakes. Unreadable fields have neutral values, such as 0. */
export function contentOfMistake(read: {
  readonly rowId: string | null;
  readonly name: string;
  readonly country: PayoutCountry | undefined;
  readonly account: string | null;
  readonly reference: string | null;
}): string {
  const account = read.account ?? '';
  const empty = { currency: '', amount: 0 } as unknown as Pick<Row, 'currency' | 'amount'>;
  const destinations: { readonly [C in PayoutCountry]: Row['destination'] } = {
    SouthAfrica: { country: 'SouthAfrica', bank: '', bankName: '', accountNumber: account },
    Nigeria: { country: 'Nigeria', bank: '', bankName: null, bankCode: null, accountNumber: account },
    Kenya: { country: 'Kenya', networkProvider: '', contactNumber: account },
    BTC: { country: 'BTC', lnurl: account },
  };
  return contentOf({
    ...empty,
    number: 0,
    rowId: read.rowId,
    payeeId: null,
    name: read.name,
    destination: destinations[read.country ?? 'BTC'],
    unit: 'whole',
    reference: read.reference ?? '',
    fromCountry: null,
    collectionMethod: null,
    type: null,
    slow: false,
    ownTag: null,
    merchantId: null,
    documents: [],
  });
}

export function rowOfContent(content: string, number: number): Row {
  // The type has the stored fields alone, so that a field that is missing there is an error here.
  type Stored = Pick<Row, Exclude<(typeof rowFields)[number], 'country' | 'payeeId'>>;
  const stored = JSON.parse(content) as Stored & Partial<Pick<Row, 'payeeId'>>;
  return { number, payeeId: null, ...stored };
}
