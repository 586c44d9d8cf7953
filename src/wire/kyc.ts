/** KYC documents of users (interface 2.5, 4.8). */
import { z } from 'zod';
import { eachOf, wordsIn } from '../base/words.ts';
import { timestamp } from './page.ts';

export const kycDocumentTypes = wordsIn(
  'passport national_id drivers_license proof_of_address selfie cert_of_incorp articles board_resolution ubo_register other',
);

// The interface does not show whether KYC uploads, persons and users have the same names for document types (interface
// 2.1, 2.4, 2.5). In this service, only KYC uploads have the names of interface 2.5. A person's document has other
// names, such as `DRIVERS_LICENCE`. The type of a user's document is any text.
export const kycDocumentType = z.string().toLowerCase().pipe(z.enum(kycDocumentTypes));

// The interface does not show the answer of a KYC upload (interface 4.8). This service answers 201 with documentId, userId, documentType and createdAt.
export const kycDocument = z.object({
  ...eachOf(z.string(), 'documentId userId'),
  documentType: z.enum(kycDocumentTypes),
  createdAt: timestamp,
});

export type KycDocument = z.infer<typeof kycDocument>;
