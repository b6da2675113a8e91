import type {
  AccountErasure, AccountRepository, CatalogueSource, Clock, IdempotencyStore, IdGenerator, KeyRepository, Ledger, LedgerAudit, MailOutbox, MailTransport, ModelProvider, PasswordHasher, PersonRecords,
  PlatformState, ProcessId, RateLimiter, SecretHasher, SecretTokens, SessionRecords, SharedCounter, TokenEstimator, UsageReader,
} from '@tollgate/core';
import type { DashboardSettings } from '@tollgate/adapters-config';
import type { InstallationSecret } from '@tollgate/adapters-node';
import type { Logger } from 'pino';
import type { LogWriter } from '../observability/log-writer.js';
import type { LimiterHealth } from '../observability/limiter-health.js';
import type { WalHealth } from '../observability/wal-health.js';
import type { WaitingSettlements } from '../observability/metrics/state-metrics.js';
import type { ObservedUpstreams } from '../observability/metrics/upstream-metrics.js';
import type { ConnectionLimits } from '../server/connection-limits.js';
import type { ServerLimits } from '../server/create-server.js';
import type { Place } from '../server/listening.js';

/** Everything that is kept when the process ends. */
export interface Store {
  readonly accounts: AccountRepository;
  readonly erasure: AccountErasure;
  readonly keys: KeyRepository;
  readonly ledger: Ledger;
  readonly ledgerAudit: LedgerAudit;
  readonly usage: UsageReader;
  readonly idempotency: IdempotencyStore;
  readonly mail: MailOutbox;
  readonly platform: PlatformState;
  readonly people: PersonRecords;
  readonly sessions: SessionRecords;
}

/** How messages leave this gateway. */
export interface MailRoute {
  readonly openTransport: () => Promise<MailTransport>;
  /** How often to look for messages of other processes; `null`: never. */
  readonly pollMilliseconds: number | null;
}

export interface GatewaySettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Networks of proxies whose word on the client's address is taken. */
  readonly trustedProxies: readonly string[];
  /** Units of work that is not billed, a minute and key, and a minute and address; 0 is no limit. */
  readonly unbilledPerMinuteKey: number;
  readonly unbilledPerMinuteAddress: number;
  /** How long refusals of clients that cause much unbilled work wait; 0: not at all. */
  readonly refusalDelayMilliseconds: number;
  /** Bytes of request bodies between their headers and their decoding. */
  readonly bodyBytesInFlight: number;
  /** How long running requests may go on once the service is asked to stop. */
  readonly shutdownGraceMilliseconds: number;
  /** Longer than any generation may last. */
  readonly reservationLifetimeMilliseconds: number;
  readonly server: ServerLimits;
  readonly connections: ConnectionLimits;
  readonly dashboard: DashboardSettings;
  /** Where `GET /metrics` is answered; `null`: nowhere, and nothing is measured. */
  readonly metrics: Place | null;
  /** How often the books are recomputed; `null`: never. */
  readonly ledgerVerifyMilliseconds: number | null;
  /** In development, the first start makes an account to try things out with. */
  readonly mode: 'production' | 'development';
}

/** What the gateway stands on: the adapters behind its ports, and its settings. */
export interface Foundation {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  /** What writes the log; `null` where something else does. */
  readonly logWriter: LogWriter | null;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly hasher: SecretHasher;
  readonly passwordHasher: PasswordHasher;
  readonly secretTokens: SecretTokens;
  /** This run of this process, the owner of the reservations it opens. */
  readonly processId: ProcessId;
  readonly store: Store;
  /** Shared by all gateways of this store; `null`: what needs it is off. */
  readonly secret: InstallationSecret | null;
  /** Settlements that wait on this machine for the store; `null` when none ever do. */
  readonly outbox: WaitingSettlements | null;
  readonly mail: MailRoute;
  readonly catalogue: CatalogueSource;
  readonly provider: ModelProvider;
  readonly upstreams: ObservedUpstreams;
  readonly estimator: TokenEstimator;
  readonly limiter: RateLimiter;
  /** Where gateways add up unbilled work; `null` where each counts alone. */
  readonly sharedCounter: SharedCounter | null;
  readonly limiterHealth: LimiterHealth;
  readonly walHealth: WalHealth;
  /** Lets go of everything that was opened for it. Called once, when nothing runs any more. */
  close(): Promise<void>;
}
