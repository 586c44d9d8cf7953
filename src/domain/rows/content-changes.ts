/** Compares two contents of a row. */
import type { RowChanges, ValueChange } from '../../base/refusal.ts';
import { columnOf, isGone, wordsIn } from '../../base/words.ts';
import { rowOfContent } from './digest.ts';

export const contentColumns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    wordsIn(
      'rowId payeeId name country bankName bankCode accountNumber networkProvider contactNumber lnurl amount currency',
      'reference fromCountry collectionMethod type slow merchantId documents',
    ).map((field) => [field, columnOf(field)]),
  ),
  unit: 'amount_unit',
  ownTag: 'tag',
};

export function changesOf(was: string, now: string): ValueChange[] {
  const [before = {}, after = {}] = [was, now].map(valuesOf);
  return Object.entries(contentColumns)
    .map(([name, column]) => ({ column, was: before[name] ?? null, now: after[name] ?? null }))
    .filter((change) => change.was !== change.now);
}

function valuesOf(content: string): Readonly<Record<string, ValueChange['was'] | undefined>> {
  const { destination, documents, ...row } = rowOfContent(content, 0);
  return { ...row, ...destination, documents: documents.join('; ') };
}

type Contents = Readonly<Record<'was' | 'now', string>> & { readonly number: number };

/** Equal contents have other bytes of a document. `now` is empty for a line with a mistake. */
export function changedRow({ number: row, was, now }: Contents): RowChanges {
  const payee = now === '' ? '' : rowOfContent(now, row).name;
  if (isGone(was)) return { row, payee, gone: was, changes: [] };
  const changes = changesOf(was, now);
  const { documents: files = null } = valuesOf(now);
  return { row, payee, changes: changes.length > 0 ? changes : [{ column: 'documents', was: files, now: files }] };
}

/** Returns what a row that may be paid keeps; nothing if it only gets a document that it lacked. */
export function keptValues(row: Contents): RowChanges[] {
  const { changes, ...of } = changedRow(row);
  const [had = [], has = []] = [row.was, row.now].map((content) => rowOfContent(content, 0).documents);
  const isAttached = row.was !== row.now && had.every((file) => has.includes(file));
  const kept = changes.filter(({ column }) => column !== 'documents' || !isAttached);
  return kept.length === 0 ? [] : [{ ...of, changes: kept }];
}
