import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { invariant } from '@tollgate/core';
import { encodeMetrics, gauge, type Metric, METRICS_CONTENT_TYPE, readCounter } from './metrics.js';
import { NO_SNIFFING } from '../http/reply/send-json.js';
import { type ListenAddress, listening, urlOf } from '../http/server/create-server.js';

/** Collectors are few; clients cannot take all descriptors here either. */
const MAXIMUM_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MILLISECONDS = 15_000;

/** The metrics of one scrape. */
export type MetricsSource = () => readonly Metric[];

function answer(metrics: MetricsSource, req: IncomingMessage, res: ServerResponse): void {
  if (req.url !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) {
    res.writeHead(404, NO_SNIFFING).end();
    return;
  }
  res.writeHead(200, { ...NO_SNIFFING, 'content-type': METRICS_CONTENT_TYPE }).end(encodeMetrics(metrics()));
}

/** Answers `GET /metrics`, apart from the listener that clients use. It knows no keys. */
export class MetricsServer {
  readonly url: string;

  private constructor(host: string, private readonly server: Server) {
    const address = server.address();
    invariant(address !== null && typeof address === 'object', 'a server that listens has a port');
    this.url = `${urlOf(host, address.port)}/metrics`;
  }

  /** Throws `StartRefused` when it cannot listen there. */
  static async start(place: ListenAddress, metrics: MetricsSource): Promise<MetricsServer> {
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MILLISECONDS, headersTimeout: REQUEST_TIMEOUT_MILLISECONDS }, (req, res) => answer(metrics, req, res));
    server.maxConnections = MAXIMUM_CONNECTIONS;
    await listening(server, place, { port: 'METRICS_PORT', host: 'METRICS_HOST' });
    return new MetricsServer(place.host, server);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

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
      gauge({ name: 'tollgate_event_loop_lag_p50_seconds', help: 'Median event loop delay since the last scrape.' }, () => lagSeconds(this.#delay.percentile(50))),
      gauge({ name: 'tollgate_event_loop_lag_p99_seconds', help: '99th percentile of the event loop delay since the last scrape.' }, () => lagSeconds(this.#delay.percentile(99))),
      gauge({ name: 'tollgate_event_loop_lag_max_seconds', help: 'Maximum event loop delay since the last scrape.' }, () => this.#maximum()),
      readCounter({ name: 'process_cpu_seconds_total', help: 'User and system CPU time of the process.' }, () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / MICROSECONDS_PER_SECOND;
      }),
      gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory of the process.' }, () => process.memoryUsage.rss()),
      gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Used heap of V8.' }, () => process.memoryUsage().heapUsed),
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
