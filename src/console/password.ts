/** Passwords: what one must be, its hash, and the work of it, of which only so much is done at once. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';
import { foldedName, type Stretch } from '../approval/approval.ts';
import { Secret } from '../base/secret.ts';
import { Refused } from './route.ts';

const fewest = 12;
/** Each takes 128 MB for about half a second. */
const atOnce = 2;
const mostWaiting = 20;
const limit = pLimit(atOnce);

/** In turn with all others; refused where there are so many that somebody must be guessing. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= mostWaiting)
    throw new Refused(503, 'Many people log in at this moment. Try again in a few seconds.', 'BUSY', {
      'retry-after': '5',
    });
  return await limit(work);
}

/** What is wrong with a password for this name; null where it can be taken. */
export function passwordFault(password: string, name: string): string | null {
  const said = password.normalize('NFC');
  if (said.length < fewest) return `A password has at least ${fewest} characters; a few words together are good.`;
  if (new Set(said).size < 5) return 'That password is too simple: use more than a few different characters.';
  const folded = foldedName(said);
  if (foldedName(name).length > 2 && folded.replaceAll(foldedName(name), '').length < fewest / 2)
    return 'That password is little more than the name.';
  return null;
}

/** `scrypt.SALT.HASH`, by the work of approvers' keys (N 2^17, r 8, p 1). */
export async function hashOf(password: string, stretch: Stretch): Promise<string> {
  const salt = randomBytes(16);
  const hash = await inTurn(() => stretch(new Secret(password), salt));
  return `scrypt.${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

const nobody = `scrypt.${randomBytes(16).toString('base64url')}.${randomBytes(32).toString('base64url')}`;

/** The same work where there is no such password. */
export async function isPassword(stored: string | null, password: string, stretch: Stretch): Promise<boolean> {
  const [, salt = '', hash = ''] = (stored ?? nobody).split('.');
  const found = await inTurn(() => stretch(new Secret(password), Buffer.from(salt, 'base64url')));
  return timingSafeEqual(found, Buffer.from(hash, 'base64url')) && stored !== null;
}
