import type { Server } from 'node:http';
import { type AccountAdministration, type Clock, invariant, type KeyManagement, SHUTDOWN } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { compose, type ComposedGateway } from '../composition/compose.js';
import type { Foundation } from '../composition/foundation.js';
import { StartRefused } from '../composition/start-refused.js';
import { createServer } from './create-server.js';
import { urlOf } from './url-of.js';
import { within } from './within.js';

/** How long requests may take to settle after they were cut off. */
const SETTLING_MILLISECONDS = 5000;

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Why a server cannot listen, by the system's code, in words for its operator. */
const LISTEN_PROBLEMS: ReadonlyMap<string, (place: Place) => string> = new Map([
  ['EADDRINUSE', ({ port }: Place) => `PORT: ${port} is in use by another program`],
  ['EACCES', ({ port }: Place) => `PORT: ${port} may not be used by this user`],
  ['EADDRNOTAVAIL', ({ host }: Place) => `HOST: ${host} is not an address of this machine`],
  ['ENOTFOUND', ({ host }: Place) => `HOST: ${host} is not a known name`],
]);

function listening(server: Server, { host, port }: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = LISTEN_PROBLEMS.get(error.code ?? '');
      reject(problem === undefined ? error : new StartRefused([problem({ host, port })], { cause: error }));
    });
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/** A gateway that listens, from its start until it is closed. */
export class Gateway {
  #closing: Promise<void> | null = null;

  /** An address that a client on this machine can use. */
  readonly url: string;

  private constructor(readonly foundation: Foundation, private readonly parts: ComposedGateway, private readonly server: Server) {
    const address = server.address();
    invariant(address !== null && typeof address === 'object', 'a server that listens has a port');
    this.url = urlOf(foundation.settings.host, address.port);
  }

  /** Holds its lease, has ended what a dead process left, and listens, when it resolves. */
  static async start(foundation: Foundation): Promise<Gateway> {
    const parts = compose(foundation);
    const { settings, ids } = foundation;
    const server = createServer(parts.app, settings.server, { ids, errorFormat: chatFormat });
    await parts.leaseKeeper.start();
    await parts.sweeper.start();
    await listening(server, settings);
    return new Gateway(foundation, parts, server);
  }

  get accountAdministration(): AccountAdministration {
    return this.parts.accountAdministration;
  }

  get keyManagement(): KeyManagement {
    return this.parts.keyManagement;
  }

  /**
   * Takes no more work on, lets running requests finish for as long as the settings say, then cuts them off and settles them.
   * Resolves when nothing runs any more and the lease is given up. Closing twice is closing once.
   */
  close(): Promise<void> {
    this.#closing ??= this.stop();
    return this.#closing;
  }

  private async stop(): Promise<void> {
    const { gate, exchanges, sweeper, leaseKeeper } = this.parts;
    const { clock, settings } = this.foundation;
    gate.close();
    // It goes on listening meanwhile: a refusal that says to try again helps a client more than a connection that is not taken.
    if (!(await this.isIdleWithin(clock, settings.shutdownGraceMilliseconds))) {
      exchanges.abortAll(SHUTDOWN);
      await this.isIdleWithin(clock, SETTLING_MILLISECONDS);
    }
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
    await this.isIdleWithin(clock, SETTLING_MILLISECONDS);
    await sweeper.stop();
    await leaseKeeper.stop();
    await this.foundation.close();
  }

  private isIdleWithin(clock: Clock, milliseconds: number): Promise<boolean> {
    return within(this.parts.exchanges.idle(), milliseconds, clock);
  }
}
