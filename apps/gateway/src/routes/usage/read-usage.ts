import { GatewayError, type RequestId, type UsageReader, type UsageReport, type UsageScope } from '@tollgate/core';
import { encodeAccountUsageRecord, withChargeExplanation } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { pathParameter } from '../../http/path-parameter.js';
import { sendJson } from '../../http/reply/send-json.js';

/**
 * One record as `encode` shows it, its charge explained, with what the ledger holds of it.
 * Throws `not_found`; the record of an account that is not asked about is as unknown as none.
 */
export async function readUsageDetail<Encoded extends object>(
  usage: UsageReader, { scope, requestId }: { readonly scope: UsageScope; readonly requestId: string }, encode: (record: UsageReport) => Encoded,
) {
  const id = requestId as RequestId;
  const record = await usage.find(scope, id);
  if (record === null) throw new GatewayError('not_found', 'There is no usage record with this request id.');
  return withChargeExplanation(encode(record), record, await usage.transfersOf(scope, id));
}

/** `GET /v1/usage/{request_id}`: one record of the account. */
export function readUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage/:requestId', async (exchange, { account }) => {
    const wanted = { scope: account.id, requestId: pathParameter(exchange, 'requestId') };
    sendJson(exchange, 200, await readUsageDetail(usage, wanted, encodeAccountUsageRecord));
  });
}
