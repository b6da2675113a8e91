import { ALL_ACCOUNTS, type UsageFeedPage, type UsageFeedReading } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { encodeOperatorUsageRecord, encodeUsageFeedPage, encodeUsagePage } from '@tollgate/wire-kit';
import { invalidField } from '../../dashboard/call/read-fields.js';
import { QueryParameters } from '../../http/query-parameters.js';
import { summariseFirstTokens } from '../../dashboard/routes/first-token.js';
import { summariseAll } from '../../dashboard/routes/usage.js';
import { RunningExports, sendUsageExport } from '../../dashboard/routes/usage-export.js';
import { readUsageDetail, readUsagePage } from '../../routes/usage-query.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { type AdminEndpoint, adminEndpoint } from '../call/admin-endpoint.js';
import { filteredAccount } from '../call/find-account.js';
import { cursorLost } from '../call/cursor-lost.js';

function pageIn(reading: UsageFeedReading): UsageFeedPage {
  switch (reading.outcome) {
    case 'page': return reading;
    case 'malformed': throw invalidField('after', 'must be empty, or the next_cursor of an earlier page of the feed');
    case 'lost': throw cursorLost('the database was restored, or is another one');
  }
}

/** The feed accepts no filters, so that its readers miss no settlement. */
function requireNoFilters(filters: Readonly<Record<string, unknown>>): void {
  const [filter] = Object.entries(filters).find(([, value]) => value !== undefined) ?? [];
  if (filter !== undefined) throw invalidField(filter, 'cannot be combined with after');
}

/** Endpoints for usage records of all accounts, and for the feed of settlements. Of two matching paths, the more specific one is first. */
export function usageEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { usage, usageFeed } = ports;
  const exports = new RunningExports();
  return [
    adminEndpoint(adminContract.listUsage)(async ({ query: { account, limit, after, ...filters } }) => {
      if (after === undefined) {
        const scope = await filteredAccount({ account }, ports) ?? ALL_ACCOUNTS;
        return encodeUsagePage(await readUsagePage(usage, { scope, limit }, QueryParameters.from(filters)), encodeOperatorUsageRecord);
      }
      requireNoFilters({ account, ...filters });
      return encodeUsageFeedPage(pageIn(await usageFeed.read({ after: after === '' ? null : after, limit })));
    }),
    adminEndpoint(adminContract.usageSummary)(async ({ query }) => summariseAll({ ...query, account: await filteredAccount(query, ports) ?? undefined }, ports)),
    adminEndpoint(adminContract.firstTokenSummary)(async ({ query: { account, ...query } }) => summariseFirstTokens(query, await filteredAccount({ account }, ports) ?? ALL_ACCOUNTS, ports)),
    adminEndpoint(adminContract.exportUsage)(async ({ exchange, machineId, query: { account, format, bom, ...filters } }) => {
      const scope = await filteredAccount({ account }, ports) ?? ALL_ACCOUNTS;
      await exports.run(machineId, () => sendUsageExport(usage, exchange, { scope, reader: 'operator', format, bom: bom === '1', query: QueryParameters.from(filters) }));
    }),
    adminEndpoint(adminContract.readUsage)(({ params }) => readUsageDetail(usage, { scope: ALL_ACCOUNTS, requestId: params.request_id }, encodeOperatorUsageRecord)),
  ];
}
