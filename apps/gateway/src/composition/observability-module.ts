import { serviceModule } from '@tollgate/composition';
import { type BookingObserver, RunningGenerations } from '@tollgate/core';
import type { Logger } from 'pino';
import type { Store } from '../adapters/store.js';
import { HistoryWatch } from '../background/history-watch.js';
import { LeaseKeeper } from '../background/lease-keeper.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { WebhookDelivery } from '../background/webhook-delivery.js';
import { Reconciler } from '../background/reconciler.js';
import { BodyBudget } from '../http/body-budget.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { LiveAlerts } from '../live/live-alerts.js';
import { LiveFeed } from '../live/live-feed.js';
import { LiveTraffic } from '../live/live-traffic.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { BodyHealth } from '../observability/body-health.js';
import { ConnectionHealth } from '../observability/connection-health.js';
import { TrafficMetrics } from '../observability/traffic-metrics.js';
import { LimiterHealth } from '../observability/limiter-health.js';
import { MetricsEndpoint } from '../observability/metrics-endpoint.js';
import { MoneyHealth } from '../observability/money-health.js';
import { RequestLimitLog } from '../observability/request-limit-log.js';
import { RequestLog } from '../observability/request-log.js';
import { WalHealth } from '../observability/wal-health.js';
import { services } from './services.js';

interface HearingParts {
  readonly store: Pick<Store, 'bookings'>;
  readonly log: Logger;
}

const { settings, store, clock, log, logWriter, limiter, upstreams, outbox, traffic } = services;

/** Registers the observer for all further bookings of this process, and returns it. */
function hearing<Observer extends BookingObserver>(parts: HearingParts, observer: Observer): Observer {
  parts.store.bookings.add(observer, (err) => parts.log.error({ err }, 'a booking was committed, but an observer of bookings failed'));
  return observer;
}

export const observabilityModule = serviceModule((make) => {
  make(RequestLog, { log, clock }, (parts) => new RequestLog(parts.log, parts.clock));
  make(RequestLimitLog, { clock, log }, (parts) => new RequestLimitLog(parts));
  make(BodyHealth, { log, clock }, (parts) => new BodyHealth(parts.log, parts.clock));
  make(traffic, { settings, store, clock, log }, (parts) => (parts.settings.metrics === null ? null : hearing(parts, new TrafficMetrics(parts.clock))));
  make(
    MetricsEndpoint,
    {
      settings, traffic, log, logWriter, connections: ConnectionHealth, bodies: BodyBudget, bodyHealth: BodyHealth, exchanges: RunningExchanges, running: RunningGenerations,
      limiter, limiterHealth: LimiterHealth, walHealth: WalHealth, moneyHealth: MoneyHealth, historyWatch: HistoryWatch, upstreams, outbox, reconciler: Reconciler,
      mailDelivery: MailDelivery, webhookDelivery: WebhookDelivery,
    },
    (parts) => new MetricsEndpoint({ place: parts.settings.metrics, traffic: parts.traffic, log: parts.log, state: parts }),
  );
  make(RefusalCounts, { clock }, (parts) => new RefusalCounts(parts.clock));
  make(LiveTraffic, { store, clock, log }, (parts) => hearing(parts, new LiveTraffic(parts.clock)));
  make(LiveAlerts, { upstreams, leaseKeeper: LeaseKeeper, limiterHealth: LimiterHealth, reconciler: Reconciler, outbox, clock }, (parts) => new LiveAlerts(parts));
  make(LiveFeed, { traffic: LiveTraffic, alerts: LiveAlerts, running: RunningGenerations, exchanges: RunningExchanges, clock }, (parts) => new LiveFeed(parts));
});
