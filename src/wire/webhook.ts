/** Webhooks (interface 6): their body, their signature and its check. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { timestamp } from './page.ts';

// not shown: the kinds of events and the shape of a delivery (6); ours is one kind, a status change: the payment's id, status and tag, when it changed, and an id of the event's own.
export const webhookBody = z.object({
  eventId: z.string(),
  id: z.string(),
  status: z.string(),
  tag: z.string().exactOptional(),
  time: timestamp,
});

export type WebhookBody = z.infer<typeof webhookBody>;

export const signatureHeader = 'webhook-signature';

/** A copied call is refused after this time. */
export const signatureLifeMs = 5 * 60_000;

/** Returns the header `t=<unix>,v1=<hex>`: HMAC-SHA256 with the secret over the time (Unix seconds), a full stop and the body. */
// not shown: what webhookSecret is for (6); ours signs each call with it, and calls without one are not signed.
export function signatureOf(secret: string, at: number, body: string | Buffer): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')}`;
}

/** `now` is in milliseconds. */
export function isSigned(header: string, secret: string, body: Buffer, now: number): boolean {
  const at = Number(/^t=(\d{1,12}),v1=[0-9a-f]{64}$/.exec(header)?.[1] ?? Number.NaN);
  if (Number.isNaN(at) || Math.abs(now - at * 1000) > signatureLifeMs) return false;
  return timingSafeEqual(Buffer.from(header), Buffer.from(signatureOf(secret, at, body)));
}
