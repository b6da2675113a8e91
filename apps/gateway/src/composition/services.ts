import { administrationServices, identifier, type Resolved } from '@tollgate/composition';
import type { RequestListener, Server } from 'node:http';
import type { RequestHandler } from 'express';
import type { CreditRecords,
  AuditTrail, BackgroundEvents, BalanceAlerts, EventLog, GenerationObserver, IdempotencyStore, LedgerAudit, MachineClaims, ModelProvider, OperatorLookups, PaymentProvider, PaymentRecords, PlatformState, ProcessId, RateLimiter, ResponseStore,
  SharedCounter, TokenEstimator, UsageFeed, UsageReader, UsageTotals,
} from '@tollgate/core';
import type {
  AddressHashes, AlertRecords, FactorRecords, MailLanguage, Mailer, PasswordHasher, PersonDirectory, SecondFactors, SessionProofsParts, SessionRecords, Sessions, SignupCredits,
} from '@tollgate/identity';
import type { Environment, MailAppearance, Settings } from '@tollgate/adapters-config';
import type { InstallationSecret, OutboxLedger } from '@tollgate/adapters-node';
import type { LeaseClock } from '@tollgate/sql-common';
import type { Logger } from 'pino';
import type { Limits } from '../adapters/shared-limits.js';
import type { Store } from '../adapters/store.js';
import type { OpenedUpstreams } from '../adapters/upstreams.js';
import type { MailRoute } from '../background/mail-delivery.js';
import type { Brand } from '../dashboard/brand/brand.js';
import type { AdministrationPorts, IdentityUseCases, OperationPorts, PaymentPorts, PlaygroundPorts } from '../dashboard/call/dashboard-ports.js';
import type { LogWriter } from '../observability/log-writer.js';
import type { TrafficMetrics } from '../observability/traffic-metrics.js';
import type { ObservedUpstreams } from '../observability/upstream-metrics.js';
import type { OfferedFormats } from '../http/error-format.js';
import type { RequestObserver } from '../http/middleware/request-context.js';
import type { Generations } from '../routes/generation/generation-handler.js';
import type { GatewaySettings } from '../gateway/gateway-settings.js';

/** Identifiers of ports, settings and values; classes identify themselves. */
export const services = {
  ...administrationServices,
  environment: identifier<Environment>('environment'),
  /** Validated environment. */
  configuration: identifier<Settings>('configuration'),
  settings: identifier<GatewaySettings>('settings'),
  /** Closed in reverse order of their opening. */
  resources: identifier<AsyncDisposableStack>('resources'),
  log: identifier<Logger>('log'),
  /** `null` if the log does not go to standard error. */
  logWriter: identifier<LogWriter | null>('logWriter'),
  /** Monotonic milliseconds, for measuring work; see `StoreOptions.elapsed`. */
  elapsed: identifier<() => number>('elapsed'),
  /** The clock that decides about leases in a shared database. */
  leaseClock: identifier<LeaseClock>('leaseClock'),
  /** Identifies this process as the owner of its reservations. */
  processId: identifier<ProcessId>('processId'),
  /** Called before the gateway listens. */
  preparation: identifier<() => void>('preparation'),

  store: identifier<Store>('store'),
  ledgerAudit: identifier<LedgerAudit>('ledgerAudit'),
  usage: identifier<UsageReader>('usage'),
  idempotency: identifier<IdempotencyStore>('idempotency'),
  machineClaims: identifier<MachineClaims>('machineClaims'),
  usageTotals: identifier<UsageTotals>('usageTotals'),
  events: identifier<EventLog>('events'),
  alerts: identifier<BalanceAlerts>('alerts'),
  credits: identifier<CreditRecords>('credits'),
  alertRecords: identifier<AlertRecords>('alertRecords'),
  backgroundEvents: identifier<BackgroundEvents>('background events'),
  usageFeed: identifier<UsageFeed>('usage feed'),
  responses: identifier<ResponseStore>('responses'),
  platform: identifier<PlatformState>('platform'),
  lookups: identifier<OperatorLookups>('lookups'),
  auditTrail: identifier<AuditTrail>('auditTrail'),
  sessionRecords: identifier<SessionRecords>('sessionRecords'),
  factorRecords: identifier<FactorRecords>('factorRecords'),
  /** Shared by all gateways of the database. `null` if none is configured; the features that need a secret are then disabled. */
  secret: identifier<InstallationSecret | null>('secret'),
  /** Queues settlements while the database is unavailable. */
  outbox: identifier<OutboxLedger>('outbox'),

  openedUpstreams: identifier<OpenedUpstreams>('openedUpstreams'),
  provider: identifier<ModelProvider>('provider'),
  upstreams: identifier<ObservedUpstreams>('upstreams'),
  estimator: identifier<TokenEstimator>('estimator'),
  limits: identifier<Limits>('limits'),
  limiter: identifier<RateLimiter>('limiter'),
  /** Counts unbilled work of all gateways; `null` without Redis. */
  sharedCounter: identifier<SharedCounter | null>('sharedCounter'),

  generationObserver: identifier<GenerationObserver>('generationObserver'),
  mail: identifier<MailRoute>('mail'),
  mailer: identifier<Mailer>('mailer'),
  /** `null` if metrics are off. */
  traffic: identifier<TrafficMetrics | null>('traffic'),
  passwordHasher: identifier<PasswordHasher>('passwordHasher'),
  people: identifier<PersonDirectory>('people'),
  /** Recognises mailboxes, also those of deleted accounts; `null` without the installation's secret. */
  mailboxes: identifier<AddressHashes | null>('mailboxes'),
  /** `null` if signing up gives no credit. */
  signupCredits: identifier<SignupCredits | null>('signupCredits'),
  proofs: identifier<SessionProofsParts>('proofs'),
  sessions: identifier<Sessions>('sessions'),
  secondFactors: identifier<SecondFactors>('secondFactors'),
  identity: identifier<IdentityUseCases>('identity'),
  administration: identifier<AdministrationPorts>('administration'),
  operations: identifier<OperationPorts>('operations'),
  playground: identifier<PlaygroundPorts>('playground'),
  dashboard: identifier<RequestHandler>('dashboard'),
  /** The routes for machines. */
  admin: identifier<RequestHandler>('admin'),
  brand: identifier<Brand>('brand'),
  mailAppearance: identifier<MailAppearance>('mailAppearance'),
  payments: identifier<PaymentPorts>('payments'),
  dashboardPages: identifier<URL>('dashboardPages'),
  paymentRecords: identifier<PaymentRecords>('paymentRecords'),
  /** `null` where payments are off. */
  paymentProvider: identifier<PaymentProvider | null>('paymentProvider'),
  /** How owners get credit, for refusals and mails; `null` if the settings name no way. */
  creditAdvice: identifier<(language?: MailLanguage | null) => string | null>('creditAdvice'),
  paymentNotifications: identifier<RequestHandler>('paymentNotifications'),
  formats: identifier<OfferedFormats>('formats'),
  generations: identifier<Generations>('generations'),
  /** Called at the end of each request. */
  requestObservers: identifier<readonly RequestObserver[]>('requestObservers'),
  root: identifier<RequestHandler>('root'),
  openApi: identifier<RequestHandler>('openapi'),
  app: identifier<RequestListener>('app'),
  server: identifier<Server>('server'),
};

export type Services = Resolved<typeof services>;
