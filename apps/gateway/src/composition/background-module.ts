import { seenEntriesFileOf } from '@tollgate/adapters-config';
import { AccountDeletion, AllAccountsUsage, RunningGenerations } from '@tollgate/core';
import { databaseLocationName } from '@tollgate/sql-common';
import { BlockExpiry } from '../background/block-expiry.js';
import { DeletionRunner } from '../background/deletion-runner.js';
import { ForgottenSweeper } from '../background/forgotten-sweeper.js';
import { HistoryWatch } from '../background/history-watch.js';
import { LeaseKeeper } from '../background/lease-keeper.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { Reconciler } from '../background/reconciler.js';
import { ResponseSweeper } from '../background/response-sweeper.js';
import { SweepRunner } from '../background/sweep-runner.js';
import { TotalsRunner } from '../background/totals-runner.js';
import { serviceModule, services } from '../gateway/services.js';
import { DatabaseOutage } from '../http/reply/database-outage.js';
import { TrafficMetrics } from '../observability/gateway-metrics.js';
import { MoneyHealth } from '../observability/money-health.js';

/** What runs beside the requests, and what is measured of them. */
export const backgroundModule = serviceModule((make) => {
  make(services.traffic, ({ settings, clock }) => (settings.metrics === null ? null : new TrafficMetrics(clock)));
  make(DatabaseOutage, ({ configuration, clock, log }) => new DatabaseOutage({ database: databaseLocationName(configuration.database), clock, log }));
  make(LeaseKeeper, ({ ledger, outbox, processId, clock, log }, context) => {
    const health = context.get(MoneyHealth);
    const money = { get isFailing() { return health.isFailing || outbox.isRefusing; } };
    return new LeaseKeeper({ ledger, money, running: context.get(RunningGenerations), processId, clock, log, outage: context.get(DatabaseOutage) });
  });
  make(HistoryWatch, ({ configuration, store, clock, log }) => new HistoryWatch({ history: store.history ?? null, file: seenEntriesFileOf(configuration), clock, log }));
  make(SweepRunner, ({ ledger, idempotency, clock, log }) => new SweepRunner({ ledger, idempotency, clock, log }));
  make(ForgottenSweeper, ({ ledger, processId, clock, log }, context) => new ForgottenSweeper({ ledger, running: context.get(RunningGenerations), processId, clock, log }));
  make(ResponseSweeper, ({ responses, clock, log }) => new ResponseSweeper({ responses, clock, log }));
  make(Reconciler, ({ ledgerAudit, clock, log }) => new Reconciler({ ledgerAudit, clock, log }));
  make(DeletionRunner, ({ personRecords, clock, log }, context) => new DeletionRunner({ deletions: context.get(AccountDeletion), people: personRecords, clock, log }));
  make(TotalsRunner, ({ clock, log }, context) => new TotalsRunner({ allUsage: context.get(AllAccountsUsage), clock, log }));
  make(BlockExpiry, ({ platform, controls, clock, log }) => new BlockExpiry({ platform, controls, clock, log }));
  make(MailDelivery, ({ mail: { openTransport, pollMilliseconds }, mailOutbox, clock, log }) => new MailDelivery({ openTransport, pollMilliseconds, outbox: mailOutbox, clock, log }));
});
