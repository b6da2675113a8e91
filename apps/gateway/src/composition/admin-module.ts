import { serviceModule } from '@tollgate/composition';
import { Machines } from '@tollgate/identity';
import { lazyRouter } from '../http/lazy-router.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { services } from './services.js';

const { accounts, auditTrail, catalogue, clock, keys, ledger, limiter, platform, usage, administration, operations, events, usageFeed } = services;

export const adminModule = serviceModule((make) => {
  make(
    services.admin,
    { accounts, auditTrail, catalogue, clock, keys, ledger, limiter, platform, usage, administration, operations, machines: Machines, events, usageFeed, unbilled: UnbilledLimits },
    (ports) => lazyRouter('/admin/v1', async () => {
      const { adminRouter } = await import('../admin/admin-router.js');
      return adminRouter(ports);
    }),
  );
});
