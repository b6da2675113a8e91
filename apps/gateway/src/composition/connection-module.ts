import { serviceModule } from '@tollgate/composition';
import { AdmissionGate } from '../http/admission-gate.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { NetworkShares } from '../http/server/network-shares.js';
import { ConnectionHealth } from '../observability/connection-health.js';
import { services } from './services.js';

const { log, clock, settings } = services;

export const connectionModule = serviceModule((make) => {
  make(RunningExchanges, {}, () => new RunningExchanges());
  make(AdmissionGate, {}, () => new AdmissionGate());
  make(ConnectionHealth, { log, clock }, (parts) => new ConnectionHealth(parts.log, parts.clock));
  make(NetworkShares, { settings }, (parts) => new NetworkShares(parts.settings.connections.exemptNetworks));
});
