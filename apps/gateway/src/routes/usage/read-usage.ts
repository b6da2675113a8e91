import { GatewayError, type RequestId, type UsageReader } from '@tollgate/core';
import { encodeAccountUsageRecord, withChargeExplanation } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { pathParameter } from '../../http/path-parameter.js';
import { sendJson } from '../../http/reply/send-json.js';

/** `GET /v1/usage/{request_id}`: one record of the account, its charge explained. Another account's is as unknown as none. */
export function readUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage/:requestId', async (exchange, { account }) => {
    const record = await usage.find(account.id, pathParameter(exchange, 'requestId') as RequestId);
    if (record === null) throw new GatewayError('not_found', 'There is no usage record with this request id.');
    sendJson(exchange, 200, withChargeExplanation(encodeAccountUsageRecord(record), record));
  });
}
