import { MILLISECONDS_PER_SECOND, type RateLimiter, type RunningGenerations } from '@tollgate/core';
import type { MailDelivery } from '../background/mail-delivery.js';
import { gauge, type Metric, readCounter } from './metrics.js';
import type { Reconciler } from '../background/reconciler.js';
import type { RunningExchanges } from '../http/running-exchanges.js';
import type { ConnectionHealth, LimiterHealth, WalHealth } from './health-reports.js';
import type { LogWriter } from './log-writer.js';
import { type ObservedUpstreams, upstreamMetrics } from './upstream-metrics.js';

/** What became of mail. */
function mailMetrics(delivery: MailDelivery): readonly Metric[] {
  return [
    gauge({ name: 'tollgate_mails_waiting', help: 'Messages in the outbox when this gateway last looked.' }, () => delivery.waiting),
    readCounter({ name: 'tollgate_mails_delivered_total', help: 'Messages that this gateway delivered.' }, () => delivery.counts.delivered),
    readCounter({ name: 'tollgate_mail_failures_total', help: 'Attempts of this gateway to deliver a message that failed.' }, () => delivery.counts.failedAttempts),
    readCounter({ name: 'tollgate_mails_given_up_total', help: 'Messages that this gateway gave up: refused for good, or undelivered for a day.' }, () => delivery.counts.givenUp),
  ];
}

/** Settlements that the database has not taken yet. */
export interface WaitingSettlements {
  readonly waiting: number;
}

export interface ObservedState {
  readonly connections: ConnectionHealth;
  /** `null` where something else writes the log. */
  readonly logWriter: LogWriter | null;
  readonly exchanges: RunningExchanges;
  readonly running: RunningGenerations;
  readonly limiter: RateLimiter;
  readonly limiterHealth: LimiterHealth;
  readonly walHealth: WalHealth;
  readonly upstreams: ObservedUpstreams;
  /** `null` when none ever wait. */
  readonly outbox: WaitingSettlements | null;
  readonly reconciler: Reconciler;
  readonly mailDelivery: MailDelivery;
}

function refusedConnectionsMetric(connections: ConnectionHealth): Metric {
  return {
    name: 'tollgate_connections_refused_total',
    help: 'Client connections closed unanswered, by the bound they would have exceeded: total or address.',
    type: 'counter',
    samples: () => Object.entries(connections.refusals).map(([bound, value]) => ({ suffix: '', labels: { bound }, value })),
  };
}

/** What the gateway is doing at the moment it is asked. */
export function stateMetrics({ connections, logWriter, exchanges, running, limiter, limiterHealth, walHealth, upstreams, outbox, reconciler, mailDelivery }: ObservedState): readonly Metric[] {
  return [
    gauge({ name: 'tollgate_connections_open', help: 'Connections of clients.' }, () => connections.open),
    refusedConnectionsMetric(connections),
    gauge({ name: 'tollgate_requests_running', help: 'Requests being answered.' }, () => exchanges.size),
    gauge({ name: 'tollgate_reservations_held', help: 'Reservations of running requests of this process.' }, () => running.size),
    gauge({ name: 'tollgate_generations_running', help: 'Requests that an upstream has accepted and not ended.' }, () => running.progress().size),
    gauge({ name: 'tollgate_slots_held', help: 'Slots that running requests of this process hold.' }, () => limiter.heldSlots),
    ...upstreamMetrics(upstreams),
    gauge({ name: 'tollgate_settlements_waiting', help: 'Settlements that the database has not taken yet, kept on this machine.' }, () => outbox?.waiting ?? null),
    ...mailMetrics(mailDelivery),
    gauge({ name: 'tollgate_limiter_fallback', help: '1 while this process counts limits by itself because Redis does not answer.' }, () => (limiterHealth.isLocal ? 1 : 0)),
    readCounter({ name: 'tollgate_limiter_fallbacks_total', help: 'How often that has begun.' }, () => limiterHealth.fallbacks),
    gauge({ name: 'tollgate_wal_pages', help: 'Pages in the write-ahead log of the database file.' }, () => walHealth.pages),
    readCounter({ name: 'tollgate_wal_checkpoint_failures_total', help: 'How often that log could not be moved off the request path.' }, () => walHealth.failures),
    readCounter({ name: 'tollgate_wal_fallbacks_total', help: 'How often it was moved while requests waited, because it had grown very long.' }, () => walHealth.fallbacks),
    readCounter({ name: 'tollgate_log_lines_lost_total', help: 'Log lines that could not be written.' }, () => logWriter?.lostLines ?? 0),
    gauge({ name: 'tollgate_ledger_differences', help: 'Differences that the last check of the books found. Anything but 0 is a defect.' }, () => reconciler.last?.differences ?? null),
    gauge(
      { name: 'tollgate_ledger_verified_timestamp_seconds', help: 'When the books were last checked to the end.' },
      () => (reconciler.last === null ? null : reconciler.last.at / MILLISECONDS_PER_SECOND),
    ),
    readCounter({ name: 'tollgate_ledger_verification_failures_total', help: 'Checks of the books that could not be carried out.' }, () => reconciler.failures),
  ];
}
