import { GatewayError } from '@tollgate/core';
import type { Exchange } from '../exchange.js';
import { flushed, watchToEnd } from './flushed.js';

const OK = 200;

export interface Download {
  readonly contentType: string;
  /** Letters, digits, `.`, `_` and `-` alone. */
  readonly fileName: string;
}

function begin({ res, req, discards }: Exchange, { contentType, fileName }: Download): void {
  discards.discard(req);
  res.writeHead(OK, { 'content-type': contentType, 'content-disposition': `attachment; filename="${fileName}"`, 'cache-control': 'no-store' });
}

/**
 * Sends a file of any length, part by part, each taken when the client has read those before. What fails before the first part is answered as usual;
 * after it, the connection is destroyed, so that no client takes a short file for a whole one. Takes no further part once the client has left.
 */
export async function sendDownload(exchange: Exchange, download: Download, parts: AsyncIterable<string>): Promise<void> {
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
