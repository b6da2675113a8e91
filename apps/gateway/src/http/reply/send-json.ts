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
function endAfterRest({ req, res }: Exchange, text: string): void {
  res.write(text);
  const timer = setTimeout(() => res.end(), LINGER_MILLISECONDS);
  finished(req, () => {
    clearTimeout(timer);
    res.end();
  });
  req.resume();
}

/** Replies with a JSON value and the headers of the exchange. */
export function sendJson(exchange: Exchange, status: number, body: unknown): void {
  sendJsonText(exchange, status, JSON.stringify(body));
}

/** Like `sendJson`, with the text of the value. */
export function sendJsonText(exchange: Exchange, status: number, text: string): void {
  const headers: OutgoingHttpHeaders = {
    ...exchange.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  };
  if (!hasLongRest(exchange)) {
    // As a text, it leaves together with the headers in one piece.
    exchange.res.writeHead(status, headers).end(text);
    return;
  }
  exchange.res.writeHead(status, { ...headers, connection: 'close' });
  endAfterRest(exchange, text);
}
