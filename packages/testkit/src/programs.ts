// What needs no test runner, for programs that put a gateway to the test as well: servers of their own, chance that can be repeated, and tables.
export { type PostgresServer, type PostgresServerOptions, startPostgresServer } from './programs/postgres-server.js';
export { type RedisServer, startRedisServer } from './programs/redis-server.js';
export { SeededRandom } from './seeded-random.js';
export { renderTable } from './programs/render-table.js';
