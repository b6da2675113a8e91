import { AesReasoningSeal } from '@tollgate/adapters-node';
import { UpstreamSockets } from '@tollgate/adapters-upstream';
import { Authenticator, GenerationService, TokenCounting } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import { LeaseKeeper } from '../background/lease-keeper.js';
import { createApp } from '../gateway/app.js';
import { serviceModule, services } from '../gateway/services.js';
import { AccountFunds } from '../http/account-funds.js';
import { BodyBudget } from '../http/body-budget.js';
import { DiscardPace } from '../http/discard-pace.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { PublicAddress } from '../http/public-address.js';
import { DatabaseOutage } from '../http/reply/database-outage.js';
import { ErrorReply } from '../http/reply/error-reply.js';
import { RefusalDelay } from '../http/reply/refusal-delay.js';
import { AdmissionGate, RunningExchanges } from '../http/running-exchanges.js';
import { createServer } from '../http/server/create-server.js';
import { NetworkShares } from '../http/server/network-shares.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { LiveTraffic } from '../live/live-traffic.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { BodyHealth, ConnectionHealth } from '../observability/health-reports.js';
import { RequestLimitLog } from '../observability/request-limit-log.js';
import { RequestLog } from '../observability/request-log.js';
import { GenerationHandler } from '../routes/generation/generation-handler.js';
import { IdempotentRequests } from '../routes/generation/idempotent-requests.js';
import { KeptReplies } from '../routes/generation/kept-replies.js';
import { StoredLoads } from '../routes/generation/stored-loads.js';
import { rootRoute } from '../routes/root.js';

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
