import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net';
import type { IncomingMessage } from 'node:http';

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

/** Tells the address of the client that sent a request; empty when it is not known. */
export type ClientAddress = (req: IncomingMessage) => string;

/** An IPv4 address with a port, or an address in brackets with or without one. */
const WITH_PORT = /^(?:([^[\]:]+):\d+|\[([^[\]]+)\](?::\d+)?)$/;
const QUOTES = /^"(.*)"$/;

/** No chain of proxies is longer; comparing an address with the trusted networks takes microseconds. */
const MAXIMUM_PROXIES = 32;

/** The address in one entry of `X-Forwarded-For`, which some proxies write with a port, in brackets or in quotes; `null` when there is none. */
function readEntry(entry: string): string | null {
  const text = QUOTES.exec(entry)?.[1] ?? entry;
  const match = WITH_PORT.exec(text);
  const address = match === null ? text : match[1] ?? match[2] ?? '';
  return isIP(address) === 0 ? null : address;
}

function entriesOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : '';
  return text.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/**
 * The client's address is that of the connection, unless this is a trusted proxy: then it is the last entry of `X-Forwarded-For`
 * that is not a trusted proxy itself. An entry that cannot be read makes the address unknown, since what stands before it proves
 * nothing, and so does a chain of more than 32 proxies.
 */
export function clientAddressOf(trustedProxies: readonly string[]): ClientAddress {
  const ofConnection: ClientAddress = (req) => req.socket.remoteAddress ?? '';
  if (trustedProxies.length === 0) return ofConnection;
  const isTrusted = insideNetworks(trustedProxies);
  return (req) => {
    let address = ofConnection(req);
    const entries = entriesOf(req.headers['x-forwarded-for']).toReversed();
    for (const [position, entry] of entries.entries()) {
      if (!isTrusted(address)) return address;
      const named = readEntry(entry);
      if (named === null || position === MAXIMUM_PROXIES) return '';
      address = named;
    }
    return address;
  };
}
