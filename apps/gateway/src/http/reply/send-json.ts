import { finished } from 'node:stream';
import type { OutgoingHttpHeaders } from 'node:http';
import { BODY_MAXIMUM_BYTES } from '../body/body-limits.js';
import type { Exchange } from '../exchange.js';

/** How long a client whose body is refused may go on sending before its connection is cut. */
const LINGER_MILLISECONDS = 2000;

/** Whether more of the body is under way than is worth throwing away to keep the connection. */
function hasLongRest({ req }: Exchange): boolean {
  if (req.complete) return false;
  const length = req.headers['content-length'];
  if (length === undefined) return req.headers['transfer-encoding'] !== undefined;
  return Number(length) > BODY_MAXIMUM_BYTES;
}

/**
 * Completes a reply while its request is still being sent. Closing at once would reset the connection,
 * and the client would lose the reply; so what still arrives is thrown away for a moment first.
 */
function endAfterRest({ req, res }: Exchange, payload: Buffer): void {
  res.write(payload);
  const timer = setTimeout(() => res.end(), LINGER_MILLISECONDS);
  finished(req, () => {
    clearTimeout(timer);
    res.end();
  });
  req.resume();
}

/** Replies with a JSON value. Headers already set on the reply stay. */
export function sendJson(exchange: Exchange, status: number, body: unknown): void {
  sendJsonText(exchange, status, JSON.stringify(body));
}

/** Like `sendJson`, with the text of the value. */
export function sendJsonText(exchange: Exchange, status: number, text: string): void {
  const payload = Buffer.from(text);
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': payload.length,
    'cache-control': 'no-store',
  };
  if (!hasLongRest(exchange)) {
    exchange.res.writeHead(status, headers).end(payload);
    return;
  }
  exchange.res.writeHead(status, { ...headers, connection: 'close' });
  endAfterRest(exchange, payload);
}
