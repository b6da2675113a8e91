import type { Clock } from '@tollgate/core';
import type { ParsedJson } from '@tollgate/json-text';
import { checkBodyHeaders } from './body-headers.js';
import { readBody, truncatedBody } from './read-body.js';
import type { HttpExchange } from './http-exchange.js';
import type { BodyBudget } from './body-budget.js';
import { type BodyHolder, holderName } from './body-holders.js';
import { MAX_BODY_BYTES } from './body-room.js';
import type { BodyRoom, BodyUpload } from './body-upload.js';
import { decodeBody, decodingsOf, largestDecoded } from './body-encoding.js';
import { parseJsonBody } from './parse-json-body.js';
import { TurnBudget } from './turn-budget.js';
import { nextTurn, TurnQueue } from './turn-queue.js';

interface JsonBodyReaderPorts {
  readonly budget: BodyBudget;
  readonly clock: Clock;
}

export interface JsonBody extends ParsedJson {
  readonly bytes: Buffer;
  /** What the body holds until it is decoded. */
  readonly room: BodyRoom;
}

interface BodyInTurn extends Pick<JsonBody, 'bytes' | 'room'> {
  readonly holder: BodyHolder;
}

/** Makes of a parsed body what its endpoint needs. Throws, or rejects with, what is wrong with it. */
export type BodyDecoder<T> = (body: JsonBody, exchange: HttpExchange) => T | Promise<T>;

/** A body takes microseconds to parse up to this size, whatever is in it. */
const SMALL_BODY_BYTES = 8_192;
/** A body takes at most 8 ms to parse and decode up to this size, measured with the densest JSON found: `[],[],…`. */
const MIDDLE_BODY_BYTES = 131_072;
/** Bodies up to that size are parsed as they come while a turn of the event loop is not longer than this. */
const PARSING_MILLISECONDS_OF_TURN = 5;

/** Reads, parses and decodes the bodies of requests, as many at the same time as there is room for. */
export class JsonBodyReader {
  readonly #turns = new TurnQueue();
  readonly #turnBudget = new TurnBudget(PARSING_MILLISECONDS_OF_TURN);

  constructor(private readonly ports: JsonBodyReaderPorts) {}

  /** `holder` is whose share the body takes. Rejects with the refusals that belong to a body, from the budget to what the decoder throws. */
  async read<T>(exchange: HttpExchange, holder: BodyHolder, decode: BodyDecoder<T>): Promise<T> {
    const { req, res, signal, unbilled } = exchange;
    const upload = await this.ports.budget.begin({ holder, declaredBytes: declaredBytes(exchange), signal });
    try {
      // Others of this key may have used up its units while this one waited.
      unbilled?.check();
      checkBodyHeaders(req.headers);
      // A client that waits for leave to send its body gets it only now.
      if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
      const sent = await readBody(req, { clock: this.ports.clock, upload, onBytes: (size) => unbilled?.take(size) });
      const bytes = await this.#decoded(exchange, upload, sent);
      // Parsing costs most of what a body costs.
      unbilled?.check();
      if (this.#mayParseNow(bytes)) return await decode({ ...parseJsonBody(bytes), bytes, room: upload }, exchange);
      return await this.#decodeInTurn(exchange, { bytes, room: upload, holder }, decode);
    } finally {
      upload.giveBack();
    }
  }

  /** The body without its encodings. Room for the most that it may decode to is taken before, and what it decodes to counts as read. */
  async #decoded({ req, unbilled, signal }: HttpExchange, upload: BodyUpload, sent: Buffer): Promise<Buffer> {
    const decodings = decodingsOf(req.headers['content-encoding']);
    if (decodings.length === 0) return sent;
    unbilled?.check();
    await this.ports.budget.addTo(upload, largestDecoded(sent.length));
    const bytes = await decodeBody(sent, decodings);
    unbilled?.take(Math.max(0, bytes.length - sent.length));
    if (signal.aborted) throw truncatedBody(req.errored);
    return bytes;
  }

  #mayParseNow({ length }: Buffer): boolean {
    if (length <= SMALL_BODY_BYTES) return true;
    return length <= MIDDLE_BODY_BYTES && this.#turnBudget.isOpen();
  }

  /** Parses and decodes in one turn of the event loop, so that at most one parsed value waits for another request's turn. */
  async #decodeInTurn<T>(exchange: HttpExchange, { holder, ...body }: BodyInTurn, decode: BodyDecoder<T>): Promise<T> {
    const { req, signal } = exchange;
    const decoded = await this.#turns.run(holderName(holder), () => {
      if (signal.aborted) throw truncatedBody(req.errored);
      return Promise.all([decode({ ...parseJsonBody(body.bytes), ...body }, exchange), nextTurn()]);
    });
    // What follows, an estimate of the prompt to begin with, takes long as well.
    return decoded[0];
  }
}

/** Bytes of a body as its headers declare them, at most those of the largest that is read; `null` where they declare none. */
function declaredBytes({ req: { headers } }: HttpExchange): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES);
}
