/** Finds the documents of each row after all rows were read, and reports rows without a required document. */
import { basename } from 'node:path';
import type { Problem } from '../../base/problem.ts';
import { visible } from '../../base/words.ts';
import { type BatchProblems, batchProblem } from '../../domain/problems/batch-problems.ts';
import type { RowProblems } from '../../domain/problems/row-problems.ts';
import { type DocumentsPolicy, documentsAboveZar, lacksDocuments, problemAt } from '../../domain/rows/row.ts';
import type { Draft, Ledger } from '../../ledger/ledger.ts';
import { type documentFinder, documentProblem, type FoundDocument } from './document-files.ts';
import type { RowDocuments } from './documents-by-row.ts';

export const missingDocument = 'DOCUMENT_MISSING' satisfies keyof BatchProblems;
export const missingForAmount = 'DOCUMENT_MISSING_FOR_AMOUNT' satisfies keyof RowProblems;

/** Adds a problem to each row that lacks a document, and keeps documents that the ledger already has. */
export async function settleDocuments(
  draft: Draft,
  filed: RowDocuments | null,
  find: ReturnType<typeof documentFinder>,
  policy: DocumentsPolicy,
  batch: string | null,
): Promise<void> {
  const found: Problem[] = [];
  for (const { name, rows } of filed?.found() ?? []) {
    const sought = rows.length === 1 ? await find(name) : ambiguous(name, rows);
    for (const row of rows)
      if ('document' in sought) draft.addDocument(row, sought.document);
      else found.push(documentProblem(row, visible(name), sought.fault));
  }
  draft.judge(found);
  draft.keepDocuments({ named: missingDocument, unnamed: missingForAmount }, batch);
  if (policy === 'off') return;
  const bare = [...draft.withoutDocuments(documentsAboveZar, batch)];
  draft.judge(
    bare.map(({ number, amount, total, rows }) =>
      problemAt(number, 'documents', null, lacksDocuments(policy, amount, { total, rows })),
    ),
  );
}

const shownRows = 5;

function ambiguous(path: string, rows: readonly number[]): FoundDocument {
  const facts = { name: basename(path), rows: rows.slice(0, shownRows), total: rows.length };
  return { fault: { code: 'DOCUMENT_AMBIGUOUS', facts } };
}

const mostShown = 1000;

/** Warns if a document belonged to an earlier payment, because a copied cell may name last month's invoice. */
export function documentsAgain(ledger: Pick<Ledger, 'documents'>, batch: string, address: string): Problem[] {
  return ledger.documents
    .documentsAgain(batch, address, mostShown)
    .map(({ number, name, batch: before, twin: row, paidAt }) => {
      const place = { row: number, column: 'documents' };
      return batchProblem('DOCUMENT_AGAIN', 'warning', { name, row, batch: before, paidAt }, place);
    });
}
