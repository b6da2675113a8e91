import type { OutgoingHttpHeaders } from 'node:http';
import { finished } from 'node:stream';
import { BODY_MAXIMUM_BYTES } from '../body/body-limits.js';
import type { Exchange } from '../exchange.js';
import { watchToEnd } from './flushed.js';

/** How long a client whose body is refused may go on sending before its connection is cut. */
const LINGER_MILLISECONDS = 2000;
/** The same for one that sends too slowly, so that little is lost. */
const SLOW_LINGER_MILLISECONDS = 500;
const REQUEST_TIMEOUT = 408;

function headersFor(bytes: number): OutgoingHttpHeaders {
  return { 'content-type': 'application/json; charset=utf-8', 'content-length': `${bytes}`, 'cache-control': 'no-store' };
}

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
function sendBeforeRest(exchange: Exchange, status: number, text: string): void {
  const { req, res } = exchange;
  exchange.addHeaders({ connection: 'close' });
  res.writeHead(status, headersFor(Buffer.byteLength(text))).write(text);
  const end = (): void => {
    clearTimeout(timer);
    res.end();
    watchToEnd(res, exchange.clock);
  };
  const timer = setTimeout(end, status === REQUEST_TIMEOUT ? SLOW_LINGER_MILLISECONDS : LINGER_MILLISECONDS);
  finished(req, end);
  exchange.discards.discard(req);
}

/** Replies with a JSON value and the headers of the exchange. */
export function sendJson(exchange: Exchange, status: number, body: unknown): void {
  sendJsonText(exchange, status, JSON.stringify(body));
}

/** Like `sendJson`, with the text of the value. */
export function sendJsonText(exchange: Exchange, status: number, text: string): void {
  if (status === REQUEST_TIMEOUT || hasLongRest(exchange)) {
    sendBeforeRest(exchange, status, text);
    return;
  }
  exchange.discards.discard(exchange.req);
  const bytes = Buffer.byteLength(text);
  // A string leaves in one write with the headers; as Latin-1, ASCII is written faster.
  exchange.res.writeHead(status, headersFor(bytes)).end(text, bytes === text.length ? 'latin1' : 'utf8');
  watchToEnd(exchange.res, exchange.clock);
}
