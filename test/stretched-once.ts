/** Stretches a passphrase with its salt once for all tests of a process: that takes half a second on purpose, and its answer is the same. */
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { atEnd } from './endings.ts';

type Answer = (error: Error | null, key: Buffer) => void;
type Scrypt = (
  passphrase: BinaryLike,
  salt: BinaryLike,
  length: number,
  options: ScryptOptions,
  answer: Answer,
) => void;

const cheap = { isAsked: false };

/** Makes a stretch cheap for the whole test file. Its keys open in this process, and in one that has `quickPasswords`. */
export function stretchCheaply(): void {
  cheap.isAsked = true;
  atEnd(() => {
    cheap.isAsked = false;
  });
}

const quick = `import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
const { scrypt } = crypto;
crypto.scrypt = (password, salt, length, cost, answer) => scrypt(password, salt, length, { ...cost, N: 16 }, answer);
syncBuiltinESMExports();`;

/**
 * The environment of a process that stretches passwords with a cheap scrypt (N 16). Its accounts are its own, or of a file that
 * stretches cheaply too. test/approval/keys.test.ts holds the real cost.
 */
export const quickPasswords = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(quick)}` };

const isInPlace = Symbol.for('payrun: passphrases are stretched once');

export function stretchOnce(): void {
  if (isInPlace in crypto.scrypt) return;
  const known = new Map<string, Promise<Buffer>>();
  const stretch = crypto.scrypt as Scrypt;
  const once: Scrypt = (passphrase, salt, length, asOrdered, answer) => {
    const options = cheap.isAsked ? { ...asOrdered, N: 16 } : asOrdered;
    const asked = JSON.stringify([passphrase, Buffer.from(salt as Buffer).toString('base64'), length, options]);
    let key = known.get(asked);
    if (key === undefined) {
      key = new Promise((done, failed) => {
        stretch(passphrase, salt, length, options, (error, made) => (error === null ? done(made) : failed(error)));
      });
      known.set(asked, key);
    }
    key.then(
      (made) => answer(null, Buffer.from(made)),
      (error: Error) => answer(error, Buffer.alloc(0)),
    );
  };
  crypto.scrypt = Object.assign(once, { [isInPlace]: true }) as unknown as typeof crypto.scrypt;
  syncBuiltinESMExports();
}
