/** KYC documents of users (interface 2.5, 4.8). */
import { z } from 'zod';
import { timestamp } from './page.ts';

export const kycDocumentTypes = [
  'passport',
  'national_id',
  'drivers_license',
  'proof_of_address',
  'selfie',
  'cert_of_incorp',
  'articles',
  'board_resolution',
  'ubo_register',
  'other',
] as const;

// not shown: whether the three kinds of documents have one set of names (2.1, 2.4, 2.5); ours are three: these (`drivers_license`) in any case, a person's (`DRIVERS_LICENCE`) exactly so, and of a user any text.
/** Any case is accepted; the value becomes lower case. */
export const kycDocumentType = z.string().toLowerCase().pipe(z.enum(kycDocumentTypes));

// not shown: the answer of a KYC upload (4.8); ours is documentId, userId, documentType and createdAt, with 201.
export const kycDocument = z.object({
  documentId: z.string(),
  userId: z.string(),
  documentType: z.enum(kycDocumentTypes),
  createdAt: timestamp,
});

export type KycDocument = z.infer<typeof kycDocument>;
