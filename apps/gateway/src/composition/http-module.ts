import { type Bind, ContainerModule } from 'inversify';
import type { RequestHandler } from 'express';
import type { Clock } from '@tollgate/core';
import type { Logger } from 'pino';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import { AdmissionGate } from '../http/admission-gate.js';
import { BodyBudget } from '../http/body/body-budget.js';
import { DiscardPace } from '../http/discard-pace.js';
import { JsonBodyReader, type JsonBodyReaderPorts } from '../http/body/json-body-reader.js';
import { ErrorReply, type ErrorReplyPorts } from '../http/reply/error-reply.js';
import { RefusalDelay } from '../http/reply/refusal-delay.js';
import type { Exchange } from '../http/exchange.js';
import type { CallerPorts } from '../http/routing/mount-endpoints.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { ConnectionHealth } from '../observability/connection-health.js';
import { UnbilledLimits, type UnbilledLimitsPorts } from '../http/unbilled-limits.js';
import type { TrafficMetrics } from '../observability/metrics/traffic-metrics.js';
import { requestLog } from '../observability/request-log.js';
import { IdempotentRequests, type IdempotentRequestsPorts } from '../routes/generation/idempotency/idempotent-requests.js';
import { createApp } from './create-app.js';
import { bindService } from './bind-service.js';
import { createEndpoints, type EndpointNeeds } from './endpoints.js';
import type { GatewaySettings } from './foundation.js';
import { services } from './services.js';

interface AppNeeds extends EndpointNeeds, CallerPorts {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  readonly delay: RefusalDelay;
  readonly leaseKeeper: LeaseKeeper;
  readonly exchanges: RunningExchanges;
  readonly dashboard: RequestHandler;
  readonly traffic: TrafficMetrics | null;
}

type UnbilledNeeds = UnbilledLimitsPorts & { readonly settings: GatewaySettings };

interface ClockNeeds {
  readonly settings: GatewaySettings;
  readonly clock: Clock;
}

type IdempotencyNeeds = IdempotentRequestsPorts & { readonly settings: GatewaySettings };

/** What is told of every request that is over. */
function onDone({ log, clock, traffic }: AppNeeds): (exchange: Exchange) => void {
  const write = requestLog(log, clock);
  if (traffic === null) return write;
  return (exchange) => {
    traffic.requestDone(exchange);
    write(exchange);
  };
}

function appOf(needs: AppNeeds) {
  const { ids, clock, chat, messages, exchanges, gate, leaseKeeper, catalogue, errors, delay, settings } = needs;
  return createApp({
    context: { ids, clock, formats: { chat, messages }, exchanges, gate, trustedProxies: settings.trustedProxies, discards: new DiscardPace(clock), onDone: onDone(needs) },
    callers: needs,
    health: { gate, leaseKeeper, catalogue },
    endpoints: createEndpoints(needs),
    dashboard: needs.dashboard,
    errors,
    delay,
  });
}

/** What bounds the work for requests that no plan has admitted yet. */
function bindBounds(bind: Bind): void {
  const { log, clock } = services;
  bindService(bind, services.unbilled, {
    needs: { settings: services.settings, shared: services.sharedCounter, clock, log },
    make: ({ settings, ...ports }: UnbilledNeeds) => new UnbilledLimits(ports, settings),
  });
  bindService(bind, services.refusalDelay, {
    needs: { settings: services.settings, clock },
    make: (needs: ClockNeeds) => new RefusalDelay(needs.clock, needs.settings.refusalDelayMilliseconds),
  });
  bindService(bind, services.bodyBudget, {
    needs: { settings: services.settings, clock },
    make: (needs: ClockNeeds) => new BodyBudget(needs.settings.bodyBytesInFlight, needs.clock),
  });
  bindService(bind, services.bodies, {
    needs: { budget: services.bodyBudget, clock },
    make: (ports: JsonBodyReaderPorts) => new JsonBodyReader(ports),
  });
}

/** What answers over HTTP. */
export const httpModule = new ContainerModule(({ bind }) => {
  const { log, clock, ids, ledger } = services;
  bindBounds(bind);
  bindService(bind, services.connections, {
    needs: { log, clock },
    make: (ports: { readonly log: Logger; readonly clock: Clock }) => new ConnectionHealth(ports.log, ports.clock),
  });
  bindService(bind, services.exchanges, { needs: {}, make: () => new RunningExchanges() });
  bindService(bind, services.gate, { needs: {}, make: () => new AdmissionGate() });
  bindService(bind, services.errors, {
    needs: { limiter: services.limiter, log, delay: services.refusalDelay },
    make: (ports: ErrorReplyPorts) => new ErrorReply(ports),
  });
  bindService(bind, services.idempotent, {
    needs: { idempotency: services.idempotency, processId: services.processId, clock, log, settings: services.settings },
    make: ({ settings, ...ports }: IdempotencyNeeds) =>
      new IdempotentRequests(ports, { longestRequestMilliseconds: settings.reservationLifetimeMilliseconds }),
  });
  bindService(bind, services.app, {
    needs: {
      ids, clock, log, ledger, leaseKeeper: services.leaseKeeper,
      settings: services.settings, chat: services.chat, messages: services.messages, exchanges: services.exchanges,
      gate: services.gate, authenticator: services.authenticator, unbilled: services.unbilled, errors: services.errors, delay: services.refusalDelay, bodies: services.bodies, generations: services.generations,
      counting: services.counting, catalogue: services.catalogue, keys: services.keys, usage: services.usage, limiter: services.limiter,
      dashboard: services.dashboard, traffic: services.traffic, idempotent: services.idempotent, platform: services.platform,
    },
    make: (needs: AppNeeds) => appOf(needs),
  });
});
