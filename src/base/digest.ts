/** SHA-256 in the two forms that the program uses; the rules of domain/ stay free of node: modules through it. */
import { createHash, createHmac, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Lower-case hex SHA-256 of a text (UTF-8) or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** SHA-256 of a file's bytes; fails as reading them does. */
export async function sha256OfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const bytes of createReadStream(path)) digest.update(bytes as Uint8Array);
  return digest.digest('hex');
}

/** HMAC-SHA-256 of a text, as bytes. */
export function hmacSha256(key: string, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest();
}
