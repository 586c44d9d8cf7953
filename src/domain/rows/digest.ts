/** Digests of rows, and the text that stores a row. */
import { sha256 } from '../../base/digest.ts';
import type { PayoutCountry } from '../accounts/country.ts';
import { destinationKey, payeeKey } from '../accounts/merchant.ts';
import type { Row } from './row.ts';
import { fold } from './text.ts';

/** Leaves out name and row number, so that a corrected name or a sorted sheet does not make a paid row look new. */
export function rowDigest(row: Row): string {
  return sha256(
    JSON.stringify([
      destinationKey(row.destination),
      row.amount,
      row.unit,
      row.currency,
      row.reference,
      row.fromCountry,
      row.type,
    ]),
  );
}

/** Returns one digest for rows that look like the same payment. Ignores case, spaces and signs in the reference. */
export function likenessOf(row: Row): string {
  const { destination, amount, unit, currency, reference } = row;
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

/** Returns the text that stores a row, without the row number: equal rows of two sheets give equal texts. */
export function contentOf(row: Row): string {
  return JSON.stringify({
    rowId: row.rowId,
    // Omits a null, because older ledgers store rows without this field, and the texts must be equal.
    ...(row.payeeId === null ? {} : { payeeId: row.payeeId }),
    name: row.name,
    destination: destinationContent(row.destination),
    amount: row.amount,
    unit: row.unit,
    currency: row.currency,
    reference: row.reference,
    fromCountry: row.fromCountry,
    collectionMethod: row.collectionMethod,
    type: row.type,
    slow: row.slow,
    ownTag: row.ownTag,
    merchantId: row.merchantId,
    documents: row.documents,
  });
}

/** Returns the text that stores a row with mistakes. Unreadable fields have neutral values, such as 0. */
export function contentOfMistake(read: {
  readonly rowId: string | null;
  readonly name: string;
  readonly country: PayoutCountry | undefined;
  readonly account: string | null;
  readonly reference: string | null;
}): string {
  const [account, empty] = [
    read.account ?? '',
    { currency: '', amount: 0 } as unknown as Pick<Row, 'currency' | 'amount'>,
  ];
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
  const stored = JSON.parse(content) as Omit<Row, 'number' | 'payeeId'> & Partial<Pick<Row, 'payeeId'>>;
  return { number, payeeId: null, ...stored };
}

function destinationContent(destination: Row['destination']): Row['destination'] {
  switch (destination.country) {
    case 'SouthAfrica': {
      const { country, bank, bankName, accountNumber } = destination;
      return { country, bank, bankName, accountNumber };
    }
    case 'Nigeria': {
      const { country, bank, bankName, bankCode, accountNumber } = destination;
      return { country, bank, bankName, bankCode, accountNumber };
    }
    case 'Kenya': {
      const { country, networkProvider, contactNumber } = destination;
      return { country, networkProvider, contactNumber };
    }
    case 'BTC':
      return { country: destination.country, lnurl: destination.lnurl };
  }
}
