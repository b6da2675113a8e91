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

const VERSION_PATH = '/v1';

/** The same address with the version path at its end, where it may be already: servers' manuals write it both ways. */
export function versionedUrl(baseUrl: string): string {
  return withPath(baseUrl, (path) => (path.endsWith(VERSION_PATH) ? path : `${path}${VERSION_PATH}`));
}

/** The same address without the version path, where servers have an API of their own. */
export function unversionedUrl(baseUrl: string): string {
  return withPath(baseUrl, (path) => (path.endsWith(VERSION_PATH) ? path.slice(0, -VERSION_PATH.length) : path));
}

function withPath(baseUrl: string, change: (path: string) => string): string {
  const url = new URL(baseUrl);
  url.pathname = change(url.pathname.replace(/\/$/, ''));
  return url.href;
}
