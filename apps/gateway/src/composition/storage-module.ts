import { openGatewayStore, openInstallationSecret, openOutbox, openOutboxOfReplies, openSignupCredits, refusingStart } from '../adapters/store.js';
import { MoneyHealth, WatchedLedger } from '../observability/money-health.js';
import { WalHealth } from '../observability/wal-health.js';
import { serviceModule, services } from './services.js';

/** What outlives the process. */
export const storageModule = serviceModule((make) => {
  make(WalHealth, ({ log }) => new WalHealth(log));
  make(services.store, async ({ configuration, clock, leaseClock, processId, elapsed, log, resources }, context) =>
    resources.adopt(await openGatewayStore({ configuration, clock, leaseClock, processId, elapsed, log, walHealth: context.get(WalHealth) }), (store) => store.close()));
  make(services.secret, ({ configuration: { secret }, store: { installation }, clock, log }) => refusingStart(openInstallationSecret({ secret, registry: installation, clock, log })));
  make(services.signupCredits, ({ settings: { dashboard }, secret, log }) => openSignupCredits(dashboard, secret, log));
  make(MoneyHealth, ({ clock, log }) => new MoneyHealth(clock, log));
  make(WatchedLedger, ({ store }, context) => new WatchedLedger(store.ledger, context.get(MoneyHealth)));
  make(services.outbox, async ({ configuration, clock, log, resources }, context) =>
    resources.adopt(await openOutbox({ configuration, ledger: context.get(WatchedLedger), clock, log }), (outbox) => outbox.close()));
  make(services.ledger, ({ outbox }) => outbox);
  make(services.accounts, ({ store }) => store.accounts);
  make(services.erasure, ({ store }) => store.erasure);
  make(services.keys, ({ store }) => store.keys);
  make(services.ledgerAudit, ({ store }) => store.ledgerAudit);
  make(services.usage, ({ store }) => store.usage);
  make(services.idempotency, async ({ configuration, store: { idempotency }, clock, log, resources }) =>
    resources.adopt(await openOutboxOfReplies({ configuration, idempotency, clock, log }), (outbox) => outbox.close()));
  make(services.responses, ({ store }) => store.responses);
  make(services.mailOutbox, ({ store }) => store.mail);
  make(services.platform, ({ store }) => store.platform);
  make(services.controls, ({ store }) => store.controls);
  make(services.personRecords, ({ store }) => store.people);
  make(services.sessionRecords, ({ store }) => store.sessions);
  make(services.factorRecords, ({ store }) => store.factors);
});
