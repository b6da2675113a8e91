import { type AccountId, ALL_ACCOUNTS } from '@tollgate/core';
import { adminContract } from '@tollgate/dashboard-contract';
import { encodeOperatorUsageRecord, encodeUsagePage } from '@tollgate/wire-kit';
import { QueryParameters } from '../../http/query-parameters.js';
import { readUsageDetail, readUsagePage } from '../../routes/usage-query.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { type AdminEndpoint, adminEndpoint } from '../call/admin-endpoint.js';

/** Usage records of all accounts. */
export function usageEndpoints({ usage }: AdminPorts): readonly AdminEndpoint[] {
  return [
    adminEndpoint(adminContract.listUsage)(async ({ query: { account, limit, ...filters } }) => {
      const scope = account === undefined ? ALL_ACCOUNTS : account as AccountId;
      return encodeUsagePage(await readUsagePage(usage, { scope, limit }, QueryParameters.from(filters)), encodeOperatorUsageRecord);
    }),
    adminEndpoint(adminContract.readUsage)(({ params }) => readUsageDetail(usage, { scope: ALL_ACCOUNTS, requestId: params.request_id }, encodeOperatorUsageRecord)),
  ];
}
