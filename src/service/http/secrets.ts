/** Makes digests, signatures, keys and encrypted texts. All need the pepper, a secret file in the data folder. */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { makeFolder, syncFolder } from '../../base/folder.ts';

export type Secrets = ReturnType<typeof openSecrets>;

export function openSecrets(dataDir: string, clock: Clock) {
  const pepper = readPepper(dataDir, clock);
  // Syncs the folder, so that a crash cannot lose the pepper. Without the pepper, stored digests are useless.
  syncFolder(dataDir);
  const keys = new Map<string, Buffer>();
  const keyOf = (purpose: string): Buffer => {
    const key = keys.get(purpose) ?? createHmac('sha256', pepper).update(`payrun ${purpose}`).digest();
    keys.set(purpose, key);
    return key;
  };
  const mac = (purpose: string, text: string): Buffer => createHmac('sha256', keyOf(purpose)).update(text).digest();
  const digest = (apiSecret: string) => mac('api secret', apiSecret).toString('hex');
  const nobody = digest(clock.randomHex(32));
  const sign = (purpose: string, parts: readonly string[], bytes = 32) =>
    mac(purpose, JSON.stringify(parts)).subarray(0, bytes).toString('base64url');

  return {
    /** A fast digest is safe here, because nobody can guess a secret of 256 random bits. */
    digest,
    /** Takes the same time if `stored` is undefined, so that the time does not show which API keys exist. */
    matches(apiSecret: string, stored: string | undefined): boolean {
      const equal = timingSafeEqual(Buffer.from(digest(apiSecret)), Buffer.from(stored ?? nobody));
      return equal && stored !== undefined;
    },
    sign,
    /** Returns a key of 256 bits, which nobody can compute without the pepper. */
    derive: mac,
    verify(purpose: string, parts: readonly string[], signature: string): boolean {
      const right = Buffer.from(sign(purpose, parts));
      const given = Buffer.from(signature);
      return given.length === right.length && timingSafeEqual(given, right);
    },
    /** Encrypts the text. `unseal` detects any change of the encrypted text. */
    seal(purpose: string, text: string): string {
      const nonce = Buffer.from(clock.randomHex(nonceBytes), 'hex');
      const cipher = createCipheriv('aes-256-gcm', keyOf(`seal ${purpose}`), nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    /** Throws if the text was not encrypted with this pepper for this purpose. */
    unseal(purpose: string, sealed: string): string {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keyOf(`seal ${purpose}`), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
      return text.toString('utf8');
    },
  };
}

const nonceBytes = 12;
const tagBytes = 16;

/** Reads the pepper, or makes one. If two processes make one at the same time, both use the first one stored. */
function readPepper(dataDir: string, clock: Clock): string {
  const path = join(dataDir, 'pepper');
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  makeFolder(dataDir);
  const made = `${path}.${clock.randomHex(8)}`;
  writeFileSync(made, clock.randomHex(32), { mode: 0o600, flush: true });
  try {
    linkSync(made, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made);
  }
  return readFileSync(path, 'utf8');
}
