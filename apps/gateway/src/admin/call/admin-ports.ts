import type { Machines } from '@tollgate/identity';
import type { AdministrationPorts, DashboardPorts, OperationPorts } from '../../dashboard/call/dashboard-ports.js';

/** What the routes under `/admin/v1` work with: the use cases of the dashboard. */
export interface AdminPorts extends Pick<
  DashboardPorts, 'accounts' | 'auditTrail' | 'catalogue' | 'clock' | 'keys' | 'ledger' | 'limiter' | 'platform' | 'unbilled' | 'usage'
> {
  readonly machines: Machines;
  readonly administration: Pick<AdministrationPorts, 'lookups'>;
  readonly operations: Pick<OperationPorts, 'outbox' | 'reconciler' | 'upstreams'>;
}
