export { inspectPostgres, openPostgresStore } from './open-postgres-store.js';
