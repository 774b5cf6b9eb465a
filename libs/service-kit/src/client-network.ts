import { isIPv6 } from 'node:net';

/**
 * The unit that limits per client count: an IPv4 address, or the /64 network of an IPv6 address, because one internet connection can use
 * all addresses of its /64. An IPv4-mapped IPv6 address counts as the IPv4 address. Returns a text that is not an IP address unchanged.
 */
export function clientNetwork(address: string): string {
  // `%` is followed by a zone: the name of a network interface of this machine.
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address in lower case, without leading zeros. */
function groupsOf(address: string): string[] {
  // A URL normalises the address: always the same spelling, and no dotted part.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail] = canonical.split('::').map((part) => (part === '' ? [] : part.split(':')));
  return tail ? [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail] : head;
}

function bytesOf(group: string): [number, number] {
  const value = parseInt(group, 16);
  return [value >> 8, value & 255];
}
