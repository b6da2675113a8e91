export type { Foundation, GatewaySettings, Store } from './composition/foundation.js';
export { SERVER_LIMITS, type ServerLimits } from './server/create-server.js';
export { Gateway } from './server/gateway.js';
