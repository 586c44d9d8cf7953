/** The tag: Payrun's text on a payment, by which a list scan finds the payment again. */
import { hmacSha256 } from '../../base/digest.ts';

/** A part of each tag. With another scope, a lost ledger would not find its payments again. */
const tagScope = 'payrun/1';

/** Crockford's base 32 has no i, l, o or u, so that people can read a tag aloud. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const tagDigits = 19;

/** Takes 95 bits of an HMAC. API key and machine do not change a tag, so a copied ledger gives the same tags. */
export const tagOf = (batch: string, key: string, revision: number): string =>
  `q${crockford(hmacSha256(tagScope, JSON.stringify([batch, key, revision])), tagDigits)}`;

/** Encodes the first 5 × `digits` bits, the most significant bit first. */
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

/** Returns the tag in lower case, because services may change the case. Returns null for no tag. */
export const foldTag = (tag: unknown): string | null =>
  typeof tag === 'string' && tag !== '' ? tag.trim().toLowerCase() : null;

const tagShape = new RegExp(`^q[${alphabet}]{${tagDigits}}$`);

export const isTag = (tag: string | null): boolean => tag !== null && tagShape.test(tag);
