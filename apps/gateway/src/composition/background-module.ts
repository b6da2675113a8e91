import { ContainerModule } from 'inversify';
import { AccountDeletion, AllAccountsUsage, RunningGenerations } from '@tollgate/core';
import { openMailTransport } from '@tollgate/adapters-mail';
import { BlockExpiry, DeletionRunner, TotalsRunner } from '../background/scheduled-tasks.js';
import { LeaseKeeper, Sweeper } from '../background/leases.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { Reconciler } from '../background/reconciler.js';
import { TrafficMetrics } from '../observability/traffic-metrics.js';
import { Background } from './background.js';
import { services } from './services.js';

/** Another gateway that dies leaves messages, which the others find by looking. A database file has one gateway. */
const MAIL_POLL_MILLISECONDS = 30_000;

/** What runs beside the requests, and what is measured of them. */
export const backgroundModule = new ContainerModule(({ bind }) => {
  bind(services.traffic).toDynamicValue((context) => {
    const { metrics } = context.get(services.settings);
    return metrics === null ? null : new TrafficMetrics(context.get(services.clock));
  });
  bind(LeaseKeeper).toDynamicValue((context) => new LeaseKeeper({
    ledger: context.get(services.ledger), running: context.get(RunningGenerations), processId: context.get(services.processId), clock: context.get(services.clock), log: context.get(services.log),
  }));
  bind(Sweeper).toDynamicValue((context) => new Sweeper({
    ledger: context.get(services.ledger), idempotency: context.get(services.idempotency), clock: context.get(services.clock), log: context.get(services.log),
  }));
  bind(Reconciler).toDynamicValue((context) => new Reconciler({
    ledgerAudit: context.get(services.ledgerAudit), clock: context.get(services.clock), log: context.get(services.log),
  }));
  bind(DeletionRunner).toDynamicValue((context) => new DeletionRunner({
    deletions: context.get(AccountDeletion), people: context.get(services.personRecords), clock: context.get(services.clock), log: context.get(services.log),
  }));
  bind(TotalsRunner).toDynamicValue((context) => new TotalsRunner({
    allUsage: context.get(AllAccountsUsage), clock: context.get(services.clock), log: context.get(services.log),
  }));
  bind(BlockExpiry).toDynamicValue((context) => new BlockExpiry({
    platform: context.get(services.platform), controls: context.get(services.controls), clock: context.get(services.clock), log: context.get(services.log),
  }));
  bind(services.mail).toDynamicValue((context) => {
    const { mail, database } = context.get(services.configuration);
    return { openTransport: () => openMailTransport(mail), pollMilliseconds: database.kind === 'postgres' ? MAIL_POLL_MILLISECONDS : null };
  });
  bind(MailDelivery).toDynamicValue((context) => new MailDelivery({
    ...context.get(services.mail), outbox: context.get(services.mailOutbox), clock: context.get(services.clock), log: context.get(services.log),
  }));
  bind(Background).toSelf();
});
