/** Checks that a row's stored content agrees with the row's columns in the ledger. */
import { sha256 } from '../base/digest.ts';
import { columnOf, eachOf } from '../base/words.ts';
import { foldedPayee, payeeOf } from '../domain/accounts/payee.ts';
import { columnsOf, rowOfContent } from '../domain/rows/digest.ts';
import type { EvidenceRow } from './evidence.ts';
import type { FindingList, FindingPlace } from './findings.ts';

export const placeOf = (row: EvidenceRow): FindingPlace => ({ batch: row.batch, row: row.key, number: row.number });

/** The values that the ledger's columns have for a row with a mistake. A list scan may still find its payment. */
const neutral = {
  unit: 'whole',
  amount: 0,
  ...eachOf(null, 'fromCountry collection payeeId'),
  ...eachOf('', 'currency destination country digest likeness payeeAccount'),
};

export function checkContent(row: EvidenceRow, findings: FindingList): void {
  const where = placeOf(row);
  if (row.content === null) {
    findings.add(where, 'missing', 'content');
    return;
  }
  const hash = sha256(row.content);
  findings.compare(where, 'changed', 'content', [row.contentHash], hash);
  try {
    const content = rowOfContent(row.content, row.number);
    const { id, name, account } = payeeOf(content);
    const expected: Partial<Record<keyof EvidenceRow, unknown>> =
      row.digest === ''
        ? { ...neutral, payeeName: foldedPayee(content.name) }
        : { ...columnsOf(content), payeeId: id, payeeName: name, payeeAccount: account };
    for (const [field, value] of Object.entries(expected)) {
      const column = columnOf(field);
      findings.compare({ ...where, column }, 'unlike-content', 'value', [value], row[field as keyof EvidenceRow]);
    }
  } catch (error) {
    findings.add(where, 'unreadable', 'content', undefined, String(error));
  }
}
