import type { Server } from 'node:http';
import { type AccountAdministration, type Clock, invariant, type KeyManagement, type Mailer, type PersonDirectory, SHUTDOWN } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { compose, type ComposedGateway } from './compose.js';
import type { Foundation } from './foundation.js';
import { boundConnections } from '../server/bound-connections.js';
import { createServer } from '../server/create-server.js';
import { listening } from '../server/listening.js';
import { urlOf } from '../server/url-of.js';
import { within } from '../server/within.js';

/** How long requests may take to settle after they were cut off. */
const SETTLING_MILLISECONDS = 5000;

/** A gateway that listens, from its start until it is closed. */
export class Gateway {
  #closing: Promise<void> | null = null;

  /** An address that a client on this machine can use. */
  readonly url: string;

  private constructor(readonly foundation: Foundation, private readonly parts: ComposedGateway, private readonly server: Server) {
    const address = server.address();
    invariant(address !== null && typeof address === 'object', 'a server that listens has a port');
    parts.publicAddress.listensOn(address.port);
    this.url = urlOf(foundation.settings.host, address.port);
  }

  /** Holds its lease, has ended what a dead process left, and listens, when it resolves. Nothing of it runs on when it rejects. */
  static async start(foundation: Foundation): Promise<Gateway> {
    const parts = compose(foundation);
    const { settings, ids } = foundation;
    const server = createServer(parts.app, settings.server, {
      ids, errorFormat: chatFormat, hasReplyOn: (socket) => parts.exchanges.hasReplyOn(socket),
    });
    boundConnections(server, settings.connections, parts.connections);
    try {
      await parts.background.start();
      await listening(server, settings, { port: 'PORT', host: 'HOST' });
    } catch (thrown) {
      await Promise.allSettled([parts.background.stop()]);
      throw thrown;
    }
    return new Gateway(foundation, parts, server);
  }

  /** Where metrics are to be had; `null` when there are none. */
  get metricsUrl(): string | null {
    return this.parts.background.metricsUrl;
  }

  get runningRequests(): number {
    return this.parts.exchanges.size;
  }

  /** Requests that ever began. */
  get startedRequests(): number {
    return this.parts.exchanges.started;
  }

  get accountAdministration(): AccountAdministration {
    return this.parts.accountAdministration;
  }

  /** Where browsers reach it: scheme, host and port. */
  get publicUrl(): string {
    return this.parts.publicAddress.origin;
  }

  get people(): PersonDirectory {
    return this.parts.people;
  }

  get mailer(): Mailer {
    return this.parts.mailer;
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
    const { gate, exchanges } = this.parts;
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
    try {
      await this.parts.background.stop();
    } finally {
      // A lease that cannot be given up, because the database is away, ends by itself.
      await this.foundation.close();
    }
  }

  private isIdleWithin(clock: Clock, milliseconds: number): Promise<boolean> {
    return within(this.parts.exchanges.idle(), milliseconds, clock);
  }
}
