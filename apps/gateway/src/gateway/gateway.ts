import type { Server } from 'node:http';
import type { Container } from 'inversify';
import { type AccountAdministration, type Clock, invariant, type KeyManagement, SHUTDOWN } from '@tollgate/core';
import type { Mailer, PersonDirectory } from '@tollgate/identity';
import { withTimeout } from '../background/with-timeout.js';
import type { PublicAddress } from '../http/public-address.js';
import type { AdmissionGate } from '../http/admission-gate.js';
import type { RunningExchanges } from '../http/running-exchanges.js';
import { listening, urlOf } from '../http/server/listening.js';
import type { LiveFeed } from '../live/live-feed.js';
import type { Background } from './background.js';
import type { GatewaySettings } from './gateway-settings.js';

/** Maximum wait for aborted requests to end. */
const SETTLING_MILLISECONDS = 5000;

interface GatewayParts {
  readonly container: Container;
  readonly accountAdministration: AccountAdministration;
  readonly keyManagement: KeyManagement;
  readonly people: PersonDirectory;
  readonly mailer: Mailer;
  readonly settings: GatewaySettings;
  readonly clock: Clock;
  readonly publicAddress: PublicAddress;
  readonly server: Server;
  /** Closed in reverse order of their opening. */
  readonly resources: AsyncDisposableStack;
  readonly gate: AdmissionGate;
  readonly exchanges: RunningExchanges;
  readonly liveFeed: LiveFeed;
  readonly background: Background;
  /** Called before the gateway listens. */
  readonly prepare: () => void;
}

export class Gateway {
  /** All services, for embedding programs. */
  readonly container: Container;
  readonly accountAdministration: AccountAdministration;
  readonly keyManagement: KeyManagement;
  readonly people: PersonDirectory;
  readonly mailer: Mailer;
  readonly settings: GatewaySettings;

  #url: string | null = null;
  #closing: Promise<void> | null = null;

  constructor(private readonly parts: GatewayParts) {
    ({
      container: this.container, accountAdministration: this.accountAdministration, keyManagement: this.keyManagement, people: this.people, mailer: this.mailer, settings: this.settings,
    } = parts);
  }

  /** Resolves once it holds its lease, has tried to end the requests of dead processes, and listens. Stops its background work before it rejects. */
  async listen(): Promise<void> {
    const { background, prepare, server, publicAddress } = this.parts;
    try {
      await background.start();
      prepare();
      await listening(server, this.settings, { port: 'PORT', host: 'HOST' });
    } catch (thrown) {
      await Promise.allSettled([background.stop()]);
      throw thrown;
    }
    const address = server.address();
    invariant(address !== null && typeof address === 'object', 'a server that listens has a port');
    publicAddress.listensOn(address.port);
    this.#url = urlOf(this.settings.host, address.port);
  }

  /** Address for clients on this machine. */
  get url(): string {
    invariant(this.#url !== null, 'a gateway has an address once it listens');
    return this.#url;
  }

  /** `null` if metrics are off. */
  get metricsUrl(): string | null {
    return this.parts.background.metricsUrl;
  }

  get runningRequests(): number {
    return this.parts.exchanges.size;
  }

  /** Number of requests since the start. */
  get startedRequests(): number {
    return this.parts.exchanges.started;
  }

  /** Scheme, host and port for browsers. */
  get publicUrl(): string {
    return this.parts.publicAddress.origin;
  }

  /**
   * Becomes unready at once; serves for the shutdown delay; then refuses new work, waits for running requests, and aborts and settles those that do
   * not end in time. Resolves when everything is closed. Idempotent.
   */
  close(): Promise<void> {
    this.#closing ??= this.stop();
    return this.#closing;
  }

  private async stop(): Promise<void> {
    const { shutdownDelayMilliseconds: delay } = this.settings;
    if (delay > 0) {
      this.parts.gate.announceStop();
      await new Promise<void>((resolve) => {
        this.parts.clock.schedule(delay, resolve);
      });
    }
    this.parts.gate.close();
    // Otherwise its streams would last until their readers disconnect.
    this.parts.liveFeed.close();
    // Keeps listening meanwhile: a refusal with Retry-After helps clients more than a refused connection.
    if (!(await this.isIdleWithin(this.settings.shutdownGraceMilliseconds))) {
      this.parts.exchanges.abortAll(SHUTDOWN);
      await this.isIdleWithin(SETTLING_MILLISECONDS);
    }
    const closed = new Promise((resolve) => this.parts.server.close(resolve));
    this.parts.server.closeAllConnections();
    await closed;
    await this.isIdleWithin(SETTLING_MILLISECONDS);
    try {
      await this.parts.background.stop();
    } finally {
      // A lease that cannot be released, because the database is unavailable, expires.
      await this.parts.resources.disposeAsync();
    }
  }

  private isIdleWithin(milliseconds: number): Promise<boolean> {
    return withTimeout(this.parts.exchanges.idle(), milliseconds, this.parts.clock);
  }
}
