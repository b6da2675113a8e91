export { createGateway } from './composition/create-gateway.js';
export type { Foundation, GatewaySettings, Store } from './composition/foundation.js';
export type { FoundationOverrides } from './composition/open-foundation.js';
export { StartRefused } from './server/start-refused.js';
export { SERVER_LIMITS, type ServerLimits } from './server/create-server.js';
export { Gateway } from './composition/gateway.js';
