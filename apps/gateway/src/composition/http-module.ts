import { ContainerModule, type ResolutionContext } from 'inversify';
import { Authenticator, GenerationService, type WireFormat } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { LeaseKeeper } from '../background/leases.js';
import { AdmissionGate, RunningExchanges } from '../http/running-exchanges.js';
import { BodyBudget } from '../http/body/body-budget.js';
import { JsonBodyReader } from '../http/body/json-body-reader.js';
import { DiscardPace } from '../http/discard-pace.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { ErrorReply, RefusalDelay } from '../http/reply/error-reply.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { ConnectionHealth } from '../observability/health-reports.js';
import { LiveTraffic } from '../live/live-traffic.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { requestLog } from '../observability/request-log.js';
import { GenerationHandler } from '../routes/generation/generation-handler.js';
import { IdempotentRequests } from '../routes/generation/idempotent-requests.js';
import { boundConnections } from '../http/server/connection-limits.js';
import { createServer } from '../http/server/create-server.js';
import { createApp } from '../routes/app.js';
import { createEndpoints } from './endpoints.js';
import { services } from './services.js';

/** What is told of every request that is over. */
function onDone(context: ResolutionContext): (exchange: HttpExchange) => void {
  const traffic = context.get(services.traffic);
  const write = requestLog(context.get(services.log), context.get(services.clock));
  const live = context.get(LiveTraffic);
  const refusals = context.get(RefusalCounts);
  return (exchange) => {
    traffic?.requestDone(exchange);
    live.requestDone(exchange);
    refusals.requestDone(exchange);
    write(exchange);
  };
}

function generationsOf(context: ResolutionContext, format: WireFormat): GenerationHandler {
  return new GenerationHandler({
    generations: context.get(GenerationService), gate: context.get(AdmissionGate), errors: context.get(ErrorReply), idempotent: context.get(IdempotentRequests),
    limiter: context.get(services.limiter), ids: context.get(services.ids), clock: context.get(services.clock),
  }, format);
}

/** What answers over HTTP, what bounds its work, and the server in front of it. */
export const httpModule = new ContainerModule(({ bind }) => {
  bind(services.chat).toConstantValue(chatFormat);
  bind(services.messages).toConstantValue(messagesFormat);
  bind(services.chatGenerations).toDynamicValue((context) => generationsOf(context, context.get(services.chat)));
  bind(services.messagesGenerations).toDynamicValue((context) => generationsOf(context, context.get(services.messages)));
  bind(RunningExchanges).toDynamicValue(() => new RunningExchanges());
  bind(AdmissionGate).toDynamicValue(() => new AdmissionGate());
  bind(ConnectionHealth).toDynamicValue((context) => new ConnectionHealth(context.get(services.log), context.get(services.clock)));
  bind(UnbilledLimits).toDynamicValue((context) => new UnbilledLimits({
    shared: context.get(services.sharedCounter), clock: context.get(services.clock), log: context.get(services.log),
  }, context.get(services.settings)));
  bind(RefusalDelay).toDynamicValue((context) => new RefusalDelay(context.get(services.clock), context.get(services.settings).refusalDelayMilliseconds));
  bind(BodyBudget).toDynamicValue((context) => new BodyBudget(context.get(services.settings).bodyBytesInFlight, context.get(services.clock)));
  bind(JsonBodyReader).toDynamicValue((context) => new JsonBodyReader({ budget: context.get(BodyBudget), clock: context.get(services.clock) }));
  bind(ErrorReply).toDynamicValue((context) => new ErrorReply({ limiter: context.get(services.limiter), log: context.get(services.log), delay: context.get(RefusalDelay) }));
  bind(IdempotentRequests).toDynamicValue((context) => new IdempotentRequests({
    idempotency: context.get(services.idempotency), processId: context.get(services.processId), clock: context.get(services.clock), log: context.get(services.log),
  }, { longestRequestMilliseconds: context.get(services.settings).reservationLifetimeMilliseconds }));
  bind(services.app).toDynamicValue((context) => createApp({
    context: {
      ids: context.get(services.ids), clock: context.get(services.clock), formats: { chat: context.get(services.chat), messages: context.get(services.messages) },
      exchanges: context.get(RunningExchanges), gate: context.get(AdmissionGate), trustedProxies: context.get(services.settings).trustedProxies,
      discards: new DiscardPace(context.get(services.clock)), onDone: onDone(context),
    },
    callers: { authenticator: context.get(Authenticator), unbilled: context.get(UnbilledLimits), platform: context.get(services.platform), clock: context.get(services.clock) },
    health: { gate: context.get(AdmissionGate), leaseKeeper: context.get(LeaseKeeper), catalogue: context.get(services.catalogue) },
    endpoints: createEndpoints(context),
    dashboard: context.get(services.dashboard),
    errors: context.get(ErrorReply),
    delay: context.get(RefusalDelay),
  }));
  bind(services.server).toDynamicValue((context) => {
    const [settings, exchanges] = [context.get(services.settings), context.get(RunningExchanges)];
    const server = createServer(context.get(services.app), settings.server, {
      ids: context.get(services.ids), errorFormat: context.get(services.chat), hasReplyOn: (socket) => exchanges.hasReplyOn(socket),
    });
    boundConnections(server, settings.connections, context.get(ConnectionHealth));
    return server;
  });
});
