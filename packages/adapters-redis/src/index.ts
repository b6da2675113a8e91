export { type RedisConnection, type RedisSettings, closeRedis, openRedis } from './connection/open-redis.js';
export { RedisUnavailable, UnansweredAdmission } from './connection/redis-unavailable.js';
export { RedisRateLimiter, type RedisRateLimiterPorts } from './limits/redis-rate-limiter.js';
export type { TokensUsedSource } from './limits/seed-reader.js';
export { FallbackRateLimiter, type FallbackRateLimiterPorts, type FallbackReport } from './fallback/fallback-rate-limiter.js';
export { shareOfLimits } from './fallback/share-of-limits.js';
export { RedisSharedCounter, type RedisSharedCounterPorts } from './counter/redis-shared-counter.js';
export { LiveInstances, type LiveInstancesPorts } from './instances/live-instances.js';
export { RedisChangeChannel, type RedisChangeChannelPorts } from './changes/redis-change-channel.js';
