/** Payments (interface 2.8, 4.20 to 4.22). */
import { z } from 'zod';
import { page, timestamp } from './page.ts';

const reference = z.string().regex(/^[A-Za-z0-9 ]{1,20}$/);

/** `meta` is JSON text. `unitOf` in base/words.ts gives the unit of `amount`. */
export const paymentCreate = z.object({
  merchantId: z.string().min(1),
  amount: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  reference,
  type: z.string().exactOptional(),
  tag: z.string().exactOptional(),
  fromCountry: z.string().exactOptional(),
  meta: z.string().exactOptional(),
  webhookUrl: z.string().exactOptional(),
  webhookSecret: z.string().exactOptional(),
  isSlowPayment: z.boolean().exactOptional(),
});

// The interface does not show how long texts may be (interface 2.8). This service accepts 65,536 characters of `meta`,
// and 1,000 characters of `tag`, `type` and `webhookSecret`, so that a page of payments never becomes too large to read.
const shortText = z.string().max(1000);

/** The payments that the embedded service accepts. Other services may accept longer texts. */
export const paymentTaken = paymentCreate.extend({
  type: shortText.exactOptional(),
  tag: shortText.exactOptional(),
  meta: z.string().max(65_536).exactOptional(),
  webhookSecret: shortText.exactOptional(),
});

export const paymentMeta = z.looseObject({ collectionMethod: z.enum(['MOMO', 'BANK_TRANSFER']).exactOptional() });

/** The bank account to which the payer has to send the source currency. */
// The interface does not show the fields of depositBankDetails (interface 2.8). In this service `amount` is a decimal as text.
export const depositBankDetails = z.object({
  bankName: z.string(),
  accountName: z.string(),
  accountNumber: z.string(),
  currency: z.string(),
  amount: z.string(),
  reference: z.string(),
});

export const payment = z.object({
  id: z.string(),
  merchantId: z.string(),
  amount: z.number(),
  amountSettled: z.number().exactOptional(),
  status: z.string(),
  statusLog: z.string().exactOptional(),
  fromCountry: z.string().exactOptional(),
  destinationCountry: z.string(),
  destinationCurrency: z.string(),
  reference: z.string(),
  tag: z.string().exactOptional(),
  type: z.string().exactOptional(),
  otcFees: z.number().exactOptional(),
  date: timestamp,
  meta: z.string().exactOptional(),
  depositBankDetails: depositBankDetails.exactOptional(),
  // The interface does not show the name of the field with the one-time USDT address (interface 4.20). In this service the field is depositAddress.
  depositAddress: z.string().exactOptional(),
  isSlowPayment: z.literal(true).exactOptional(),
});

export const paymentPage = page(payment);

export type PaymentCreate = z.infer<typeof paymentCreate>;
export type Payment = z.infer<typeof payment>;
