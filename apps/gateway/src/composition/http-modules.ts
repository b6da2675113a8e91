import { Authenticator, GenerationService, RunningGenerations, TokenCounting, type WireFormat } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { LeaseKeeper } from '../background/leases.js';
import { Reconciler } from '../background/reconciler.js';
import { serviceModule, services } from '../gateway/services.js';
import { BodyBudget } from '../http/body/body-budget.js';
import { JsonBodyReader } from '../http/body/json-body-reader.js';
import { DiscardPace } from '../http/discard-pace.js';
import { ErrorReply, RefusalDelay } from '../http/reply/error-reply.js';
import { AdmissionGate, RunningExchanges } from '../http/running-exchanges.js';
import { boundConnections } from '../http/server/connection-limits.js';
import { createServer } from '../http/server/create-server.js';
import { UnbilledLimits } from '../http/middleware/authenticate.js';
import { LiveAlerts, LiveTraffic } from '../live/live-traffic.js';
import { LiveFeed } from '../live/live-feed.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { ConnectionHealth, LimiterHealth } from '../observability/health-reports.js';
import { requestLog } from '../observability/log.js';
import { createApp } from '../routes/app.js';
import { GenerationHandler } from '../routes/generation/generation-handler.js';
import { IdempotentRequests } from '../routes/generation/idempotent-requests.js';

/** What answers over HTTP, what bounds its work, and the server in front of it. */
export const httpModule = serviceModule((make) => {
  make(RunningExchanges, () => new RunningExchanges());
  make(AdmissionGate, () => new AdmissionGate());
  make(ConnectionHealth, ({ log, clock }) => new ConnectionHealth(log, clock));
  make(UnbilledLimits, ({ sharedCounter, clock, log, settings }) => new UnbilledLimits({ shared: sharedCounter, clock, log }, settings));
  make(RefusalDelay, ({ clock, settings }) => new RefusalDelay(clock, settings.refusalDelayMilliseconds));
  make(BodyBudget, ({ settings, clock }) => new BodyBudget(settings.bodyBytesInFlight, clock));
  make(JsonBodyReader, ({ clock }, context) => new JsonBodyReader({ budget: context.get(BodyBudget), clock }));
  make(ErrorReply, ({ limiter, log }, context) => new ErrorReply({ limiter, log, delay: context.get(RefusalDelay) }));
  make(IdempotentRequests, ({ idempotency, processId, clock, log, settings }) =>
    new IdempotentRequests({ idempotency, processId, clock, log }, { longestRequestMilliseconds: settings.reservationLifetimeMilliseconds }));
  make(services.generations, ({ limiter, ids, clock }, context) => {
    const ports = {
      generations: context.get(GenerationService), gate: context.get(AdmissionGate), errors: context.get(ErrorReply), idempotent: context.get(IdempotentRequests), limiter, ids, clock,
    };
    const handlerOf = (format: WireFormat): GenerationHandler => new GenerationHandler(ports, format);
    return { chat: handlerOf(chatFormat), messages: handlerOf(messagesFormat) };
  });
  make(services.server, ({ settings, ids, clock, platform, catalogue, ledger, limiter, usage, keys, log, traffic, generations, dashboard }, context) => {
    const [gate, exchanges, errors, live, refusals] = [context.get(AdmissionGate), context.get(RunningExchanges), context.get(ErrorReply), context.get(LiveTraffic), context.get(RefusalCounts)];
    const observers = [...(traffic === null ? [] : [traffic]), live, refusals, { requestDone: requestLog(log, clock) }];
    const app = createApp({
      context: {
        ids, clock, gate, exchanges, trustedProxies: settings.trustedProxies, formats: { chat: chatFormat, messages: messagesFormat }, discards: new DiscardPace(clock),
        onDone: (exchange) => observers.forEach((observer) => observer.requestDone(exchange)),
      },
      callers: { authenticator: context.get(Authenticator), unbilled: context.get(UnbilledLimits), platform, clock },
      health: { gate, leaseKeeper: context.get(LeaseKeeper), catalogue },
      endpoints: {
        generations, counting: context.get(TokenCounting), countFormat: messagesFormat, bodies: context.get(JsonBodyReader), ledger, limiter, usage, keys, catalogue, platform, clock,
      },
      dashboard, errors, delay: context.get(RefusalDelay),
    });
    const server = createServer(app, settings.server, { ids, errorFormat: chatFormat, hasReplyOn: (socket) => exchanges.hasReplyOn(socket) });
    boundConnections(server, settings.connections, context.get(ConnectionHealth));
    return server;
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
