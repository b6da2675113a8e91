// What needs no test runner, for programs that put a gateway to the test as well: servers of their own, chance that can be repeated, and tables.
export { startPostgresServer, type PostgresServer, type PostgresServerOptions } from './postgres-server/postgres-server.js';
export { startRedisServer, type RedisServer } from './redis-server/redis-server.js';
export { SeededRandom } from './chance/seeded-random.js';
export { renderTable } from './report/render-table.js';
