import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Registry } from '@prometheus-io/client';
import { invariant } from '@tollgate/core';
import { NO_SNIFFING } from '../http/reply/send-json.js';
import type { AnyMetric } from './metrics.js';
import { type ListenAddress, listening, urlOf } from '../http/server/listening.js';

/** Scrapers are few; more connections could exhaust the descriptors of the process. */
export const MAX_METRICS_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MILLISECONDS = 15_000;

async function answer(registry: Registry, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) {
    res.writeHead(404, NO_SNIFFING).end();
    return;
  }
  const text = await registry.metrics();
  res.writeHead(200, { ...NO_SNIFFING, 'content-type': registry.contentType }).end(text);
}

/** Serves metrics on a separate listener without keys. */
export class MetricsServer {
  readonly url: string;

  private constructor(host: string, private readonly server: Server) {
    const address = server.address();
    invariant(address !== null && typeof address === 'object', 'a server that listens has a port');
    this.url = `${urlOf(host, address.port)}/metrics`;
  }

  /** Throws `StartRefused` if it cannot listen. */
  static async start(place: ListenAddress, metrics: readonly AnyMetric[]): Promise<MetricsServer> {
    const registry = new Registry();
    for (const metric of metrics) registry.registerMetric(metric);
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MILLISECONDS, headersTimeout: REQUEST_TIMEOUT_MILLISECONDS }, (req, res) => {
      answer(registry, req, res).catch((error: unknown) => res.destroy(error instanceof Error ? error : undefined));
    });
    server.maxConnections = MAX_METRICS_CONNECTIONS;
    await listening(server, place, { port: 'METRICS_PORT', host: 'METRICS_HOST' });
    return new MetricsServer(place.host, server);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}
