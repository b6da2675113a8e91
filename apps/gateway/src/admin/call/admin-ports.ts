import type { EventLog, MachineClaims, UsageFeed } from '@tollgate/core';
import type { AddressChange, SignInLinks } from '@tollgate/identity';
import type { DashboardPorts } from '../../dashboard/call/dashboard-ports.js';

/** Use cases behind `/admin/v1`, shared with the dashboard. */
export interface AdminPorts extends Pick<
  DashboardPorts,
  'accounts' | 'address' | 'administration' | 'alerts' | 'allUsage' | 'auditTrail' | 'bodies' | 'catalogue' | 'clock' | 'consents' | 'credits' | 'keyManagement' | 'keys' | 'ledger' | 'limiter' | 'log' | 'machines' | 'operations' | 'payments' | 'people' | 'platform'
  | 'statements' | 'topUps' | 'unbilled' | 'usage' | 'vouchers' | 'webhooks'
> {
  readonly events: EventLog;
  readonly usageFeed: UsageFeed;
  readonly machineClaims: MachineClaims;
  readonly signInLinks: SignInLinks;
  readonly addressChange: AddressChange;
}
