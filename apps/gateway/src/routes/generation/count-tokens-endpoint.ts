import type { TokenCountFormat, TokenCounting } from '@tollgate/core';
import { quotaHeaders } from '@tollgate/wire-kit';
import type { JsonBodyReader } from '../../http/body/json-body-reader.js';
import type { Endpoint } from '../../http/endpoint.js';
import { sendJson } from '../../http/reply/send-json.js';

export interface CountTokensPorts {
  readonly counting: TokenCounting;
  readonly bodies: JsonBodyReader;
  readonly format: TokenCountFormat;
}

/** `POST /v1/messages/count_tokens`: the estimate that a reservation would be made with. Not billed. */
export function countTokensEndpoint({ counting, bodies, format }: CountTokensPorts): Endpoint {
  return {
    method: 'post',
    path: '/v1/messages/count_tokens',
    statesQuota: true,
    async handle(exchange, caller) {
      const request = await bodies.read(exchange, caller, (body) => format.decodeTokenCount(body));
      const { inputTokens, quota } = await counting.count({ caller, requestId: exchange.requestId, request, unbilled: exchange.unbilled });
      exchange.addHeaders(quotaHeaders(quota));
      sendJson(exchange, 200, format.encodeTokenCount(inputTokens));
    },
  };
}
