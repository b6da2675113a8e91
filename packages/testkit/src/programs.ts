// For programs that run without a test runner: database servers, a network that can be broken, scripted upstreams, seeded random numbers, and a wait
// for a condition.
export { type PostgresServer, type PostgresServerOptions, type PreparedCluster, startPostgresServer } from './servers/database-servers.js';
export { type RedisServer, startRedisServer } from './servers/redis-server.js';
export { type NetworkProxy, startNetworkProxy } from './faults.js';
export { numberFromEnvironment } from './programs/number-from-environment.js';
export { randomFrom, SeededRandom } from './programs/seeded-random.js';
export { until } from './programs/until.js';
export { answersStatus, type Behaviour, breaksAfter, hangsBeforeHeaders, replies } from './scripted-upstream/behaviours.js';
export { type ScriptedReply } from './scripted-upstream/scripted-reply.js';
export { type RecordedRequest, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream/scripted-upstream.js';
export { StrictVendor, type VendorFormat } from './strict-upstream/strict-vendor.js';
