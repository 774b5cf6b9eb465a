import { isIPv6 } from 'node:net';

/**
 * What limits take for one place: an IPv4 address itself, of an IPv6 address its /64 network, for one connection has all of that network's
 * addresses to change between. An IPv4 address in IPv6 form is that IPv4 address. What is no address stays as it is.
 */
export function networkOf(address: string): string {
  // The part behind the sign names an interface of this machine.
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups in lower case, without leading zeros. */
function groupsOf(address: string): string[] {
  // The form that a URL gives an address is always the same one, and without dots.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail] = canonical.split('::').map((part) => (part === '' ? [] : part.split(':')));
  return tail ? [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail] : head;
}

function bytesOf(group: string): [number, number] {
  const value = parseInt(group, 16);
  return [value >> 8, value & 255];
}
