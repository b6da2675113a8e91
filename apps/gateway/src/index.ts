export { createGateway } from './composition/create-gateway.js';
export { Gateway } from './composition/gateway.js';
export type { GatewaySettings } from './composition/gateway-settings.js';
export { services, type Services, type Store } from './composition/services.js';
export { StartRefused } from './server/start-refused.js';
export { createLog } from './observability/create-log.js';
export { SERVER_LIMITS, type ServerLimits } from './server/create-server.js';
