import type { AddressInfo, Server } from 'node:net';

/** What a server of the bench says once it listens. */
export interface ListeningMessage {
  readonly listening: number;
}

/** Starts a server on a free port of this machine alone and tells the parent process which. */
export function announcePort(server: Server): void {
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
    const message: ListeningMessage = { listening: (server.address() as AddressInfo).port };
    process.send?.(message);
  });
}
