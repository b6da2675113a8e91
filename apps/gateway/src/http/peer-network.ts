import { formatAddress, formatNetwork, invariant, type Network, networkMatcher, networkOf, parseAddress, parseNetwork } from '@tollgate/core';

/** Length of the IPv6 prefix that is usually one customer. */
const PEER_PREFIX = 64;

/** The network of a peer: its IPv4 address, or its IPv6 /64. */
export function peerNetworkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  return parsed.width === 32 ? formatAddress(parsed) : formatNetwork(networkOf(parsed, PEER_PREFIX));
}

/** Returns a function that tells whether an address is inside these addresses or CIDR ranges. */
export function insideNetworks(texts: readonly string[]): (address: string) => boolean {
  return networkMatcher(texts.map(networkOfText), 'outside');
}

/** Loopback, link-local, RFC 1918, carrier-grade NAT (RFC 6598), unique local. */
const PRIVATE_NETWORKS = ['127.0.0.0/8', '169.254.0.0/16', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '::1', 'fe80::/10', 'fc00::/7'];

/** True for an address of a private network; false for text that is not an address. */
export const isPrivateAddress = insideNetworks(PRIVATE_NETWORKS);

function networkOfText(text: string): Network {
  const network = parseNetwork(text);
  invariant(network !== null, 'the caller has checked that the text is a network');
  return network;
}
