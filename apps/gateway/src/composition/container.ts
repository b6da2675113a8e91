import { Container, type ServiceIdentifier } from 'inversify';
import type { Environment } from '@tollgate/adapters-config';
import { Background, Gateway } from '../gateway/gateway.js';
import { services } from '../gateway/services.js';
import { limitsModule, processModule, storageModule, upstreamsModule } from './adapter-modules.js';
import { backgroundModule } from './background-module.js';
import { connectionModule } from './connection-module.js';
import { coreModule } from './core-module.js';
import { dashboardModule } from './dashboard-module.js';
import { httpModule } from './http-module.js';
import { liveModule } from './live-module.js';

/** The service. Each module binds one concern. A service is made at its first use and once; until then `rebind` replaces it. */
const MODULES = [processModule, storageModule, upstreamsModule, limitsModule, coreModule, backgroundModule, connectionModule, httpModule, liveModule, dashboardModule];

/** What is opened before the gateway starts, in this order: the bindings that return promises. `services.resources` closes it. */
const OPENED: readonly ServiceIdentifier[] = [
  services.logWriter, services.store, services.secret, services.outbox, services.idempotency, services.catalogue, services.provider, services.upstreams, services.limits,
];

/** The container of the gateway that an environment describes. Nothing is open yet. */
export function createContainer(environment: Environment): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(Container).toConstantValue(container);
  container.bind(services.environment).toConstantValue(environment);
  container.bind(Gateway).toSelf();
  container.bind(Background).toSelf();
  container.load(...MODULES);
  return container;
}

/** Opens what the gateway needs, after which the container resolves everything synchronously. Throws `StartRefused` if the environment cannot be used. */
export async function openServices(container: Container): Promise<void> {
  for (const service of OPENED) await container.getAsync(service);
}

/**
 * Starts the gateway that an environment describes; `rebind` may replace anything in its container before it is made.
 * Throws `StartRefused` if the environment cannot be used. Nothing stays open when it rejects.
 */
export async function createGateway(environment: Environment, rebind: (container: Container) => void = () => undefined): Promise<Gateway> {
  const container = createContainer(environment);
  rebind(container);
  try {
    await openServices(container);
    const gateway = container.get(Gateway);
    await gateway.listen();
    return gateway;
  } catch (thrown) {
    await Promise.allSettled([container.get(services.resources).disposeAsync()]);
    throw thrown;
  }
}
