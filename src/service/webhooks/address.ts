/** Decides where webhooks may go: to public addresses, and to this machine if only this machine reaches the service. */
import { BlockList, isIP } from 'node:net';

export interface AddressRules {
  readonly loopback: boolean;
}

/** The IPv4 networks without public hosts, from the IANA registry of November 2026. */
const specialIpv4 = listOf(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
   192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
   203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
);

/** All public IPv6 addresses are in 2000::/3. The networks in `specialIpv6` are not public. */
const globalIpv6 = listOf('2000::/3');
const specialIpv6 = listOf('2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20');

const loopback = listOf('127.0.0.0/8 ::1/128');

function listOf(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(/\s+/)) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** True for an IPv4 address in IPv6 form, such as `::ffff:10.0.0.1`. Webhooks never go to such an address. */
const isDressed = (address: string) => /^::ffff:/i.test(address);

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && !isDressed(address) && loopback.check(address, familyOf(address));
}

export function mayReach(address: string, rules: AddressRules): boolean {
  if (isIP(address) === 0 || isDressed(address)) return false;
  if (isLoopback(address)) return rules.loopback;
  const family = familyOf(address);
  if (family === 'ipv4') return !specialIpv4.check(address, family);
  return globalIpv6.check(address, family) && !specialIpv6.check(address, family);
}

const ports = ['', '443', '8443'];

// The interface does not show which addresses a webhookUrl may name (2.8, 6). This service accepts public addresses
// with https at port 443 or 8443. If only this machine can reach the service, its own addresses are valid too.
/** Does not look up host names. `delivery.ts` looks up and checks a name before each call (interface 2.8). */
export function readWebhookUrl(text: string, rules: AddressRules): { url: URL } | { wrong: string } {
  const url = text.length <= 2048 && URL.canParse(text) ? new URL(text) : null;
  if (url === null) return { wrong: 'is not an address' };
  if (url.username !== '' || url.password !== '') return { wrong: 'must not hold a name or a password' };
  const host = hostOf(url);
  if (isHere(url)) {
    if (!rules.loopback) return { wrong: 'must not name this machine' };
    if (url.protocol === 'http:' || url.protocol === 'https:') return { url };
  }
  if (url.protocol !== 'https:') return { wrong: 'must begin with https://' };
  if (!ports.includes(url.port)) return { wrong: 'must use port 443 or 8443' };
  if (isIP(host) !== 0 && !mayReach(host, rules)) return { wrong: 'must be a public address' };
  return { url };
}

export function isHere(url: URL): boolean {
  const host = hostOf(url);
  return host === 'localhost' || isLoopback(host);
}

export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
