import { serviceModule } from '@tollgate/composition';
import { seenEntriesFileOf } from '@tollgate/adapters-config';
import { AccountDeletion, AllAccountsUsage, RunningGenerations } from '@tollgate/core';
import { AlertMails, ModelNotices } from '@tollgate/identity';
import { databaseLocationName } from '@tollgate/sql-common';
import { AlertMailer } from '../background/alert-mailer.js';
import { BlockExpiry } from '../background/block-expiry.js';
import { ConditionWatch } from '../background/condition-watch.js';
import { CreditRunner } from '../background/credit-runner.js';
import { DeadlineKeeper } from '../background/deadline-keeper.js';
import { DeletionRunner } from '../background/deletion-runner.js';
import { EventKeeper } from '../background/event-keeper.js';
import { ForgottenSweeper } from '../background/forgotten-sweeper.js';
import { HistoryWatch } from '../background/history-watch.js';
import { LeaseKeeper } from '../background/lease-keeper.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { MailKeeper } from '../background/mail-keeper.js';
import { ModelNoticeMailer } from '../background/model-notice-mailer.js';
import { PaymentReconciler } from '../background/payment-reconciler.js';
import { Reconciler } from '../background/reconciler.js';
import { ResponseSweeper } from '../background/response-sweeper.js';
import { SweepRunner } from '../background/sweep-runner.js';
import { TopUpRunner } from '../background/top-up-runner.js';
import { StatementRunner } from '../background/statement-runner.js';
import { TotalsRunner } from '../background/totals-runner.js';
import { UsageKeeper } from '../background/usage-keeper.js';
import { NO_DELIVERIES } from '../adapters/no-webhooks.js';
import { WebhookDelivery } from '../background/webhook-delivery.js';
import { resolveByNameServers } from '../webhooks/checked-lookup.js';
import { WebhookSender } from '../webhooks/webhook-sender.js';
import { Background } from '../gateway/background.js';
import { DatabaseOutage } from '../http/reply/database-outage.js';
import { LiveAlerts } from '../live/live-alerts.js';
import { MetricsEndpoint } from '../observability/metrics-endpoint.js';
import { MoneyHealth } from '../observability/money-health.js';
import { services } from './services.js';

const { configuration, settings, store, ledger, ledgerAudit, outbox, idempotency, responses, personRecords, platform, controls, mail, mailOutbox, processId, clock, log } = services;

export const backgroundModule = serviceModule((make) => {
  make(DatabaseOutage, { configuration, clock, log }, (parts) => new DatabaseOutage({ database: databaseLocationName(parts.configuration.database), clock: parts.clock, log: parts.log }));
  make(
    LeaseKeeper,
    { ledger, outbox, health: MoneyHealth, running: RunningGenerations, processId, clock, log, outage: DatabaseOutage },
    (parts) => new LeaseKeeper({ ...parts, money: { get isFailing() { return parts.health.isFailing || parts.outbox.isRefusing; } } }),
  );
  make(HistoryWatch, { configuration, store, clock, log }, (parts) =>
    new HistoryWatch({ history: parts.store.history ?? null, file: seenEntriesFileOf(parts.configuration), clock: parts.clock, log: parts.log }));
  make(SweepRunner, { ledger, idempotency, clock, log }, (parts) => new SweepRunner(parts));
  make(DeadlineKeeper, { ledger, idempotency, running: RunningGenerations, processId, clock, log, settings }, ({ settings: { reservationLifetimeMilliseconds: lifetimeMilliseconds }, ...parts }) =>
    new DeadlineKeeper({ ...parts, lifetimeMilliseconds }));
  make(ForgottenSweeper, { ledger, running: RunningGenerations, processId, clock, log }, (parts) => new ForgottenSweeper(parts));
  make(ResponseSweeper, { responses, clock, log }, (parts) => new ResponseSweeper(parts));
  make(Reconciler, { ledgerAudit, clock, log }, (parts) => new Reconciler(parts));
  make(CreditRunner, { credits: services.credits, clock, log }, (parts) => new CreditRunner(parts));
  make(DeletionRunner, { deletions: AccountDeletion, people: personRecords, clock, log }, (parts) => new DeletionRunner(parts));
  make(TotalsRunner, { allUsage: AllAccountsUsage, clock, log }, (parts) => new TotalsRunner(parts));
  make(EventKeeper, { events: services.events, alerts: services.alerts, catalogue: services.catalogue, settings, clock, log }, (parts) => new EventKeeper(parts));
  make(UsageKeeper, { usageFeed: services.usageFeed, clock, log }, (parts) => new UsageKeeper(parts));
  make(AlertMailer, { alerts: AlertMails, clock, log }, (parts) => new AlertMailer(parts));
  make(ModelNoticeMailer, { notices: ModelNotices, clock, log }, (parts) => new ModelNoticeMailer(parts));
  make(ConditionWatch, { backgroundEvents: services.backgroundEvents, alerts: LiveAlerts, clock, log }, (parts) => new ConditionWatch(parts));
  make(BlockExpiry, { platform, controls, clock, log }, (parts) => new BlockExpiry(parts));
  make(MailDelivery, { mail, outbox: mailOutbox, clock, log }, (parts) => new MailDelivery({ ...parts, ...parts.mail }));
  make(MailKeeper, { outbox: mailOutbox, clock, log }, (parts) => new MailKeeper(parts));
  make(WebhookSender, { targets: services.webhookTargets, clock }, (parts) => new WebhookSender({ ...parts, resolve: resolveByNameServers() }));
  make(WebhookDelivery, { store, events: services.events, sealer: services.webhookSealer, sender: WebhookSender, clock, log }, ({ store: { webhookQueue: queue = NO_DELIVERIES }, ...parts }) =>
    new WebhookDelivery({ ...parts, queue }));
  make(
    Background,
    {
      leaseKeeper: LeaseKeeper, historyWatch: HistoryWatch, sweepRunner: SweepRunner, deadlineKeeper: DeadlineKeeper, forgottenSweeper: ForgottenSweeper, responseSweeper: ResponseSweeper, reconciler: Reconciler,
      paymentReconciler: PaymentReconciler, topUpRunner: TopUpRunner, creditRunner: CreditRunner, mailDelivery: MailDelivery, mailKeeper: MailKeeper, webhookDelivery: WebhookDelivery, deletionRunner: DeletionRunner, blockExpiry: BlockExpiry, totalsRunner: TotalsRunner, statementRunner: StatementRunner, eventKeeper: EventKeeper, alertMailer: AlertMailer, modelNoticeMailer: ModelNoticeMailer, usageKeeper: UsageKeeper, conditionWatch: ConditionWatch, metrics: MetricsEndpoint, settings,
    },
    ({ settings: { ledgerVerifyMilliseconds }, ...runners }) => new Background(runners, ledgerVerifyMilliseconds),
  );
});
