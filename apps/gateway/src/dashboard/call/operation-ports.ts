import type { Blocklist, IdGenerator, Mailer, MailOutbox, OperatorControls } from '@tollgate/core';
import type { Reconciler } from '../../background/reconciler.js';
import type { LiveFeed } from '../../live/live-feed.js';
import type { WaitingSettlements } from '../../observability/metrics/state-metrics.js';
import type { ObservedUpstreams } from '../../observability/metrics/upstream-metrics.js';

/** What the routes work with by which operators watch and steer the service. */
export interface OperationPorts {
  readonly controls: OperatorControls;
  readonly blocklist: Blocklist;
  readonly upstreams: ObservedUpstreams;
  readonly reconciler: Reconciler;
  /** `null` when no settlement ever waits. */
  readonly outbox: WaitingSettlements | null;
  readonly mailOutbox: MailOutbox;
  readonly mailer: Mailer;
  readonly ids: IdGenerator;
  readonly live: LiveFeed;
}
