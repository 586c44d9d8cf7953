/** Makes and checks the one-time codes of authenticator apps: TOTP (RFC 6238), six digits, 30 seconds, SHA-1. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';

const stepMs = 30_000;

/** The secret has 160 bits, as RFC 4226 recommends. */
export const newCodeSecret = (): string => base32nopad.encode(randomBytes(20));

export const codeAddress = (secret: string, name: string): string =>
  `otpauth://totp/Payrun:${encodeURIComponent(name)}?secret=${secret}&issuer=Payrun`;

/** Returns the time step of a right code, at most one step from the clock's; null for a wrong code. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const at = Math.floor(now / stepMs);
  return (
    [at, at - 1, at + 1].find((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) ?? null
  );
}

export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', base32nopad.decode(secret)).update(counter).digest();
  const place = digest.readUInt8(digest.length - 1) & 15;
  return String((digest.readUInt32BE(place) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
