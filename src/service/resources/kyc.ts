/** The handler of POST /users/{userId}/kyc-documents (interface 2.5, 4.8). */
import { type Clock, isoTime } from '../../base/clock.ts';
import { kycLimits } from '../../domain/rows/document.ts';
import { type KycDocument, kycDocumentType, kycDocumentTypes } from '../../wire/kyc.ts';
import { type GuardedCall, HttpRefusal, uuidFrom } from '../http/call.ts';
import type { Store } from '../store/store.ts';
import type { Uploads } from './uploads.ts';
import { activeUser } from './users.ts';

export interface KycDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly uploads: Uploads;
}

export function kycResource({ store, clock, uploads }: KycDeps) {
  // The interface does not show the use of KYC documents (4.8). This service stores them, and nobody can read them.
  async function upload(call: GuardedCall): Promise<KycDocument> {
    const { tenantId } = call.caller;
    const user = await activeUser(store, tenantId, call.params.userId!);
    return uploads.receive(call, kycLimits, async ({ file, fields }) => {
      const type = kycDocumentType.safeParse(fields.get('documentType'));
      if (!type.success) throw new HttpRefusal(400, `documentType must be one of ${kycDocumentTypes.join(', ')}`);
      await file.keep();
      const row = {
        id: uuidFrom(clock.randomHex(16)),
        tenant_id: tenantId,
        user_id: user.user_id,
        document_type: type.data,
        sha256: file.sha256,
        size_bytes: file.sizeBytes,
        kind: file.kind,
        created_at: clock.now(),
      };
      await store.users.addKycDocument(row);
      return {
        documentId: row.id,
        userId: user.user_id,
        documentType: type.data,
        createdAt: isoTime(row.created_at),
      };
    });
  }

  return { upload };
}

export type KycResource = ReturnType<typeof kycResource>;
