import { Container } from 'inversify';
import type { RequestListener } from 'node:http';
import type { AccountAdministration, KeyManagement, Mailer, PersonDirectory } from '@tollgate/core';
import type { Background } from './background.js';
import type { PublicAddress } from '../dashboard/call/public-address.js';
import type { AdmissionGate } from '../http/admission-gate.js';
import type { RunningExchanges } from '../http/running-exchanges.js';
import type { ConnectionHealth } from '../observability/connection-health.js';
import { backgroundModule } from './background-module.js';
import { coreModule } from './core-module.js';
import type { Foundation } from './foundation.js';
import { foundationModule } from './foundation-module.js';
import { dashboardModule } from './dashboard-module.js';
import { httpModule } from './http-module.js';
import { services } from './services.js';

/** A gateway put together and not yet listening. */
export interface ComposedGateway {
  readonly app: RequestListener;
  readonly connections: ConnectionHealth;
  readonly gate: AdmissionGate;
  readonly exchanges: RunningExchanges;
  readonly background: Background;
  readonly accountAdministration: AccountAdministration;
  readonly keyManagement: KeyManagement;
  readonly mailer: Mailer;
  readonly people: PersonDirectory;
  readonly publicAddress: PublicAddress;
}

/** Puts the gateway together. The container is asked here, once, and by nobody afterwards. */
export function compose(foundation: Foundation): ComposedGateway {
  const container = new Container();
  container.load(foundationModule(foundation), coreModule, backgroundModule, httpModule, dashboardModule);
  return {
    app: container.get(services.app),
    connections: container.get(services.connections),
    gate: container.get(services.gate),
    exchanges: container.get(services.exchanges),
    background: container.get(services.background),
    accountAdministration: container.get(services.accountAdministration),
    keyManagement: container.get(services.keyManagement),
    mailer: container.get(services.mailer),
    people: container.get(services.people),
    publicAddress: container.get(services.publicAddress),
  };
}
