-- Keys: instances.
-- Arguments: time, the process.
-- Returns the number of processes alive.
local now = timeFrom(ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + INSTANCE_LEASE, ARGV[2])
redis.call('PEXPIRE', KEYS[1], INSTANCE_LEASE)
return redis.call('ZCARD', KEYS[1])
