import type { Clock } from '@tollgate/core';
import type { ParsedJson } from '@tollgate/json-text';
import { checkBodyHeaders } from './body-headers.js';
import { truncatedBody } from './read-body.js';
import { declaredBytes, receiveBody } from './receive-body.js';
import type { HttpExchange } from './http-exchange.js';
import type { BodyBudget } from './body-budget.js';
import { type BodyHolder, holderName } from './body-holders.js';
import type { BodyRoom, BodyUpload } from './body-upload.js';
import { type BodyDecoding, decodeBody, decodingsOf, largestDecoded } from './body-encoding.js';
import { parseJsonBody } from './parse-json-body.js';
import { TurnBudget } from './turn-budget.js';
import { nextTurn, TurnQueue } from './turn-queue.js';

interface JsonBodyReaderPorts {
  readonly budget: BodyBudget;
  readonly clock: Clock;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

export interface JsonBody extends ParsedJson {
  readonly bytes: Buffer;
  /** Room of the body, held until it is decoded. */
  readonly room: BodyRoom;
}

interface BodyInTurn extends Pick<JsonBody, 'bytes' | 'room'> {
  readonly holder: BodyHolder;
}

interface EncodedBody {
  readonly sent: Buffer;
  readonly decodings: readonly BodyDecoding[];
}

/** Decodes a parsed body. Throws or rejects if the body is invalid. */
export type BodyDecoder<T> = (body: JsonBody, exchange: HttpExchange) => T | Promise<T>;

/** Bodies up to this size are parsed in microseconds, whatever the content. */
const SMALL_BODY_BYTES = 8_192;
/** Bodies up to this size are parsed and decoded in at most 8 ms, measured with the densest JSON found: `[],[],…`. */
const MIDDLE_BODY_BYTES = 131_072;
/** Within one turn of the event loop, parsing of another body of up to `MIDDLE_BODY_BYTES` begins only before this time has passed. */
const PARSING_MILLISECONDS_OF_TURN = 5;

/** Reads, parses and decodes bodies within the budget. */
export class JsonBodyReader {
  readonly #turns = new TurnQueue();
  readonly #turnBudget: TurnBudget;

  constructor(private readonly ports: JsonBodyReaderPorts) {
    this.#turnBudget = new TurnBudget(PARSING_MILLISECONDS_OF_TURN, ports.elapsed);
  }

  /** Reads and decodes a body, whose room counts towards the share of `holder`. Rejects with refusals of budget, parser and decoder. */
  async read<T>(exchange: HttpExchange, holder: BodyHolder, decode: BodyDecoder<T>): Promise<T> {
    const { req, signal, unbilled } = exchange;
    const upload = await this.ports.budget.begin({ holder, declaredBytes: declaredBytes(exchange), signal });
    try {
      // Other requests of the account may have used up its units while this one waited.
      unbilled?.check();
      checkBodyHeaders(req.headers);
      const sent = await receiveBody(exchange, { upload, clock: this.ports.clock });
      const decodings = decodingsOf(req.headers['content-encoding']);
      const bytes = decodings.length === 0 ? sent : await this.#decoded(exchange, upload, { sent, decodings });
      // Checked again, because parsing is the most expensive part of reading a body.
      unbilled?.check();
      if (this.#mayParseNow(bytes)) return await decode({ ...parseJsonBody(bytes), bytes, room: upload }, exchange);
      return await this.#decodeInTurn(exchange, { bytes, room: upload, holder }, decode);
    } finally {
      upload.giveBack();
    }
  }

  /** Decodes an encoded body. Reserves room for the largest decoded size, and counts the decoded bytes as unbilled work. */
  async #decoded({ req, unbilled, signal }: HttpExchange, upload: BodyUpload, { sent, decodings }: EncodedBody): Promise<Buffer> {
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

  /** Parses and decodes in an event loop turn of its own, so that at most one parsed value exists at a time. */
  async #decodeInTurn<T>(exchange: HttpExchange, { holder, ...body }: BodyInTurn, decode: BodyDecoder<T>): Promise<T> {
    const { req, signal } = exchange;
    const decoded = await this.#turns.run(holderName(holder), () => {
      if (signal.aborted) throw truncatedBody(req.errored);
      return Promise.all([decode({ ...parseJsonBody(body.bytes), ...body }, exchange), nextTurn()]);
    });
    // Ends the turn here, because the next step, such as estimating the prompt, also takes long.
    return decoded[0];
  }
}
