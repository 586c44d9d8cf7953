/**
 * Lightning destinations: a Lightning Address (LUD-16, with an optional +tag) or an LNURL (LUD-01).
 * Checks only the form. Never fetches the address, because a sheet must not decide which host Payrun calls.
 */
import { bech32 } from '@scure/base';
import { type Finding, finding, type Reading, read, refused } from '../rows/finding.ts';

const scheme = /^(?:lightning|mailto):(?:\/\/)?/i;
const address =
  /^[a-z0-9_.-]+(?:\+[a-z0-9_.-]+)?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Reads a Lightning Address or an LNURL. The text must have no outer spaces. */
export function readLightning(text: string): Reading<string> {
  if (address.test(text)) return read(text);
  const bare = text.replace(scheme, '');
  if (bare === '') return refused(lightningMissing());
  const findings: Finding[] = bare === text ? [] : [rewritten('repair', text, bare)];
  if (bare.includes('@')) return readAddress(bare, text, findings);
  const why = lnurlFault(bare);
  return why === null ? read(bare, findings) : refused(finding('LNURL_INVALID', 'error', { lnurl: text, why }));
}

export const lightningMissing = (): Finding => finding('LNURL_MISSING', 'error', {});

function readAddress(bare: string, text: string, findings: Finding[]): Reading<string> {
  const lower = bare.toLowerCase();
  if (!address.test(lower)) return refused(finding('LNURL_INVALID', 'error', { lnurl: text, why: 'address' }));
  // Warns about the change to small letters, because a host may give the address in capitals to another person.
  if (lower !== bare) findings.push(rewritten('warning', bare, lower));
  return read(lower, findings);
}

const rewritten = (severity: 'repair' | 'warning', lnurl: string, suggestion: string): Finding =>
  finding('LNURL_REWRITTEN', severity, { lnurl, suggestion });

function lnurlFault(text: string) {
  if (!/^lnurl1/i.test(text)) return 'neither';
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return 'case';
  const url = lnurlTarget(text);
  if (url === null) return 'checksum';
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname.endsWith('.onion')) ? null : 'target';
}

/** Returns the URL in an LNURL; null if the LNURL is invalid. An LNURL may exceed the usual 90 characters of bech32. */
export function lnurlTarget(text: string): URL | null {
  try {
    const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
    if (prefix.toLowerCase() !== 'lnurl') return null;
    return new URL(new TextDecoder('utf-8', { fatal: true }).decode(bech32.fromWords(words)));
  } catch {
    return null;
  }
}
