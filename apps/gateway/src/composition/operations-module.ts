import { ContainerModule } from 'inversify';
import { AccountStandings, Blocklist, RunningGenerations } from '@tollgate/core';
import { LeaseKeeper } from '../background/leases.js';
import { Reconciler } from '../background/reconciler.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { LimiterHealth } from '../observability/health-reports.js';
import { LiveAlerts } from '../live/live-frames.js';
import { LiveFeed } from '../live/live-feed.js';
import { LiveTraffic } from '../live/live-traffic.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { services } from './services.js';

/** What operators watch and set while the gateway runs. */
export const operationsModule = new ContainerModule(({ bind }) => {
  bind(RefusalCounts).toDynamicValue((context) => new RefusalCounts(context.get(services.clock)));
  bind(LiveTraffic).toDynamicValue((context) => new LiveTraffic(context.get(services.clock)));
  bind(LiveAlerts).toDynamicValue((context) => new LiveAlerts({
    upstreams: context.get(services.upstreams), leaseKeeper: context.get(LeaseKeeper), limiterHealth: context.get(LimiterHealth),
    reconciler: context.get(Reconciler), outbox: context.get(services.outbox), clock: context.get(services.clock),
  }));
  bind(LiveFeed).toDynamicValue((context) => new LiveFeed({
    traffic: context.get(LiveTraffic), alerts: context.get(LiveAlerts), running: context.get(RunningGenerations), exchanges: context.get(RunningExchanges),
    clock: context.get(services.clock),
  }));
  bind(Blocklist).toDynamicValue((context) => new Blocklist({
    controls: context.get(services.controls), keys: context.get(services.keys), clock: context.get(services.clock),
    standings: new AccountStandings({ accounts: context.get(services.accounts), clock: context.get(services.clock) }),
  }));
  bind(services.operations).toDynamicValue((context) => ({
    controls: context.get(services.controls), blocklist: context.get(Blocklist), upstreams: context.get(services.upstreams), reconciler: context.get(Reconciler),
    outbox: context.get(services.outbox), mailOutbox: context.get(services.mailOutbox), mailer: context.get(services.mailer), ids: context.get(services.ids),
    live: context.get(LiveFeed),
  }));
});
