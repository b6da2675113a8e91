import type { RequestHandler } from 'express';
import type { Exchange } from '../exchange.js';
import { exchangeOf } from './request-context.js';

/** Answers requests with `handle`, which replies or throws the error to reply with. The last middleware of every route. */
export function answer(handle: (exchange: Exchange) => Promise<void> | void): RequestHandler {
  return async (_req, res) => {
    const exchange = exchangeOf(res);
    await handle(exchange);
    exchange.finishWork();
  };
}
