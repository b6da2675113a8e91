import { serviceModule } from '@tollgate/composition';
import { AccountAdministration, AccountDeletion, AccountNotes, AccountStandings, AllAccountsUsage, AutomaticTopUps, Blocklist, GenerationEstimates, KeyManagement, PlaygroundAccess, Statements, Vouchers } from '@tollgate/core';
import { AttemptLimits, Consents, KnownDevices, Machines, MailResends, OwnDeletion, OwnerAddresses, Webhooks } from '@tollgate/identity';
import { NO_ACCOUNT_NOTES } from '../adapters/no-account-notes.js';
import { Reconciler } from '../background/reconciler.js';
import { openBrand } from '../dashboard/brand/brand.js';
import { SignInMethods } from '../dashboard/call/sign-in-methods.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { lazyRouter } from '../http/lazy-router.js';
import { PublicAddress } from '../http/public-address.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { LiveFeed } from '../live/live-feed.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { services } from './services.js';

/** Relative path that is the same from `src` and from `dist`. */
const BUILT_PAGES = new URL('../../pages/', import.meta.url);

const {
  configuration, settings, usageTotals, lookups, auditTrail, people, accounts, catalogue, platform, keys, ledger, limiter, usage, clock, ids, log, mailer, mailOutbox, generations,
  controls, upstreams, outbox, identity, sessions, secondFactors, dashboardPages, administration, operations, playground,
} = services;

export const dashboardModule = serviceModule((make) => {
  make(dashboardPages, {}, () => BUILT_PAGES);
  make(services.accountNoteRecords, { store: services.store }, (parts) => parts.store.accountNotes ?? NO_ACCOUNT_NOTES);
  make(services.brand, { settings }, (parts) => openBrand(parts.settings.brand));
  make(AllAccountsUsage, { usageTotals, clock }, (parts) => new AllAccountsUsage(parts.usageTotals, parts.clock));
  make(PlaygroundAccess, { keys, catalogue, ids, clock }, (parts) => new PlaygroundAccess(parts));
  make(
    administration,
    { lookups, accountAdministration: AccountAdministration, standings: AccountStandings, deletions: AccountDeletion, addresses: OwnerAddresses, notes: AccountNotes, settings },
    ({ settings: { deletionGraceMilliseconds }, ...parts }) => ({ ...parts, deletionGraceMilliseconds }),
  );
  make(operations, { controls, blocklist: Blocklist, upstreams, reconciler: Reconciler, outbox, mailOutbox, mailer, mailResends: MailResends, mailSite: services.mailSite, ids, live: LiveFeed }, (parts) => parts);
  make(playground, { access: PlaygroundAccess, estimates: GenerationEstimates, generations }, (parts) => ({ ...parts, ...parts.generations }));
  make(
    services.dashboard,
    {
      configuration, settings, address: PublicAddress, refusals: RefusalCounts, people, accounts, catalogue, platform, keys, ledger, limiter, usage, clock, log, pages: dashboardPages, brand: services.brand, payments: services.payments,
      identity, sessions, secondFactors, consents: Consents, attempts: AttemptLimits, devices: KnownDevices, auditTrail, alerts: services.alerts, credits: services.credits, alertRecords: services.alertRecords, signInMethods: SignInMethods, ownDeletion: OwnDeletion, machines: Machines,
      keyManagement: KeyManagement, webhooks: Webhooks, statements: Statements, topUps: AutomaticTopUps, vouchers: Vouchers, mailboxes: services.mailboxes, allUsage: AllAccountsUsage, unbilled: UnbilledLimits, bodies: JsonBodyReader, administration, operations, playground,
    },
    ({ configuration: { mail }, settings: { dashboard: rules }, ...ports }) => lazyRouter('/dashboard', async () => {
      const { dashboardRouter } = await import('../dashboard/dashboard-router.js');
      return dashboardRouter({ ...ports, rules, hasMailServer: mail.kind === 'smtp' });
    }),
  );
});
