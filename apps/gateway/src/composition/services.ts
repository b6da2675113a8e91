import type { RequestListener, Server } from 'node:http';
import type { RequestHandler } from 'express';
import type { ServiceIdentifier } from 'inversify';
import type {
  AccountErasure, AccountRepository, CatalogueSource, Clock, FactorCodes, FactorRecords, GenerationObserver, IdempotencyStore, IdGenerator, KeyRepository, Ledger, LedgerAudit, Mailer, MailOutbox,
  ModelProvider, OperatorControls, OperatorLookups, PasswordHasher, PersonDirectory, PersonRecords, PlatformState, ProcessId, RateLimiter, SecondFactors, SecretHasher, SecretTokens, SessionRecords, Sessions, SharedCounter, SignupCredits, TokenCountFormat,
  TokenEstimator, UsageReader, WireFormat,
} from '@tollgate/core';
import type { Environment, Settings } from '@tollgate/adapters-config';
import type { InstallationSecret, OutboxLedger } from '@tollgate/adapters-node';
import type { SqlStore } from '@tollgate/sql-common';
import type { Logger } from 'pino';
import type { AdministrationPorts, IdentityUseCases, OperationPorts } from '../dashboard/call/dashboard-ports.js';
import type { MailDeliveryPorts } from '../background/mail-delivery.js';
import type { LogWriter } from '../observability/log-writer.js';
import type { ObservedUpstreams } from '../observability/upstream-metrics.js';
import type { TrafficMetrics } from '../observability/traffic-metrics.js';
import type { GenerationHandler } from '../routes/generation/generation-handler.js';
import type { GatewaySettings } from './gateway-settings.js';
import type { Limits } from '../adapters/shared-limits.js';

/** Everything that is kept when the process ends. */
export type Store = Pick<SqlStore, 'accounts' | 'auditTrail' | 'controls' | 'erasure' | 'installation' | 'keys' | 'ledger' | 'ledgerAudit' | 'lookups' | 'usage' | 'usageTotals' | 'idempotency' | 'mail' | 'people' | 'platform' | 'sessions' | 'factors' | 'passkeys' | 'issuers'>;

/** How messages leave this gateway. */
export type MailRoute = Pick<MailDeliveryPorts, 'openTransport' | 'pollMilliseconds'>;

/** A new identifier of what has the type `T`. */
export function identifier<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** Identifies what the container holds and no class identifies: ports, settings and values. A class identifies itself. */
export const services = {
  // process-module.ts
  environment: identifier<Environment>('environment'),
  /** The environment, validated. */
  configuration: identifier<Settings>('configuration'),
  settings: identifier<GatewaySettings>('settings'),
  /** Closes what was opened, last opened first. */
  resources: identifier<AsyncDisposableStack>('resources'),
  log: identifier<Logger>('log'),
  /** `null` where the log does not go to standard error. */
  logWriter: identifier<LogWriter | null>('logWriter'),
  clock: identifier<Clock>('clock'),
  /** Milliseconds of a monotonic clock; see `StoreOptions.elapsed`. */
  elapsed: identifier<() => number>('elapsed'),
  ids: identifier<IdGenerator>('ids'),
  /** This run of this process, the owner of the reservations it opens. */
  processId: identifier<ProcessId>('processId'),
  hasher: identifier<SecretHasher>('hasher'),

  // storage-module.ts
  store: identifier<Store>('store'),
  accounts: identifier<AccountRepository>('accounts'),
  erasure: identifier<AccountErasure>('erasure'),
  keys: identifier<KeyRepository>('keys'),
  ledger: identifier<Ledger>('ledger'),
  ledgerAudit: identifier<LedgerAudit>('ledgerAudit'),
  usage: identifier<UsageReader>('usage'),
  idempotency: identifier<IdempotencyStore>('idempotency'),
  mailOutbox: identifier<MailOutbox>('mailOutbox'),
  platform: identifier<PlatformState>('platform'),
  controls: identifier<OperatorControls>('controls'),
  personRecords: identifier<PersonRecords>('personRecords'),
  sessionRecords: identifier<SessionRecords>('sessionRecords'),
  factorRecords: identifier<FactorRecords>('factorRecords'),
  /** Shared by all gateways of this store; `null`: what needs it is off. */
  secret: identifier<InstallationSecret | null>('secret'),
  /** Keeps settlements on this machine while the store does not take them; `null` where it has no file for them. */
  outbox: identifier<OutboxLedger | null>('outbox'),

  // upstreams-module.ts
  catalogue: identifier<CatalogueSource>('catalogue'),
  provider: identifier<ModelProvider>('provider'),
  upstreams: identifier<ObservedUpstreams>('upstreams'),
  estimator: identifier<TokenEstimator>('estimator'),

  // limits-module.ts
  limits: identifier<Limits>('limits'),
  limiter: identifier<RateLimiter>('limiter'),
  /** Adds up the unbilled work of all gateways; `null` where each counts alone. */
  sharedCounter: identifier<SharedCounter | null>('sharedCounter'),

  // core-module.ts
  observer: identifier<GenerationObserver>('observer'),
  mailer: identifier<Mailer>('mailer'),

  // background-module.ts
  mail: identifier<MailRoute>('mail'),
  /** `null` where metrics are off. */
  traffic: identifier<TrafficMetrics | null>('traffic'),

  // dashboard-module.ts
  passwordHasher: identifier<PasswordHasher>('passwordHasher'),
  secretTokens: identifier<SecretTokens>('secretTokens'),
  people: identifier<PersonDirectory>('people'),
  /** `null`: new accounts begin with nothing. */
  signupCredits: identifier<SignupCredits | null>('signupCredits'),
  sessions: identifier<Sessions>('sessions'),
  /** `null` without the installation's secret. */
  factorCodes: identifier<FactorCodes | null>('factorCodes'),
  secondFactors: identifier<SecondFactors>('secondFactors'),
  administration: identifier<AdministrationPorts>('administration'),
  lookups: identifier<OperatorLookups>('lookups'),
  operations: identifier<OperationPorts>('operations'),
  dashboard: identifier<RequestHandler>('dashboard'),
  /** The folder that the dashboard is built into. */
  dashboardPages: identifier<URL>('dashboardPages'),

  // identity-module.ts
  identity: identifier<IdentityUseCases>('identity'),

  // http-module.ts
  chat: identifier<WireFormat>('chat'),
  messages: identifier<WireFormat & TokenCountFormat>('messages'),
  chatGenerations: identifier<GenerationHandler>('chatGenerations'),
  messagesGenerations: identifier<GenerationHandler>('messagesGenerations'),
  app: identifier<RequestListener>('app'),
  server: identifier<Server>('server'),
};

type Identified<Identifier> = [Identifier] extends [ServiceIdentifier<infer Service>] ? Service : never;

/** What each identifier stands for. */
export type Services = { readonly [Name in keyof typeof services]: Identified<(typeof services)[Name]> };
