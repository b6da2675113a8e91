import type { Exchange } from './exchange.js';

/** The whole reply as text. Throws `UpstreamFailure`. */
export async function readText(exchange: Exchange): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (let read = await exchange.read(); read !== null; read = await exchange.read()) pieces.push(...read);
  return Buffer.concat(pieces).toString('utf8');
}

/** Enough of an error to tell what it is, and for a log. */
const EXCERPT_BYTES = 64 * 1024;

/** The beginning of a reply as text; the rest is left unread. What breaks off while it is read ends there. */
export async function readExcerpt(exchange: Exchange): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < EXCERPT_BYTES) {
    const read = await exchange.read().catch(() => null);
    if (read === null) break;
    for (const piece of read) length += piece.length;
    pieces.push(...read);
  }
  return Buffer.concat(pieces).subarray(0, EXCERPT_BYTES).toString('utf8');
}
