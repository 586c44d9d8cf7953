/** SHA-256 and HMAC, for folders that must not import Node's modules, such as domain/. */
import { createHash, createHmac, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

export async function sha256OfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const bytes of createReadStream(path)) digest.update(bytes as Uint8Array);
  return digest.digest('hex');
}

export const hmacSha256 = (key: string, text: string): Uint8Array => createHmac('sha256', key).update(text).digest();
