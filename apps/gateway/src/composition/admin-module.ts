import { serviceModule } from '@tollgate/composition';
import { KeyManagement, Vouchers } from '@tollgate/core';
import { Machines, Webhooks } from '@tollgate/identity';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { lazyRouter } from '../http/lazy-router.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { services } from './services.js';

const { accounts, auditTrail, catalogue, clock, events, keys, ledger, limiter, log, machineClaims, platform, usage, usageFeed, administration, operations } = services;

export const adminModule = serviceModule((make) => {
  make(
    services.admin,
    {
      accounts, auditTrail, bodies: JsonBodyReader, catalogue, clock, events, keys, keyManagement: KeyManagement, ledger, limiter, log, machineClaims, platform, usage, usageFeed, administration, operations,
      machines: Machines, alerts: services.alerts, unbilled: UnbilledLimits, vouchers: Vouchers, webhooks: Webhooks,
    },
    (ports) => lazyRouter('/admin/v1', async () => {
      const { adminRouter } = await import('../admin/admin-router.js');
      return adminRouter(ports);
    }),
  );
});
