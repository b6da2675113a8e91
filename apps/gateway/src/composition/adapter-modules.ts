import { openMailTransport } from '@tollgate/adapters-mail';
import { MemoryRateLimiter } from '@tollgate/adapters-memory/limits';
import { Argon2Hasher, RandomIds, RandomSecretTokens, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { LinearTokenEstimator, UpstreamSockets } from '@tollgate/adapters-upstream';
import { mailPollMilliseconds } from '../background/mail-delivery.js';
import { openGatewayStore, openInstallationSecret, openOutbox, openOutboxOfReplies, openSignupCredits, refusingStart } from '../adapters/store.js';
import { openUpstreams } from '../adapters/upstreams.js';
import { gatewaySettings, settingsFrom } from '../gateway/gateway-settings.js';
import { serviceModule, services } from '../gateway/services.js';
import { LimiterHealth, WalHealth } from '../observability/health-reports.js';
import { MoneyHealth, WatchedLedger } from '../observability/money-health.js';
import { createLog, DISCARDED_LOG, standardErrorLog } from '../observability/create-log.js';

/** What belongs to this process: its settings, log, clock and ids. */
export const processModule = serviceModule((make) => {
  make(services.configuration, ({ environment }) => settingsFrom(environment));
  make(services.settings, ({ configuration, log }) => gatewaySettings(configuration, log));
  make(services.resources, () => new AsyncDisposableStack());
  make(services.logWriter, ({ configuration }) => standardErrorLog(configuration.logFormat));
  make(services.log, ({ configuration, logWriter }) => createLog(configuration.logLevel, logWriter ?? DISCARDED_LOG));
  make(services.clock, () => new SystemClock());
  make(services.leaseClock, () => 'database' as const);
  make(services.elapsed, () => () => performance.now());
  make(services.ids, () => new RandomIds());
  make(services.processId, ({ ids }) => ids.processId());
  make(services.preparation, () => () => Promise.resolve());
  make(services.hasher, () => new Sha256Hasher());
  make(services.passwordHasher, () => new Argon2Hasher());
  make(services.secretTokens, () => new RandomSecretTokens());
  make(services.mail, ({ configuration: { mail, database } }) => ({ openTransport: () => openMailTransport(mail), pollMilliseconds: mailPollMilliseconds(database) }));
});

/** What outlives the process. */
export const storageModule = serviceModule((make) => {
  make(WalHealth, ({ log }) => new WalHealth(log));
  make(services.store, async ({ configuration, clock, leaseClock, processId, elapsed, log, resources }, context) =>
    resources.adopt(await openGatewayStore({ configuration, clock, leaseClock, processId, elapsed, log, walHealth: context.get(WalHealth) }), (store) => store.close()));
  make(services.secret, ({ configuration: { secret }, store: { installation }, clock, log }) => refusingStart(openInstallationSecret({ secret, registry: installation, clock, log })));
  make(services.signupCredits, ({ settings: { dashboard }, secret, log }) => openSignupCredits(dashboard, secret, log));
  make(MoneyHealth, ({ clock, log }) => new MoneyHealth(clock, log));
  make(WatchedLedger, ({ store }, context) => new WatchedLedger(store.ledger, context.get(MoneyHealth)));
  make(services.outbox, async ({ configuration, clock, log, resources }, context) =>
    resources.adopt(await openOutbox({ configuration, ledger: context.get(WatchedLedger), clock, log }), (outbox) => outbox.close()));
  make(services.ledger, ({ outbox }) => outbox);
  make(services.accounts, ({ store }) => store.accounts);
  make(services.erasure, ({ store }) => store.erasure);
  make(services.keys, ({ store }) => store.keys);
  make(services.ledgerAudit, ({ store }) => store.ledgerAudit);
  make(services.usage, ({ store }) => store.usage);
  make(services.idempotency, async ({ configuration, store: { idempotency }, clock, log, resources }) =>
    resources.adopt(await openOutboxOfReplies({ configuration, idempotency, clock, log }), (outbox) => outbox.close()));
  make(services.responses, ({ store }) => store.responses);
  make(services.mailOutbox, ({ store }) => store.mail);
  make(services.platform, ({ store }) => store.platform);
  make(services.controls, ({ store }) => store.controls);
  make(services.personRecords, ({ store }) => store.people);
  make(services.sessionRecords, ({ store }) => store.sessions);
  make(services.factorRecords, ({ store }) => store.factors);
});

/** The models on offer, and what serves them. */
export const upstreamsModule = serviceModule((make) => {
  make(UpstreamSockets, () => new UpstreamSockets());
  make(services.openedUpstreams, async ({ configuration, environment, clock, ids, log, resources }, context) =>
    resources.adopt(await openUpstreams({ settings: configuration, environment, clock, ids, log, sockets: context.get(UpstreamSockets) }), (opened) => opened.close()));
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
    return resources.adopt(await openSharedLimits({ redis, clock, usage, processId, log, health: context.get(LimiterHealth) }), (limits) => limits.close());
  });
  make(services.limiter, ({ limits }) => limits.limiter);
  make(services.sharedCounter, ({ limits }) => limits.counter);
});
