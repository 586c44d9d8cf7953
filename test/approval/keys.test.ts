/** Keys: what their files tell, what it takes to use one, and what is no key. */
import { describe, expect, it } from 'vitest';
import {
  isSamePerson,
  lockKey,
  makeKey,
  personName,
  publicLine,
  publicOf,
  readKeyFile,
  readPublicLine,
  sign,
  unlockKey,
} from '../../src/approval/approval.ts';
import { Secret } from '../../src/base/secret.ts';

const passphrase = new Secret('correct horse battery');
const key = makeKey();
const locked = await lockKey('Kofi Boateng', key, passphrase);
const digest = `sha256:${'a'.repeat(64)}`;
const at = '2026-11-21T08:00:00.000Z';

describe('a private key', () => {
  const unusable = expect.objectContaining({
    code: 'PASSPHRASE_WRONG',
    facts: { path: 'k' },
  });

  it('tells name and fingerprint without its passphrase, and nothing that signs', () => {
    const { fingerprint } = publicOf('Kofi Boateng', key);
    expect(readKeyFile('k', locked)).toMatchObject({ name: 'Kofi Boateng', fingerprint });
    const seed = key.export({ format: 'jwk' }).d ?? 'none';
    expect(locked).not.toContain(Buffer.from(seed, 'base64url').toString('base64').slice(0, 20));
  });

  it('is the same key again with its passphrase, and unusable with another', async () => {
    const file = readKeyFile('k', locked);
    const opened = await unlockKey('k', file, passphrase);
    const body = { purpose: 'approve plan', digest, approver: 'Kofi Boateng', at } as const;
    expect(sign(opened, body)).toEqual(sign(key, body));
    await expect(unlockKey('k', file, new Secret('correct horse batterx'))).rejects.toThrow(unusable);
  });

  it.each([
    ['name', { name: 'Ama Mensah' }],
    ['public half', { public: publicOf('x', makeKey()).key }],
    ['data', { data: Buffer.alloc(64).toString('base64') }],
    ['seal', { tag: Buffer.alloc(16).toString('base64') }],
    ['seal, cut short', { tag: Buffer.alloc(4).toString('base64') }],
  ])('with another %s is unusable', async (_, change) => {
    await expect(unlockKey('k', { ...readKeyFile('k', locked), ...change }, passphrase)).rejects.toThrow(unusable);
  });

  it.each([
    ['no JSON', 'x'],
    ['another file', '{"payrun":"signature"}'],
    ['one more field', locked.replace('"version": 1,', '"version": 1, "more": 1,')],
    ['a name that is a path', locked.replace('"Kofi Boateng"', '"../Kofi"')],
    ['a cheaper passphrase', locked.replace('131072', '16')],
    ['a public half that is none', locked.replace(/"public": "[^"]+"/, '"public": "abcd"')],
  ])('that is %s is told', (_, text) => {
    expect(() => readKeyFile('k', text)).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE' }));
  });
});

describe('a public key', () => {
  const line = publicLine(publicOf('Kofi Boateng', key));

  it('is one line with key, fingerprint and name', () => {
    expect(line).toMatch(/^payrun-ed25519 [\w-]{43} [0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4} Kofi Boateng$/);
    expect(readPublicLine(line)).toEqual(publicOf('Kofi Boateng', key));
  });

  it.each([
    ['another fingerprint', line.replace(/ \w{4}-/, ' 0000-'), 'key-has-other-fingerprint'],
    ['a shorter key', line.replace(/ [\w-]{43} /, ' abcd '), 'key-has-other-fingerprint'],
    ['no name', line.replace(' Kofi Boateng', ''), 'key-is-not-public'],
    ['another start', line.replace('payrun-ed25519', 'ssh-ed25519'), 'key-is-not-public'],
  ])('with %s is told', (_, text, fault) => {
    expect(readPublicLine(text)).toEqual({ fault });
  });
});

describe('people', () => {
  it.each([
    ['Ama Mensah', 'ama  MENSAH'],
    ['José Ñandú', 'Jose Nandu'],
    ['José', 'Jose\u0301'],
    ['O’Brien', "O'Brien"],
    ['A.B. Mensah', 'AB Mensah'],
    ['Ａma', 'Ama'],
    ['Зоя', 'ЗОЯ'],
    ['Ølberg', 'Olberg'],
    ['Kofi Boateng', 'boateng KOFI'],
    ['Ama Yaa Mensah', 'Mensah Ama Yaa'],
  ])('%s is %s', (one, other) => {
    expect(isSamePerson(one, other)).toBe(true);
  });

  it.each([
    ['Ama', 'Amara'],
    ['Зоя', 'Zoya'],
    ['Ама', 'Зоя'],
  ])('%s is not %s', (one, other) => {
    expect(isSamePerson(one, other)).toBe(false);
  });

  it.each(['', ' Ama', 'Ama ', '../x', 'a/b', '.hidden', 'A\u202eB', 'a\nb', '<b>', 'a'.repeat(65), 'Аma', '…'])(
    '%j is no name',
    (name) => {
      expect(personName(name)).not.toBeNull();
    },
  );

  // Of Armenian, Cherokee, Coptic and Lisu; and a letter, and a mark, that nobody sees.
  it.each(['Kofi B\u0585ateng', 'Kofi B\u13aa', '\u2c95ofi', 'Kofi \ua4d0', '王伟\u3164', 'K\u034fofi', 'Kofi\ufe0f'])(
    '%j looks like another name, and is none',
    (name) => {
      expect(personName(name)).not.toBeNull();
    },
  );

  it.each(['Ɔbaa Yɛboa', 'Ọlá', 'محمد', '王伟', 'Ama Mensah', "N'Golo", 'José', 'Зоя', 'clerk-2', 'root'])(
    '%j is one',
    (name) => {
      expect(personName(name)).toBeNull();
    },
  );
});
