import type { OutgoingHttpHeaders } from 'node:http';
import { finished } from 'node:stream';
import type { ResponseHeaders } from '@tollgate/wire-kit';
import { GatewayError } from '@tollgate/core';
import { MAX_BODY_BYTES } from '../body-room.js';
import type { HttpExchange } from '../http-exchange.js';
import { leaveToClient } from './leave-to-client.js';
import { flushed, watchToEnd } from './reader-watch.js';

/** Replies with a JSON value and the headers of the exchange. */
export function sendJson(exchange: HttpExchange, status: number, body: unknown): void {
  sendJsonText(exchange, status, JSON.stringify(body));
}

/** Like `sendJson`, with the text of the value. */
export function sendJsonText(exchange: HttpExchange, status: number, text: string): void {
  leaveToClient(exchange.res);
  if (status === REQUEST_TIMEOUT || hasLongRest(exchange)) {
    sendBeforeRest(exchange, status, text);
    return;
  }
  exchange.discards.discard(exchange.req, exchange.res);
  const bytes = Buffer.byteLength(text);
  // A string leaves in one write with the headers; as Latin-1, ASCII is written faster.
  exchange.res.writeHead(status, headersFor(bytes)).end(text, bytes === text.length ? 'latin1' : 'utf8');
  watchToEnd(exchange.res, exchange.clock);
}

function headersFor(bytes: number): OutgoingHttpHeaders {
  return { 'content-type': 'application/json; charset=utf-8', 'content-length': `${bytes}`, 'cache-control': 'no-store' };
}

/** Whether more of the body is under way than is worth throwing away to keep the connection. */
function hasLongRest({ req }: HttpExchange): boolean {
  if (req.complete) return false;
  const length = req.headers['content-length'];
  if (length === undefined) return req.headers['transfer-encoding'] !== undefined;
  return Number(length) > MAX_BODY_BYTES;
}

/**
 * Completes a reply while its request is still being sent. Closing at once would reset the connection,
 * and the client would lose the reply; so what still arrives is thrown away for a moment first.
 */
function sendBeforeRest(exchange: HttpExchange, status: number, text: string): void {
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
  exchange.discards.discard(req, res);
}

/** How long a client whose body is refused may go on sending before its connection is cut. */
const LINGER_MILLISECONDS = 2000;
/** The same for one that sends too slowly, so that little is lost. */
const SLOW_LINGER_MILLISECONDS = 500;
const REQUEST_TIMEOUT = 408;

/** On every reply: a browser must not take JSON or an error text for a page or a script. */
export const NO_SNIFFING: ResponseHeaders = { 'x-content-type-options': 'nosniff' };

const OK = 200;

export interface Download {
  readonly contentType: string;
  /** Letters, digits, `.`, `_` and `-` alone. */
  readonly fileName: string;
}

function begin({ res, req, discards }: HttpExchange, { contentType, fileName }: Download): void {
  discards.discard(req, res);
  res.writeHead(OK, { 'content-type': contentType, 'content-disposition': `attachment; filename="${fileName}"`, 'cache-control': 'no-store' });
}

/**
 * Sends a file of any length, part by part, each taken when the client has read those before. What fails before the first part is answered as usual;
 * after it, the connection is destroyed, so that no client takes a short file for a whole one. Takes no further part once the client has left.
 */
export async function sendDownload(exchange: HttpExchange, download: Download, parts: AsyncIterable<string>): Promise<void> {
  const { req, res, clock } = exchange;
  if (req.method === 'HEAD') {
    begin(exchange, download);
    res.end();
    return;
  }
  for await (const part of parts) {
    if (exchange.clientLeft) return;
    if (exchange.signal.aborted) throw new GatewayError('server_busy', 'The gateway is stopping.');
    if (!res.headersSent) begin(exchange, download);
    if (part !== '' && !res.write(part)) await flushed(res, clock);
  }
  res.end();
  watchToEnd(res, clock);
}
