/** Checks and hashes passwords, and limits how many hashes run at once. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { Stretch } from '../../approval/approval.ts';
import { Secret } from '../../base/secret.ts';
import { knownNamesWords } from '../../messages/web/access-messages.ts';
import { messageOf, type OwnMessage } from '../../messages/web/messages.ts';
import { openFewAtOnce } from '../batches/few-at-once.ts';
import { refused } from '../http/route.ts';

const fewest = 12;
/** For hashes: each takes 128 MB for about half a second. If so many wait, somebody must be guessing. */
export const inTurn = openFewAtOnce(2, 20, () => refused(503, 'MANY_LOGINS', { retryAfterMs: 5000 }));

/** The library's score for more than 10^10 guesses. Passwords with a lower score are refused. */
const leastScore = 4;
/** Words that people are likely to choose for this program, so attackers guess them first. */
const ownWords = 'payrun payroll south africa southafrica nigeria kenya'.split(' ');

export async function passwordFault(password: string, name: string): Promise<OwnMessage | null> {
  const text = password.normalize('NFC');
  if (text.length < fewest) return messageOf('PASSWORD_SHORT', { fewest });
  const words = plain(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain(text));
  if (rest.length < fewest / 2) return messageOf('PASSWORD_IS_NAME');
  const { score, feedback } = (await estimator()).check(text, [...words, ...ownWords]);
  if (score >= leastScore) return null;
  return messageOf('PASSWORD_GUESSABLE', { warning: feedback.warning || null });
}

const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

let loading: Promise<ZxcvbnFactory> | null = null;

/** Loads lists of common passwords, words and names. Only a new password needs them, and they take some megabytes. */
function estimator(): Promise<ZxcvbnFactory> {
  loading ??= Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]).then(([{ ZxcvbnFactory }, common, english]) => {
    const warnings = { ...english.translations.warnings, userInputs: knownNamesWords };
    return new ZxcvbnFactory({
      dictionary: { ...common.dictionary, ...english.dictionary },
      graphs: common.adjacencyGraphs,
      translations: { ...english.translations, warnings },
    });
  });
  return loading;
}

/** Returns `scrypt.SALT.HASH`. The stretching is that of approvers' keys (N 2^17, r 8, p 1). */
export async function hashOf(password: string, stretch: Stretch): Promise<string> {
  const salt = randomBytes(16);
  const hash = await inTurn(() => stretch(new Secret(password), salt));
  return `scrypt.${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

const nobody = `scrypt.${randomBytes(16).toString('base64url')}.${randomBytes(32).toString('base64url')}`;

/** True if the password is right. Does the same work if none is stored, so that the time does not reveal an unknown name. */
export async function isPassword(stored: string | null, password: string, stretch: Stretch): Promise<boolean> {
  const [, salt = '', hash = ''] = (stored ?? nobody).split('.');
  const found = await inTurn(() => stretch(new Secret(password), Buffer.from(salt, 'base64url')));
  return timingSafeEqual(found, Buffer.from(hash, 'base64url')) && stored !== null;
}
