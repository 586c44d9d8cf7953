/** Payments (interface 2.8, 4.20 to 4.22). */
import { z } from 'zod';
import { eachOf } from '../base/words.ts';
import { page, timestamp } from './page.ts';

const reference = z.string().regex(/^[A-Za-z0-9 ]{1,20}$/);

/** `meta` is JSON text. `unitOf` in base/words.ts gives the unit of `amount`. */
export const paymentCreate = z.object({
  merchantId: z.string().min(1),
  amount: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  reference,
  ...eachOf(z.string().exactOptional(), 'type tag fromCountry meta webhookUrl webhookSecret'),
  isSlowPayment: z.boolean().exactOptional(),
});

// The interface does not show how long texts may be (interface 2.8). This service accepts 65,536 characters of `meta`,
// and 1,000 characters of `tag`, `type` and `webhookSecret`, so that a page of payments never becomes too large to read.
const shortText = z.string().max(1000);

/** The payments that the embedded service accepts. Other services may accept longer texts. */
export const paymentTaken = paymentCreate.extend({
  ...eachOf(shortText.exactOptional(), 'type tag webhookSecret'),
  meta: z.string().max(65_536).exactOptional(),
});

export const paymentMeta = z.looseObject({ collectionMethod: z.enum(['MOMO', 'BANK_TRANSFER']).exactOptional() });

/** The bank account to which the payer has to send the source currency. */
// The interface does not show the fields of depositBankDetails (interface 2.8). In this service `amount` is a decimal as text.
export const depositBankDetails = z.object(
  eachOf(z.string(), 'bankName accountName accountNumber currency amount reference'),
);

export const payment = z.object({
  ...eachOf(z.string(), 'id merchantId status destinationCountry destinationCurrency reference'),
  ...eachOf(z.string().exactOptional(), 'statusLog fromCountry tag type meta'),
  amount: z.number(),
  amountSettled: z.number().exactOptional(),
  otcFees: z.number().exactOptional(),
  date: timestamp,
  depositBankDetails: depositBankDetails.exactOptional(),
  // The interface does not show the name of the field with the one-time USDT address (interface 4.20). In this service the field is depositAddress.
  depositAddress: z.string().exactOptional(),
  isSlowPayment: z.literal(true).exactOptional(),
});

export const paymentPage = page(payment);

export type PaymentCreate = z.infer<typeof paymentCreate>;
export type Payment = z.infer<typeof payment>;
