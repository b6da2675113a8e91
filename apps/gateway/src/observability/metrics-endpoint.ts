import type { Logger } from 'pino';
import type { ListenAddress } from '../http/server/listening.js';
import { type ObservedState, stateMetrics } from './state-metrics.js';
import type { TrafficMetrics } from './traffic-metrics.js';
import { MetricsServer } from './metrics-server.js';
import { ProcessMetrics } from './process-metrics.js';

interface MetricsEndpointParts {
  /** `null` if metrics are off. */
  readonly place: ListenAddress | null;
  /** `null` if metrics are off. */
  readonly traffic: TrafficMetrics | null;
  readonly state: ObservedState;
  readonly log: Logger;
}

/** Measures the process and serves metrics while open; does nothing if metrics are off. */
export class MetricsEndpoint {
  #serving: { readonly server: MetricsServer; readonly process: ProcessMetrics } | null = null;

  constructor(private readonly parts: MetricsEndpointParts) {}

  /** `null` while closed. */
  get url(): string | null {
    return this.#serving?.server.url ?? null;
  }

  /** Throws `StartRefused` if it cannot listen. */
  async open(): Promise<void> {
    const { place, traffic, state, log } = this.parts;
    if (place === null || traffic === null) return;
    const process = new ProcessMetrics();
    try {
      const server = await MetricsServer.start(place, [...traffic.metrics, ...stateMetrics(state), ...process.metrics]);
      this.#serving = { server, process };
    } catch (error) {
      process.close();
      throw error;
    }
    log.info({ url: this.url }, 'serving metrics');
  }

  async close(): Promise<void> {
    await this.#serving?.server.close();
    this.#serving?.process.close();
  }
}
