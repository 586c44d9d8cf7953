/** SHA-256 in the two forms that the program uses; the rules of domain/ stay free of node: modules through it. */
import { createHmac, hash } from 'node:crypto';

/** Lower-case hex SHA-256 of a text (UTF-8) or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** HMAC-SHA-256 of a text, as bytes. */
export function hmacSha256(key: string, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest();
}
