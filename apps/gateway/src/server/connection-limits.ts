/** How many connections clients may have open at a time. */
export interface ConnectionLimits {
  readonly maximum: number;
  /** Of one address; of one /64 network for IPv6. */
  readonly maximumPerAddress: number;
  /** Networks whose peers have no bound per address, since one peer stands for many clients. */
  readonly exemptNetworks: readonly string[];
}

/** The rest is for the database, upstreams and files. */
const SHARE_OF_DESCRIPTORS = 0.8;

/** Where descriptors are scarce, one address gets at most this share of the connections. */
const SHARE_OF_ONE_ADDRESS = 0.5;

/** The bounds that leave enough descriptors for everything else; the given ones where the number of descriptors is unlimited. */
export function withinDescriptors(limits: ConnectionLimits, descriptors: number | null): ConnectionLimits {
  const possible = descriptors === null ? Infinity : Math.max(1, Math.floor(descriptors * SHARE_OF_DESCRIPTORS));
  if (limits.maximum <= possible) return limits;
  const largestShare = Math.max(1, Math.floor(possible * SHARE_OF_ONE_ADDRESS));
  return { ...limits, maximum: possible, maximumPerAddress: Math.min(limits.maximumPerAddress, largestShare) };
}
