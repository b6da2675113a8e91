import {
  AccountAdministration, AccountDeletion, AccountStandings, AllAccountsUsage, Authenticator, Blocklist, GenerationService, KeyManagement, PAY_AS_YOU_GO,
  RunningGenerations, TokenCounting,
} from '@tollgate/core';
import { AccountSearch, KnownDevices, Mailer, PersonDirectory } from '@tollgate/identity';
import { MailDelivery } from '../background/mail-delivery.js';
import { serviceModule, services } from '../gateway/services.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { generationObserver } from '../observability/generation-log.js';

/** The use cases of the core, each with its ports. */
export const coreModule = serviceModule((make) => {
  make(RunningGenerations, () => new RunningGenerations());
  make(Authenticator, ({ keys, catalogue, hasher, clock }) => new Authenticator({ keys, catalogue, hasher, clock }));
  make(GenerationService, ({ catalogue, platform, estimator, limiter, ledger, provider, ids, clock, processId, settings, log, traffic }, context) => {
    const observer = generationObserver({ log, clock, exchanges: context.get(RunningExchanges) }, traffic);
    const { reservationLifetimeMilliseconds, earlyHeadersMilliseconds, dashboard: { creditLine } } = settings;
    const running = context.get(RunningGenerations);
    return new GenerationService({ catalogue, platform, estimator, limiter, ledger, provider, running, observer, ids, clock }, {
      processId, reservationLifetimeMilliseconds, earlyHeadersMilliseconds, creditLine,
    });
  });
  make(TokenCounting, ({ catalogue, estimator, limiter }) => new TokenCounting({ catalogue, estimator, limiter }));
  make(KeyManagement, ({ keys, ids, hasher, clock }) => new KeyManagement({ keys, ids, hasher, clock }));
  make(AccountAdministration, ({ accounts, ledger, catalogue, ids, clock }) => new AccountAdministration({ accounts, ledger, catalogue, ids, clock }));
  make(AccountStandings, ({ accounts, clock }) => new AccountStandings({ accounts, clock }));
  make(AccountDeletion, ({ accounts, erasure, clock }) => new AccountDeletion({ accounts, erasure, clock }));
  make(AccountSearch, ({ accounts, people, store: { lookups } }) => new AccountSearch({ accounts, people, lookups }));
  make(Blocklist, ({ controls, keys, clock }, context) => new Blocklist({ controls, keys, clock, standings: context.get(AccountStandings) }));
  make(AllAccountsUsage, ({ store, clock }) => new AllAccountsUsage(store.usageTotals, clock));
  make(services.people, ({ personRecords, passwordHasher, secretTokens, ids, settings, signupCredits }, context) => new PersonDirectory({
    records: personRecords, hasher: passwordHasher, devices: context.get(KnownDevices), tokens: secretTokens, ids, signUp: settings.dashboard.signUp, planId: PAY_AS_YOU_GO, signupCredits,
  }));
  make(services.mailer, ({ mailOutbox, ids, clock }, context) => {
    const delivery = context.get(MailDelivery);
    return new Mailer({ outbox: mailOutbox, ids, clock, onStored: () => delivery.wake(), onDropped: () => delivery.drop() });
  });
});
