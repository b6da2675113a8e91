import { type Clock, type IdGenerator, MILLISECONDS_PER_MINUTE, type ModelProvider, type ProcessId, type RateLimiter, type SharedCounter, type UsageReader } from '@tollgate/core';
import { type Environment, readSettings, type Settings } from '@tollgate/adapters-config';
import { openMailTransport } from '@tollgate/adapters-mail';
import { MemoryRateLimiter } from '@tollgate/adapters-memory';
import { Argon2Hasher, type InstallationSecret, RandomIds, RandomSecretTokens, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { DatabaseUnavailableError, NewerDatabaseError, openStore, type SqlStore } from '@tollgate/adapters-sql';
import { LinearTokenEstimator, UpstreamRouter } from '@tollgate/adapters-upstream';
import type { DestinationStream, Logger } from 'pino';
import { REFUSAL_DELAY_MILLISECONDS } from '../http/reply/refusal-delay.js';
import { createLog, standardErrorLog } from '../observability/create-log.js';
import { LimiterHealth } from '../observability/limiter-health.js';
import { UpstreamLog } from '../observability/metrics/upstream-log.js';
import { WalHealth } from '../observability/wal-health.js';
import { type ConnectionLimits, withinDescriptors } from '../server/connection-limits.js';
import { SERVER_LIMITS } from '../server/create-server.js';
import { descriptorLimit } from '../server/descriptor-limit.js';
import type { Foundation, GatewaySettings, MailRoute, Store } from './foundation.js';
import { LiveCatalogue } from './live-catalogue.js';
import { openInstallationSecret } from './open-installation-secret.js';
import { StartRefused } from '../server/start-refused.js';
import { type WithOutbox, withOutbox } from './with-outbox.js';

/** What may take the place of what the settings ask for. */
export type FoundationOverrides = Partial<Omit<Foundation, 'settings' | 'processId' | 'mail' | 'close'>> & {
  readonly settings?: Partial<GatewaySettings>;
  /** See `StoreOptions.elapsed`. */
  readonly elapsed?: () => number;
};

/** Another gateway that dies leaves messages, which the others find by looking. A database file has one gateway. */
const MAIL_POLL_MILLISECONDS = 30_000;
const LOOPBACK = ['127.0.0.0/8', '::1'];
/** Where a log goes that something else writes. */
const DISCARDED: DestinationStream = { write: () => undefined };

interface OpenedStore extends Store {
  readonly secret: InstallationSecret | null;
  close(): Promise<void>;
}

interface Surroundings {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Logger;
  readonly processId: ProcessId;
  readonly elapsed: () => number;
}

function settingsOf(environment: Environment): Settings {
  const reading = readSettings(environment);
  if ('problems' in reading) throw new StartRefused(reading.problems);
  return reading.settings;
}

/** Peers that may open any number of connections: this machine, and proxies that stand for many clients. */
function connectionLimits({ maxConnections, maxConnectionsPerAddress, trustedProxies }: Settings, log: Logger): ConnectionLimits {
  const wanted = { maximum: maxConnections, maximumPerAddress: maxConnectionsPerAddress, exemptNetworks: [...LOOPBACK, ...trustedProxies] };
  const descriptors = descriptorLimit();
  const limits = withinDescriptors(wanted, descriptors);
  if (limits !== wanted) log.warn({ maximum: limits.maximum, descriptors }, 'MAX_CONNECTIONS is lowered to 80 % of the file descriptors that this process may open');
  return limits;
}

function gatewaySettings(settings: Settings, log: Logger): GatewaySettings {
  const { host, port, trustedProxies, bodyBytesInFlight, unbilledPerMinuteKey, unbilledPerMinuteAddress, shutdownGraceMilliseconds, timeouts, metrics, ledgerVerifyMilliseconds, mode, dashboard } = settings;
  return {
    host,
    port,
    trustedProxies,
    bodyBytesInFlight,
    unbilledPerMinuteKey,
    unbilledPerMinuteAddress,
    refusalDelayMilliseconds: REFUSAL_DELAY_MILLISECONDS,
    shutdownGraceMilliseconds,
    // One generation after all candidates before it have timed out, with room to spare.
    reservationLifetimeMilliseconds: 2 * timeouts.wholeMilliseconds + MILLISECONDS_PER_MINUTE,
    server: SERVER_LIMITS,
    connections: connectionLimits(settings, log),
    dashboard,
    metrics,
    ledgerVerifyMilliseconds,
    mode,
  };
}

async function openDatabase(surroundings: Surroundings, walReport: WalHealth): Promise<WithOutbox<OpenedStore>> {
  const { settings, clock, processId, log, elapsed } = surroundings;
  try {
    const store = await openStore(settings.database, {
      clock, processId, elapsed, role: 'gateway', walReport, onMigrated: (step) => log.info({ step }, 'the database schema was brought up to date'),
    });
    return await withOutbox(await withSecret(store, surroundings), surroundings);
  } catch (thrown) {
    const mendable = thrown instanceof DatabaseUnavailableError || thrown instanceof NewerDatabaseError;
    throw mendable ? new StartRefused([`DATABASE_URL: ${thrown.message}`], { cause: thrown }) : thrown;
  }
}

/** The same store with the secret that belongs to it. Closes the store when there is none that does. */
async function withSecret(store: SqlStore, { settings: { secret }, clock, log }: Surroundings): Promise<OpenedStore> {
  return { ...store, secret: await orClose(store, openInstallationSecret({ secret, registry: store.installation, clock, log })) };
}

/** The models on offer, and what serves them. */
async function openModels({ settings, environment, clock, ids, log }: Surroundings) {
  const catalogue = await LiveCatalogue.open({ settings, environment, clock, log });
  const report = new UpstreamLog({ log, clock });
  const router = new UpstreamRouter(catalogue.upstreams, {
    clock,
    ids,
    report,
    onReasoningRefused: (refusal) => log.warn(refusal, 'the upstream refuses this reasoning setting for this model; it is left out until the catalogue changes'),
  });
  const stopFollowing = catalogue.follow((upstreams) => router.replace(upstreams));
  return { catalogue, provider: router as ModelProvider, upstreams: { circuits: () => router.circuits(), failures: report.failures }, close: () => Promise.all([stopFollowing(), router.close()]) };
}

function mailRoute({ mail, database }: Settings): MailRoute {
  return { openTransport: () => openMailTransport(mail), pollMilliseconds: database.kind === 'postgres' ? MAIL_POLL_MILLISECONDS : null };
}

interface Limits {
  readonly limiter: RateLimiter;
  readonly counter: SharedCounter | null;
  close(): Promise<void>;
}

/** Limits over Redis when there is one, else those of this process. */
async function openLimits({ settings, clock, processId, log }: Surroundings, usage: UsageReader, health: LimiterHealth): Promise<Limits> {
  const { redis } = settings;
  if (redis === null) return { limiter: new MemoryRateLimiter({ clock, usage }), counter: null, close: () => Promise.resolve() };
  // Loaded here, since most gateways do without.
  const { openSharedLimits } = await import('./open-shared-limits.js');
  return openSharedLimits({ redis, clock, processId, usage, log, health });
}

/** What was opened; where that fails, the store is closed. */
async function orClose<Opened>(store: { close(): Promise<void> }, opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

/** Opens what the environment asks for. Throws `StartRefused` when it cannot be used; nothing stays open then. */
export async function openFoundation(environment: Environment, overrides: FoundationOverrides = {}): Promise<Foundation> {
  const settings = settingsOf(environment);
  const { clock = new SystemClock(), ids = new RandomIds() } = overrides;
  const logWriter = overrides.log === undefined ? await standardErrorLog(settings.logFormat) : null;
  const log = overrides.log ?? createLog(settings.logLevel, logWriter ?? DISCARDED);
  const surroundings: Surroundings = { settings, environment, clock, ids, log, processId: ids.processId(), elapsed: overrides.elapsed ?? (() => performance.now()) };
  const walHealth = overrides.walHealth ?? new WalHealth(log);
  const store = overrides.store === undefined ? await openDatabase(surroundings, walHealth) : { ...overrides.store, outbox: null, secret: null, close: () => Promise.resolve() };
  const models = await orClose(store, openModels(surroundings));
  const limiterHealth = overrides.limiterHealth ?? new LimiterHealth(log);
  const limits = await openLimits(surroundings, store.usage, limiterHealth);
  return {
    settings: { ...gatewaySettings(settings, log), ...overrides.settings },
    log,
    logWriter: overrides.logWriter ?? logWriter,
    clock,
    ids,
    processId: surroundings.processId,
    hasher: overrides.hasher ?? new Sha256Hasher(),
    passwordHasher: overrides.passwordHasher ?? new Argon2Hasher(),
    secretTokens: overrides.secretTokens ?? new RandomSecretTokens(),
    store,
    secret: overrides.secret ?? store.secret,
    outbox: overrides.outbox ?? store.outbox,
    mail: mailRoute(settings),
    catalogue: overrides.catalogue ?? models.catalogue,
    provider: overrides.provider ?? models.provider,
    upstreams: overrides.upstreams ?? models.upstreams,
    estimator: overrides.estimator ?? new LinearTokenEstimator(),
    limiter: overrides.limiter ?? limits.limiter,
    sharedCounter: overrides.sharedCounter ?? limits.counter,
    limiterHealth,
    walHealth,
    close: async () => {
      await limits.close();
      await models.close();
      await store.close();
    },
  };
}
