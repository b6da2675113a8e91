import { type Duplex } from 'node:stream';
import { GatewayError, type IdGenerator, type WireFormat } from '@tollgate/core';
import { errorHeaders, requestIdHeaders } from '@tollgate/wire-kit';

export interface UnreadableRequestPorts {
  readonly ids: IdGenerator;
  /** Nothing is known of the request, so not which format it is of either. */
  readonly errorFormat: WireFormat;
}

interface Answer {
  readonly status: string;
  readonly message: string;
}

const UNREADABLE: Answer = { status: '400 Bad Request', message: 'The request is not readable HTTP.' };
const ANSWERS: ReadonlyMap<string, Answer> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: '431 Request Header Fields Too Large', message: 'The request headers are too large.' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: '408 Request Timeout', message: 'The request took too long to arrive.' }],
]);

/** Answers what never became a request, so that even then the client gets an error with a request id, and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex, { ids, errorFormat }: UnreadableRequestPorts): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestId = ids.requestId();
  const { status, message } = ANSWERS.get(error.code ?? '') ?? UNREADABLE;
  const refusal = new GatewayError('invalid_request', message);
  const body = JSON.stringify(errorFormat.encodeError(refusal, requestId));
  const headers = Object.entries({
    ...requestIdHeaders(requestId),
    ...errorHeaders(refusal, Number.parseInt(status, 10)),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  });
  socket.end(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
}
