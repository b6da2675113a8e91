import type { RequestHandler, Response } from 'express';
import type { HttpExchange } from '../http-exchange.js';

export function exchangeOf(res: Response): HttpExchange {
  return res.locals['exchange'] as HttpExchange;
}

/** The last middleware of a route. Thrown errors reach the error handler, which sends them and ends the work of the request. */
export function answer(handle: (exchange: HttpExchange) => Promise<void> | void): RequestHandler {
  return async (_req, res) => {
    const exchange = exchangeOf(res);
    await handle(exchange);
    exchange.finishWork();
  };
}
