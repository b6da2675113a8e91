// For programs without a test runner: database servers, repeatable random numbers, and tables.
export { type PostgresServer, type PostgresServerOptions, startPostgresServer } from './programs/postgres-server.js';
export { type RedisServer, startRedisServer } from './programs/redis-server.js';
export { SeededRandom } from './seeded-random.js';
export { renderTable } from './programs/render-table.js';
