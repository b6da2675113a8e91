import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net';

const MAPPED_PREFIX = '::ffff:';
/** Groups of 16 bits in the part of an IPv6 address that one customer usually has to itself. */
const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}

/** The eight groups of an IPv6 address that has no IPv4 part, in hexadecimal. */
export function ipv6Groups(address: string): readonly string[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array<string>(ALL_GROUPS - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after];
}

/** What connections are counted by: an IPv4 address, or the /64 network of an IPv6 address, whose owner can use any address in it. */
export function peerNetworkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // Node writes IPv4-mapped addresses with the IPv4 part in decimal, and the rest in the shortest form.
  if (address.startsWith(MAPPED_PREFIX)) return address.slice(MAPPED_PREFIX.length);
  return `${ipv6Groups(address).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** Tells whether an address is inside one of some networks, written as addresses or CIDR ranges. */
export function insideNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && list.check(new SocketAddress({ address, family: isIPv6(address) ? 'ipv6' : 'ipv4' }));
}
