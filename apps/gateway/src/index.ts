export { createGateway } from './composition/create-gateway.js';
export { Gateway } from './composition/gateway.js';
export type { GatewaySettings } from './composition/gateway-settings.js';
export { services, type Services, type Store } from './composition/services.js';
export { StartRefused } from './http/server/listening.js';
export { createLog } from './observability/log.js';
export { SERVER_LIMITS, type ServerLimits } from './http/server/create-server.js';
