// What needs no test runner, for programs that put a gateway to the test as well: real servers of their own.
export { startPostgresServer, type PostgresServer, type PostgresServerOptions } from './postgres-server/postgres-server.js';
export { startRedisServer, type RedisServer } from './redis-server/redis-server.js';
