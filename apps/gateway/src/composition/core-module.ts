import { ContainerModule } from 'inversify';
import {
  AccountAdministration, type AccountAdministrationPorts, AccountDeletion, type AccountDeletionPorts, Authenticator, type AuthenticatorPorts, type GenerationPorts, GenerationService,
  KeyManagement, type KeyManagementPorts, type ProcessId, RunningGenerations, TokenCounting, type TokenCountingPorts,
} from '@tollgate/core';
import { LoggingObserver, type LoggingObserverPorts } from '../observability/logging-observer.js';
import type { TrafficMetrics } from '../observability/metrics/traffic-metrics.js';
import { observerChain } from '../observability/observer-chain.js';
import { bindService } from './bind-service.js';
import type { GatewaySettings } from './foundation.js';
import { services } from './services.js';

type GenerationNeeds = GenerationPorts & { readonly settings: GatewaySettings; readonly processId: ProcessId };

type ObserverNeeds = LoggingObserverPorts & { readonly traffic: TrafficMetrics | null };

/** The use cases of the core, each with the ports it asks for. */
export const coreModule = new ContainerModule(({ bind }) => {
  const { accounts, keys, ledger, catalogue, platform, estimator, limiter, provider, running, observer, hasher, ids, clock } = services;
  bindService(bind, services.running, { needs: {}, make: () => new RunningGenerations() });
  bindService(bind, services.observer, {
    needs: { log: services.log, exchanges: services.exchanges, traffic: services.traffic },
    make: ({ traffic, ...ports }: ObserverNeeds) => observerChain([new LoggingObserver(ports), ...(traffic === null ? [] : [traffic])]),
  });
  bindService(bind, services.authenticator, {
    needs: { keys, catalogue, hasher, clock },
    make: (ports: AuthenticatorPorts) => new Authenticator(ports),
  });
  bindService(bind, services.generations, {
    needs: {
      catalogue, platform, estimator, limiter, ledger, provider, running, observer, ids, clock,
      settings: services.settings, processId: services.processId,
    },
    make: ({ settings, processId, ...ports }: GenerationNeeds) =>
      new GenerationService(ports, { processId, reservationLifetimeMilliseconds: settings.reservationLifetimeMilliseconds }),
  });
  bindService(bind, services.counting, {
    needs: { catalogue, estimator, limiter },
    make: (ports: TokenCountingPorts) => new TokenCounting(ports),
  });
  bindService(bind, services.keyManagement, {
    needs: { keys, ids, hasher, clock },
    make: (ports: KeyManagementPorts) => new KeyManagement(ports),
  });
  bindService(bind, services.accountAdministration, {
    needs: { accounts, ledger, catalogue, ids, clock },
    make: (ports: AccountAdministrationPorts) => new AccountAdministration(ports),
  });
  bindService(bind, services.deletions, {
    needs: { accounts, erasure: services.erasure, clock },
    make: (ports: AccountDeletionPorts) => new AccountDeletion(ports),
  });
});
