export { createGateway } from './composition/container.js';
export { Gateway } from './gateway/gateway.js';
export type { GatewaySettings } from './gateway/gateway-settings.js';
export { services, type Services } from './composition/services.js';
export type { Store } from './adapters/store.js';
export { SERVER_LIMITS, type ServerLimits } from './http/server/create-server.js';
export { StartRefused } from './http/server/start-refused.js';
export { createLog } from './observability/create-log.js';
