/** Documents of payments (interface 2.8, 4.23, 4.24). */
import { z } from 'zod';
import { timestamp } from './page.ts';

/** Directly downloadable without a header for 900 seconds. */
export const paymentDocument = z.object({
  paymentId: z.string(),
  documentId: z.string(),
  presignedUrl: z.string(),
  createdAt: timestamp,
});

/** The answer of the upload, which the interface does not show (4.23): the document as the list names it. */
export const documentCreated = paymentDocument.omit({ presignedUrl: true });

export const documentList = z.object({
  items: z.array(paymentDocument),
  presignedUrlExpiresInSeconds: z.literal(900),
});
