/** KYC documents, and documents of payments: upload, list, and download by presigned address (interface 2.5, 2.8). */
import type { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { type DocumentLimits, kycLimits, mediaTypeOf } from '../../domain/rows/document.ts';
import type { documentCreated, documentList } from '../../wire/document.ts';
import { type KycDocument, kycDocumentType, kycDocumentTypes } from '../../wire/kyc.ts';
import { type Call, type FileAnswer, type GuardedCall, HttpRefusal } from '../http/call.ts';
import type { DocumentRow } from '../store/store.ts';
import type { ServiceDeps } from './deps.ts';
import type { PaymentsResource } from './payments.ts';
import { type UploadDeps, type Uploads, uploadsInto } from './uploads.ts';
import { activeUser } from './users.ts';

const presignedSeconds = 900;

interface DocumentDeps extends ServiceDeps, UploadDeps {
  readonly limits: DocumentLimits;
  readonly payments: PaymentsResource;
  readonly address: () => string;
}

export function documentsResource(deps: DocumentDeps) {
  const { store, clock, secrets, files, limits, payments, address } = deps;
  const receive = uploadsInto(deps);
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
    return receive(call, limits, async ({ keep }) => {
      const row = await keep();
      await store.documents.add({ ...row, payment_id: payment.id });
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
    if (!ours || clock.now() >= Number(expires) * 1000)
      throw new HttpRefusal(403, 'This address is not valid, or not valid any more');
    const row = await store.documents.byId(owner, id);
    if (row === undefined) throw new HttpRefusal(404, 'Document not found');
    return {
      body: files.read(row.sha256),
      headers: {
        'content-type': mediaTypeOf(row.kind),
        'content-length': String(row.size_bytes),
        'content-disposition': `attachment; filename="${row.id}.${row.kind}"`,
        'content-security-policy': "default-src 'none'; sandbox",
        'referrer-policy': 'no-referrer',
      },
    };
  }

  return { upload, uploadKyc: kycUpload(deps, receive), list, download };
}

// The interface does not show the use of KYC documents (4.8). This service stores them, and nobody can read them.
function kycUpload({ store }: ServiceDeps, receive: Uploads) {
  return async (call: GuardedCall): Promise<KycDocument> => {
    const { user_id } = await activeUser(store, call.caller.tenantId, call.params.userId!);
    return receive(call, kycLimits, async ({ fields, keep }) => {
      const type = kycDocumentType.safeParse(fields.get('documentType'));
      if (!type.success) throw new HttpRefusal(400, `documentType must be one of ${kycDocumentTypes.join(', ')}`);
      const row = await keep();
      await store.users.addKycDocument({ ...row, user_id, document_type: type.data });
      return { documentId: row.id, userId: user_id, documentType: type.data, createdAt: isoTime(row.created_at) };
    });
  };
}
