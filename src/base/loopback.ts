/** True if a URL points to this machine. */
export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** True for https, and for http to this machine. Tokens and payments must not cross a network unencrypted. */
export function isSafeUrl(url: string): boolean {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(url));
}
