import { type BlockTerms, hasBlockEnded, type Instant, type PlatformSnapshot } from '@tollgate/core';
import { networkMatcher, parseNetworkRange } from './network-range.js';

export interface NetworkBlock extends Pick<BlockTerms, 'expiresAt'> {
  /** Canonical CIDR form. */
  readonly network: string;
}

/** Tells whether an address is blocked. The networks are compiled once, and again whenever one of their blocks has ended. */
export function blockedNetworks(blocks: readonly NetworkBlock[]): PlatformSnapshot['isNetworkBlocked'] {
  let inForce = blocks;
  let matches = matcherOf(inForce);
  let endsAt = firstEnd(inForce);
  return (address, now) => {
    if (endsAt !== null && endsAt <= now) {
      inForce = inForce.filter((block) => !hasBlockEnded(block, now));
      matches = matcherOf(inForce);
      endsAt = firstEnd(inForce);
    }
    return matches(address);
  };
}

function matcherOf(blocks: readonly NetworkBlock[]): (address: string) => boolean {
  return networkMatcher(blocks.map(({ network }) => parseNetworkRange(network)).filter((range) => range !== null));
}

function firstEnd(blocks: readonly NetworkBlock[]): Instant | null {
  let first: Instant | null = null;
  for (const { expiresAt } of blocks) if (expiresAt !== null && (first === null || expiresAt < first)) first = expiresAt;
  return first;
}
