import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccountAdministration, type Clock, invariant, type KeyManagement, SHUTDOWN } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { compose, type ComposedGateway } from '../composition/compose.js';
import type { Foundation } from '../composition/foundation.js';
import { createServer } from './create-server.js';
import { urlOf } from './url-of.js';
import { within } from './within.js';

/** How long requests may take to settle after they were cut off. */
const SETTLING_MILLISECONDS = 5000;

function listening(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A gateway that listens, from its start until it is closed. */
export class Gateway {
  #closing: Promise<void> | null = null;

  private constructor(private readonly foundation: Foundation, private readonly parts: ComposedGateway, private readonly server: Server) {}

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

  /** An address that a client on this machine can use. */
  get url(): string {
    return urlOf(this.foundation.settings.host, this.port);
  }

  get port(): number {
    const address = this.server.address();
    invariant(address !== null && typeof address === 'object', 'a server that listens has a port');
    return (address satisfies AddressInfo).port;
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
    const closed = new Promise((resolve) => this.server.close(resolve));
    if (!(await this.isIdleWithin(clock, settings.shutdownGraceMilliseconds))) {
      exchanges.abortAll(SHUTDOWN);
      await this.isIdleWithin(clock, SETTLING_MILLISECONDS);
    }
    this.server.closeAllConnections();
    await closed;
    await this.isIdleWithin(clock, SETTLING_MILLISECONDS);
    await sweeper.stop();
    await leaseKeeper.stop();
  }

  private isIdleWithin(clock: Clock, milliseconds: number): Promise<boolean> {
    return within(this.parts.exchanges.idle(), milliseconds, clock);
  }
}
