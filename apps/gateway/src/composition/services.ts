import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import type { ServiceIdentifier } from 'inversify';
import type {
  AccountAdministration, AccountDeletion, AccountErasure, AccountRepository, Authenticator, CatalogueSource, Clock, GenerationObserver, GenerationService, IdempotencyStore, IdGenerator,
  KeyManagement, KeyRepository, Ledger, LedgerAudit, Mailer, MailOutbox, ModelProvider, PasswordHasher, PersonDirectory, PersonRecords, PlatformState, ProcessId, RateLimiter,
  RunningGenerations, SecretHasher, SecretTokens, SessionRecords, Sessions, SharedCounter,
  TokenCountFormat, TokenCounting, TokenEstimator, UsageReader, WireFormat,
} from '@tollgate/core';
import type { Logger } from 'pino';
import type { Background } from './background.js';
import type { DeletionRunner } from '../background/deletion-runner.js';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import type { MailDelivery } from '../background/mail-delivery.js';
import type { Reconciler } from '../background/reconciler.js';
import type { Sweeper } from '../background/sweeper.js';
import type { PublicAddress } from '../dashboard/call/public-address.js';
import type { AdmissionGate } from '../http/admission-gate.js';
import type { BodyBudget } from '../http/body/body-budget.js';
import type { JsonBodyReader } from '../http/body/json-body-reader.js';
import type { ErrorReply } from '../http/reply/error-reply.js';
import type { RefusalDelay } from '../http/reply/refusal-delay.js';
import type { RunningExchanges } from '../http/running-exchanges.js';
import type { UnbilledLimits } from '../http/unbilled-limits.js';
import type { ConnectionHealth } from '../observability/connection-health.js';
import type { LogWriter } from '../observability/log-writer.js';
import type { LimiterHealth } from '../observability/limiter-health.js';
import type { WalHealth } from '../observability/wal-health.js';
import type { WaitingSettlements } from '../observability/metrics/state-metrics.js';
import type { ObservedUpstreams } from '../observability/metrics/upstream-metrics.js';
import type { TrafficMetrics } from '../observability/metrics/traffic-metrics.js';
import type { IdempotentRequests } from '../routes/generation/idempotency/idempotent-requests.js';
import type { GatewaySettings, MailRoute } from './foundation.js';

/** A name in the container that knows what it stands for. */
function service<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** Everything the container can be asked for: ports first, then what is built on them. */
export const services = {
  settings: service<GatewaySettings>('settings'),
  log: service<Logger>('log'),
  /** `null` where something else writes the log. */
  logWriter: service<LogWriter | null>('logWriter'),
  clock: service<Clock>('clock'),
  ids: service<IdGenerator>('ids'),
  processId: service<ProcessId>('processId'),
  hasher: service<SecretHasher>('hasher'),
  accounts: service<AccountRepository>('accounts'),
  erasure: service<AccountErasure>('erasure'),
  keys: service<KeyRepository>('keys'),
  ledger: service<Ledger>('ledger'),
  ledgerAudit: service<LedgerAudit>('ledgerAudit'),
  usage: service<UsageReader>('usage'),
  idempotency: service<IdempotencyStore>('idempotency'),
  mailOutbox: service<MailOutbox>('mailOutbox'),
  mail: service<MailRoute>('mail'),
  platform: service<PlatformState>('platform'),
  /** `null` when no settlement ever waits. */
  outbox: service<WaitingSettlements | null>('outbox'),
  catalogue: service<CatalogueSource>('catalogue'),
  provider: service<ModelProvider>('provider'),
  upstreams: service<ObservedUpstreams>('upstreams'),
  estimator: service<TokenEstimator>('estimator'),
  limiter: service<RateLimiter>('limiter'),
  limiterHealth: service<LimiterHealth>('limiterHealth'),
  walHealth: service<WalHealth>('walHealth'),
  chat: service<WireFormat>('chat'),
  messages: service<WireFormat & TokenCountFormat>('messages'),

  running: service<RunningGenerations>('running'),
  /** `null` when nothing is measured. */
  traffic: service<TrafficMetrics | null>('traffic'),
  observer: service<GenerationObserver>('observer'),
  authenticator: service<Authenticator>('authenticator'),
  generations: service<GenerationService>('generations'),
  counting: service<TokenCounting>('counting'),
  keyManagement: service<KeyManagement>('keyManagement'),
  accountAdministration: service<AccountAdministration>('accountAdministration'),
  deletions: service<AccountDeletion>('deletions'),

  connections: service<ConnectionHealth>('connections'),
  exchanges: service<RunningExchanges>('exchanges'),
  gate: service<AdmissionGate>('gate'),
  idempotent: service<IdempotentRequests>('idempotent'),
  unbilled: service<UnbilledLimits>('unbilled'),
  refusalDelay: service<RefusalDelay>('refusalDelay'),
  sharedCounter: service<SharedCounter | null>('sharedCounter'),
  bodyBudget: service<BodyBudget>('bodyBudget'),
  bodies: service<JsonBodyReader>('bodies'),
  errors: service<ErrorReply>('errors'),
  publicAddress: service<PublicAddress>('publicAddress'),
  personRecords: service<PersonRecords>('personRecords'),
  sessionRecords: service<SessionRecords>('sessionRecords'),
  passwordHasher: service<PasswordHasher>('passwordHasher'),
  secretTokens: service<SecretTokens>('secretTokens'),
  people: service<PersonDirectory>('people'),
  sessions: service<Sessions>('sessions'),
  dashboard: service<RequestHandler>('dashboard'),
  app: service<RequestListener>('app'),
  leaseKeeper: service<LeaseKeeper>('leaseKeeper'),
  sweeper: service<Sweeper>('sweeper'),
  reconciler: service<Reconciler>('reconciler'),
  mailDelivery: service<MailDelivery>('mailDelivery'),
  mailer: service<Mailer>('mailer'),
  deletionRunner: service<DeletionRunner>('deletionRunner'),
  background: service<Background>('background'),
};
