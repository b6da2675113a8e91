import { createHash } from 'node:crypto';
import type { Exchange } from '../../http/exchange.js';
import { watchToEnd } from '../../http/reply/flushed.js';

const OK = 200;
const NOT_MODIFIED = 304;

/** A body as it is sent, with what names it. */
export interface TaggedBody {
  readonly text: string;
  readonly tag: string;
}

/** Writes bodies of one route. One that is the very object of the reply before is not written again. */
export class BodyTagger {
  #last: TaggedBody & { readonly body: unknown } = { body: undefined, text: '', tag: '' };

  tagged(body: unknown): TaggedBody {
    if (body !== this.#last.body) {
      const text = JSON.stringify(body);
      this.#last = { body, text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
    }
    return this.#last;
  }
}

/** Whether `If-None-Match` names the tag. */
function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}

/** Replies with a JSON value that the browser may keep and asks about again; with no body where it has it already. */
export function sendTagged({ req, res, clock, discards }: Exchange, { text, tag }: TaggedBody): void {
  const headers = { 'etag': tag, 'cache-control': 'private, no-cache' };
  discards.discard(req);
  if (isKnown(req.headers['if-none-match'], tag)) res.writeHead(NOT_MODIFIED, headers).end();
  else res.writeHead(OK, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': `${Buffer.byteLength(text)}` }).end(text);
  watchToEnd(res, clock);
}
