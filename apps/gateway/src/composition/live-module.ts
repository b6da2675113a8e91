import { RunningGenerations } from '@tollgate/core';
import { LeaseKeeper } from '../background/lease-keeper.js';
import { Reconciler } from '../background/reconciler.js';
import { serviceModule } from '../gateway/services.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { LiveFeed } from '../live/live-feed.js';
import { LiveAlerts, LiveTraffic } from '../live/live-traffic.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { LimiterHealth } from '../observability/health-reports.js';

/** What operators watch while the gateway runs. */
export const liveModule = serviceModule((make) => {
  make(RefusalCounts, ({ clock }) => new RefusalCounts(clock));
  make(LiveTraffic, ({ clock }) => new LiveTraffic(clock));
  make(LiveAlerts, ({ upstreams, outbox, clock }, context) => new LiveAlerts({
    upstreams, leaseKeeper: context.get(LeaseKeeper), limiterHealth: context.get(LimiterHealth), reconciler: context.get(Reconciler), outbox, clock,
  }));
  make(LiveFeed, ({ clock }, context) => new LiveFeed({
    traffic: context.get(LiveTraffic), alerts: context.get(LiveAlerts), running: context.get(RunningGenerations), exchanges: context.get(RunningExchanges), clock,
  }));
});
