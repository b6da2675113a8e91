import { isIP } from 'node:net';

/** Who passkeys are made for: they work on this origin alone, for ever. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  /** What an authenticator shows. */
  readonly name: string;
}

export type RelyingPartyOutcome =
  | { readonly outcome: 'available'; readonly relyingParty: RelyingParty }
  /** `ip-address`: browsers make passkeys for names only. `insecure-address`: they make none on plain http beyond `localhost`. */
  | { readonly outcome: 'ip-address' | 'insecure-address' };

const NAME = 'Tollgate';

function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** The relying party of a gateway with this public address. */
export function relyingPartyOf(publicUrl: URL): RelyingPartyOutcome {
  const { hostname, origin, protocol } = publicUrl;
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return { outcome: 'ip-address' };
  if (protocol !== 'https:' && !isLocalhost(hostname)) return { outcome: 'insecure-address' };
  return { outcome: 'available', relyingParty: { id: hostname, origin, name: NAME } };
}
