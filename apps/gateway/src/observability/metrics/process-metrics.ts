import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge, readCounter } from './gauge.js';
import type { Metric } from './metric.js';

const SAMPLING_MILLISECONDS = 10;
const NANOSECONDS_PER_SECOND = 1e9;
const MICROSECONDS_PER_SECOND = 1e6;

/** How long the event loop was kept from its work, above what the sampling itself takes. */
function lagSeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS_PER_SECOND - SAMPLING_MILLISECONDS / 1000);
}

/** The process as its operating system and its runtime see it. The delay of the event loop is measured from one collection to the next. */
export class ProcessMetrics {
  readonly metrics: readonly Metric[];
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLING_MILLISECONDS });

  constructor() {
    this.#delay.enable();
    this.metrics = [
      gauge({ name: 'tollgate_event_loop_lag_p50_seconds', help: 'Median delay of the event loop since the last collection.' }, () => lagSeconds(this.#delay.percentile(50))),
      gauge({ name: 'tollgate_event_loop_lag_p99_seconds', help: '99th percentile of the delay of the event loop since the last collection.' }, () => lagSeconds(this.#delay.percentile(99))),
      gauge({ name: 'tollgate_event_loop_lag_max_seconds', help: 'Longest delay of the event loop since the last collection.' }, () => this.#maximum()),
      readCounter({ name: 'process_cpu_seconds_total', help: 'Processor time, in user and in system mode.' }, () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / MICROSECONDS_PER_SECOND;
      }),
      gauge({ name: 'process_resident_memory_bytes', help: 'Memory the process has in use.' }, () => process.memoryUsage.rss()),
      gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Memory that values of the program take.' }, () => process.memoryUsage().heapUsed),
    ];
  }

  close(): void {
    this.#delay.disable();
  }

  /** The last of the three that is read, so that it begins the next measurement. */
  #maximum(): number {
    const seconds = lagSeconds(this.#delay.max);
    this.#delay.reset();
    return seconds;
  }
}
