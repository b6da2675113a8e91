import { type Network, networkMatcher, parseAddress, parseNetwork } from './network.js';

/** IANA's special-purpose networks, and multicast. IPv6 outside of `GLOBAL_UNICAST` is not public either. */
const NOT_PUBLIC = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24',
  '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3',
  // Teredo, ORCHID, documentation, 6to4 and AS112 are within the global unicast addresses.
  '2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20',
] as const;
const GLOBAL_UNICAST = '2000::/3';

function networkOf(text: string): readonly Network[] {
  const network = parseNetwork(text);
  return network === null ? [] : [network];
}

const isSpecial = networkMatcher(NOT_PUBLIC.flatMap(networkOf), 'inside');
const isGlobalUnicast = networkMatcher(networkOf(GLOBAL_UNICAST), 'outside');

/**
 * True if anyone on the internet can own the address. False for private, local, shared, multicast and reserved addresses, for IPv6 that embeds IPv4,
 * and for a text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === null || text.includes('%')) return false;
  // A mapped address is as public as the IPv4 address in it, but is refused, because no legitimate URL contains one.
  if (text.includes(':') && address.width === 32) return false;
  return !isSpecial(text) && (address.width === 32 || isGlobalUnicast(text));
}
