import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerUnreadable, type UnreadableRequestPorts } from './answer-unreadable.js';

export interface ServerLimits {
  /** How long a client may take to send a request's headers. */
  readonly headersTimeoutMilliseconds: number;
  /** How long it may take to send a whole request. */
  readonly requestTimeoutMilliseconds: number;
  /** How long a connection may wait for its next request. */
  readonly keepAliveTimeoutMilliseconds: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMilliseconds: 15_000,
  // Longer than the largest body takes at the least rate; slower ones are cut off by their pace.
  requestTimeoutMilliseconds: 150_000,
  // Longer than the usual 60 s of a load balancer, so that it is never us who close a connection it is about to use.
  keepAliveTimeoutMilliseconds: 65_000,
};

/** How often connections are looked at for having run out of time. */
const CHECKING_INTERVAL_MILLISECONDS = 1000;

/** A server that hands requests to an application and cuts off clients that are too slow to send one. */
export function createServer(application: RequestListener, limits: ServerLimits, unreadable: UnreadableRequestPorts): Server {
  const server = createHttpServer({
    connectionsCheckingInterval: CHECKING_INTERVAL_MILLISECONDS,
    headersTimeout: limits.headersTimeoutMilliseconds,
    requestTimeout: limits.requestTimeoutMilliseconds,
    keepAliveTimeout: limits.keepAliveTimeoutMilliseconds,
    // Node would answer a request without a host itself, without a request id.
    requireHostHeader: false,
  }, application);
  // Without a listener of its own, Node would let every such client send its body before anyone has looked at its key.
  server.on('checkContinue', application);
  // Nor an expectation it does not know with a bare 417: nothing here depends on one, so the request is served as if it had none.
  server.on('checkExpectation', application);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerUnreadable(error, socket as Socket, unreadable));
  return server;
}
