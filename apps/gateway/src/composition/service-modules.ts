import {
  AccountAdministration, AccountDeletion, AccountStandings, AllAccountsUsage, Authenticator, Blocklist, GenerationEstimates, GenerationService,
  KeyManagement, PAY_AS_YOU_GO, PlaygroundAccess, RunningGenerations, TokenCounting,
} from '@tollgate/core';
import {
  AccountSearch, AttemptLimits, FactorNotices, KnownDevices, LOOPBACK_DEVICE_COOKIE, Operators, OwnDeletion, PasswordRules, QueuedMailer,
  SECURE_DEVICE_COOKIE, type SessionProofsParts, StoredFactors, StoredPeople, StoredSessions,
} from '@tollgate/identity';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import type { ResolutionContext } from 'inversify';
import { MemoryCounter } from '@tollgate/adapters-memory/limits';
import { seenEntriesFileOf } from '@tollgate/adapters-config';
import { databaseLocationName } from '@tollgate/sql-common';
import { AesReasoningSeal, CommonPasswordList, factorCodes, HmacDeviceSigner } from '@tollgate/adapters-node';
import { UpstreamSockets } from '@tollgate/adapters-upstream';
import { AuthenticatorCodes } from '@tollgate/adapters-sign-in';
import { ForgottenSweeper } from '../background/forgotten-sweeper.js';
import { HistoryWatch } from '../background/history-watch.js';
import { LeaseKeeper, Reconciler, ResponseSweeper, SweepRunner } from '../background/ledger-tasks.js';
import { MailDelivery } from '../background/mail-delivery.js';
import { BlockExpiry, DeletionRunner, TotalsRunner } from '../background/scheduled-tasks.js';
import { serviceModule, services, type Services } from '../gateway/services.js';
import { AdmissionGate, RunningExchanges } from '../http/running-exchanges.js';
import { NetworkShares } from '../http/server/network-shares.js';
import { generationObserver, RequestLog } from '../observability/log.js';
import { TrafficMetrics } from '../observability/gateway-metrics.js';
import { AccountFunds } from '../http/account-funds.js';
import { BodyBudget } from '../http/body-budget.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { DiscardPace } from '../http/discard-pace.js';
import { ErrorReply, RefusalDelay } from '../http/reply/error-reply.js';
import { createServer } from '../http/server/create-server.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { LiveAlerts, LiveTraffic } from '../live/live-traffic.js';
import { LiveFeed } from '../live/live-feed.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { DatabaseOutage } from '../http/reply/database-outage.js';
import { BodyHealth, ConnectionHealth, LimiterHealth } from '../observability/health-reports.js';
import { MoneyHealth } from '../observability/money-health.js';
import { RequestLimitLog } from '../observability/request-limit-log.js';
import { createApp, lazyDashboard } from '../gateway/app.js';
import { GenerationHandler } from '../routes/generation/generation-handler.js';
import { IdempotentRequests } from '../routes/generation/idempotent-requests.js';
import { KeptReplies } from '../routes/generation/kept-replies.js';
import { rootRoute } from '../routes/root.js';
import { StoredLoads } from '../routes/generation/stored-loads.js';
import { createIdentity, type DashboardPorts, SignInMethods } from '../dashboard/call/dashboard-ports.js';
import { PublicAddress } from '../http/addresses.js';

/** The use cases of the core, each with its ports. */
export const coreModule = serviceModule((make) => {
  make(RunningGenerations, () => new RunningGenerations());
  make(Authenticator, ({ keys, catalogue, hasher, clock }) => new Authenticator({ keys, catalogue, hasher, clock }));
  make(GenerationService, ({ catalogue, platform, estimator, limiter, ledger, provider, ids, clock, processId, settings, log, traffic }, context) => {
    const observer = generationObserver({ log, clock, exchanges: context.get(RunningExchanges) }, traffic);
    const { reservationLifetimeMilliseconds, earlyHeadersMilliseconds, dashboard: { creditLine } } = settings;
    const running = context.get(RunningGenerations);
    return new GenerationService({ catalogue, platform, estimator, limiter, ledger, provider, running, observer, ids, clock }, {
      processId, reservationLifetimeMilliseconds, earlyHeadersMilliseconds, creditLine,
    });
  });
  make(TokenCounting, ({ catalogue, estimator, limiter }) => new TokenCounting({ catalogue, estimator, limiter }));
  make(KeyManagement, ({ keys, ids, hasher, clock }) => new KeyManagement({ keys, ids, hasher, clock }));
  make(AccountAdministration, ({ accounts, ledger, catalogue, ids, clock }) => new AccountAdministration({ accounts, ledger, catalogue, ids, clock }));
  make(AccountStandings, ({ accounts, clock }) => new AccountStandings({ accounts, clock }));
  make(AccountDeletion, ({ accounts, erasure, clock }) => new AccountDeletion({ accounts, erasure, clock }));
  make(AccountSearch, ({ accounts, people, store: { lookups } }) => new AccountSearch({ accounts, people, lookups }));
  make(Blocklist, ({ controls, keys, clock }, context) => new Blocklist({ controls, keys, clock, standings: context.get(AccountStandings) }));
  make(AllAccountsUsage, ({ store, clock }) => new AllAccountsUsage(store.usageTotals, clock));
  make(services.people, ({ personRecords, passwordHasher, secretTokens, ids, settings, signupCredits }, context) => new StoredPeople({
    records: personRecords, hasher: passwordHasher, devices: context.get(KnownDevices), tokens: secretTokens, ids, signUp: settings.dashboard.signUp, planId: PAY_AS_YOU_GO, signupCredits,
  }));
  make(services.mailer, ({ mailOutbox, ids, clock }, context) => {
    const delivery = context.get(MailDelivery);
    return new QueuedMailer({ outbox: mailOutbox, ids, clock, onStored: () => delivery.wake(), onDropped: () => delivery.drop() });
  });
});

/** What runs beside the requests, and what is measured of them. */
export const backgroundModule = serviceModule((make) => {
  make(services.traffic, ({ settings, clock }) => (settings.metrics === null ? null : new TrafficMetrics(clock)));
  make(DatabaseOutage, ({ configuration, clock, log }) => new DatabaseOutage({ database: databaseLocationName(configuration.database), clock, log }));
  make(LeaseKeeper, ({ ledger, outbox, processId, clock, log }, context) => {
    const health = context.get(MoneyHealth);
    const money = { get isFailing() { return health.isFailing || outbox.isRefusing; } };
    return new LeaseKeeper({ ledger, money, running: context.get(RunningGenerations), processId, clock, log, outage: context.get(DatabaseOutage) });
  });
  make(HistoryWatch, ({ configuration, store, clock, log }) => new HistoryWatch({ history: store.history ?? null, file: seenEntriesFileOf(configuration), clock, log }));
  make(SweepRunner, ({ ledger, idempotency, clock, log }) => new SweepRunner({ ledger, idempotency, clock, log }));
  make(ForgottenSweeper, ({ ledger, processId, clock, log }, context) => new ForgottenSweeper({ ledger, running: context.get(RunningGenerations), processId, clock, log }));
  make(ResponseSweeper, ({ responses, clock, log }) => new ResponseSweeper({ responses, clock, log }));
  make(Reconciler, ({ ledgerAudit, clock, log }) => new Reconciler({ ledgerAudit, clock, log }));
  make(DeletionRunner, ({ personRecords, clock, log }, context) => new DeletionRunner({ deletions: context.get(AccountDeletion), people: personRecords, clock, log }));
  make(TotalsRunner, ({ clock, log }, context) => new TotalsRunner({ allUsage: context.get(AllAccountsUsage), clock, log }));
  make(BlockExpiry, ({ platform, controls, clock, log }) => new BlockExpiry({ platform, controls, clock, log }));
  make(MailDelivery, ({ mail: { openTransport, pollMilliseconds }, mailOutbox, clock, log }) => new MailDelivery({ openTransport, pollMilliseconds, outbox: mailOutbox, clock, log }));
});

/** Connections of clients and the requests that run on them. */
export const connectionModule = serviceModule((make) => {
  make(RunningExchanges, () => new RunningExchanges());
  make(AdmissionGate, () => new AdmissionGate());
  make(ConnectionHealth, ({ log, clock }) => new ConnectionHealth(log, clock));
  make(NetworkShares, ({ settings }) => new NetworkShares(settings.connections.exemptNetworks));
});

/** What answers over HTTP, what bounds its work, and the server in front of it. */
export const httpModule = serviceModule((make) => {
  make(UnbilledLimits, ({ sharedCounter, clock, log, settings }) => new UnbilledLimits({ shared: sharedCounter, clock, log }, settings));
  make(RefusalDelay, ({ clock, settings }) => new RefusalDelay(clock, settings.refusalDelayMilliseconds));
  make(BodyHealth, ({ log, clock }) => new BodyHealth(log, clock));
  make(BodyBudget, ({ settings, ledger, catalogue, clock }, context) =>
    new BodyBudget(settings.bodyBytesInFlight, { clock, funds: new AccountFunds({ ledger, catalogue, clock }), report: context.get(BodyHealth) }));
  make(StoredLoads, (_services, context) => new StoredLoads(context.get(BodyBudget)));
  make(JsonBodyReader, ({ clock }, context) => new JsonBodyReader({ budget: context.get(BodyBudget), clock }));
  make(ErrorReply, ({ limiter, clock, log }, context) =>
    new ErrorReply({ limiter, log, delay: context.get(RefusalDelay), outage: context.get(DatabaseOutage), requestLimits: new RequestLimitLog({ clock, log }) }));
  make(IdempotentRequests, ({ idempotency, processId, clock, log, settings }) =>
    new IdempotentRequests({ idempotency, processId, clock, log }, { longestRequestMilliseconds: settings.reservationLifetimeMilliseconds }));
  make(services.formats, ({ secret, clock }) => ({
    chat: chatFormat, messages: messagesFormat, responses: responsesFormat({ seal: secret === null ? null : new AesReasoningSeal(secret.keysFor('response')), clock }),
  }));
  make(services.generations, ({ formats, responses, limiter, catalogue, ids, clock, log, settings, traffic }, context) => {
    const [generations, gate, errors, loads] = [context.get(GenerationService), context.get(AdmissionGate), context.get(ErrorReply), context.get(StoredLoads)];
    const ports = { generations, gate, errors, loads, idempotent: context.get(IdempotentRequests), limiter, catalogue, ids, clock };
    const kept = new KeptReplies({ responses, loads, format: formats.responses, clock, log, onNotStored: () => traffic?.responseNotStored() }, settings.responsesKeptMilliseconds);
    return { chat: new GenerationHandler(ports, formats.chat), messages: new GenerationHandler(ports, formats.messages), responses: new GenerationHandler(ports, formats.responses, kept) };
  });
  make(services.server, ({ settings, ids, clock, platform, catalogue, ledger, outbox, limiter, usage, keys, responses, formats, log, traffic, generations, dashboard }, context) => {
    const [gate, exchanges, errors, live, refusals] = [context.get(AdmissionGate), context.get(RunningExchanges), context.get(ErrorReply), context.get(LiveTraffic), context.get(RefusalCounts)];
    const app = createApp({
      context: {
        ids, clock, gate, exchanges, shares: context.get(NetworkShares), trustedProxies: settings.trustedProxies, formats, discards: new DiscardPace(clock),
        observers: [...(traffic === null ? [] : [traffic]), live, refusals, new RequestLog(log, clock)],
      },
      callers: { authenticator: context.get(Authenticator), unbilled: context.get(UnbilledLimits), platform, clock },
      health: { gate, leaseKeeper: context.get(LeaseKeeper), bodies: context.get(BodyBudget), outbox, catalogue },
      endpoints: {
        generations, counting: context.get(TokenCounting), formats, responses, loads: context.get(StoredLoads), bodies: context.get(JsonBodyReader), ledger, limiter, usage, keys, catalogue, platform, clock,
      },
      root: rootRoute({ unbilled: context.get(UnbilledLimits), address: context.get(PublicAddress) }), dashboard, errors, delay: context.get(RefusalDelay),
    });
    return createServer(app, settings, { ids, clock, log, errorFormat: chatFormat, hasReplyOn: (socket) => exchanges.hasReplyOn(socket), connectionReport: context.get(ConnectionHealth), upstreamSockets: context.get(UpstreamSockets), shares: context.get(NetworkShares) });
  });
});

/** What operators watch while the gateway runs. */
export const liveModule = serviceModule((make) => {
  make(RefusalCounts, ({ clock }) => new RefusalCounts(clock));
  make(LiveTraffic, ({ clock }) => new LiveTraffic(clock));
  make(LiveAlerts, ({ upstreams, outbox, clock }, context) => new LiveAlerts({
    upstreams, leaseKeeper: context.get(LeaseKeeper), limiterHealth: context.get(LimiterHealth), reconciler: context.get(Reconciler), outbox, clock,
  }));
  make(LiveFeed, ({ clock }, context) => new LiveFeed({
    traffic: context.get(LiveTraffic), alerts: context.get(LiveAlerts), running: context.get(RunningGenerations), exchanges: context.get(RunningExchanges), clock,
  }));
});

/** As deep below the folder of the apps in `src` as in `dist`. */
const BUILT_PAGES = new URL('../../../dashboard/dist/', import.meta.url);

function proofParts({ personRecords, factorRecords, passwordHasher, secretTokens, secret, settings }: Services, context: ResolutionContext): SessionProofsParts {
  return {
    people: personRecords, factors: factorRecords, hasher: passwordHasher, tokens: secretTokens, codes: secret === null ? null : factorCodes(secret, new AuthenticatorCodes()),
    notices: context.get(FactorNotices), devices: context.get(KnownDevices), secondFactor: settings.dashboard.secondFactor, cookie: context.get(PublicAddress).cookieForm,
  };
}

function dashboardPorts(named: Services, context: ResolutionContext): DashboardPorts {
  const { store, settings, people, accounts, catalogue, platform, keys, ledger, limiter, usage, clock, ids, log, mailer, generations, estimator } = named;
  const { deletionGraceMilliseconds, dashboard: rules } = settings;
  const [address, deletions, notices] = [context.get(PublicAddress), context.get(AccountDeletion), context.get(FactorNotices)];
  return {
    rules, address, refusals: context.get(RefusalCounts), people, accounts, catalogue, platform, keys, ledger, limiter, usage, clock, log, pages: named.dashboardPages, hasMailServer: named.configuration.mail.kind === 'smtp',
    identity: named.identity, sessions: named.sessions, secondFactors: named.secondFactors, attempts: context.get(AttemptLimits), devices: context.get(KnownDevices), auditTrail: store.auditTrail,
    signInMethods: new SignInMethods({ signupCredits: named.signupCredits, store, secret: named.secret, address, settings: rules, tokens: named.secretTokens, ids, notices }),
    ownDeletion: new OwnDeletion({ deletions, mailer, site: address, graceMilliseconds: deletionGraceMilliseconds }),
    keyManagement: context.get(KeyManagement), allUsage: context.get(AllAccountsUsage), unbilled: context.get(UnbilledLimits), bodies: context.get(JsonBodyReader),
    administration: {
      search: context.get(AccountSearch), lookups: store.lookups, accountAdministration: context.get(AccountAdministration), standings: context.get(AccountStandings), deletions, deletionGraceMilliseconds,
    },
    operations: {
      controls: named.controls, blocklist: context.get(Blocklist), upstreams: named.upstreams, reconciler: context.get(Reconciler), outbox: named.outbox, mailOutbox: named.mailOutbox,
      mailer, ids, live: context.get(LiveFeed),
    },
    playground: { access: new PlaygroundAccess({ keys, catalogue, ids, clock }), estimates: new GenerationEstimates({ catalogue, estimator, ledger }), ...generations },
  };
}

/** People, their sessions, and the routes that they use with a browser. */
export const dashboardModule = serviceModule((make) => {
  make(PublicAddress, ({ settings }) => new PublicAddress(settings.dashboard));
  make(KnownDevices, ({ personRecords, secret }, context) => new KnownDevices({
    people: personRecords, signer: secret === null ? null : new HmacDeviceSigner(secret.keysFor('device')),
    cookie: context.get(PublicAddress).cookieForm.secure ? SECURE_DEVICE_COOKIE : LOOPBACK_DEVICE_COOKIE,
  }));
  make(Operators, ({ personRecords, secretTokens, ids }) => new Operators({ records: personRecords, tokens: secretTokens, ids }));
  make(FactorNotices, ({ ids }, context) => {
    const [address, delivery] = [context.get(PublicAddress), context.get(MailDelivery)];
    return new FactorNotices({ ids, baseUrl: () => address.origin, onStored: () => delivery.wake() });
  });
  make(services.sessions, (named, context) => new StoredSessions({ ...proofParts(named, context), sessions: named.sessionRecords, ids: named.ids }));
  make(services.secondFactors, (named, context) => {
    const address = context.get(PublicAddress);
    return new StoredFactors({ ...proofParts(named, context), sessions: named.sessions, issuer: () => `Tollgate (${new URL(address.origin).hostname})` });
  });
  make(AttemptLimits, ({ clock, sharedCounter, secretTokens }) => new AttemptLimits({ own: new MemoryCounter(clock), shared: sharedCounter, tokens: secretTokens }));
  make(PasswordRules, () => new PasswordRules(new CommonPasswordList()));
  make(services.identity, ({ people, mailer, sessions, ids, clock, settings }, context) =>
    createIdentity({ people, mailer, sessions, ids, clock, site: context.get(PublicAddress), limits: context.get(AttemptLimits), passwords: context.get(PasswordRules) }, settings));
  make(services.dashboardPages, () => BUILT_PAGES);
  make(services.dashboard, (named, context) => lazyDashboard(dashboardPorts(named, context)));
});
