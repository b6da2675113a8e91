import { serviceModule } from '@tollgate/composition';
import { AllAccountsUsage, AutomaticTopUps, KeyManagement, Statements, Vouchers } from '@tollgate/core';
import { AddressChange, Consents, Machines, SignInLinks, Webhooks } from '@tollgate/identity';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { lazyRouter } from '../http/lazy-router.js';
import { PublicAddress } from '../http/public-address.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { services } from './services.js';

const { accounts, auditTrail, catalogue, clock, events, keys, ledger, limiter, log, machineClaims, platform, usage, usageFeed, administration, operations } = services;

export const adminModule = serviceModule((make) => {
  make(SignInLinks, { records: services.personRecords, tokens: services.secretTokens }, (parts) => new SignInLinks(parts));
  make(
    services.admin,
    {
      accounts, auditTrail, bodies: JsonBodyReader, catalogue, clock, events, keys, keyManagement: KeyManagement, ledger, limiter, log, machineClaims, platform, usage, usageFeed, administration, operations,
      address: PublicAddress, people: services.people, consents: Consents, machines: Machines, signInLinks: SignInLinks, addressChange: AddressChange, alerts: services.alerts, credits: services.credits, unbilled: UnbilledLimits, statements: Statements, topUps: AutomaticTopUps, payments: services.payments, allUsage: AllAccountsUsage, vouchers: Vouchers, webhooks: Webhooks,
    },
    (ports) => lazyRouter('/admin/v1', async () => {
      const { adminRouter } = await import('../admin/admin-router.js');
      return adminRouter(ports);
    }),
  );
});
