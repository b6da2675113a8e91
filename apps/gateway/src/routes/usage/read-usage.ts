import { GatewayError, type RequestId, type UsageReader, type UsageRecord, type UsageScope } from '@tollgate/core';
import { encodeAccountUsageRecord, withChargeExplanation } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { pathParameter } from '../../http/path-parameter.js';
import { sendJson } from '../../http/reply/send-json.js';

/** One record. Throws `not_found`; the record of an account that is not asked about is as unknown as none. */
export async function findUsageRecord(usage: UsageReader, scope: UsageScope, requestId: string): Promise<UsageRecord> {
  const record = await usage.find(scope, requestId as RequestId);
  if (record === null) throw new GatewayError('not_found', 'There is no usage record with this request id.');
  return record;
}

/** `GET /v1/usage/{request_id}`: one record of the account, its charge explained. */
export function readUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage/:requestId', async (exchange, { account }) => {
    const record = await findUsageRecord(usage, account.id, pathParameter(exchange, 'requestId'));
    sendJson(exchange, 200, withChargeExplanation(encodeAccountUsageRecord(record), record));
  });
}
