import { isIPv6 } from 'node:net';

/** What a server that listens on every address is reached by from the same machine. */
const WILDCARDS: ReadonlyMap<string, string> = new Map([['0.0.0.0', '127.0.0.1'], ['::', '[::1]'], ['', '127.0.0.1']]);

/** The address to reach a server by that listens on a host and port. */
export function urlOf(host: string, port: number): string {
  const reachable = WILDCARDS.get(host) ?? (isIPv6(host) ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}
