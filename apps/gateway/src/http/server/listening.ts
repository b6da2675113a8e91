import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';

/** The gateway cannot start, for reasons its operator can mend: one line each, ready to be shown. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';

  constructor(readonly problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
  }
}

export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** The variables that the place comes from, as its operator knows them. */
export interface ListenVariables {
  readonly host: string;
  readonly port: string;
}

type Problem = (place: ListenAddress, variables: ListenVariables) => string;

/** Why a server cannot listen, by the system's code, in words for its operator. */
const PROBLEMS: ReadonlyMap<string, Problem> = new Map<string, Problem>([
  ['EADDRINUSE', ({ port }, variables) => `${variables.port}: ${port} is in use by another program`],
  ['EACCES', ({ port }, variables) => `${variables.port}: ${port} may not be used by this user`],
  ['EADDRNOTAVAIL', ({ host }, variables) => `${variables.host}: ${host} is not an address of this machine`],
  ['ENOTFOUND', ({ host }, variables) => `${variables.host}: ${host} is not a known name`],
]);

/** Resolves once a server listens. Throws `StartRefused` when its operator can mend why it does not. */
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

/** What a server that listens on every address is reached by from the same machine. */
const WILDCARDS: ReadonlyMap<string, string> = new Map([['0.0.0.0', '127.0.0.1'], ['::', '[::1]'], ['', '127.0.0.1']]);

/** The address to reach a server by that listens on a host and port. */
export function urlOf(host: string, port: number): string {
  const reachable = WILDCARDS.get(host) ?? (isIPv6(host) ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}
