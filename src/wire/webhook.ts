/** The body of a webhook call, and the signature of the body (interface 6). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { eachOf } from '../base/words.ts';
import { timestamp } from './page.ts';

// The interface does not show the kinds of events and the body of a webhook call (interface 6). This service has one
// kind, a change of status. The body has an id of the event, the payment's id, status and tag, and the time of the change.
const webhookBody = z.object({
  ...eachOf(z.string(), 'eventId id status'),
  tag: z.string().exactOptional(),
  time: timestamp,
});

export type WebhookBody = z.infer<typeof webhookBody>;

export const signatureHeader = 'webhook-signature';

/** The greatest difference between a call's time and the receiver's clock. An older call may be an attacker's copy. */
export const signatureLifeMs = 5 * 60_000;

/** Returns `t=<unix>,v1=<hex>`. The HMAC-SHA256 covers the time (Unix seconds), a full stop and the body. */
// The interface does not show the purpose of webhookSecret (interface 6). This service signs each call with
// webhookSecret. A payment without a secret gets unsigned calls.
export const signatureOf = (secret: string, at: number, body: string | Buffer): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')}`;

/** True if the header is a correct and recent signature of the body. `now` is in milliseconds since 1970. */
export function isSigned(header: string, secret: string, body: Buffer, now: number): boolean {
  const at = Number(/^t=(\d{1,12}),v1=[0-9a-f]{64}$/.exec(header)?.[1] ?? Number.NaN);
  if (Number.isNaN(at) || Math.abs(now - at * 1000) > signatureLifeMs) return false;
  return timingSafeEqual(Buffer.from(header), Buffer.from(signatureOf(secret, at, body)));
}
