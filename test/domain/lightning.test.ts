/** Lightning Addresses and LNURLs: the vectors of LUD-01 and LUD-16, and the schemes that come along. */
import { bech32 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { lnurlTarget, readLightning } from '../../src/domain/accounts/lightning.ts';
import vectors from './account-vectors.json' with { type: 'json' };

function lnurl(url: string): string {
  return bech32.encode('lnurl', bech32.toWords(new TextEncoder().encode(url)), false);
}

describe('LNURL', () => {
  it.each(vectors.lnurl)('$in', (vector) => {
    const { value, findings } = readLightning(vector.in);
    if (vector.valid === false) {
      expect(value).toBeUndefined();
      expect(findings.map((one) => one.code)).toEqual(['LNURL_INVALID']);
      return;
    }
    const bare = vector.in.replace('lightning:', '');
    expect(value).toBe(bare);
    expect(findings.map((one) => one.code)).toEqual(bare === vector.in ? [] : ['LNURL_REWRITTEN']);
    if (vector.url !== undefined) expect(lnurlTarget(bare)?.href).toBe(vector.url);
  });

  it.each([
    ['https://pay.example.com/x', true],
    ['http://expyuzz4wqqyqhjn.onion/x', true],
    ['http://pay.example.com/x', false],
    ['ftp://pay.example.com/x', false],
    ['no address at all', false],
  ])('to %s: %s', (url, taken) => expect(readLightning(lnurl(url)).value !== undefined).toBe(taken));

  it('is not taken under another prefix', () => {
    const other = bech32.encode('lnbc', bech32.toWords(new TextEncoder().encode('https://example.com')), false);
    expect(readLightning(other).findings[0]?.code).toBe('LNURL_INVALID');
  });
});

describe('Lightning Address', () => {
  it.each(vectors.lightningAddress)('$in: $valid', ({ in: text, valid }) => {
    const { value, findings } = readLightning(text);
    if (valid === false) expect(value).toBeUndefined();
    else expect(value).toBe(text.toLowerCase());
    const codes = findings.map((one) => `${one.severity} ${one.code}`);
    const normalised = typeof valid === 'string';
    expect(codes).toEqual(valid === false ? ['error LNURL_INVALID'] : normalised ? ['warning LNURL_REWRITTEN'] : []);
  });

  it.each(['mailto:satoshi@bitcoin.org', 'lightning:satoshi@bitcoin.org', 'LIGHTNING:satoshi@bitcoin.org'])(
    'loses the scheme of %s',
    (text) => {
      const { value, findings } = readLightning(text);
      expect(value).toBe('satoshi@bitcoin.org');
      expect(findings.map((one) => `${one.severity} ${one.code}`)).toEqual(['repair LNURL_REWRITTEN']);
    },
  );

  it('is asked for where only a scheme stands', () =>
    expect(readLightning('lightning:').findings[0]?.code).toBe('LNURL_MISSING'));
});
