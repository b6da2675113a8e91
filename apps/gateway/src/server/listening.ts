import type { Server } from 'node:http';
import { StartRefused } from './start-refused.js';

export interface Place {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** The variables that the place comes from, as its operator knows them. */
export interface PlaceVariables {
  readonly host: string;
  readonly port: string;
}

type Problem = (place: Place, variables: PlaceVariables) => string;

/** Why a server cannot listen, by the system's code, in words for its operator. */
const PROBLEMS: ReadonlyMap<string, Problem> = new Map<string, Problem>([
  ['EADDRINUSE', ({ port }, variables) => `${variables.port}: ${port} is in use by another program`],
  ['EACCES', ({ port }, variables) => `${variables.port}: ${port} may not be used by this user`],
  ['EADDRNOTAVAIL', ({ host }, variables) => `${variables.host}: ${host} is not an address of this machine`],
  ['ENOTFOUND', ({ host }, variables) => `${variables.host}: ${host} is not a known name`],
]);

/** Resolves once a server listens. Throws `StartRefused` when its operator can mend why it does not. */
export function listening(server: Server, place: Place, variables: PlaceVariables): Promise<void> {
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
