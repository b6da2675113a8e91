import { finished } from 'node:stream';
import type { ResponseHeaders } from '@tollgate/wire-kit';
import { MAX_BODY_BYTES } from '../body-room.js';
import type { HttpExchange } from '../http-exchange.js';
import { leaveToClient } from './leave-to-client.js';
import { watchToEnd } from './reader-watch.js';

/** Sends a value as JSON, with the headers of the exchange. */
export function sendJson(exchange: HttpExchange, status: number, body: unknown): void {
  sendJsonText(exchange, status, JSON.stringify(body));
}

export function sendJsonText(exchange: HttpExchange, status: number, text: string): void {
  leaveToClient(exchange.res);
  if (status === REQUEST_TIMEOUT || hasLongRest(exchange)) {
    sendBeforeRest(exchange, status, text);
    return;
  }
  exchange.discards.discard(exchange.req, exchange.res);
  const bytes = Buffer.byteLength(text);
  // Text is sent in one write with the headers. Node encodes ASCII faster as Latin-1.
  exchange.writeHead(status, headersFor(bytes)).end(text, bytes === text.length ? 'latin1' : 'utf8');
  watchToEnd(exchange.res, exchange.clock);
}

function headersFor(bytes: number): ResponseHeaders {
  return { 'content-type': 'application/json; charset=utf-8', 'content-length': `${bytes}`, 'cache-control': 'no-store' };
}

/** True if discarding the rest of the body is not worth keeping the connection. */
function hasLongRest({ req }: HttpExchange): boolean {
  if (req.complete) return false;
  const length = req.headers['content-length'];
  if (length === undefined) return req.headers['transfer-encoding'] !== undefined;
  return Number(length) > MAX_BODY_BYTES;
}

/**
 * Sends a reply while the request is still arriving. Closing at once would reset the connection and lose the reply, so input is discarded for a
 * short time first.
 */
function sendBeforeRest(exchange: HttpExchange, status: number, text: string): void {
  const { req, res } = exchange;
  exchange.addHeaders({ connection: 'close' });
  exchange.writeHead(status, headersFor(Buffer.byteLength(text))).write(text);
  const end = (): void => {
    clearTimeout(timer);
    res.end();
    watchToEnd(res, exchange.clock);
  };
  const timer = setTimeout(end, status === REQUEST_TIMEOUT ? SLOW_LINGER_MILLISECONDS : LINGER_MILLISECONDS);
  finished(req, end);
  exchange.discards.discard(req, res);
}

/** Time after which the connection of an unread body is closed. */
const LINGER_MILLISECONDS = 2000;
/** Time after which the connection of a slow upload is closed; shorter, because little input arrives until then. */
const SLOW_LINGER_MILLISECONDS = 500;
const REQUEST_TIMEOUT = 408;

/** Prevents browsers from interpreting JSON as a page or script. */
export const NO_SNIFFING: ResponseHeaders = { 'x-content-type-options': 'nosniff' };
