import type { Server } from 'node:http';
import 'reflect-metadata';
import { Container, inject, injectable } from 'inversify';
import { AccountAdministration, type Clock, invariant, KeyManagement, type RateLimiter, RunningGenerations, SHUTDOWN } from '@tollgate/core';
import type { Mailer, PersonDirectory } from '@tollgate/identity';
import type { Logger } from 'pino';
import { BlockExpiry } from '../background/block-expiry.js';
import { DeletionRunner } from '../background/deletion-runner.js';
import { TotalsRunner } from '../background/totals-runner.js';
import { withTimeout } from '../background/repeat.js';
import { ForgottenSweeper } from '../background/forgotten-sweeper.js';
import { HistoryWatch } from '../background/history-watch.js';
import { LeaseKeeper } from '../background/lease-keeper.js';
import { Reconciler } from '../background/reconciler.js';
import { ResponseSweeper } from '../background/response-sweeper.js';
import { SweepRunner } from '../background/sweep-runner.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { BodyBudget } from '../http/body-budget.js';
import { AdmissionGate, RunningExchanges } from '../http/running-exchanges.js';
import { BodyHealth, ConnectionHealth, LimiterHealth, ProcessMetrics, WalHealth } from '../observability/health-reports.js';
import { MoneyHealth } from '../observability/money-health.js';
import type { LogWriter } from '../observability/log-writer.js';
import { MetricsServer } from '../observability/metrics-server.js';
import { type ObservedState, stateMetrics, type TrafficMetrics, type WaitingSettlements } from '../observability/gateway-metrics.js';
import type { ObservedUpstreams } from '../observability/upstream-health.js';
import type { GatewaySettings } from './gateway-settings.js';
import { services } from './services.js';
import { PublicAddress } from '../http/public-address.js';
import { LiveFeed } from '../live/live-feed.js';
import { listening, urlOf } from '../http/server/create-server.js';

/** What runs beside the requests, from the start of a gateway to its end. */
@injectable()
export class Background implements ObservedState {
  @inject(services.settings) private readonly settings!: GatewaySettings;
  @inject(services.log) private readonly log!: Logger;
  @inject(services.traffic) private readonly traffic!: TrafficMetrics | null;
  @inject(LeaseKeeper) private readonly leaseKeeper!: LeaseKeeper;
  @inject(HistoryWatch) readonly historyWatch!: HistoryWatch;
  @inject(SweepRunner) private readonly sweepRunner!: SweepRunner;
  @inject(ForgottenSweeper) private readonly forgottenSweeper!: ForgottenSweeper;
  @inject(ResponseSweeper) private readonly responseSweeper!: ResponseSweeper;
  @inject(DeletionRunner) private readonly deletionRunner!: DeletionRunner;
  @inject(BlockExpiry) private readonly blockExpiry!: BlockExpiry;
  @inject(TotalsRunner) private readonly totalsRunner!: TotalsRunner;
  @inject(Reconciler) readonly reconciler!: Reconciler;
  @inject(MailDelivery) readonly mailDelivery!: MailDelivery;
  @inject(ConnectionHealth) readonly connections!: ConnectionHealth;
  @inject(BodyBudget) readonly bodies!: BodyBudget;
  @inject(BodyHealth) readonly bodyHealth!: BodyHealth;
  @inject(services.logWriter) readonly logWriter!: LogWriter | null;
  @inject(RunningExchanges) readonly exchanges!: RunningExchanges;
  @inject(RunningGenerations) readonly running!: RunningGenerations;
  @inject(services.limiter) readonly limiter!: RateLimiter;
  @inject(LimiterHealth) readonly limiterHealth!: LimiterHealth;
  @inject(WalHealth) readonly walHealth!: WalHealth;
  @inject(MoneyHealth) readonly moneyHealth!: MoneyHealth;
  @inject(services.upstreams) readonly upstreams!: ObservedUpstreams;
  @inject(services.outbox) readonly outbox!: WaitingSettlements | null;

  #measuring: { readonly server: MetricsServer; readonly process: ProcessMetrics } | null = null;

  /** Where metrics are served; `null` where they are off. */
  get metricsUrl(): string | null {
    return this.#measuring?.server.url ?? null;
  }

  /** Holds the lease and has ended what a dead process left when it resolves. Throws `StartRefused` when metrics have no place to listen. */
  async start(): Promise<void> {
    await this.leaseKeeper.start();
    await this.historyWatch.run();
    this.historyWatch.start();
    await this.sweepRunner.run();
    this.sweepRunner.start();
    this.forgottenSweeper.start();
    this.responseSweeper.start();
    this.reconciler.start(this.settings.ledgerVerifyMilliseconds);
    this.mailDelivery.wake();
    this.deletionRunner.start();
    this.blockExpiry.start();
    this.totalsRunner.start();
    await this.measure();
  }

  /** Ends all of it, also what never began, and gives up the lease. Called when no request runs any more. */
  async stop(): Promise<void> {
    await this.#measuring?.server.close();
    this.#measuring?.process.close();
    // Together, since each may have to wait for a database that is away.
    const stopped = await Promise.allSettled([this.mailDelivery, this.deletionRunner, this.blockExpiry, this.totalsRunner, this.reconciler, this.responseSweeper, this.historyWatch, this.sweepRunner, this.forgottenSweeper, this.leaseKeeper].map((part) => part.stop()));
    const failed = stopped.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  private async measure(): Promise<void> {
    const { settings: { metrics }, traffic, log } = this;
    if (metrics === null || traffic === null) return;
    const process = new ProcessMetrics();
    try {
      const server = await MetricsServer.start(metrics, [...traffic.metrics, ...stateMetrics(this), ...process.metrics]);
      this.#measuring = { server, process };
    } catch (error) {
      process.close();
      throw error;
    }
    log.info({ url: this.metricsUrl }, 'metrics listening');
  }
}

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
  @inject(services.preparation) private readonly prepare!: () => Promise<void>;

  #url: string | null = null;
  #closing: Promise<void> | null = null;

  /** Holds its lease, has ended what a dead process left, and listens, when it resolves. Nothing of it runs on when it rejects. */
  async listen(): Promise<void> {
    try {
      await this.background.start();
      await this.prepare();
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
   * Is not ready from now on and serves for the delay of the settings; then takes no more work on, lets running requests finish for as long as
   * they say, cuts the rest off and settles it.
   * Resolves when nothing runs any more, the lease is given up and everything is closed. Closing twice is closing once.
   */
  close(): Promise<void> {
    this.#closing ??= this.stop();
    return this.#closing;
  }

  private async stop(): Promise<void> {
    const { shutdownDelayMilliseconds: delay } = this.settings;
    if (delay > 0) {
      this.gate.announceStop();
      await new Promise<void>((resolve) => {
        this.clock.schedule(delay, resolve);
      });
    }
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
