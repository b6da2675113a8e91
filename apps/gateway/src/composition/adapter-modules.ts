import { readSettings } from '@tollgate/adapters-config';
import { openMailTransport } from '@tollgate/adapters-mail';
import { MemoryRateLimiter } from '@tollgate/adapters-memory/limits';
import { Argon2Hasher, RandomIds, RandomSecretTokens, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import { openGatewayStore, openInstallationSecret, openOutbox, openSignupCredits, refusingStart } from '../adapters/store.js';
import { openUpstreams } from '../adapters/upstreams.js';
import { gatewaySettings } from '../gateway/gateway-settings.js';
import { serviceModule, services } from '../gateway/services.js';
import { StartRefused } from '../http/server/create-server.js';
import { LimiterHealth, WalHealth } from '../observability/health-reports.js';
import { createLog, DISCARDED_LOG, standardErrorLog } from '../observability/log.js';

/** Another gateway that dies leaves messages, which the others find by polling. A database file has one gateway. */
const MAIL_POLL_MILLISECONDS = 30_000;

/** What belongs to this process: its settings, log, clock and ids. */
export const processModule = serviceModule((make) => {
  make(services.configuration, ({ environment }) => {
    const reading = readSettings(environment);
    if ('problems' in reading) throw new StartRefused(reading.problems);
    return reading.settings;
  });
  make(services.settings, ({ configuration, log }) => gatewaySettings(configuration, log));
  make(services.resources, () => new AsyncDisposableStack());
  make(services.logWriter, ({ configuration }) => standardErrorLog(configuration.logFormat));
  make(services.log, ({ configuration, logWriter }) => createLog(configuration.logLevel, logWriter ?? DISCARDED_LOG));
  make(services.clock, () => new SystemClock());
  make(services.elapsed, () => () => performance.now());
  make(services.ids, () => new RandomIds());
  make(services.processId, ({ ids }) => ids.processId());
  make(services.hasher, () => new Sha256Hasher());
  make(services.passwordHasher, () => new Argon2Hasher());
  make(services.secretTokens, () => new RandomSecretTokens());
  make(services.mail, ({ configuration: { mail, database } }) => ({
    openTransport: () => openMailTransport(mail), pollMilliseconds: database.kind === 'postgres' ? MAIL_POLL_MILLISECONDS : null,
  }));
});

/** What outlives the process. */
export const storageModule = serviceModule((make) => {
  make(WalHealth, ({ log }) => new WalHealth(log));
  make(services.store, async ({ configuration, clock, processId, elapsed, log, resources }, context) => {
    const store = await openGatewayStore({ configuration, clock, processId, elapsed, log, walHealth: context.get(WalHealth) });
    resources.defer(() => store.close());
    return store;
  });
  make(services.secret, ({ configuration: { secret }, store: { installation }, clock, log }) => refusingStart(openInstallationSecret({ secret, registry: installation, clock, log })));
  make(services.signupCredits, ({ settings: { dashboard }, secret, log }) => openSignupCredits(dashboard, secret, log));
  make(services.outbox, async ({ configuration, store: { ledger }, clock, log, resources }) => {
    const outbox = await openOutbox({ configuration, ledger, clock, log });
    if (outbox !== null) resources.defer(() => outbox.close());
    return outbox;
  });
  make(services.ledger, ({ outbox, store }) => outbox ?? store.ledger);
  make(services.accounts, ({ store }) => store.accounts);
  make(services.erasure, ({ store }) => store.erasure);
  make(services.keys, ({ store }) => store.keys);
  make(services.ledgerAudit, ({ store }) => store.ledgerAudit);
  make(services.usage, ({ store }) => store.usage);
  make(services.idempotency, ({ store }) => store.idempotency);
  make(services.mailOutbox, ({ store }) => store.mail);
  make(services.platform, ({ store }) => store.platform);
  make(services.controls, ({ store }) => store.controls);
  make(services.personRecords, ({ store }) => store.people);
  make(services.sessionRecords, ({ store }) => store.sessions);
  make(services.factorRecords, ({ store }) => store.factors);
});

/** The models on offer, and what serves them. */
export const upstreamsModule = serviceModule((make) => {
  make(services.openedUpstreams, async ({ configuration, environment, clock, ids, log, resources }) => {
    const opened = await openUpstreams({ settings: configuration, environment, clock, ids, log });
    resources.defer(() => opened.close());
    return opened;
  });
  make(services.catalogue, async (_named, context) => (await context.getAsync(services.openedUpstreams)).catalogue);
  make(services.provider, async (_named, context) => (await context.getAsync(services.openedUpstreams)).provider);
  make(services.upstreams, async (_named, context) => (await context.getAsync(services.openedUpstreams)).observed);
  make(services.estimator, () => new LinearTokenEstimator());
});

/** Limits over Redis if the settings name one, else those of this process. */
export const limitsModule = serviceModule((make) => {
  make(LimiterHealth, ({ log }) => new LimiterHealth(log));
  make(services.limits, async ({ configuration: { redis }, clock, usage, processId, log, resources }, context) => {
    if (redis === null) return { limiter: new MemoryRateLimiter({ clock, usage }), counter: null };
    // Imported here, since most gateways have no Redis.
    const { openSharedLimits } = await import('../adapters/shared-limits.js');
    const limits = await openSharedLimits({ redis, clock, usage, processId, log, health: context.get(LimiterHealth) });
    resources.defer(() => limits.close());
    return limits;
  });
  make(services.limiter, ({ limits }) => limits.limiter);
  make(services.sharedCounter, ({ limits }) => limits.counter);
});
