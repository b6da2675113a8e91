import {
  AccountAdministration, AccountDeletion, AccountSearch, AccountStandings, AllAccountsUsage, Authenticator, Blocklist, GenerationService, KeyManagement, PAY_AS_YOU_GO, QueuedMailer,
  RunningGenerations, StoredPeople, TokenCounting,
} from '@tollgate/core';
import { LeaseKeeper, SweepRunner } from '../background/leases.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { Reconciler } from '../background/reconciler.js';
import { BlockExpiry, DeletionRunner, TotalsRunner } from '../background/scheduled-tasks.js';
import { serviceModule, services } from '../gateway/services.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { LoggingObserver, observerChain } from '../observability/log.js';
import { TrafficMetrics } from '../observability/gateway-metrics.js';

/** The use cases of the core, each with its ports. */
export const coreModule = serviceModule((make) => {
  make(RunningGenerations, () => new RunningGenerations());
  make(Authenticator, ({ keys, catalogue, hasher, clock }) => new Authenticator({ keys, catalogue, hasher, clock }));
  make(GenerationService, ({ catalogue, platform, estimator, limiter, ledger, provider, ids, clock, processId, settings, log, traffic }, context) => {
    const logging = new LoggingObserver({ log, exchanges: context.get(RunningExchanges) });
    const observer = observerChain(traffic === null ? [logging] : [logging, traffic]);
    const { reservationLifetimeMilliseconds, dashboard: { creditLine } } = settings;
    const running = context.get(RunningGenerations);
    return new GenerationService({ catalogue, platform, estimator, limiter, ledger, provider, running, observer, ids, clock }, { processId, reservationLifetimeMilliseconds, creditLine });
  });
  make(TokenCounting, ({ catalogue, estimator, limiter }) => new TokenCounting({ catalogue, estimator, limiter }));
  make(KeyManagement, ({ keys, ids, hasher, clock }) => new KeyManagement({ keys, ids, hasher, clock }));
  make(AccountAdministration, ({ accounts, ledger, catalogue, ids, clock }) => new AccountAdministration({ accounts, ledger, catalogue, ids, clock }));
  make(AccountStandings, ({ accounts, clock }) => new AccountStandings({ accounts, clock }));
  make(AccountDeletion, ({ accounts, erasure, clock }) => new AccountDeletion({ accounts, erasure, clock }));
  make(AccountSearch, ({ accounts, people, store: { lookups } }) => new AccountSearch({ accounts, people, lookups }));
  make(Blocklist, ({ controls, keys, clock }, context) => new Blocklist({ controls, keys, clock, standings: context.get(AccountStandings) }));
  make(AllAccountsUsage, ({ store, clock }) => new AllAccountsUsage(store.usageTotals, clock));
  make(services.people, ({ personRecords, passwordHasher, secretTokens, ids, settings, signupCredits }) => new StoredPeople({
    records: personRecords, hasher: passwordHasher, tokens: secretTokens, ids, signUp: settings.dashboard.signUp, planId: PAY_AS_YOU_GO, signupCredits,
  }));
  make(services.mailer, ({ mailOutbox, ids, clock }, context) => {
    const delivery = context.get(MailDelivery);
    return new QueuedMailer({ outbox: mailOutbox, ids, clock, onStored: () => delivery.wake() });
  });
});

/** What runs beside the requests, and what is measured of them. */
export const backgroundModule = serviceModule((make) => {
  make(services.traffic, ({ settings, clock }) => (settings.metrics === null ? null : new TrafficMetrics(clock)));
  make(LeaseKeeper, ({ ledger, processId, clock, log }, context) => new LeaseKeeper({ ledger, running: context.get(RunningGenerations), processId, clock, log }));
  make(SweepRunner, ({ ledger, idempotency, clock, log }) => new SweepRunner({ ledger, idempotency, clock, log }));
  make(Reconciler, ({ ledgerAudit, clock, log }) => new Reconciler({ ledgerAudit, clock, log }));
  make(DeletionRunner, ({ personRecords, clock, log }, context) => new DeletionRunner({ deletions: context.get(AccountDeletion), people: personRecords, clock, log }));
  make(TotalsRunner, ({ clock, log }, context) => new TotalsRunner({ allUsage: context.get(AllAccountsUsage), clock, log }));
  make(BlockExpiry, ({ platform, controls, clock, log }) => new BlockExpiry({ platform, controls, clock, log }));
  make(MailDelivery, ({ mail: { openTransport, pollMilliseconds }, mailOutbox, clock, log }) => new MailDelivery({ openTransport, pollMilliseconds, outbox: mailOutbox, clock, log }));
});
