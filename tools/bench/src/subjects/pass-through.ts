import type { IncomingMessage } from 'node:http';
import { type Dispatcher, Pool } from 'undici';

/** The environment variable that tells a pass-through where its upstream is. */
export const UPSTREAM_ORIGIN = 'BENCH_UPSTREAM_ORIGIN';

/** The one upstream of a pass-through. */
export interface Upstream {
  /** Sends a request on, with its body as it comes in unless another is given, and resolves with the head of the reply. */
  ask(req: IncomingMessage, body?: Uint8Array): Promise<Dispatcher.ResponseData>;
}

/** Headers that mean something to the upstream; the others belong to the connection to the client. */
function headersFor({ headers }: IncomingMessage): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const name of ['content-type', 'content-length', 'authorization']) {
    const value = headers[name];
    if (typeof value === 'string') forwarded[name] = value;
  }
  return forwarded;
}

/** Opens the connections of a pass-through to the upstream that its environment names. */
export function openUpstream(): Upstream {
  const origin = process.env[UPSTREAM_ORIGIN];
  if (origin === undefined) throw new Error(`${UPSTREAM_ORIGIN} is not set`);
  const pool = new Pool(origin, { connections: null });
  return {
    ask: (req, body) => pool.request({ method: 'POST', path: '/v1/chat/completions', headers: headersFor(req), body: body ?? req }),
  };
}
