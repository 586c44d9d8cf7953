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

// The interface does not show whether the three kinds of documents share one set of names (2.1, 2.4, 2.5); ours are three sets: these in
// any case, a person's (`DRIVERS_LICENCE`) in this case only, and any text for a user.
/** Accepts any case, and changes the value to lower case. */
export const kycDocumentType = z.string().toLowerCase().pipe(z.enum(kycDocumentTypes));

// The interface does not show the answer of a KYC upload (4.8); ours is documentId, userId, documentType and createdAt, with 201.
export const kycDocument = z.object({
  documentId: z.string(),
  userId: z.string(),
  documentType: z.enum(kycDocumentTypes),
  createdAt: timestamp,
});

export type KycDocument = z.infer<typeof kycDocument>;
