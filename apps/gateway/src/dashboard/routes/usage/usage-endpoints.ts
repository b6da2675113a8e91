import { contract } from '@tollgate/dashboard-contract';
import { type AccountId, ALL_ACCOUNTS, type UsageScope } from '@tollgate/core';
import { encodeAccountUsageRecord, encodeOperatorUsageRecord, encodeUsagePage } from '@tollgate/wire-kit';
import { QueryParameters } from '../../../http/query/query-parameters.js';
import { readUsagePage } from '../../../routes/usage/list-usage.js';
import { readUsageDetail } from '../../../routes/usage/read-usage.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { RunningExports } from './running-exports.js';
import { sendUsageExport } from './send-usage-export.js';
import { summariseAll } from './summarise-all-usage.js';
import { summariseAccount } from './summarise-usage.js';

function scopeOf({ account }: { readonly account?: string | undefined }): UsageScope {
  return account === undefined ? ALL_ACCOUNTS : account as AccountId;
}

function ownerEndpoints(ports: DashboardPorts, exports: RunningExports): readonly DashboardEndpoint[] {
  const { usage } = ports;
  return [
    endpoint(contract.listUsage)(async ({ visitor: { account }, query }) =>
      encodeUsagePage(await readUsagePage(usage, account.id, QueryParameters.from(query)), encodeAccountUsageRecord)),
    endpoint(contract.usageSummary)(async ({ visitor: { account }, query }) => summariseAccount(query, account.id, ports)),
    endpoint(contract.exportUsage)(({ exchange, visitor: { person, account }, query: { format, ...filters } }) => exports.run(person.id, () =>
      sendUsageExport(usage, exchange, { scope: account.id, reader: 'owner', format, query: QueryParameters.from(filters) }))),
    endpoint(contract.readUsage)(({ visitor: { account }, params }) =>
      readUsageDetail(usage, { scope: account.id, requestId: params.request_id }, encodeAccountUsageRecord)),
  ];
}

function operatorEndpoints(ports: DashboardPorts, exports: RunningExports): readonly DashboardEndpoint[] {
  const { usage } = ports;
  return [
    endpoint(contract.listAllUsage)(async ({ query: { account, ...query } }) =>
      encodeUsagePage(await readUsagePage(usage, scopeOf({ account }), QueryParameters.from(query)), encodeOperatorUsageRecord)),
    endpoint(contract.allUsageSummary)(({ query }) => summariseAll(query, ports)),
    endpoint(contract.exportAllUsage)(({ exchange, visitor: { person }, query: { account, format, ...filters } }) => exports.run(person.id, () =>
      sendUsageExport(usage, exchange, { scope: scopeOf({ account }), reader: 'operator', format, query: QueryParameters.from(filters) }))),
    endpoint(contract.readAnyUsage)(({ params }) => readUsageDetail(usage, { scope: ALL_ACCOUNTS, requestId: params.request_id }, encodeOperatorUsageRecord)),
  ];
}

/** Usage records and their sums: an owner's own, and those of all accounts for operators. Of two paths that match, the more particular one stands first. */
export function usageEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const exports = new RunningExports();
  return [...ownerEndpoints(ports, exports), ...operatorEndpoints(ports, exports)];
}
