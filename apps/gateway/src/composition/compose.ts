import { Container } from 'inversify';
import type { Application } from 'express';
import type { AccountAdministration, KeyManagement } from '@tollgate/core';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import type { Sweeper } from '../background/sweeper.js';
import type { AdmissionGate } from '../http/admission-gate.js';
import type { RunningExchanges } from '../http/running-exchanges.js';
import { coreModule } from './core-module.js';
import type { Foundation } from './foundation.js';
import { foundationModule } from './foundation-module.js';
import { httpModule } from './http-module.js';
import { services } from './services.js';

/** A gateway put together and not yet listening. */
export interface ComposedGateway {
  readonly app: Application;
  readonly gate: AdmissionGate;
  readonly exchanges: RunningExchanges;
  readonly leaseKeeper: LeaseKeeper;
  readonly sweeper: Sweeper;
  readonly accountAdministration: AccountAdministration;
  readonly keyManagement: KeyManagement;
}

/** Puts the gateway together. The container is asked here, once, and by nobody afterwards. */
export function compose(foundation: Foundation): ComposedGateway {
  const container = new Container();
  container.load(foundationModule(foundation), coreModule, httpModule);
  return {
    app: container.get(services.app),
    gate: container.get(services.gate),
    exchanges: container.get(services.exchanges),
    leaseKeeper: container.get(services.leaseKeeper),
    sweeper: container.get(services.sweeper),
    accountAdministration: container.get(services.accountAdministration),
    keyManagement: container.get(services.keyManagement),
  };
}
