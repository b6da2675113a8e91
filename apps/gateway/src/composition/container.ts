import { Container, type ServiceIdentifier } from 'inversify';
import type { Environment } from '@tollgate/adapters-config';
import { administrationModule } from './administration-module.js';
import { backgroundModule } from './background-module.js';
import { coreModule } from './core-module.js';
import { dashboardModule } from './dashboard-module.js';
import { operationsModule } from './operations-module.js';
import { Gateway } from './gateway.js';
import { httpModule } from './http-module.js';
import { identityModule } from './identity-module.js';
import { limitsModule } from './limits-module.js';
import { processModule } from './process-module.js';
import { services } from './services.js';
import { storageModule } from './storage-module.js';
import { upstreamsModule } from './upstreams-module.js';

/**
 * The service. Each module binds one concern; what it binds is made at its first use and once.
 * Until then `rebind` replaces any of it.
 */
const MODULES = [
  processModule, // settings, log, clock, ids
  storageModule, // the database, its repositories and ledger, the secret, the outbox of settlements
  upstreamsModule, // the catalogue, what serves its models, the token estimator
  limitsModule, // rate limits, in this process or over Redis
  coreModule, // the use cases
  backgroundModule, // what runs beside the requests, and the metrics
  dashboardModule, // people, their sessions, the routes under /dashboard
  identityModule, // how people come in and keep their identity
  administrationModule, // how operators manage accounts
  operationsModule, // what operators watch and set while the gateway runs
  httpModule, // the Express application, what bounds it, the server
];

/** What is opened before the gateway starts, in this order: the bindings that return promises. `services.resources` closes it. */
const OPENED: readonly ServiceIdentifier[] = [
  services.logWriter,
  services.store, services.secret, services.outbox,
  services.catalogue, services.provider, services.upstreams,
  services.limits,
];

/** The container of the gateway that an environment describes. Nothing is open yet. */
export function createContainer(environment: Environment): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(Container).toConstantValue(container);
  container.bind(services.environment).toConstantValue(environment);
  container.bind(Gateway).toSelf();
  container.load(...MODULES);
  return container;
}

/** Opens what the gateway needs, after which the container resolves everything synchronously. Throws `StartRefused` when the environment cannot be used. */
export async function openServices(container: Container): Promise<void> {
  for (const service of OPENED) await container.getAsync(service);
}
