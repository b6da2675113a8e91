export { openPostgresReader } from './open-postgres-reader.js';
export { inspectPostgres } from './inspect-postgres.js';
export { openPostgresStore } from './open-postgres-store.js';
