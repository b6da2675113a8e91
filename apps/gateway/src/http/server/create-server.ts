import { createServer as createHttpServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, GatewayError, type IdGenerator, type WireFormat } from '@tollgate/core';
import { errorHeaders, requestIdHeaders } from '@tollgate/wire-kit';
import type { Logger } from 'pino';
import { NO_SNIFFING } from '../reply/send-json.js';
import { boundConnections, type ConnectionLimits, type ConnectionReport, type OtherSockets } from './connection-limits.js';
import type { NetworkShares } from './network-shares.js';

export interface ServerLimits {
  readonly headersTimeoutMilliseconds: number;
  readonly requestTimeoutMilliseconds: number;
  readonly keepAliveTimeoutMilliseconds: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMilliseconds: 15_000,
  // Milliseconds. Longer than the largest body takes at the minimum rate; slower uploads are cut off by their pace.
  requestTimeoutMilliseconds: 150_000,
  // Milliseconds. Longer than the usual idle timeout of load balancers, 60 s, so that the gateway never closes a connection that a load balancer is
  // about to use.
  keepAliveTimeoutMilliseconds: 65_000,
};

interface ServerSettings {
  readonly server: ServerLimits;
  readonly connections: ConnectionLimits;
}

interface ServerPorts extends UnreadableRequestPorts {
  readonly upstreamSockets: OtherSockets;
  readonly shares: NetworkShares;
  readonly clock: Clock;
  readonly connectionReport: ConnectionReport;
}

/** Interval of Node's timeout checks. */
const CHECKING_INTERVAL_MILLISECONDS = 1000;

/** Creates a server that limits connections and disconnects slow clients. */
export function createServer(application: RequestListener, { server: limits, connections }: ServerSettings, ports: ServerPorts): Server {
  const server = createHttpServer({
    connectionsCheckingInterval: CHECKING_INTERVAL_MILLISECONDS,
    headersTimeout: limits.headersTimeoutMilliseconds,
    requestTimeout: limits.requestTimeoutMilliseconds,
    keepAliveTimeout: limits.keepAliveTimeoutMilliseconds,
    // Otherwise Node itself would answer requests that lack a Host header, and its answer would have no request id.
    requireHostHeader: false,
  }, application);
  // Without a listener, Node would answer 100 Continue before the key is authenticated.
  server.on('checkContinue', application);
  // Without a listener, Node would answer an unknown expectation with a bare 417. No route depends on an expectation, so the request is served.
  server.on('checkExpectation', application);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerUnreadable(error, socket as Socket, ports));
  boundConnections(server, connections, { report: ports.connectionReport, others: ports.upstreamSockets, shares: ports.shares, clock: ports.clock });
  return server;
}

interface UnreadableRequestPorts {
  readonly ids: IdGenerator;
  readonly log: Logger;
  /** Format of errors for input without a readable path. */
  readonly errorFormat: WireFormat;
  /**
   * On the connection, the last unfinished reply that has begun, or whose request has arrived: an error reply would land inside it, or be taken for
   * it. `null` if there is none.
   */
  readonly lastReplyOn: (socket: Socket) => ServerResponse | null;
}

interface Answer {
  readonly status: string;
  readonly message: string;
}

const UNREADABLE: Answer = { status: '400 Bad Request', message: 'The request is not valid HTTP.' };
const ANSWERS: ReadonlyMap<string, Answer> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: '431 Request Header Fields Too Large', message: 'The request headers are too large.' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: '408 Request Timeout', message: 'The request took too long to arrive.' }],
]);

/** Time between the end of a reply and the destruction of its connection: destroying it at once would lose the reply. */
const LINGER_MILLISECONDS = 500;

function answerFor(error: NodeJS.ErrnoException, { ids, log, errorFormat }: UnreadableRequestPorts): string {
  const requestId = ids.requestId();
  const { status, message } = ANSWERS.get(error.code ?? '') ?? UNREADABLE;
  const refusal = new GatewayError('invalid_request', message);
  log.info({ requestId, status: Number.parseInt(status, 10), code: refusal.code, message, problem: error.code }, 'a request could not be read');
  const body = JSON.stringify(errorFormat.encodeError(refusal, requestId));
  const headers = Object.entries({
    ...requestIdHeaders(requestId),
    ...errorHeaders(refusal, Number.parseInt(status, 10)),
    ...NO_SNIFFING,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  });
  return `HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Connections that end with a reply. */
const ending = new WeakSet<Socket>();

/** Ends the connection after the reply. Further unreadable input is ignored until then. */
function endAfter(reply: ServerResponse, socket: Socket): void {
  if (ending.has(socket)) return;
  ending.add(socket);
  reply.once('close', () => {
    socket.end();
    destroySoon(socket);
  });
}

/** Destroys the connection soon, even if half-open, because it holds a descriptor. */
function destroySoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Answers input that is not a request, with a request id, and ends the connection. Behind a request whose reply is due, input is not answered: the
 * client would take the answer for that reply.
 */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, ports: UnreadableRequestPorts): void {
  // The input is already answered; the client is still sending.
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const due = ports.lastReplyOn(socket);
  if (due !== null) {
    endAfter(due, socket);
    return;
  }
  socket.end(answerFor(error, ports));
  destroySoon(socket);
}
