/** Attaches documents to their payments, one call for each file. Never changes a payment's state (interface 4.23). */
import pLimit from 'p-limit';
import { sha256 } from '../../base/digest.ts';
import { CallFailure } from '../../client/client.ts';
import { limitsWords, mediaTypeOf } from '../../domain/rows/document.ts';
import { because } from '../../domain/sending/reason.ts';
import { type BatchFacts, type LedgerDocument, pagesOf } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { withBackoff } from '../sending/backoff.ts';
import { readDocument } from './document-files.ts';

const pageSize = 200;

export async function attach(deps: Deps, batch: BatchFacts): Promise<void> {
  const { ledger, limits } = deps;
  const limit = pLimit(limits.concurrency);
  await settleUploads(deps, batch);
  const counts = await ledger.documents.documentCounts(batch.name);
  const total = counts.due + counts.missing;
  let done = 0;
  const pages = pagesOf<LedgerDocument>((last) =>
    ledger.documents.list(batch.name, ['due', 'missing'], last?.id ?? 0, pageSize),
  );
  for await (const documents of pages) {
    if (deps.stop.aborted) break;
    await Promise.all(
      documents.map((document) =>
        limit(async () => {
          if (deps.stop.aborted) return;
          if (done === 0) deps.progress({ stage: 'attaching', done, total });
          await attachOne(deps, document);
          done += 1;
          deps.progress({ stage: 'attaching', done, total });
        }),
      ),
    );
  }
}

/** Checks in the service's list of documents whether uploads without an answer arrived (interface 4.23). */
async function settleUploads(deps: Deps, batch: BatchFacts): Promise<void> {
  const { ledger, client } = deps;
  for (;;) {
    const [document] = await ledger.documents.list(batch.name, ['in_doubt'], 0, 1);
    if (document === undefined || document.paymentId === null) return;
    const listed = await client.documents(document.paymentId);
    const hashes = listed === null ? null : await client.documentHashes(listed);
    const own = await ledger.documents.documentsOf(document.row);
    const doubtful = own.filter(({ state }) => state === 'in_doubt');
    const attached = own.filter(({ state }) => state === 'attached');
    for (const one of doubtful) {
      const arrived =
        hashes === null
          ? // If the service gives no hashes, the number of documents decides. An extra copy does no harm.
            listed !== null && listed.length >= attached.length + doubtful.length
          : hashes.filter((hash) => hash === one.sha256).length >
            attached.filter(({ sha256 }) => sha256 === one.sha256).length;
      await ledger.documents.moveDocument(one, arrived ? 'attached' : 'due', {
        reason: because({ kind: arrived ? 'found-listed' : 'not-found-listed' }),
      });
    }
  }
}

async function attachOne(deps: Deps, document: LedgerDocument): Promise<void> {
  const { ledger, client, limits } = deps;
  const { paymentId } = document;
  if (paymentId === null) return;
  const file = await readDocument(document.path, limits.documents);
  if ('fault' in file || changed(file.bytes, document)) {
    const reason = because({ kind: 'file-unusable', fault: 'fault' in file ? file.fault : null });
    if (document.state === 'due') await ledger.documents.moveDocument(document, 'missing', { reason });
    return;
  }
  if (document.state === 'missing') await ledger.documents.moveDocument(document, 'due');
  await ledger.documents.moveDocument({ ...document, state: 'due' }, 'uploading');
  const uploading: LedgerDocument = { ...document, state: 'uploading' };
  try {
    const upload = { name: uploadName(document), type: mediaTypeOf(file.kind), content: file.bytes };
    const documentId = await withBackoff(deps, () => client.attachDocument(paymentId, upload));
    const listed = await client.documents(paymentId);
    await ledger.documents.moveDocument(uploading, 'attached', {
      ...(documentId === null ? {} : { documentId }),
      // The interface does not show where a payment's documents are listed (interface 4.24). Without a list, the answer to the
      // upload is the only evidence.
      reason: listed === null ? because({ kind: 'unverified' }) : null,
    });
  } catch (error) {
    if (!(error instanceof CallFailure)) {
      await ledger.documents.moveDocument(uploading, 'due');
      throw error;
    }
    const { fault: failure } = error;
    const isRefused = error.outcome === 'refused';
    const refused = { kind: 'document-refused', failure, limits: limitsWords(limits.documents) } as const;
    const reason = because(isRefused ? refused : { kind: 'answer-lost', failure });
    await ledger.documents.moveDocument(uploading, isRefused ? 'missing' : 'in_doubt', { reason });
  }
}

const changed = (bytes: Uint8Array, document: LedgerDocument): boolean => sha256(bytes) !== document.sha256;

const uploadName = ({ name }: LedgerDocument): string =>
  (name.split('/').at(-1) ?? name).replace(/[^A-Za-z0-9._-]/g, '_').slice(-100);
