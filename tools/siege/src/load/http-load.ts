import autocannon, { type Request } from 'autocannon';
import type { HttpLoad } from '../attacks/attack.js';
import type { LoadResult } from './load-messages.js';

const TIMEOUT_SECONDS = 30;
const NUMBER = /\{number\}/g;
/** Numbers stand in one group of an IPv6 address, in hexadecimal. */
const NUMBERS = 0x10000;
const HEXADECIMAL = 16;

/** Puts another number into each request of a load that asks for it. */
function numbered({ headers, body }: HttpLoad): { readonly setupRequest: (request: Request) => Request } {
  let count = 0;
  return {
    setupRequest: (request) => {
      count = (count + 1) % NUMBERS;
      const put = (text: string): string => text.replaceAll(NUMBER, count.toString(HEXADECIMAL));
      return { ...request, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, put(value)])), body: put(body) };
    },
  };
}

/** Sends requests for as long as it is told and says how they were answered. */
export async function runHttpLoad(load: HttpLoad, { port, seconds }: { readonly port: number; readonly seconds: number }): Promise<LoadResult> {
  const { connections, requestsPerSecond, method, path, headers, body } = load;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
    method,
    headers: { ...headers },
    ...(body === '' ? {} : { body }),
    ...(body.includes('{number}') ? { requests: [numbered(load)] } : {}),
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
