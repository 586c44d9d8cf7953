/** Makes and reads Ed25519 keys. A passphrase encrypts the private key. The public key is one line in the policy. */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  type ScryptOptions,
  scrypt as scryptOf,
} from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { sha256 } from '../base/digest.ts';
import { assert, PayrunError } from '../base/errors.ts';
import type { ApprovalFault } from '../base/faults/fault.ts';
import { jsonThatFits } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import { crockford } from '../domain/rows/tag.ts';
import { personName } from './person.ts';

export interface PublicKey {
  readonly name: string;
  /** The 32 bytes of the key, in base64url. */
  readonly key: string;
  /** A hash of the key, short enough to read aloud: 80 bits. */
  readonly fingerprint: string;
}

const publicStart = 'payrun-ed25519';
/** The cost of scrypt. Each guess of a passphrase takes 128 MB and about half a second. */
const scrypt = { N: 2 ** 17, r: 8, p: 1 } as const;
const cipher = 'aes-256-gcm';
const base64 = z.base64();

const keyShape = z.strictObject({
  payrun: z.literal('key'),
  version: z.literal(1),
  name: z.string(),
  public: z.string(),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z.literal(scrypt.N),
    r: z.literal(scrypt.r),
    p: z.literal(scrypt.p),
    salt: base64,
  }),
  cipher: z.literal(cipher),
  iv: base64,
  tag: base64,
  data: base64,
});

export type KeyFile = z.infer<typeof keyShape>;

export const makeKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

export type Stretch = (passphrase: Secret, salt: Buffer) => Promise<Buffer>;

/** Encrypts the private key with the passphrase. Decryption detects a later change of the name or public key. */
export async function lockKey(name: string, key: KeyObject, passphrase: Secret, stretch: Stretch = scryptKey) {
  const { key: publicKey } = publicOf(name, key);
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const locking = createCipheriv(cipher, await stretch(passphrase, salt), iv);
  locking.setAAD(sealed(name, publicKey));
  const data = Buffer.concat([locking.update(key.export({ format: 'der', type: 'pkcs8' })), locking.final()]);
  const file: KeyFile = {
    payrun: 'key',
    version: 1,
    name,
    public: publicKey,
    kdf: { name: 'scrypt', ...scrypt, salt: salt.toString('base64') },
    cipher,
    iv: iv.toString('base64'),
    tag: locking.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads the file without its passphrase, because only the private key in it is encrypted. */
export function readKeyFile(path: string | null, text: string): KeyFile & { readonly fingerprint: string } {
  const file = jsonThatFits(keyShape, text);
  // Checks the name, because the name becomes part of a file name.
  if (file === null || personName(file.name) !== null) throw unusable(path, 'key-is-not-private');
  const fingerprint = fingerprintOf(file.public);
  if (fingerprint === null) throw unusable(path, 'key-has-invalid-half');
  return { ...file, fingerprint };
}

export async function unlockKey(path: string | null, file: KeyFile, passphrase: Secret, stretch: Stretch = scryptKey) {
  const bytes = (part: string) => Buffer.from(part, 'base64');
  try {
    const opening = await stretch(passphrase, bytes(file.kdf.salt));
    const unlocking = createDecipheriv(cipher, opening, bytes(file.iv), { authTagLength: 16 });
    unlocking.setAAD(sealed(file.name, file.public));
    unlocking.setAuthTag(bytes(file.tag));
    const der = Buffer.concat([unlocking.update(bytes(file.data)), unlocking.final()]);
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } catch {
    throw new PayrunError('PASSPHRASE_WRONG', { path });
  }
}

const scryptAside = promisify<string, Buffer, number, ScryptOptions, Buffer>(scryptOf);

export const scryptKey = (passphrase: Secret, salt: Buffer): Promise<Buffer> =>
  scryptAside(passphrase.reveal().normalize('NFC'), salt, 32, { ...scrypt, maxmem: 256 * 1024 * 1024 });

const sealed = (name: string, publicKey: string) => Buffer.from(JSON.stringify(['payrun key 1', name, publicKey]));

export function publicOf(name: string, key: KeyObject): PublicKey {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const fingerprint = fingerprintOf(x);
  assert(fingerprint !== null, 'a key has its 32 bytes');
  return { name, key: x, fingerprint };
}

/** Returns `payrun-ed25519 KEY FINGERPRINT NAME`, the line with which a policy lists the key. */
export const publicLine = ({ key, fingerprint, name }: PublicKey): string =>
  `${publicStart} ${key} ${fingerprint} ${name}`;

export function readPublicLine(line: string): PublicKey | ApprovalFault {
  const [start, key = '', fingerprint, ...words] = line.split(' ');
  const name = words.join(' ');
  if (start !== publicStart || personName(name) !== null) return { fault: 'key-is-not-public' };
  return fingerprintOf(key) === fingerprint ? { name, key, fingerprint } : { fault: 'key-has-other-fingerprint' };
}

function fingerprintOf(key: string): string | null {
  const bytes = Buffer.from(key, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== key) return null;
  const digits = crockford(Buffer.from(sha256(Buffer.concat([Buffer.from('payrun key '), bytes])), 'hex'), 16);
  return digits.replaceAll(/(.{4})(?=.)/g, '$1-');
}

export const verifyingKey = ({ key }: PublicKey): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });

const unusable = (path: string | null, fault: 'key-is-not-private' | 'key-has-invalid-half') =>
  new PayrunError('KEY_UNUSABLE', { path, why: { fault } });
