import type { TokenCountFormat, TokenCounting } from '@tollgate/core';
import { quotaHeaders } from '@tollgate/wire-kit';
import type { JsonBodyReader } from '../../http/body/json-body-reader.js';
import { bodyEndpoint, type Endpoint } from '../../http/routing/endpoint.js';
import { sendJson } from '../../http/reply/send-json.js';

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
    decode: (value) => format.decodeTokenCount(value),
    async handle(exchange, caller, request) {
      const { inputTokens, quota } = await counting.count({ caller, requestId: exchange.requestId, request, unbilled: exchange.unbilled });
      exchange.addHeaders(quotaHeaders(quota));
      sendJson(exchange, 200, format.encodeTokenCount(inputTokens));
    },
  });
}
