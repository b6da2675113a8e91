import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { StartRefused } from './start-refused.js';

export interface ListenAddress {
  readonly host: string;
  /** Port; 0 for any free one. */
  readonly port: number;
}

/** Names of the variables, for error messages. */
interface ListenVariables {
  readonly host: string;
  readonly port: string;
}

type Problem = (place: ListenAddress, variables: ListenVariables) => string;

/** Message for the operator by the code of a system error. */
const PROBLEMS: ReadonlyMap<string, Problem> = new Map<string, Problem>([
  ['EADDRINUSE', ({ port }, variables) => `${variables.port}: ${port} is in use by another program`],
  ['EACCES', ({ port }, variables) => `${variables.port}: ${port} may not be used by this user`],
  ['EADDRNOTAVAIL', ({ host }, variables) => `${variables.host}: ${host} is not an address of this machine`],
  ['ENOTFOUND', ({ host }, variables) => `${variables.host}: ${host} is not a known name`],
]);

/** Resolves once the server listens. Throws `StartRefused` for problems that the operator can fix. */
export function listening(server: Server, place: ListenAddress, variables: ListenVariables): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = PROBLEMS.get(error.code ?? '');
      reject(problem === undefined ? error : new StartRefused([problem(place, variables)], { cause: error }));
    });
    server.listen({ host: place.host, port: place.port }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/** Loopback addresses for wildcard hosts. */
const WILDCARDS: ReadonlyMap<string, string> = new Map([['0.0.0.0', '127.0.0.1'], ['::', '[::1]'], ['', '127.0.0.1']]);

export function urlOf(host: string, port: number): string {
  const reachable = WILDCARDS.get(host) ?? (isIPv6(host) ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}
