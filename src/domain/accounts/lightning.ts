/**
 * Lightning destinations: a Lightning Address (LUD-16, with an optional +tag) or an LNURL (LUD-01). Only the form is checked.
 * The address is never fetched, because a sheet could then make Payrun call any host.
 */
import { bech32 } from '@scure/base';
import { quoted } from '../../base/words.ts';
import { type Finding, finding, type Reading, read, refused } from '../rows/finding.ts';

const scheme = /^(?:lightning|mailto):(?:\/\/)?/i;
const address =
  /^[a-z0-9_.-]+(?:\+[a-z0-9_.-]+)?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Reads a Lightning Address or LNURL. Outer spaces must already be removed. */
export function readLightning(text: string): Reading<string> {
  if (address.test(text)) return read(text);
  const bare = text.replace(scheme, '');
  if (bare === '') return refused(lightningMissing());
  const findings: Finding[] = bare === text ? [] : [rewritten('repair', text, bare)];
  if (bare.includes('@')) return readAddress(bare, text, findings);
  const wrong = lnurlFault(bare);
  if (wrong === null) return read(bare, findings);
  return refused(finding('LNURL_INVALID', 'error', `lnurl ${quoted(text)} ${wrong}`));
}

export function lightningMissing(): Finding {
  return finding(
    'LNURL_MISSING',
    'error',
    'lnurl is empty; write a Lightning Address such as name@example.com, or an LNURL',
  );
}

function readAddress(bare: string, text: string, findings: Finding[]): Reading<string> {
  const lower = bare.toLowerCase();
  if (!address.test(lower)) {
    const message = `lnurl ${quoted(text)} is not a Lightning Address; expected a name of a to z, 0 to 9, - _ . perhaps a +tag, and a domain, such as name@example.com`;
    return refused(finding('LNURL_INVALID', 'error', message));
  }
  // Some hosts distinguish names by case, so a person should check this change.
  if (lower !== bare) findings.push(rewritten('warning', bare, lower));
  return read(lower, findings);
}

function rewritten(severity: 'repair' | 'warning', from: string, to: string): Finding {
  return finding('LNURL_REWRITTEN', severity, `lnurl ${quoted(from)} is read as ${quoted(to)}`, to);
}

/** Returns the fault of an LNURL in words that follow its name; null if there is none. */
function lnurlFault(text: string): string | null {
  if (!/^lnurl1/i.test(text))
    return 'is neither a Lightning Address such as name@example.com nor an LNURL, which begins with lnurl1';
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) {
    return 'mixes upper and lower case, which an LNURL never does; copy it again';
  }
  const url = lnurlTarget(text);
  if (url === null) return 'does not fit its own checksum; copy it again in full';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname.endsWith('.onion'))) return null;
  return 'does not lead to an https address; ask the payee for another one';
}

/** An LNURL may exceed bech32's usual 90 characters. */
export function lnurlTarget(text: string): URL | null {
  try {
    const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
    if (prefix.toLowerCase() !== 'lnurl') return null;
    return new URL(new TextDecoder('utf-8', { fatal: true }).decode(bech32.fromWords(words)));
  } catch {
    return null;
  }
}
