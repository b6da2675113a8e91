import type { EventLog, UsageFeed } from '@tollgate/core';
import type { AdministrationPorts, DashboardPorts, OperationPorts } from '../../dashboard/call/dashboard-ports.js';

/** Use cases behind `/admin/v1`, shared with the dashboard. */
export interface AdminPorts extends Pick<
  DashboardPorts, 'accounts' | 'auditTrail' | 'catalogue' | 'clock' | 'keys' | 'ledger' | 'limiter' | 'machines' | 'platform' | 'unbilled' | 'usage'
> {
  readonly events: EventLog;
  readonly usageFeed: UsageFeed;
  readonly administration: Pick<AdministrationPorts, 'lookups'>;
  readonly operations: Pick<OperationPorts, 'outbox' | 'reconciler' | 'upstreams'>;
}
