import autocannon from 'autocannon';
import type { Request } from 'autocannon';
import { type HttpLoad, type LoadResult, numberedHeaders, Numbering } from './load.js';

const TIMEOUT_SECONDS = 30;

/** Sends requests until the time is over. */
export async function runHttpLoad(load: HttpLoad, { port, seconds }: { readonly port: number; readonly seconds: number }): Promise<LoadResult> {
  const { connections, requestsPerSecond, method, path, headers, bodies, keys, reconnects } = load;
  const numbering = new Numbering(keys);
  const requestWith = (body: string): { readonly setupRequest: (request: Request) => Request } => ({
    setupRequest: (request) => {
      const put = numbering.next();
      return { ...request, headers: { ...numberedHeaders(headers, put), ...(reconnects ? { connection: 'close' } : {}) }, ...(body === '' ? {} : { body: put(body) }) };
    },
  });
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
    method,
    headers: { ...headers },
    requests: (bodies.length === 0 ? [''] : bodies).map(requestWith),
    ...(requestsPerSecond === null ? {} : { overallRate: requestsPerSecond }),
  });
  const statuses = Object.fromEntries(Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0]));
  return {
    p50Milliseconds: result.latency.p50,
    p99Milliseconds: result.latency.p99,
    longestMilliseconds: result.latency.max,
    requests: result.requests.total,
    statuses,
    unanswered: result.errors,
  };
}
