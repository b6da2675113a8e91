import { ContainerModule } from 'inversify';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import type { Foundation } from './foundation.js';
import { services } from './services.js';

/** The ports as they were opened for this process, and the two wire formats. */
export function foundationModule(foundation: Foundation): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const { store } = foundation;
    bind(services.settings).toConstantValue(foundation.settings);
    bind(services.logWriter).toConstantValue(foundation.logWriter);
    bind(services.log).toConstantValue(foundation.log);
    bind(services.clock).toConstantValue(foundation.clock);
    bind(services.ids).toConstantValue(foundation.ids);
    bind(services.hasher).toConstantValue(foundation.hasher);
    bind(services.passwordHasher).toConstantValue(foundation.passwordHasher);
    bind(services.secretTokens).toConstantValue(foundation.secretTokens);
    bind(services.processId).toConstantValue(foundation.processId);
    bind(services.accounts).toConstantValue(store.accounts);
    bind(services.erasure).toConstantValue(store.erasure);
    bind(services.keys).toConstantValue(store.keys);
    bind(services.ledger).toConstantValue(store.ledger);
    bind(services.ledgerAudit).toConstantValue(store.ledgerAudit);
    bind(services.usage).toConstantValue(store.usage);
    bind(services.idempotency).toConstantValue(store.idempotency);
    bind(services.mailOutbox).toConstantValue(store.mail);
    bind(services.mail).toConstantValue(foundation.mail);
    bind(services.personRecords).toConstantValue(store.people);
    bind(services.sessionRecords).toConstantValue(store.sessions);
    bind(services.platform).toConstantValue(store.platform);
    bind(services.outbox).toConstantValue(foundation.outbox);
    bind(services.catalogue).toConstantValue(foundation.catalogue);
    bind(services.provider).toConstantValue(foundation.provider);
    bind(services.upstreams).toConstantValue(foundation.upstreams);
    bind(services.estimator).toConstantValue(foundation.estimator);
    bind(services.limiter).toConstantValue(foundation.limiter);
    bind(services.sharedCounter).toConstantValue(foundation.sharedCounter);
    bind(services.limiterHealth).toConstantValue(foundation.limiterHealth);
    bind(services.walHealth).toConstantValue(foundation.walHealth);
    bind(services.chat).toConstantValue(chatFormat);
    bind(services.messages).toConstantValue(messagesFormat);
  });
}
