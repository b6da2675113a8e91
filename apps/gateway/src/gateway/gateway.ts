import type { Server } from 'node:http';
import 'reflect-metadata';
import { Container, inject, injectable } from 'inversify';
import { AccountAdministration, type Clock, invariant, KeyManagement, type Mailer, type PersonDirectory, SHUTDOWN } from '@tollgate/core';
import { PublicAddress } from '../dashboard/call/public-address.js';
import { AdmissionGate, RunningExchanges } from '../http/running-exchanges.js';
import { LiveFeed } from '../live/live-feed.js';
import { listening, urlOf } from '../http/server/listening.js';
import { withTimeout } from '../background/timing.js';
import { Background } from './background.js';
import type { GatewaySettings } from './gateway-settings.js';
import { services } from './services.js';

/** How long requests may take to settle after they were cut off. */
const SETTLING_MILLISECONDS = 5000;

/** A gateway, from its start until it is closed. */
@injectable()
export class Gateway {
  /** Resolves what the gateway is made of, for programs that embed it. */
  @inject(Container) readonly container!: Container;
  @inject(AccountAdministration) readonly accountAdministration!: AccountAdministration;
  @inject(KeyManagement) readonly keyManagement!: KeyManagement;
  @inject(services.people) readonly people!: PersonDirectory;
  @inject(services.mailer) readonly mailer!: Mailer;
  @inject(services.settings) readonly settings!: GatewaySettings;
  @inject(services.clock) private readonly clock!: Clock;
  @inject(PublicAddress) private readonly publicAddress!: PublicAddress;
  @inject(services.server) private readonly server!: Server;
  @inject(services.resources) private readonly resources!: AsyncDisposableStack;
  @inject(AdmissionGate) private readonly gate!: AdmissionGate;
  @inject(RunningExchanges) private readonly exchanges!: RunningExchanges;
  @inject(LiveFeed) private readonly liveFeed!: LiveFeed;
  @inject(Background) private readonly background!: Background;

  #url: string | null = null;
  #closing: Promise<void> | null = null;

  /** Holds its lease, has ended what a dead process left, and listens, when it resolves. Nothing of it runs on when it rejects. */
  async listen(): Promise<void> {
    try {
      await this.background.start();
      await listening(this.server, this.settings, { port: 'PORT', host: 'HOST' });
    } catch (thrown) {
      await Promise.allSettled([this.background.stop()]);
      throw thrown;
    }
    const address = this.server.address();
    invariant(address !== null && typeof address === 'object', 'a server that listens has a port');
    this.publicAddress.listensOn(address.port);
    this.#url = urlOf(this.settings.host, address.port);
  }

  /** An address that a client on this machine can use. */
  get url(): string {
    invariant(this.#url !== null, 'a gateway has an address once it listens');
    return this.#url;
  }

  /** Where metrics are served; `null` where they are off. */
  get metricsUrl(): string | null {
    return this.background.metricsUrl;
  }

  get runningRequests(): number {
    return this.exchanges.size;
  }

  /** Requests that ever began. */
  get startedRequests(): number {
    return this.exchanges.started;
  }

  /** Where browsers reach it: scheme, host and port. */
  get publicUrl(): string {
    return this.publicAddress.origin;
  }

  /**
   * Takes no more work on, lets running requests finish for as long as the settings say, then cuts them off and settles them.
   * Resolves when nothing runs any more, the lease is given up and everything is closed. Closing twice is closing once.
   */
  close(): Promise<void> {
    this.#closing ??= this.stop();
    return this.#closing;
  }

  private async stop(): Promise<void> {
    this.gate.close();
    // Its streams would last as long as they are read.
    this.liveFeed.close();
    // It goes on listening meanwhile: a refusal that says to try again helps a client more than a connection that is not taken.
    if (!(await this.isIdleWithin(this.settings.shutdownGraceMilliseconds))) {
      this.exchanges.abortAll(SHUTDOWN);
      await this.isIdleWithin(SETTLING_MILLISECONDS);
    }
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
    await this.isIdleWithin(SETTLING_MILLISECONDS);
    try {
      await this.background.stop();
    } finally {
      // A lease that cannot be given up, because the database is away, ends by itself.
      await this.resources.disposeAsync();
    }
  }

  private isIdleWithin(milliseconds: number): Promise<boolean> {
    return withTimeout(this.exchanges.idle(), milliseconds, this.clock);
  }
}
