import { GatewayError } from '@tollgate/core';
import type { HttpExchange } from '../http-exchange.js';
import { flushed, watchToEnd } from './reader-watch.js';

const OK = 200;

export interface Download {
  readonly contentType: string;
  /** Letters, digits, `.`, `_` and `-`. */
  readonly fileName: string;
}

function begin(exchange: HttpExchange, { contentType, fileName }: Download): void {
  exchange.discards.discard(exchange.req, exchange.res);
  exchange.writeHead(OK, { 'content-type': contentType, 'content-disposition': `attachment; filename="${fileName}"`, 'cache-control': 'no-store' });
}

/**
 * Sends parts at the client's pace. Failures before the first part are answered; later ones destroy the connection, so that no client takes
 * a truncated file for a complete one. Stops on disconnect.
 */
export async function sendDownload(exchange: HttpExchange, download: Download, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
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
    if (part.length > 0 && !res.write(part)) await flushed(res, clock);
  }
  res.end();
  watchToEnd(res, clock);
}
