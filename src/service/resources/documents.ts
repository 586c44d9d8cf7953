/** Documents of payments: upload, list, and download by presigned address (interface 2.8, 4.23, 4.24). */
import type { z } from 'zod';
import { type Clock, isoTime } from '../../base/clock.ts';
import { type DocumentLimits, mediaTypeOf } from '../../domain/rows/document.ts';
import type { documentCreated, documentList } from '../../wire/document.ts';
import { type Call, type FileAnswer, type GuardedCall, HttpRefusal, uuidFrom } from '../http/call.ts';
import type { Files } from '../http/files.ts';
import type { Secrets } from '../http/secrets.ts';
import type { DocumentRow, Store } from '../store/store.ts';
import type { PaymentsResource } from './payments.ts';
import type { Uploads } from './uploads.ts';

const presignedSeconds = 900;

export interface DocumentDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly limits: DocumentLimits;
  readonly payments: PaymentsResource;
  readonly address: () => string;
}

export function documentsResource({ store, clock, secrets, files, uploads, limits, payments, address }: DocumentDeps) {
  const signed = (documentId: string, tenantId: string, expires: string) => ['GET', documentId, tenantId, expires];

  /** Returns an address that expires. Until then, the address gives access to this one document without a token. */
  function presign({ id, tenant_id }: DocumentRow): string {
    const expires = String(Math.floor(clock.now() / 1000) + presignedSeconds);
    const signature = secrets.sign('presigned', signed(id, tenant_id, expires));
    const query = new URLSearchParams({ owner: tenant_id, expires, signature });
    return `${address()}/documents/${id}?${query.toString()}`;
  }

  async function upload(call: GuardedCall): Promise<z.infer<typeof documentCreated>> {
    const payment = await payments.readable(call.caller, call.params.id!);
    return uploads.receive(call, limits, async ({ file }) => {
      await file.keep();
      const row = {
        id: uuidFrom(clock.randomHex(16)),
        tenant_id: call.caller.tenantId,
        payment_id: payment.id,
        sha256: file.sha256,
        size_bytes: file.sizeBytes,
        kind: file.kind,
        created_at: clock.now(),
      };
      await store.documents.add(row);
      return { paymentId: payment.id, documentId: row.id, createdAt: isoTime(row.created_at) };
    });
  }

  // The interface does not show the method and path of the list of documents (interface 4.24). This service has
  // GET /payments/{id}/documents. The answer lists all documents of the payment, oldest first.
  async function list(call: GuardedCall): Promise<z.infer<typeof documentList>> {
    const payment = await payments.readable(call.caller, call.params.id!);
    const rows = await store.documents.list(call.caller.tenantId, payment.id);
    const items = rows.map((row) => ({
      paymentId: payment.id,
      documentId: row.id,
      presignedUrl: presign(row),
      createdAt: isoTime(row.created_at),
    }));
    return { items, presignedUrlExpiresInSeconds: presignedSeconds };
  }

  async function download(
    call: Call<unknown, { owner: string; expires: string; signature: string }>,
  ): Promise<FileAnswer> {
    const id = call.params.id!;
    const { owner, expires, signature } = call.query;
    const ours = secrets.verify('presigned', signed(id, owner, expires), signature);
    // The interface does not show the answer to a wrong or expired presigned address (2.8). This service answers 403.
    if (!ours || clock.now() >= Number(expires) * 1000) {
      throw new HttpRefusal(403, 'This address is not valid, or not valid any more');
    }
    const row = await store.documents.byId(owner, id);
    if (row === undefined) throw new HttpRefusal(404, 'Document not found');
    return {
      stream: files.read(row.sha256),
      headers: {
        'content-type': mediaTypeOf(row.kind),
        'content-length': String(row.size_bytes),
        'content-disposition': `attachment; filename="${row.id}.${row.kind}"`,
        'content-security-policy': "default-src 'none'; sandbox",
        'referrer-policy': 'no-referrer',
      },
    };
  }

  return { upload, list, download };
}

export type DocumentsResource = ReturnType<typeof documentsResource>;
