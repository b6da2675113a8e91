import 'reflect-metadata';
import { inject, injectable } from 'inversify';
import { type RateLimiter, RunningGenerations } from '@tollgate/core';
import type { Logger } from 'pino';
import { BlockExpiry, DeletionRunner, TotalsRunner } from '../background/scheduled-tasks.js';
import { LeaseKeeper, Sweeper } from '../background/leases.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { Reconciler } from '../background/reconciler.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { ConnectionHealth, LimiterHealth, WalHealth } from '../observability/health-reports.js';
import type { LogWriter } from '../observability/log-writer.js';
import { MetricsServer, ProcessMetrics } from '../observability/metrics-server.js';
import { type ObservedState, stateMetrics, type WaitingSettlements } from '../observability/state-metrics.js';
import type { TrafficMetrics } from '../observability/traffic-metrics.js';
import type { ObservedUpstreams } from '../observability/upstream-metrics.js';
import type { GatewaySettings } from './gateway-settings.js';
import { services } from './services.js';

/** What runs beside the requests, from the start of a gateway to its end. */
@injectable()
export class Background implements ObservedState {
  @inject(services.settings) private readonly settings!: GatewaySettings;
  @inject(services.log) private readonly log!: Logger;
  @inject(services.traffic) private readonly traffic!: TrafficMetrics | null;
  @inject(LeaseKeeper) private readonly leaseKeeper!: LeaseKeeper;
  @inject(Sweeper) private readonly sweeper!: Sweeper;
  @inject(DeletionRunner) private readonly deletionRunner!: DeletionRunner;
  @inject(BlockExpiry) private readonly blockExpiry!: BlockExpiry;
  @inject(TotalsRunner) private readonly totalsRunner!: TotalsRunner;
  @inject(Reconciler) readonly reconciler!: Reconciler;
  @inject(MailDelivery) readonly mailDelivery!: MailDelivery;
  @inject(ConnectionHealth) readonly connections!: ConnectionHealth;
  @inject(services.logWriter) readonly logWriter!: LogWriter | null;
  @inject(RunningExchanges) readonly exchanges!: RunningExchanges;
  @inject(RunningGenerations) readonly running!: RunningGenerations;
  @inject(services.limiter) readonly limiter!: RateLimiter;
  @inject(LimiterHealth) readonly limiterHealth!: LimiterHealth;
  @inject(WalHealth) readonly walHealth!: WalHealth;
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
    await this.sweeper.start();
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
    const stopped = await Promise.allSettled([this.mailDelivery, this.deletionRunner, this.blockExpiry, this.totalsRunner, this.reconciler, this.sweeper, this.leaseKeeper].map((part) => part.stop()));
    const failed = stopped.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  private async measure(): Promise<void> {
    const { settings: { metrics }, traffic, log } = this;
    if (metrics === null || traffic === null) return;
    const measured = [...traffic.metrics, ...stateMetrics(this)];
    const server = await MetricsServer.start(metrics, () => [...measured, ...this.#measuring?.process.metrics ?? []]);
    this.#measuring = { server, process: new ProcessMetrics() };
    log.info({ url: server.url }, 'metrics listening');
  }
}
