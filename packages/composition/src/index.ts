export { administrationModule } from './administration-module.js';
export { administrationServices } from './administration-services.js';
export { createServiceContainer } from './create-service-container.js';
export { identifier, type Resolved, serviceModule } from './service-module.js';
export { systemModule } from './system-module.js';
