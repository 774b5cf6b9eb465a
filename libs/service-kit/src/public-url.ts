import ipaddr from 'ipaddr.js';

/** Why a URL that a customer entered must not be called. */
export type PublicUrlProblem = 'malformed' | 'scheme' | 'credentials' | 'port' | 'not_public';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Ports of public web servers. The empty text is the default port. */
const ports: ReadonlySet<string> = new Set(['', '443', '8443']);

/** Host names of private networks. They are refused whatever they resolve to. */
const privateName = /^(?:localhost|.*\.(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|svc|onion))$/;

/**
 * Whether an IP address is on the public internet: not loopback, private, link-local (cloud metadata services), shared, multicast or
 * reserved. An IPv4-mapped IPv6 address counts as its IPv4 address; IPv6 forms that reach IPv4 through a gateway (NAT64, 6to4, Teredo) are refused. A client
 * must check every address that a name resolves to, and connect to exactly the address that it checked.
 */
export function isPublicIp(address: string): boolean {
  // Only the standard spellings: `0x7f.1`, for one, means 127.0.0.1 to some parsers.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // All public IPv6 addresses are in this block; some addresses outside of it embed IPv4 addresses.
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

/**
 * Checks the text of a URL that a customer entered, such as a webhook's; null when it may be called. A host name is resolved only when it is called, and
 * then every address that it resolves to must pass `isPublicIp`.
 * @param plainHosts `host` or `host:port` that may be called without TLS and on private networks, such as a sandbox; empty in production
 */
export function publicUrlProblem(text: string, plainHosts: readonly string[] = []): PublicUrlProblem | null {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return 'malformed';
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (plainHosts.includes(url.host) || plainHosts.includes(url.hostname)) return null;
  if (url.protocol !== 'https:') return 'scheme';
  if (!ports.has(url.port)) return 'port';
  // The URL parser has converted IPv4 addresses of any spelling to four decimal parts, and names to lower case.
  const host = url.hostname.replace(/\.+$/, '');
  if (host.startsWith('[')) return isPublicIp(host.slice(1, -1)) ? null : 'not_public';
  if (/^[\d.]+$/.test(host)) return isPublicIp(host) ? null : 'not_public';
  return host.includes('.') && !privateName.test(host) ? null : 'not_public';
}
