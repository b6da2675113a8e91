import { createHash } from 'node:crypto';
import type { Exchange } from '../../http/exchange.js';
import { watchToEnd } from '../../http/reply/flushed.js';

const OK = 200;
const NOT_MODIFIED = 304;

/** Whether `If-None-Match` names the tag. */
function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}

/** Replies with a JSON value that the browser may keep and asks about again; with no body where it has it already. */
export function sendTagged({ req, res, clock, discards }: Exchange, body: unknown): void {
  const text = JSON.stringify(body);
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = { 'etag': tag, 'cache-control': 'private, no-cache' };
  discards.discard(req);
  if (isKnown(req.headers['if-none-match'], tag)) res.writeHead(NOT_MODIFIED, headers).end();
  else res.writeHead(OK, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': `${Buffer.byteLength(text)}` }).end(text);
  watchToEnd(res, clock);
}
