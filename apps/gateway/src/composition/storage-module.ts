import { serviceModule } from '@tollgate/composition';
import { AesSealer, UrlWebhookTargets } from '@tollgate/adapters-node';
import { NO_ALERT_RECORDS, NO_ALERTS, NO_BACKGROUND_EVENTS, NO_EVENTS, NO_USAGE_FEED } from '../adapters/no-events.js';
import { NO_WEBHOOKS } from '../adapters/no-webhooks.js';
import { NO_MACHINE_CLAIMS, NO_MACHINES, openGatewayStore, refusingStart } from '../adapters/store.js';
import { openInstallationSecret } from '../adapters/installation-secret.js';
import { openOutbox, openOutboxOfReplies } from '../adapters/outboxes.js';
import { openSignupCredits } from '../adapters/signup-credits.js';
import { MoneyHealth } from '../observability/money-health.js';
import { WalHealth } from '../observability/wal-health.js';
import { openResource } from './open-resource.js';
import { services } from './services.js';

const { configuration, clock, leaseClock, processId, elapsed, log, resources, settings, store, secret, outbox } = services;

export const storageModule = serviceModule((make) => {
  make(WalHealth, { log }, (parts) => new WalHealth(parts.log));
  make(store, { configuration, clock, leaseClock, processId, elapsed, log, walHealth: WalHealth, resources }, (parts) =>
    openResource(parts.resources, () => openGatewayStore(parts), (opened) => opened.close()));
  make(secret, { configuration, store, clock, log }, (parts) =>
    refusingStart(openInstallationSecret({ secret: parts.configuration.secret, registry: parts.store.installation, clock: parts.clock, log: parts.log })));
  make(services.signupCredits, { settings, secret, log }, (parts) => openSignupCredits(parts.settings.dashboard, parts.secret, parts.log));
  make(MoneyHealth, { clock, log }, (parts) => new MoneyHealth(parts.clock, parts.log));
  make(outbox, { configuration, store, watch: MoneyHealth, clock, log, resources }, (parts) =>
    openResource(parts.resources, () => openOutbox(parts), (opened) => opened.close()));
  make(services.ledger, { outbox }, (parts) => parts.outbox);
  make(services.idempotency, { configuration, store, clock, log, resources }, ({ store: { idempotency }, ...parts }) =>
    openResource(parts.resources, () => openOutboxOfReplies({ ...parts, idempotency }), (opened) => opened.close()));
  make(services.accounts, { store }, (parts) => parts.store.accounts);
  make(services.erasure, { store }, (parts) => parts.store.erasure);
  make(services.keys, { store }, (parts) => parts.store.keys);
  make(services.ledgerAudit, { store }, (parts) => parts.store.ledgerAudit);
  make(services.usage, { store }, (parts) => parts.store.usage);
  make(services.events, { store }, (parts) => parts.store.events ?? NO_EVENTS);
  make(services.backgroundEvents, { store }, (parts) => parts.store.backgroundEvents ?? NO_BACKGROUND_EVENTS);
  make(services.alerts, { store }, (parts) => parts.store.alerts ?? NO_ALERTS);
  make(services.alertRecords, { store }, (parts) => parts.store.alertRecords ?? NO_ALERT_RECORDS);
  make(services.usageFeed, { store }, (parts) => parts.store.usageFeed ?? NO_USAGE_FEED);
  make(services.usageTotals, { store }, (parts) => parts.store.usageTotals);
  make(services.responses, { store }, (parts) => parts.store.responses);
  make(services.mailOutbox, { store }, (parts) => parts.store.mail);
  make(services.platform, { store }, (parts) => parts.store.platform);
  make(services.controls, { store }, (parts) => parts.store.controls);
  make(services.lookups, { store }, (parts) => parts.store.lookups);
  make(services.auditTrail, { store }, (parts) => parts.store.auditTrail);
  make(services.personRecords, { store }, (parts) => parts.store.people);
  make(services.sessionRecords, { store }, (parts) => parts.store.sessions);
  make(services.machineRecords, { store }, (parts) => parts.store.machines ?? NO_MACHINES);
  make(services.machineClaims, { store }, (parts) => parts.store.machineClaims ?? NO_MACHINE_CLAIMS);
  make(services.allowsMachineKeys, { configuration }, (parts) => parts.configuration.adminKeys);
  make(services.webhookRecords, { store }, (parts) => parts.store.webhooks ?? NO_WEBHOOKS);
  make(services.webhookSealer, { secret }, (parts) => (parts.secret === null ? null : new AesSealer(parts.secret.keysFor('webhook'))));
  make(services.webhookTargets, { configuration }, (parts) => new UrlWebhookTargets(parts.configuration.webhookNetworks));
  make(services.factorRecords, { store }, (parts) => parts.store.factors);
});
