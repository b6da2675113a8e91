import { invariant, type Network, networkMatcher, parseNetwork } from '@tollgate/core';

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
