/** Texts of a row that can be compared and kept. */
import { sha256 } from '../../base/digest.ts';
import { destinationKey, payeeKey } from '../accounts/merchant.ts';
import type { Row } from './row.ts';

/**
 * SHA-256 over what the money does: destination, amount, unit, currency, reference, funding source and type. Two rows
 * with one digest would move the same money in the same way. Name, own tag, documents and the row's number are left out: a corrected
 * spelling or a sorted sheet must not make a paid row look new.
 */
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

/** Equal for two rows that a person would take for one payment: payee, amount, unit, currency and reference. */
export function likenessOf(row: Row): string {
  const { destination, amount, unit, currency, reference } = row;
  return sha256(JSON.stringify([payeeKey(destination), amount, unit, currency, reference]));
}

/**
 * Everything of a row that is stored, as canonical JSON: keys in one order, so that equal contents are equal texts. The row's number
 * is not part of it: that is its place in one sheet.
 */
export function contentOf(row: Row): string {
  return JSON.stringify({
    rowId: row.rowId,
    // A sheet without this column keeps its old digest.
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

/** The row of a stored content. */
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
