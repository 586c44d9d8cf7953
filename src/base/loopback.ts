/** True when a URL leads to this machine alone; only there may anything go unencrypted. */
export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** https, or http on loopback: neither a token nor a payment may cross a network in the clear. */
export function isSafeUrl(url: string): boolean {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(url));
}
