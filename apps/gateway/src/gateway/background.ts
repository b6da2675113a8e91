import type { AlertMailer } from '../background/alert-mailer.js';
import type { BlockExpiry } from '../background/block-expiry.js';
import type { ConditionWatch } from '../background/condition-watch.js';
import type { CreditRunner } from '../background/credit-runner.js';
import type { DeadlineKeeper } from '../background/deadline-keeper.js';
import type { DeletionRunner } from '../background/deletion-runner.js';
import type { EventKeeper } from '../background/event-keeper.js';
import type { ForgottenSweeper } from '../background/forgotten-sweeper.js';
import type { HistoryWatch } from '../background/history-watch.js';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import type { MailDelivery } from '../background/mail-delivery.js';
import type { MailKeeper } from '../background/mail-keeper.js';
import type { ModelNoticeMailer } from '../background/model-notice-mailer.js';
import type { PaymentReconciler } from '../background/payment-reconciler.js';
import type { Reconciler } from '../background/reconciler.js';
import type { ResponseSweeper } from '../background/response-sweeper.js';
import type { TopUpRunner } from '../background/top-up-runner.js';
import type { StatementRunner } from '../background/statement-runner.js';
import type { SweepRunner } from '../background/sweep-runner.js';
import type { TotalsRunner } from '../background/totals-runner.js';
import type { UsageKeeper } from '../background/usage-keeper.js';
import type { WebhookDelivery } from '../background/webhook-delivery.js';
import type { MetricsEndpoint } from '../observability/metrics-endpoint.js';

interface BackgroundParts {
  readonly leaseKeeper: LeaseKeeper;
  readonly historyWatch: HistoryWatch;
  readonly sweepRunner: SweepRunner;
  readonly deadlineKeeper: DeadlineKeeper;
  readonly forgottenSweeper: ForgottenSweeper;
  readonly responseSweeper: ResponseSweeper;
  readonly reconciler: Reconciler;
  readonly paymentReconciler: PaymentReconciler;
  readonly topUpRunner: TopUpRunner;
  readonly creditRunner: CreditRunner;
  readonly mailDelivery: MailDelivery;
  readonly mailKeeper: MailKeeper;
  readonly webhookDelivery: WebhookDelivery;
  readonly deletionRunner: DeletionRunner;
  readonly blockExpiry: BlockExpiry;
  readonly totalsRunner: TotalsRunner;
  readonly statementRunner: StatementRunner;
  readonly eventKeeper: EventKeeper;
  readonly alertMailer: AlertMailer;
  readonly modelNoticeMailer: ModelNoticeMailer;
  readonly usageKeeper: UsageKeeper;
  readonly conditionWatch: ConditionWatch;
  readonly metrics: MetricsEndpoint;
}

export class Background {
  /** Interval between checks of the ledger; `null` for none. */
  constructor(private readonly parts: BackgroundParts, private readonly verifyMilliseconds: number | null) {}

  /** `null` if metrics are off. */
  get metricsUrl(): string | null {
    return this.parts.metrics.url;
  }

  /**
   * Resolves once the lease is held and the sweeper has tried to end the requests of dead processes. Throws `StartRefused` if metrics cannot listen.
   */
  async start(): Promise<void> {
    const { leaseKeeper, historyWatch, sweepRunner, deadlineKeeper, forgottenSweeper, responseSweeper, reconciler, paymentReconciler, topUpRunner, creditRunner, mailDelivery, mailKeeper, webhookDelivery, deletionRunner, blockExpiry, totalsRunner, statementRunner, eventKeeper, alertMailer, modelNoticeMailer, usageKeeper, conditionWatch, metrics } = this.parts;
    await leaseKeeper.start();
    await historyWatch.run();
    historyWatch.start();
    await sweepRunner.runOnce();
    sweepRunner.start();
    deadlineKeeper.start();
    await eventKeeper.run();
    eventKeeper.start();
    alertMailer.start();
    modelNoticeMailer.start();
    forgottenSweeper.start();
    responseSweeper.start();
    reconciler.start(this.verifyMilliseconds);
    paymentReconciler.start();
    topUpRunner.start();
    creditRunner.start();
    mailDelivery.wake();
    mailKeeper.start();
    webhookDelivery.start();
    deletionRunner.start();
    blockExpiry.start();
    totalsRunner.start();
    statementRunner.start();
    usageKeeper.start();
    conditionWatch.start();
    await metrics.open();
  }

  /** Must not be called while a request runs. Also called after a failed start. */
  async stop(): Promise<void> {
    const { metrics, leaseKeeper, ...runners } = this.parts;
    await metrics.close();
    // Concurrently, since each may wait for an unavailable database.
    const stopped = await Promise.allSettled([...Object.values(runners), leaseKeeper].map((runner) => runner.stop()));
    const failed = stopped.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}
