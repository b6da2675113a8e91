import { createHash } from 'node:crypto';
import type { HttpExchange } from '../http-exchange.js';
import { watchToEnd } from './reader-watch.js';

const OK = 200;
const NOT_MODIFIED = 304;
const TAG_CHARACTERS = 22;

export interface TaggedBody {
  readonly text: string;
  readonly tag: string;
}

export function tagged(body: unknown): TaggedBody {
  const text = JSON.stringify(body);
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, TAG_CHARACTERS)}"` };
}

/** Encodes the body of a route again only if it is another object than the last one. */
export class BodyTagger {
  #body: unknown = undefined;
  #tagged: TaggedBody = { text: '', tag: '' };

  tagged(body: unknown): TaggedBody {
    if (body !== this.#body) {
      this.#body = body;
      this.#tagged = tagged(body);
    }
    return this.#tagged;
  }
}

/** True if `If-None-Match` contains the tag. */
function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}

/** Sends the body, or 304 if the client has it. `scope` says which caches may store it. */
export function sendTagged(exchange: HttpExchange, { text, tag }: TaggedBody, scope: 'private' | 'public'): void {
  const { req, res, clock, discards } = exchange;
  const headers = { 'etag': tag, 'cache-control': `${scope}, no-cache` };
  discards.discard(req, res);
  if (isKnown(req.headers['if-none-match'], tag)) exchange.writeHead(NOT_MODIFIED, headers).end();
  else exchange.writeHead(OK, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': `${Buffer.byteLength(text)}` }).end(text);
  watchToEnd(res, clock);
}
