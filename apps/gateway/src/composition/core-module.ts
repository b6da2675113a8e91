import { ContainerModule } from 'inversify';
import { AccountAdministration, AccountDeletion, AccountStandings, Authenticator, GenerationService, KeyManagement, QueuedMailer, RunningGenerations, TokenCounting } from '@tollgate/core';
import { MailDelivery } from '../background/mail-delivery.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { LoggingObserver, observerChain } from '../observability/request-log.js';
import { services } from './services.js';

/** The use cases of the core, each with its ports. */
export const coreModule = new ContainerModule(({ bind }) => {
  bind(RunningGenerations).toDynamicValue(() => new RunningGenerations());
  bind(services.observer).toDynamicValue((context) => {
    const traffic = context.get(services.traffic);
    const logging = new LoggingObserver({ log: context.get(services.log), exchanges: context.get(RunningExchanges) });
    return observerChain([logging, ...(traffic === null ? [] : [traffic])]);
  });
  bind(Authenticator).toDynamicValue((context) => new Authenticator({
    keys: context.get(services.keys), catalogue: context.get(services.catalogue), hasher: context.get(services.hasher), clock: context.get(services.clock),
  }));
  bind(GenerationService).toDynamicValue((context) => new GenerationService({
    catalogue: context.get(services.catalogue), platform: context.get(services.platform), estimator: context.get(services.estimator),
    limiter: context.get(services.limiter), ledger: context.get(services.ledger), provider: context.get(services.provider),
    running: context.get(RunningGenerations), observer: context.get(services.observer), ids: context.get(services.ids), clock: context.get(services.clock),
  }, {
    processId: context.get(services.processId), reservationLifetimeMilliseconds: context.get(services.settings).reservationLifetimeMilliseconds,
    creditLine: context.get(services.settings).dashboard.creditLine,
  }));
  bind(TokenCounting).toDynamicValue((context) => new TokenCounting({
    catalogue: context.get(services.catalogue), estimator: context.get(services.estimator), limiter: context.get(services.limiter),
  }));
  bind(KeyManagement).toDynamicValue((context) => new KeyManagement({
    keys: context.get(services.keys), ids: context.get(services.ids), hasher: context.get(services.hasher), clock: context.get(services.clock),
  }));
  bind(AccountAdministration).toDynamicValue((context) => new AccountAdministration({
    accounts: context.get(services.accounts), ledger: context.get(services.ledger), catalogue: context.get(services.catalogue),
    ids: context.get(services.ids), clock: context.get(services.clock),
  }));
  bind(AccountStandings).toDynamicValue((context) => new AccountStandings({ accounts: context.get(services.accounts), clock: context.get(services.clock) }));
  bind(AccountDeletion).toDynamicValue((context) => new AccountDeletion({
    accounts: context.get(services.accounts), erasure: context.get(services.erasure), clock: context.get(services.clock),
  }));
  bind(services.mailer).toDynamicValue((context) => {
    const delivery = context.get(MailDelivery);
    return new QueuedMailer({ outbox: context.get(services.mailOutbox), ids: context.get(services.ids), clock: context.get(services.clock), onStored: () => delivery.wake() });
  });
});
