export { closeRedis, openRedis, type RedisConnection, type RedisSettings } from './redis-connection.js';
export { redisRefusalOf, RedisUnavailable, UnansweredAdmission } from './redis-failures.js';
export { RedisRateLimiter, type RedisRateLimiterPorts, type TokensUsedSource } from './redis-rate-limiter.js';
export { FallbackRateLimiter, type FallbackRateLimiterPorts, type FallbackReport, shareOfLimits } from './fallback-rate-limiter.js';
export { RedisSharedCounter, type RedisSharedCounterPorts } from './redis-shared-counter.js';
export { LiveInstances, type LiveInstancesPorts } from './live-instances.js';
export { writeProbe } from './write-probe.js';
