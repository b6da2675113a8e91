import { serviceModule } from '../gateway/services.js';
import { AdmissionGate, RunningExchanges } from '../http/running-exchanges.js';
import { NetworkShares } from '../http/server/network-shares.js';
import { ConnectionHealth } from '../observability/health-reports.js';

/** Connections of clients and the requests that run on them. */
export const connectionModule = serviceModule((make) => {
  make(RunningExchanges, () => new RunningExchanges());
  make(AdmissionGate, () => new AdmissionGate());
  make(ConnectionHealth, ({ log, clock }) => new ConnectionHealth(log, clock));
  make(NetworkShares, ({ settings }) => new NetworkShares(settings.connections.exemptNetworks));
});
