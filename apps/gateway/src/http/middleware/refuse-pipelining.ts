import type { RequestHandler } from 'express';
import type { RefusalDelay } from '../reply/refusal-delay.js';

/** Closes a connection that sends a request while a refusal waits: pipelining would evade the delay. */
export function refusePipelining(delay: RefusalDelay): RequestHandler {
  return (req, _res, next) => {
    if (delay.isWaitingOn(req.socket)) req.socket.destroy();
    else next();
  };
}
