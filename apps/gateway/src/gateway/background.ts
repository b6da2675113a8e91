import type { BlockExpiry } from '../background/block-expiry.js';
import type { DeletionRunner } from '../background/deletion-runner.js';
import type { ForgottenSweeper } from '../background/forgotten-sweeper.js';
import type { HistoryWatch } from '../background/history-watch.js';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import type { MailDelivery } from '../background/mail-delivery.js';
import type { Reconciler } from '../background/reconciler.js';
import type { ResponseSweeper } from '../background/response-sweeper.js';
import type { SweepRunner } from '../background/sweep-runner.js';
import type { TotalsRunner } from '../background/totals-runner.js';
import type { MetricsEndpoint } from '../observability/metrics-endpoint.js';

interface BackgroundParts {
  readonly leaseKeeper: LeaseKeeper;
  readonly historyWatch: HistoryWatch;
  readonly sweepRunner: SweepRunner;
  readonly forgottenSweeper: ForgottenSweeper;
  readonly responseSweeper: ResponseSweeper;
  readonly reconciler: Reconciler;
  readonly mailDelivery: MailDelivery;
  readonly deletionRunner: DeletionRunner;
  readonly blockExpiry: BlockExpiry;
  readonly totalsRunner: TotalsRunner;
  readonly metrics: MetricsEndpoint;
}

/** What runs beside the requests, from the start of a gateway to its end. */
export class Background {
  /** `verifyMilliseconds` is how often the books are recomputed; `null`: never. */
  constructor(private readonly parts: BackgroundParts, private readonly verifyMilliseconds: number | null) {}

  /** Where metrics are served; `null` where they are off. */
  get metricsUrl(): string | null {
    return this.parts.metrics.url;
  }

  /** Holds the lease and has ended what a dead process left when it resolves. Throws `StartRefused` when metrics have no place to listen. */
  async start(): Promise<void> {
    const { leaseKeeper, historyWatch, sweepRunner, forgottenSweeper, responseSweeper, reconciler, mailDelivery, deletionRunner, blockExpiry, totalsRunner, metrics } = this.parts;
    await leaseKeeper.start();
    await historyWatch.run();
    historyWatch.start();
    await sweepRunner.run();
    sweepRunner.start();
    forgottenSweeper.start();
    responseSweeper.start();
    reconciler.start(this.verifyMilliseconds);
    mailDelivery.wake();
    deletionRunner.start();
    blockExpiry.start();
    totalsRunner.start();
    await metrics.open();
  }

  /** Ends all of it, also what never began, and gives up the lease. Called when no request runs any more. */
  async stop(): Promise<void> {
    const { metrics, leaseKeeper, ...runners } = this.parts;
    await metrics.close();
    // Together, since each may have to wait for a database that is away.
    const stopped = await Promise.allSettled([...Object.values(runners), leaseKeeper].map((runner) => runner.stop()));
    const failed = stopped.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}
