-- Keys: slots.
-- Arguments: time, then members. Adds what is missing, so that slots are back soon after Redis has lost them.
local expiresAt = timeFrom(ARGV[1]) + LEASE
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], expiresAt, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], LEASE + EXPIRY_MARGIN)
