import type { RequestHandler, Response } from 'express';
import type { HttpExchange } from '../http-exchange.js';

/** The exchange that a reply belongs to. */
export function exchangeOf(res: Response): HttpExchange {
  return res.locals['exchange'] as HttpExchange;
}

/** Answers requests with `handle`, which replies or throws the error to reply with. The last middleware of every route. */
export function answer(handle: (exchange: HttpExchange) => Promise<void> | void): RequestHandler {
  return async (_req, res) => {
    const exchange = exchangeOf(res);
    await handle(exchange);
    exchange.finishWork();
  };
}
