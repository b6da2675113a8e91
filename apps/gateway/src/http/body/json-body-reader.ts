import type { Request } from 'express';
import type { Clock } from '@tollgate/core';
import type { Exchange } from '../exchange.js';
import type { BodyBudget, BodyHolder } from './body-budget.js';
import { checkBodyHeaders } from './body-headers.js';
import { BODY_MAXIMUM_BYTES } from './body-limits.js';
import { parseJsonBody } from './parse-json-body.js';
import { cutShort, readBody } from './read-body.js';
import { TurnRoom } from './turn-room.js';
import { nextTurn, Turns } from './turns.js';

/** A body takes microseconds to parse up to this size, whatever is in it. */
const SMALL_BODY_BYTES = 8_192;
/** A body takes at most 8 ms to parse and decode up to this size, measured with the densest JSON found: `[],[],…`. */
const MIDDLE_BODY_BYTES = 131_072;
/** Bodies up to that size are parsed as they come while a turn of the event loop is not longer than this. */
const PARSING_MILLISECONDS_OF_TURN = 5;

export interface JsonBodyReaderPorts {
  readonly budget: BodyBudget;
  readonly clock: Clock;
}

/** Makes of a parsed body what its endpoint needs. Throws what is wrong with it. */
export type BodyDecoder<T> = (value: unknown, bytes: Buffer, req: Request) => T;

/** Bytes of a body as its headers announce them: as many as may come where they announce none. */
function announcedBytes({ req: { headers } }: Exchange): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_MAXIMUM_BYTES;
  return Math.min(Number(headers['content-length'] ?? 0), BODY_MAXIMUM_BYTES);
}

/** Reads, parses and decodes the bodies of requests, as many at the same time as there is room for. */
export class JsonBodyReader {
  readonly #turns = new Turns();
  readonly #turnRoom = new TurnRoom(PARSING_MILLISECONDS_OF_TURN);

  constructor(private readonly ports: JsonBodyReaderPorts) {}

  /** `holder` is whose share the body takes. Rejects with the refusals that belong to a body, from the budget to what the decoder throws. */
  async read<T>(exchange: Exchange, holder: BodyHolder, decode: BodyDecoder<T>): Promise<T> {
    const { req, res, signal, unbilled } = exchange;
    const room = await this.ports.budget.take({ holder, bytes: announcedBytes(exchange), signal });
    try {
      // Others of this key may have used up its units while this one waited.
      unbilled?.check();
      checkBodyHeaders(req.headers);
      // A client that waits for leave to send its body gets it only now.
      if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
      const bytes = await readBody(req, this.ports.clock, (size) => unbilled?.take(size));
      // Parsing costs most of what a body costs.
      unbilled?.check();
      if (this.#mayParseNow(bytes)) return decode(parseJsonBody(bytes), bytes, req);
      return await this.#decodeInTurn(exchange, bytes, decode);
    } finally {
      room.giveBack();
    }
  }

  #mayParseNow({ length }: Buffer): boolean {
    if (length <= SMALL_BODY_BYTES) return true;
    return length <= MIDDLE_BODY_BYTES && this.#turnRoom.isOpen();
  }

  /** Parses and decodes in one turn of the event loop, so that at most one parsed value waits for another request's turn. */
  async #decodeInTurn<T>(exchange: Exchange, bytes: Buffer, decode: BodyDecoder<T>): Promise<T> {
    const { req, signal } = exchange;
    const decoded = await this.#turns.run(() => {
      if (exchange.clientLeft || signal.aborted) throw cutShort(req.errored);
      return decode(parseJsonBody(bytes), bytes, req);
    });
    // What follows, an estimate of the prompt to begin with, takes long as well.
    await nextTurn();
    return decoded;
  }
}
