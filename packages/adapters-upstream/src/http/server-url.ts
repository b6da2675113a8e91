const VERSION_PATH = '/v1';

/** Appends the version path `/v1` if it is missing: servers document addresses with and without it. */
export function versionedUrl(baseUrl: string): string {
  return withPath(baseUrl, (path) => (path.endsWith(VERSION_PATH) ? path : `${path}${VERSION_PATH}`));
}

/** The URL without the version path, for servers' native APIs. */
export function unversionedUrl(baseUrl: string): string {
  return withPath(baseUrl, (path) => (path.endsWith(VERSION_PATH) ? path.slice(0, -VERSION_PATH.length) : path));
}

function withPath(baseUrl: string, change: (path: string) => string): string {
  const url = new URL(baseUrl);
  url.pathname = change(url.pathname.replace(/\/$/, ''));
  return url.href;
}
