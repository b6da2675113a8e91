import { MILLISECONDS_PER_SECOND, type RateLimiter, type RunningGenerations } from '@tollgate/core';
import type { HistoryWatch } from '../background/history-watch.js';
import type { MailDelivery } from '../background/mail-delivery.js';
import type { WebhookDelivery } from '../background/webhook-delivery.js';
import type { Reconciler } from '../background/reconciler.js';
import type { BodyBudget } from '../http/body-budget.js';
import type { RunningExchanges } from '../http/running-exchanges.js';
import type { BodyHealth } from './body-health.js';
import type { ConnectionHealth } from './connection-health.js';
import type { LimiterHealth } from './limiter-health.js';
import type { LogWriter } from './log-writer.js';
import { type AnyMetric, gauge, gauges, readCounter, readCounters } from './metrics.js';
import type { MoneyHealth } from './money-health.js';
import { type ObservedUpstreams, upstreamMetrics } from './upstream-metrics.js';
import type { WalHealth } from './wal-health.js';

function mailMetrics(delivery: MailDelivery): readonly AnyMetric[] {
  return [
    gauge({ name: 'tollgate_mails_waiting', help: 'Messages in the mail outbox at the last query of this gateway.' }, () => delivery.waiting),
    readCounter({ name: 'tollgate_mails_delivered_total', help: 'Messages that this gateway delivered.' }, () => delivery.counts.delivered),
    readCounter({ name: 'tollgate_mail_failures_total', help: 'Failed attempts of this gateway to deliver a message.' }, () => delivery.counts.failedAttempts),
    readCounter({ name: 'tollgate_mails_dropped_total', help: 'Messages for addresses that are not verified that this gateway did not queue, because too many waited.' }, () => delivery.counts.dropped),
    readCounter({ name: 'tollgate_mails_given_up_total', help: 'Messages that this gateway discarded: permanently refused, or undelivered for a day.' }, () => delivery.counts.givenUp),
  ];
}

function webhookMetrics(delivery: WebhookDelivery): readonly AnyMetric[] {
  return [
    readCounter({ name: 'tollgate_webhooks_delivered_total', help: 'Events that this gateway delivered to webhooks.' }, () => delivery.counts.delivered),
    readCounter({ name: 'tollgate_webhook_failures_total', help: 'Failed attempts of this gateway to deliver an event to a webhook.' }, () => delivery.counts.failed),
    readCounter({ name: 'tollgate_webhooks_disabled_total', help: 'Webhooks that this gateway disabled: they answered 410, or failed for five days.' }, () => delivery.counts.disabled),
  ];
}

/** Settlements that the database has not accepted yet. */
export interface WaitingSettlements {
  /** Number of settlements that charge something or reverse a charge. */
  readonly waiting: number;
  readonly releasesWaiting: number;
  /** Number of releases left to the sweeper because too many waited. */
  readonly releasesDropped: number;
  /** True while settlements cannot be queued on this machine. */
  readonly isFailing: boolean;
}

export interface ObservedState {
  readonly connections: ConnectionHealth;
  readonly bodies: BodyBudget;
  readonly bodyHealth: BodyHealth;
  /** `null` if the log does not go to standard error. */
  readonly logWriter: LogWriter | null;
  readonly exchanges: RunningExchanges;
  readonly running: RunningGenerations;
  readonly limiter: RateLimiter;
  readonly limiterHealth: LimiterHealth;
  readonly walHealth: WalHealth;
  readonly moneyHealth: MoneyHealth;
  readonly historyWatch: Pick<HistoryWatch, 'setBacks'>;
  readonly upstreams: ObservedUpstreams;
  readonly outbox: WaitingSettlements;
  readonly reconciler: Reconciler;
  readonly mailDelivery: MailDelivery;
  readonly webhookDelivery: WebhookDelivery;
}

function bodyMetrics(bodies: BodyBudget, health: BodyHealth): readonly AnyMetric[] {
  return [
    gauges({ name: 'tollgate_body_bytes', help: 'Bytes reserved for request bodies: small ones, large ones, and large ones less than half received.' }, 'room', () => ({ ...bodies.used })),
    gauge({ name: 'tollgate_bodies_waiting', help: 'Requests that wait for room for their bodies.' }, () => bodies.waiting),
    readCounters({ name: 'tollgate_bodies_refused_total', help: 'Requests refused for lack of room for their bodies, by what was full: account or gateway.' }, 'bound', () => health.refusals),
    readCounter({ name: 'tollgate_uploads_cut_total', help: 'Uploads cut off to make room for other requests.' }, () => health.cutUploads),
  ];
}

/** Metrics of the state of the gateway, read at each scrape. */
export function stateMetrics({ connections, bodies, bodyHealth, logWriter, exchanges, running, limiter, limiterHealth, walHealth, moneyHealth, historyWatch, upstreams, outbox, reconciler, mailDelivery, webhookDelivery }: ObservedState): readonly AnyMetric[] {
  return [
    gauge({ name: 'tollgate_connections_open', help: 'Open client connections.' }, () => connections.open),
    readCounters({ name: 'tollgate_connections_refused_total', help: 'Client connections closed without a response, by the limit that they exceeded: total or address.' }, 'bound', () => connections.refusals),
    readCounters({ name: 'tollgate_connections_closed_idle_total', help: 'Idle client connections closed to make room for new ones, by the limit that was near: total or address.' }, 'bound', () => connections.closedIdleConnections),
    ...bodyMetrics(bodies, bodyHealth),
    gauge({ name: 'tollgate_requests_running', help: 'Requests being answered.' }, () => exchanges.size),
    gauge({ name: 'tollgate_reservations_held', help: 'Reservations of running requests of this process.' }, () => running.size),
    gauge({ name: 'tollgate_generations_running', help: 'Running generations that an upstream has accepted.' }, () => running.progress().size),
    gauge({ name: 'tollgate_slots_held', help: 'Concurrency slots of running requests of this process.' }, () => limiter.heldSlots),
    ...upstreamMetrics(upstreams),
    gauge({ name: 'tollgate_settlements_waiting', help: 'Charges in the outbox of this machine.' }, () => outbox.waiting),
    gauge({ name: 'tollgate_releases_waiting', help: 'Reservations to give back that the database has not accepted yet; they cost nothing.' }, () => outbox.releasesWaiting),
    readCounter({ name: 'tollgate_releases_dropped_total', help: 'Reservations to give back that were left to the sweeper because too many waited.' }, () => outbox.releasesDropped),
    gauge({ name: 'tollgate_outbox_failing', help: '1 while settlements cannot be queued: the outbox cannot be written or synced, or too many wait.' }, () => (outbox.isFailing ? 1 : 0)),
    ...mailMetrics(mailDelivery),
    ...webhookMetrics(webhookDelivery),
    gauge({ name: 'tollgate_limiter_fallback', help: '1 while this process counts limits in memory because Redis does not respond.' }, () => (limiterHealth.isLocal ? 1 : 0)),
    readCounter({ name: 'tollgate_limiter_fallbacks_total', help: 'Switches to counting limits in memory.' }, () => limiterHealth.fallbacks),
    gauge({ name: 'tollgate_wal_pages', help: 'Pages in the WAL of the database file.' }, () => walHealth.pages),
    gauge({ name: 'tollgate_store_failing', help: '1 while the gateway is not ready because too many reservations and settlements fail.' }, () => (moneyHealth.isFailing ? 1 : 0)),
    readCounter({ name: 'tollgate_store_failures_total', help: 'Reservations and settlements that the database did not accept.' }, () => moneyHealth.failures),
    readCounter({ name: 'tollgate_wal_checkpoint_failures_total', help: 'Failed checkpoints of the WAL.' }, () => walHealth.failures),
    readCounter({ name: 'tollgate_wal_fallbacks_total', help: 'Checkpoints by the main thread, after the WAL had reached 64 MB.' }, () => walHealth.fallbacks),
    readCounter({ name: 'tollgate_database_set_back_total', help: 'Times that the database lacked entries which it had acknowledged.' }, () => historyWatch.setBacks),
    readCounter({ name: 'tollgate_log_lines_lost_total', help: 'Lost log lines.' }, () => logWriter?.lostLines ?? 0),
    gauge({ name: 'tollgate_ledger_differences', help: 'Differences found by the last ledger check; any value but 0 indicates a defect.' }, () => reconciler.last?.differences ?? null),
    gauge(
      { name: 'tollgate_ledger_verified_timestamp_seconds', help: 'Time of the last complete ledger check.' },
      () => (reconciler.last === null ? null : reconciler.last.at / MILLISECONDS_PER_SECOND),
    ),
    readCounter({ name: 'tollgate_ledger_verification_failures_total', help: 'Failed ledger checks.' }, () => reconciler.failures),
  ];
}
