import type { Container } from 'inversify';
import type { Environment } from '@tollgate/adapters-config';
import { createContainer, openServices } from './container.js';
import { Gateway } from './gateway.js';
import { services } from './services.js';

/**
 * Starts the gateway that an environment describes; `rebind` may replace anything in its container before it is made.
 * Throws `StartRefused` when the environment cannot be used. Nothing stays open when it rejects.
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
