import type { Request } from 'express';
import type { TokenCountFormat, TokenCounting } from '@tollgate/core';
import { quotaHeaders } from '@tollgate/wire-kit';
import type { JsonBody, JsonBodyReader } from '../../http/body/json-body-reader.js';
import { bodyEndpoint, type Endpoint } from '../../http/middleware/endpoint.js';
import type { DecodedBody, GenerationHandler } from './generation-handler.js';
import { readIdempotencyKey, requestFingerprint } from './idempotent-requests.js';
import { sendJson } from '../../http/reply/send-json.js';

export interface GenerationEndpointPorts {
  readonly handler: GenerationHandler;
  readonly bodies: JsonBodyReader;
}

/** The endpoint that generates in the handler's format, once for each idempotency key. */
export function generationEndpoint(path: string, { handler, bodies }: GenerationEndpointPorts): Endpoint {
  const decode = (body: JsonBody, req: Request): DecodedBody => {
    const decoded = handler.decode(body);
    const key = readIdempotencyKey(req.headers);
    return { decoded, once: key === null ? null : { key, fingerprint: requestFingerprint(path, body.bytes) } };
  };
  return bodyEndpoint({ path, bodies, decode, handle: (exchange, caller, body) => handler.handle(exchange, caller, body) });
}

export interface CountTokensPorts {
  readonly counting: TokenCounting;
  readonly bodies: JsonBodyReader;
  readonly format: TokenCountFormat;
}

/** `POST /v1/messages/count_tokens`: the estimate that a reservation would be made with. Not billed. */
export function countTokensEndpoint({ counting, bodies, format }: CountTokensPorts): Endpoint {
  return bodyEndpoint({
    path: '/v1/messages/count_tokens',
    bodies,
    decode: ({ value }) => format.decodeTokenCount(value),
    async handle(exchange, caller, request) {
      const { inputTokens, quota } = await counting.count({ caller, requestId: exchange.requestId, request, unbilled: exchange.unbilled });
      exchange.addHeaders(quotaHeaders(quota));
      sendJson(exchange, 200, format.encodeTokenCount(inputTokens));
    },
  });
}
