import { administrationModule, createServiceContainer, serviceModule, systemModule } from '@tollgate/composition';
import { Container } from 'inversify';
import type { Environment } from '@tollgate/adapters-config';
import { AccountAdministration, KeyManagement } from '@tollgate/core';
import { Background } from '../gateway/background.js';
import { Gateway } from '../gateway/gateway.js';
import { PublicAddress } from '../http/public-address.js';
import { AdmissionGate } from '../http/admission-gate.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { LiveFeed } from '../live/live-feed.js';
import { adminModule } from './admin-module.js';
import { backgroundModule } from './background-module.js';
import { connectionModule } from './connection-module.js';
import { dashboardModule } from './dashboard-module.js';
import { entryModule } from './entry-module.js';
import { generationModule } from './generation-module.js';
import { httpModule } from './http-module.js';
import { identityModule } from './identity-module.js';
import { limitsModule } from './limits-module.js';
import { observabilityModule } from './observability-module.js';
import { paymentModule } from './payment-module.js';
import { processModule } from './process-module.js';
import { services } from './services.js';
import { storageModule } from './storage-module.js';
import { upstreamsModule } from './upstreams-module.js';
import { statementModule } from './statement-module.js';
import { voucherModule } from './voucher-module.js';

const { people, mailer, settings, clock, server, resources, preparation } = services;

const gatewayModule = serviceModule((make) => {
  make(
    Gateway,
    {
      container: Container, accountAdministration: AccountAdministration, keyManagement: KeyManagement, people, mailer, settings, clock, publicAddress: PublicAddress, server,
      resources, gate: AdmissionGate, exchanges: RunningExchanges, liveFeed: LiveFeed, background: Background, prepare: preparation,
    },
    (parts) => new Gateway(parts),
  );
});

/** One module per concern. Services are created once, on first use; until then, `rebind` may replace them. */
export const MODULES = [
  systemModule, processModule, storageModule, upstreamsModule, limitsModule, generationModule, administrationModule, identityModule, entryModule, connectionModule, httpModule, dashboardModule, adminModule,
  voucherModule, paymentModule, statementModule, observabilityModule, backgroundModule, gatewayModule,
];

/** Opens no file and no connection. */
export function createContainer(environment: Environment): Container {
  const container = createServiceContainer(...MODULES);
  container.bind(Container).toConstantValue(container);
  container.bind(services.environment).toConstantValue(environment);
  return container;
}

/**
 * `rebind` may replace services before they are created. Throws `StartRefused` for invalid settings. Before it rejects, all opened resources are
 * closed.
 */
export async function createGateway(environment: Environment, rebind: (container: Container) => void = () => undefined): Promise<Gateway> {
  const container = createContainer(environment);
  rebind(container);
  try {
    const gateway = await container.getAsync(Gateway);
    await gateway.listen();
    return gateway;
  } catch (thrown) {
    await Promise.allSettled([container.get(services.resources).disposeAsync()]);
    throw thrown;
  }
}
