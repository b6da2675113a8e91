import type { Logger } from 'pino';
import { stateMetrics, type ObservedState } from '../observability/metrics/state-metrics.js';
import { ProcessMetrics } from '../observability/metrics/process-metrics.js';
import type { TrafficMetrics } from '../observability/metrics/traffic-metrics.js';
import { MetricsServer } from '../observability/metrics/metrics-server.js';
import type { GatewaySettings } from './foundation.js';
import type { DeletionRunner } from '../background/deletion-runner.js';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import type { Sweeper } from '../background/sweeper.js';

export interface BackgroundParts extends ObservedState {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  readonly leaseKeeper: LeaseKeeper;
  readonly sweeper: Sweeper;
  readonly deletionRunner: DeletionRunner;
  /** `null` when nothing is measured. */
  readonly traffic: TrafficMetrics | null;
}

/** What runs beside the requests, from the start of a gateway to its end. */
export class Background {
  #measuring: { readonly server: MetricsServer; readonly process: ProcessMetrics } | null = null;

  constructor(private readonly parts: BackgroundParts) {}

  /** Where metrics are to be had; `null` when there are none. */
  get metricsUrl(): string | null {
    return this.#measuring?.server.url ?? null;
  }

  /** Holds the lease and has ended what a dead process left when it resolves. Throws `StartRefused` when metrics have no place to listen. */
  async start(): Promise<void> {
    const { leaseKeeper, sweeper, reconciler, mailDelivery, deletionRunner, settings } = this.parts;
    await leaseKeeper.start();
    await sweeper.start();
    reconciler.start(settings.ledgerVerifyMilliseconds);
    mailDelivery.wake();
    deletionRunner.start();
    await this.measure();
  }

  /** Ends all of it, also what never began, and gives up the lease. Called when no request runs any more. */
  async stop(): Promise<void> {
    const { leaseKeeper, sweeper, reconciler, mailDelivery, deletionRunner } = this.parts;
    await this.#measuring?.server.close();
    this.#measuring?.process.close();
    // Together, since each may have to wait for a database that is away.
    const stopped = await Promise.allSettled([mailDelivery.stop(), deletionRunner.stop(), reconciler.stop(), sweeper.stop(), leaseKeeper.stop()]);
    const failed = stopped.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  private async measure(): Promise<void> {
    const { settings, traffic, log } = this.parts;
    if (settings.metrics === null || traffic === null) return;
    const measured = [...traffic.metrics, ...stateMetrics(this.parts)];
    const server = await MetricsServer.start(settings.metrics, () => [...measured, ...this.#measuring?.process.metrics ?? []]);
    this.#measuring = { server, process: new ProcessMetrics() };
    log.info({ url: server.url }, 'metrics are to be had');
  }
}
