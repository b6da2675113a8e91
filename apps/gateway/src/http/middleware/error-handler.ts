import type { ErrorRequestHandler } from 'express';
import type { ErrorReply } from '../reply/error-reply.js';
import { exchangeOf } from './answer.js';

/** The last middleware of the application, for errors that no route answered. */
export function errorHandler(errors: ErrorReply): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- Express recognises error handlers by their four parameters.
  return (thrown: unknown, _req, res, _next) => {
    const exchange = exchangeOf(res);
    // Records the error first, for the observers of a request whose reply has ended.
    void errors.send(exchange, thrown);
    exchange.finishWork();
  };
}
