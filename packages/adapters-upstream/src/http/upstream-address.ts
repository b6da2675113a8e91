/** Where an upstream's endpoints are. */
export interface UpstreamAddress {
  readonly origin: string;
  /** The path of an endpoint, with the base address's own query if it has one. */
  path(endpoint: string): string;
}

/** Takes a base address apart, with or without a slash at its end. Throws `TypeError` when it is no address. */
export function upstreamAddress(baseUrl: string): UpstreamAddress {
  const { origin, pathname, search } = new URL(baseUrl);
  const base = pathname.replace(/\/$/, '');
  return { origin, path: (endpoint) => `${base}${endpoint}${endpoint.includes('?') ? search.replace('?', '&') : search}` };
}
