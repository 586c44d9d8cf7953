/** The tag: our text on a payment, by which a list scan finds it again. */
import { hmacSha256 } from '../../base/digest.ts';

export const defaultTagScope = 'payrun/1';

/** Crockford's base 32: no i, l, o, u, so that a tag survives being read aloud. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const tagDigits = 19;

/**
 * `q` and 19 characters (95 bits) of HMAC-SHA-256 over batch, row key and revision. No address and no credentials go in, so that
 * a rotated key, a second machine or a lost ledger makes the same tags again.
 */
export function tagOf(scope: string, batch: string, key: string, revision: number): string {
  return `q${crockford(hmacSha256(scope, JSON.stringify([batch, key, revision])), tagDigits)}`;
}

/** The first `digits` x 5 bits, most significant first. */
export function crockford(bytes: Uint8Array, digits: number): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5 && text.length < digits) {
      bits -= 5;
      text += alphabet[(held >> bits) & 31];
    }
  }
  return text;
}

/** Services may fold the case of a tag; ours is compared folded, and never empty. */
export function foldTag(tag: unknown): string | null {
  return typeof tag === 'string' && tag !== '' ? tag.trim().toLowerCase() : null;
}

const tagShape = new RegExp(`^q[${alphabet}]{${tagDigits}}$`);

/** True when a folded text can be a tag of ours. */
export function isTag(tag: string | null): boolean {
  return tag !== null && tagShape.test(tag);
}
