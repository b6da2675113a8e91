import type { Request, RequestHandler } from 'express';
import type { BodyDecoder, JsonBodyReader } from '../body/json-body-reader.js';
import { exchangeOf } from './request-context.js';

/** Reads, parses and decodes the body of an authenticated request into `req.body`. */
export function readJsonBody<Body>(bodies: JsonBodyReader, decode: BodyDecoder<Body>): RequestHandler {
  return async (req, res, next) => {
    const exchange = exchangeOf(res);
    req.body = await bodies.read(exchange, exchange.authenticatedCaller.account.id, decode);
    next();
  };
}

/** The decoded body, which the request keeps no longer: a reply may last for minutes. */
export function takeBody(req: Request): unknown {
  const body: unknown = req.body;
  req.body = null;
  return body;
}
