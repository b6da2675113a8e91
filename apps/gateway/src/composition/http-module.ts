import { ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import { LeaseKeeper, type LeaseKeeperPorts } from '../background/lease-keeper.js';
import { Sweeper, type SweeperPorts } from '../background/sweeper.js';
import { AdmissionGate } from '../http/admission-gate.js';
import { CallerGate, type CallerGatePorts } from '../http/caller-gate.js';
import { ErrorReply, type ErrorReplyPorts } from '../http/reply/error-reply.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { requestLog } from '../observability/request-log.js';
import { createApp } from '../server/create-app.js';
import { bindService } from './bind-service.js';
import { createEndpoints, type EndpointNeeds } from './endpoints.js';
import type { GatewaySettings } from './foundation.js';
import { services } from './services.js';

interface AppNeeds extends EndpointNeeds {
  readonly settings: GatewaySettings;
  readonly log: Logger;
  readonly callers: CallerGate;
  readonly exchanges: RunningExchanges;
}

function appOf(needs: AppNeeds) {
  const { ids, clock, chat, messages, exchanges, gate, log, ledger, callers, errors, settings } = needs;
  return createApp({
    opening: { ids, clock, formats: { chat, messages }, exchanges, gate, onDone: requestLog(log, clock) },
    health: { gate, ledger },
    callers,
    errors,
    endpoints: createEndpoints(needs),
    trustedProxies: settings.trustedProxies,
  });
}

/** What answers over HTTP, and what runs in the background while it does. */
export const httpModule = new ContainerModule(({ bind }) => {
  const { log, clock, ids, ledger, running, processId } = services;
  bindService(bind, services.exchanges, { needs: {}, make: () => new RunningExchanges() });
  bindService(bind, services.gate, { needs: {}, make: () => new AdmissionGate() });
  bindService(bind, services.callers, {
    needs: { platform: services.platform, authenticator: services.authenticator },
    make: (ports: CallerGatePorts) => new CallerGate(ports),
  });
  bindService(bind, services.errors, {
    needs: { limiter: services.limiter, log },
    make: (ports: ErrorReplyPorts) => new ErrorReply(ports),
  });
  bindService(bind, services.app, {
    needs: {
      ids, clock, log, ledger,
      settings: services.settings, chat: services.chat, messages: services.messages, exchanges: services.exchanges,
      gate: services.gate, callers: services.callers, errors: services.errors, generations: services.generations,
      counting: services.counting, catalogue: services.catalogue, keys: services.keys, usage: services.usage, limiter: services.limiter,
    },
    make: (needs: AppNeeds) => appOf(needs),
  });
  bindService(bind, services.leaseKeeper, {
    needs: { ledger, running, processId, clock, log },
    make: (ports: LeaseKeeperPorts) => new LeaseKeeper(ports),
  });
  bindService(bind, services.sweeper, { needs: { ledger, clock, log }, make: (ports: SweeperPorts) => new Sweeper(ports) });
});
