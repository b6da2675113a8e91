export { openPostgresReader } from './open-postgres-reader.js';
export { inspectPostgres, openPostgresStore } from './open-postgres-store.js';
