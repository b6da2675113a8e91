import type { RequestHandler } from 'express';
import type { RefusalDelay } from '../reply/refusal-delay.js';

/** Ends a connection that sends a further request while a refusal waits on it: pipelining would evade the delay. */
export function refusePipelining(delay: RefusalDelay): RequestHandler {
  return (req, _res, next) => {
    if (delay.isWaitingOn(req.socket)) req.socket.destroy();
    else next();
  };
}
