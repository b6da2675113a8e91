import type { TokenCountFormat, TokenCounting } from '@tollgate/core';
import { quotaHeaders } from '@tollgate/wire-kit';
import { readJsonBody } from '../../http/body/read-json-body.js';
import type { Endpoint } from '../../http/endpoint.js';
import { sendJson } from '../../http/reply/send-json.js';

export interface CountTokensPorts {
  readonly counting: TokenCounting;
  readonly format: TokenCountFormat;
}

/** `POST /v1/messages/count_tokens`: the estimate that a reservation would be made with. Not billed. */
export function countTokensEndpoint({ counting, format }: CountTokensPorts): Endpoint {
  return {
    method: 'post',
    path: '/v1/messages/count_tokens',
    statesQuota: true,
    async handle(exchange, caller) {
      const request = format.decodeTokenCount(await readJsonBody(exchange));
      const { inputTokens, quota } = await counting.count({ caller, requestId: exchange.requestId, request });
      exchange.addHeaders(quotaHeaders(quota));
      sendJson(exchange, 200, format.encodeTokenCount(inputTokens));
    },
  };
}
