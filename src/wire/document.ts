/** Documents of payments (interface 2.8, 4.23, 4.24). */
import { z } from 'zod';
import { eachOf } from '../base/words.ts';
import { timestamp } from './page.ts';

/** `presignedUrl` serves the document for 900 seconds, and needs no token. */
const paymentDocument = z.object({
  ...eachOf(z.string(), 'paymentId documentId presignedUrl'),
  createdAt: timestamp,
});

/** The interface does not show the answer to an upload (interface 4.23). This service returns paymentId, documentId and createdAt. */
export const documentCreated = paymentDocument.omit({ presignedUrl: true });

export const documentList = z.object({ items: z.array(paymentDocument), presignedUrlExpiresInSeconds: z.literal(900) });
